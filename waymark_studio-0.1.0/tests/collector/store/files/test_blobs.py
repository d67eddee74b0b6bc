"""Names of blobs: in the order of the steps, never given twice, and never a hang."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.store.files.blobs import next_stem, screenshot_suffix, stem_between, tree_suffix


@given(st.lists(st.integers(0, 12), max_size=60))
def test_names_put_anywhere_sort_as_they_stand(places: list[int]) -> None:
    names: list[str] = []
    for place in places:
        at = min(place, len(names))
        before = names[at - 1] if at else ""
        after = names[at] if at < len(names) else ""
        names.insert(at, stem_between(before, after, names))
    assert names == sorted(names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("before", "after"), [("9999", "10000"), ("shot9", "shot10"), ("b", "a"), ("0003", "0003"), ("x", "0000")]
)
def test_names_in_no_order_still_get_a_free_one(before: str, after: str) -> None:
    assert stem_between(before, after, {before, after}) not in {before, after}


def test_recorded_steps_count_on_past_gaps_and_strange_names() -> None:
    assert next_stem(set()) == "0000"
    assert next_stem({"0000", "0007_0001", "shot", "000-9999"}) == "0008"
    assert next_stem({"9999"}) == "10000"


def test_a_screenshot_never_takes_the_name_of_a_tree() -> None:
    for data in (b"", b"<x/>", b"{}", b"\x89PNG", b"\xff\xd8\xff", b"RIFF....WEBP", b"\0"):
        assert screenshot_suffix(data) != tree_suffix(data)
