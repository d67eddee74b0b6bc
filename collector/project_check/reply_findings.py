"""Replies of tasks to questions of agents: patterns that cannot be searched for, answers that say nothing."""

from __future__ import annotations

from collections.abc import Iterator

from collector.asking.task_replies import problem_of_replies
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.files.findings import WARNING
from collector.store.files.layout import TASKS_FILE
from collector.store.project.project import Project


def check_replies(project: Project, task_id: str = "") -> Iterator[Finding]:
    """What is wrong with the replies of all tasks, or of the one with an id."""
    for task in project.tasks:
        problem = problem_of_replies(task.replies) if task_id in ("", task.id) else ""
        if problem:
            text = _("A reply of task {id} is wrong: {problem}", id=task.id, problem=problem)
            yield Finding("task-reply", WARNING, text, where=TASKS_FILE)
