"""Links to a step in Review."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.review_link import BadLink, ReviewLink, parse_link

_folders = st.text(min_size=1, max_size=30).filter(str.strip)


@given(
    st.lists(_folders, min_size=1, max_size=4), st.integers(0, 10_000), st.integers(0, 3),
    _folders | st.just(""),
)  # fmt: skip
def test_a_link_says_what_it_was_built_from(folders, step, side, project):
    link = ReviewLink(tuple(folders), step, min(side, len(folders) - 1), project)
    assert parse_link(link.text) == link


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("https://review?trajectory=a", "no link to Review"),
        ("waymark://run?trajectory=a", "no link to Review"),
        ("waymark://review?step=3", "names no trajectory"),
        ("waymark://review?trajectory=a&step=0", "the step '0'"),
        ("waymark://review?trajectory=a&step=x", "the step 'x'"),
        ("waymark://review?trajectory=a&side=B", "the side B"),
    ],
)
def test_a_bad_link_is_refused_with_its_reason(text, reason):
    with pytest.raises(BadLink, match=reason):
        parse_link(text)
