"""An edit of the States workspace that changes no rule file: which essential states a task names."""

from __future__ import annotations

from dataclasses import replace

from collector.model.edit_stack import Edit
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.three_way_merge import merge
from studio.bridge.task_edits import TaskEdits


def name_states(edits: TaskEdits, title: str, task: Task, wanted: tuple[str, ...]) -> Edit:
    """Let a task name other essential states. Returns the edit, which keeps what others changed since."""

    def put(names: tuple[str, ...], known: tuple[str, ...]) -> None:
        tasks = []
        for other in edits.tasks:
            if other.id == task.id:
                merged = merge(list(known), list(names), list(other.essential_states)).value
                other = replace(other, essential_states=tuple(merged))
            tasks.append(other)
        edits.edit(_("{edit} in {task}", edit=title, task=task.id), tasks)

    before = task.essential_states
    put(wanted, before)
    return Edit(title, lambda: put(before, wanted), lambda: put(wanted, before))
