"""Tasks edited here and by another program at once: nothing typed or written is lost."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from collector.model.task import Task
from collector.store.tasks.task_merge import merge_tasks

BASE = tuple(Task(task_id, f"Do {task_id}", "Shop", extra={"mood": "good"}) for task_id in "abc")
A, B, C = BASE
NEW, OTHER = Task("n", "New"), Task("o", "Other")


def test_different_fields_of_one_task_are_both_kept() -> None:
    merge = merge_tasks(
        BASE, (replace(A, note="mine"), B, C), (replace(A, level="hard", extra={"k": 1}), B, C)
    )
    assert merge.tasks == (replace(A, note="mine", level="hard", extra={"k": 1}), B, C)
    assert merge.conflicts == ()


def test_of_one_field_changed_by_both_mine_is_kept_and_theirs_offered() -> None:
    mine, theirs = replace(A, instruction="mine", note="n"), replace(A, instruction="theirs", app="Chat")
    merge = merge_tasks(BASE, (mine, B, C), (theirs, B, C))
    assert merge.tasks[0] == replace(mine, app="Chat")
    (conflict,) = merge.conflicts
    assert (conflict.task_id, conflict.kept) == ("a", merge.tasks[0])
    assert conflict.theirs == replace(theirs, note="n")


def test_additions_and_deletions_of_both_sides_are_merged_in_order() -> None:
    merge = merge_tasks(BASE, (A, NEW, C), (A, B, OTHER))
    assert merge.tasks == (A, NEW, OTHER)
    assert merge_tasks(BASE, (A, B, C, NEW), (A, B, C, OTHER)).tasks == (A, B, C, OTHER, NEW)
    assert merge_tasks(BASE, (C, B, A), (*BASE, OTHER)).tasks == (C, OTHER, B, A)


def test_a_task_deleted_on_one_side_and_changed_on_the_other_stays() -> None:
    changed = replace(B, note="x")
    for mine, theirs in (((A, C), (A, changed, C)), ((A, changed, C), (A, C))):
        merge = merge_tasks(BASE, mine, theirs)
        assert merge.tasks == (A, changed, C)
        assert [conflict.task_id for conflict in merge.conflicts] == ["b"]


def test_an_edit_is_undone_alone_after_a_change_outside() -> None:
    before, after, outside = BASE, (B, C), (replace(B, note="git"), C, OTHER)
    undone = merge_tasks(after, before, outside).tasks
    assert undone == (A, replace(B, note="git"), C, OTHER)
    assert merge_tasks(before, after, undone).tasks == outside


_tasks = st.lists(st.sampled_from("abcdef"), unique=True).flatmap(
    lambda ids: st.tuples(
        *(st.builds(Task, st.just(task_id), st.sampled_from(["x", "y"])) for task_id in ids)
    )
)


@given(_tasks, _tasks, _tasks)
def test_a_merge_of_anything_has_each_task_once_and_loses_none(
    base: tuple[Task, ...], mine: tuple[Task, ...], theirs: tuple[Task, ...]
) -> None:
    merged = {task.id: task for task in merge_tasks(base, mine, theirs).tasks}
    assert len(merged) == len(merge_tasks(base, mine, theirs).tasks)
    old = {task.id: task for task in base}
    for side in (mine, theirs):
        for task in side:
            if old.get(task.id) != task:
                assert task.id in merged
    assert merge_tasks(base, mine, base).tasks == mine
    assert merge_tasks(base, base, theirs).tasks == theirs
