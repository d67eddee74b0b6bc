"""Edits of tasks have names, can be taken back and made again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from collector.model.task import Task
from collector.store.task_history import TaskHistory

ONE, TWO = Task("one", "First"), Task("two", "Second")


def test_an_edit_is_taken_back_and_made_again_under_its_name():
    history = TaskHistory((ONE,))
    history.do("add two", (ONE, TWO))
    assert (history.undo_title, history.redo_title) == ("add two", "")
    assert history.undo()
    assert (history.tasks, history.undo_title, history.redo_title) == ((ONE,), "", "add two")
    assert history.redo()
    assert history.tasks == (ONE, TWO)


def test_a_new_edit_forgets_what_was_undone():
    history = TaskHistory((ONE,))
    history.do("add two", (ONE, TWO))
    history.undo()
    history.do("delete one", ())
    assert not history.redo()


@given(st.lists(st.sampled_from(["do", "undo", "redo"]), max_size=40))
def test_undo_and_redo_walk_one_line_of_states(moves):
    history = TaskHistory()
    states, at = [()], 0
    for number, move in enumerate(moves):
        if move == "do":
            states = [*states[: at + 1], (Task(str(number), ""),)]
            at += 1
            history.do(str(number), states[at])
        elif move == "undo":
            assert history.undo() == (at > 0)
            at = max(0, at - 1)
        else:
            assert history.redo() == (at < len(states) - 1)
            at = min(len(states) - 1, at + 1)
        assert history.tasks == states[at]
