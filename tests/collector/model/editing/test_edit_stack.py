"""Edits are undone and redone in their order; one that fails elsewhere is left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.editing.edit_stack import Edit, EditStack
from collector.model.errors import UserError


class Document:
    """A value, edits of it, and calls that wait to be made behind a window."""

    def __init__(self) -> None:
        self.value: object = 0
        self.calls: list[tuple[Callable[[], object], ...]] = []

    def edit(self, value: object, *, behind: bool = False) -> Edit:
        """Set the value; the edit sets it back and forth, at once or ``behind`` the window."""
        before, self.value = self.value, value

        def put(wanted: object) -> None:
            self.value = wanted

        run = (lambda *calls: self.calls.append(calls)) if behind else None
        return Edit(f"set {value}", lambda: put(before), lambda: put(value), self, run)

    def work(self) -> None:
        """Make the call that waits longest."""
        make, made, failed = self.calls.pop(0)
        try:
            make()
        except UserError:
            failed()
        else:
            made()


@pytest.fixture
def document() -> Document:
    return Document()


@pytest.fixture
def stack() -> EditStack:
    return EditStack()


@given(st.lists(st.sampled_from(["edit", "undo", "redo"]), max_size=40))
def test_undo_and_redo_walk_one_line_of_values(moves: list[str]) -> None:
    document, stack = Document(), EditStack()
    values: list[object] = [0]
    at = 0
    for number, move in enumerate(moves, start=1):
        if move == "edit":
            values, at = [*values[: at + 1], number], at + 1
            stack.add(document.edit(number))
        elif move == "undo":
            stack.undo()
            at = max(0, at - 1)
        else:
            stack.redo()
            at = min(len(values) - 1, at + 1)
        assert document.value == values[at]
        assert stack.undo_title == (f"set {values[at]}" if at else "")
        assert stack.redo_title == (f"set {values[at + 1]}" if at + 1 < len(values) else "")


def test_an_edit_behind_the_window_is_announced_once_it_is_undone(
    document: Document, stack: EditStack
) -> None:
    for value in (1, 2):
        stack.add(document.edit(value, behind=True))
    announced: list[tuple[object, str]] = []
    stack.changed.subscribe(lambda _event: announced.append((document.value, stack.redo_title)))
    stack.undo()
    stack.undo()
    stack.redo()  # its turn comes when both are undone
    assert (announced, document.value) == ([], 2)
    for _call in range(3):
        assert stack.is_waiting
        document.work()
    assert not stack.is_waiting
    assert announced == [(1, "set 2"), (0, "set 2"), (1, "set 2")]


def test_an_edit_that_cannot_be_undone_behind_the_window_is_left_out(
    document: Document, stack: EditStack
) -> None:
    def refuse() -> None:
        raise UserError("others changed it")

    stack.add(document.edit(1))
    stack.add(Edit("refused", refuse, refuse, run=document.edit(2, behind=True).run))
    stack.undo()
    document.work()
    assert (stack.undo_title, stack.redo_title, stack.is_waiting) == ("set 1", "", False)


def test_an_edit_that_cannot_be_undone_at_once_stays(stack: EditStack) -> None:
    def refuse() -> None:
        raise UserError("undo there first")

    stack.add(Edit("refused", refuse, refuse))
    with pytest.raises(UserError, match="undo there first"):
        stack.undo()
    assert (stack.undo_title, stack.redo_title) == ("refused", "")


def test_with_what_it_stands_on_an_edit_is_forgotten(document: Document, stack: EditStack) -> None:
    other = Document()
    for edit in (document.edit(1), other.edit(2), document.edit(3)):
        stack.add(edit)
    stack.undo()
    assert stack.holds(document)
    stack.forget(document)
    assert (stack.undo_title, stack.redo_title, stack.holds(document)) == ("set 2", "", False)
    stack.clear()
    assert stack.undo_title == ""


def test_what_is_joined_is_undone_and_redone_together(document: Document, stack: EditStack) -> None:
    other, alone = Document(), Document()
    stack.add(document.edit(1))
    stack.join(other.edit(2))
    assert stack.undo_title == "set 1"
    stack.undo()
    assert (document.value, other.value, stack.undo_title) == (0, 0, "")
    stack.redo()
    assert (document.value, other.value) == (1, 2)
    stack.undo()
    stack.join(alone.edit(3))  # without an edit to belong to it is one of its own
    assert (stack.undo_title, stack.redo_title) == ("set 3", "")
