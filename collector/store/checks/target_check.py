"""Check the target of a task: what cannot be read in it, by lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.task import Task
from collector.store.files.findings import WARNING
from collector.store.tasks.task_file import PROOF, TARGET
from collector.targets.reader import TargetError, read_target

PlaceOf = Callable[[str, tuple[str | int, ...]], str]
"""``tasks.yaml:LINE`` of a value of a task, by the task's id and the path of the value."""


def check_target(task: Task, place_of: PlaceOf) -> Iterator[Finding]:
    """What is wrong with a target that could not be read; the task then has none. And a proof of another."""
    if task.proof is not None and (task.target is None or task.proof.target != task.target.version):
        text = _("The proof of task {id} is of another target than it has now", id=task.id)
        to_do = _("`waymark task prove {id} --keep` makes a new one", id=task.id)
        yield Finding("task-proof", WARNING, text, "", to_do, place_of(task.id, (PROOF,)))
    if TARGET not in task.extra:
        return
    try:
        read_target(task.extra[TARGET])
    except TargetError as error:
        for problem in error.problems:
            text = _("The target of task {id} cannot be read: {what}", id=task.id, what=problem.what)
            yield Finding(
                "task-target", WARNING, text, "", problem.to_do, place_of(task.id, (TARGET, *problem.path))
            )
