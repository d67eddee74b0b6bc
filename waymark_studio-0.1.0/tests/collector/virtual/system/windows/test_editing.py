"""Caret and selection."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.virtual.system.windows.editing import Edit, next_place, previous_place


def test_typing_replaces_the_selection() -> None:
    assert Edit("hello", 5, 1).insert("a") == Edit("ha", 2)


@pytest.mark.parametrize(
    ("text", "left"),
    [("ab", "a"), ("a👍🏽", "a"), ("a👩‍👩‍👧", "a"), ("ae\u0301", "a"), ("☀\ufe0f", ""), ("", "")],
)
def test_backspace_takes_what_a_person_sees_as_one_character(text: str, left: str) -> None:
    assert Edit(text, len(text)).backspace() == Edit(left, len(left))


def test_a_word_is_deleted_or_replaced() -> None:
    assert Edit("one two", 7).delete_word() == Edit("one ", 4)
    assert Edit("one tw", 6).replace_word("two") == Edit("one two ", 8)


def test_moving_with_shift_selects() -> None:
    edit = Edit("hello", 5).move(3, select=True)
    assert (edit.selection, edit.selected) == ((3, 5), "lo")
    assert Edit("hello", 2).select_all().backspace() == Edit("", 0)


@given(st.text(max_size=20), st.integers(0, 20))
def test_places_stay_inside_and_move(text: str, place: int) -> None:
    place = min(place, len(text))
    assert 0 <= previous_place(text, place) <= place <= next_place(text, place) <= len(text)
    assert previous_place(text, place) < place or place == 0
    assert next_place(text, place) > place or place == len(text)
