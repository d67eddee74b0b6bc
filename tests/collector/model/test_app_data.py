"""App data of phones and files that nobody vouches for are read, or refused in a sentence."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.app_data.document import (
    changed_collections,
    dump_app_data,
    parse_app_data,
    with_changes,
)

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
_RECORDS = st.lists(st.dictionaries(st.text(), _VALUES, max_size=3), max_size=3)
_DATA = st.dictionaries(st.sampled_from(["todo.tasks", "maps.saved", "a.b"]), _RECORDS)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "no mapping by collection"),
        ('{"a": 5}', "a is no list of records"),
        ('{"a": [5]}', "a is no list of records"),
        ('{"a": [{"x": NaN}]}', "nan is no number"),
        ('{"a": [{"x": [[Infinity]]}]}', "inf is no number"),
        ('{"a": [{"x": ' + "[" * 40 + "]" * 40 + "}]}", "nested too deeply"),
        ('{"a": [{"x": ' + "[" * 5000 + "]" * 5000 + "}]}", "nested too deeply"),
        (json.dumps({"a": [{}] * 5001}), "a has over 5000 records"),
        ('{"a": [{"x": "' + "y" * (4 << 20) + '"}]}', "over 4 MB"),
        ("{", "Expecting"),
    ],
    ids=range(10),
)
def test_what_is_no_app_data_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_app_data(text)


def test_app_data_are_written_the_same_way_and_can_always_be_encoded() -> None:
    data = {"b": [{"y": "\ud83d", "x": "é"}], "a": []}
    assert dump_app_data(data) == dump_app_data({"a": (), "b": [{"x": "é", "y": "\ud83d"}]})
    assert parse_app_data(dump_app_data(data).encode()) == data
    assert dump_app_data({"a": [{"x": "é"}]}) == '{"a":[{"x":"é"}]}'


def test_changes_from_the_first_data_lead_back_to_the_later_ones() -> None:
    first, later = {"a": [{"x": 1}], "b": [{"x": 2}], "c": []}, {"a": [{"x": 1}], "d": [{"x": 3}]}
    changed = changed_collections(first, later)
    assert changed == {"b": [], "d": [{"x": 3}]}
    assert with_changes(first, changed) == {"a": [{"x": 1}], "b": [], "c": [], "d": [{"x": 3}]}


@given(_DATA)
def test_data_are_read_as_they_were_written(data):
    assert parse_app_data(dump_app_data(data)) == data


@given(_DATA, _DATA)
def test_the_changes_since_the_first_moment_give_the_present_one(first, now):
    changed = parse_app_data(dump_app_data(changed_collections(first, now)))
    present = with_changes(first, changed)
    assert _filled(present) == _filled(now)


def _filled(data):
    """Without empty collections, which are as good as none."""
    return {name: records for name, records in data.items() if records}
