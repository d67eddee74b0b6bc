"""Two descendants of one plain value become one: nothing that one side alone changed is lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.model.editing.three_way_merge import MISSING, ValueConflict, merge

_scalars = st.sampled_from(["", "x", "y", 0, 1.5, True])
_values = st.recursive(
    _scalars | st.tuples(_scalars, _scalars),
    lambda inner: (
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        | st.lists(inner, max_size=3)
        | st.lists(st.fixed_dictionaries({"id": st.sampled_from("123")}, optional={"v": inner}), max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=60)
@given(_values, _values)
def test_a_change_of_one_side_is_the_result(base: Any, changed: Any) -> None:
    for ours, theirs in ((changed, base), (base, changed), (changed, changed)):
        merged = merge(base, ours, theirs, ["id"])
        assert (merged.value, merged.conflicts) == (changed, ())


@settings(max_examples=100)
@given(_values, _values, _values)
def test_both_sides_see_the_same_conflicts(base: Any, ours: Any, theirs: Any) -> None:
    one, other = merge(base, ours, theirs, ["id"]), merge(base, theirs, ours, ["id"])
    swapped = {(conflict.path, str((conflict.theirs, conflict.ours))) for conflict in other.conflicts}
    assert {(conflict.path, str((conflict.ours, conflict.theirs))) for conflict in one.conflicts} == swapped


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        ({"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}),
        ({"a": 1, "b": 1}, {"a": 1}, {"a": 1, "b": 1, "c": 1}, {"a": 1, "c": 1}),
        ({"m": {"a": 1}}, {"m": {"a": 2}}, {"m": {"a": 1, "b": 3}}, {"m": {"a": 2, "b": 3}}),
        ({}, {"m": {"a": 1}}, {"m": {"b": 2}}, {"m": {"b": 2, "a": 1}}),
        (["a", "b", "c"], ["a", "n", "c"], ["a", "b", "c", "o"], ["a", "n", "c", "o"]),
        (["a", "b", "c"], ["c", "b", "a"], ["a", "b", "c", "o"], ["c", "o", "b", "a"]),
        (["a"], ["a", "n"], ["a", "o"], ["a", "o", "n"]),
        (["a", "a"], ["a", "a", "a"], ["a", "a", "b"], ["a", "a", "b", "a"]),
        ({}, {"l": ["a"]}, {"l": ["b"]}, {"l": ["b", "a"]}),
        ({"l": ["a", "b"]}, {"l": ["a"]}, {"l": ["b"]}, {"l": []}),
        ({"l": ["a", "b"]}, {"l": ["a"]}, {}, {}),
    ],
)
def test_different_changes_are_both_kept(base: Any, ours: Any, theirs: Any, merged: Any) -> None:
    merge_of_both = merge(base, ours, theirs)
    assert (merge_of_both.value, merge_of_both.conflicts) == (merged, ())


def test_entries_are_recognised_by_their_keys_or_else_by_all_of_them() -> None:
    base = {"states": [{"id": 1, "v": "x"}, {"id": 2}], "acts": [{"kind": "start"}]}
    ours = {"states": [{"id": 2}, {"id": 1, "v": "y"}], "acts": [{"kind": "start"}, {"kind": "sign"}]}
    theirs = {"states": [{"id": 1, "v": "x", "w": 0}], "acts": []}
    assert merge(base, ours, theirs, ["id"]).value == {
        "states": [{"id": 1, "v": "y", "w": 0}],
        "acts": [{"kind": "sign"}],
    }


def test_of_a_value_that_both_changed_ours_is_kept_and_the_conflict_named() -> None:
    base, ours, theirs = ({"states": [{"id": 3, "v": value}]} for value in "abc")
    merged = merge(base, ours, theirs, ["id"])
    assert merged.value == ours
    assert merged.conflicts == (ValueConflict(("states", "3", "v"), "b", "c"),)


@pytest.mark.parametrize("value", [(1, 2), [1, 2], ["a", 2]])
def test_tuples_and_lists_of_numbers_are_one_piece(value: Any) -> None:
    merged = merge(type(value)(), value, value * 2)
    assert (merged.value, len(merged.conflicts)) == (value, 1)


def test_an_entry_that_one_side_deleted_and_the_other_changed_stays() -> None:
    base, changed = [{"id": "a", "v": 1}], [{"id": "a", "v": 2}]
    assert merge(base, changed, [], ["id"]).value == merge(base, [], changed, ["id"]).value == changed
    assert merge(base, [], changed, ["id"]).conflicts == (ValueConflict(("a",), MISSING, changed[0]),)
    assert merge({"a": 1}, {}, {"a": 2}).value == {}, "of a key of a mapping ours is kept"
    assert merge({"a": 1}, {"a": 2}, {}).value == {"a": 2}


def test_an_edit_is_undone_and_what_others_did_since_stays() -> None:
    before, after = ["a", "b", "c"], ["a", "c"]
    assert merge(after, before, ["a", "c", "other"]).value == ["a", "b", "c", "other"]
