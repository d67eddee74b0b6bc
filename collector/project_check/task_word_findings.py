"""Replies and parameters of tasks: what cannot be searched for, drawn or found in the texts."""

from __future__ import annotations

from collections.abc import Iterator

from collector.asking.task_replies import problem_of_replies
from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.model.task_parameter import names_in, problem_of_parameter
from collector.store.files.findings import WARNING
from collector.store.files.layout import TASKS_FILE
from collector.store.project.project import Project
from collector.store.tasks.task_values import values_of


def check_parameters(project: Project, task_id: str = "") -> Iterator[Finding]:
    """What is wrong with the parameters of all tasks, or of the one with an id."""
    for task in project.tasks:
        if task_id in ("", task.id) and task.parameters:
            for problem in _problems_of_parameters(task):
                yield Finding("task-parameter", WARNING, problem, where=TASKS_FILE)


def _problems_of_parameters(task: Task) -> Iterator[str]:
    known = {parameter.name for parameter in task.parameters}
    for parameter in task.parameters:
        if problem := problem_of_parameter(parameter):
            name = parameter.name
            yield _(
                "Parameter {name} of task {id} is wrong: {problem}", name=name, id=task.id, problem=problem
            )
            return
    try:
        values_of(task, DEFAULT_SEED)
    except UserError as error:
        yield str(error)
        return
    said = [task.instruction, *(text for texts in task.rewordings.values() for text in texts)]
    for text in said:
        for name in sorted(names_in(text) - known):
            yield _("Task {id} names {name} in {text}, which is none of its parameters",
                    id=task.id, name="{" + name + "}", text=repr(text))  # fmt: skip
    for text in said:
        for name in sorted(known - names_in(text)):
            yield _("Task {id} has the parameter {name}, which {text} does not say",
                    id=task.id, name=name, text=repr(text))  # fmt: skip


def check_replies(project: Project, task_id: str = "") -> Iterator[Finding]:
    """What is wrong with the replies of all tasks, or of the one with an id."""
    for task in project.tasks:
        problem = problem_of_replies(task.replies) if task_id in ("", task.id) else ""
        if problem:
            text = _("A reply of task {id} is wrong: {problem}", id=task.id, problem=problem)
            yield Finding("task-reply", WARNING, text, where=TASKS_FILE)
