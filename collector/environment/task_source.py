"""Where an environment takes its tasks and variations from: a project, or the studio alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from collector.environment.progress import TaskProgress, UnknownProgress
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.variation.phone_variation import DEFAULT, PhoneVariation
from collector.variations.registry import Variations

_MOST_NAMED = 10
NewProgress = Callable[[Task, frozenset[str]], TaskProgress]


class TaskSource:
    """The tasks and rules of a project as they are when it is opened; without one the built-in tasks.

    Raises NotFound, Damaged or FromTheFuture for a folder that is no project that can be read.
    """

    def __init__(self, project: Path | None = None) -> None:
        self.variations = Variations(project)
        self._tasks: tuple[Task, ...] | None = None
        self._new_progress: NewProgress = _without_project
        if project is not None:
            self._tasks, self._new_progress = _read(project)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks there are; the built-in ones are read when they are first asked for."""
        if self._tasks is None:
            # It takes megabytes, which a phone without a task does not need.
            from collector.task_library.built_in_tasks import built_in_tasks

            self._tasks = built_in_tasks()
        return self._tasks

    def task_of(self, task: Task | str | None) -> Task | None:
        """The task with an id, or a task as it is. Raises UserError for anything else."""
        if task is None or isinstance(task, Task):
            return task
        if not isinstance(task, str):
            why = _("it is neither a task nor the id of one")
            raise UserError(_("There is no task {id}", id=repr(task)[:80]), why)
        return self.task(task)

    def task(self, task_id: str) -> Task:
        """The task with an id. Raises UserError when there is none."""
        found = next((task for task in self.tasks if task.id == task_id), None)
        if found is not None:
            return found
        known = ", ".join(task.id for task in self.tasks[:_MOST_NAMED]) or _("none")
        raise UserError(
            _("There is no task {id}", id=task_id), _("the first ones are: {known}", known=known),
            _("List them with: waymark task list"),
        )  # fmt: skip

    def progress(self, task: Task | None, apps: frozenset[str]) -> TaskProgress:
        """What follows an episode of a task on a phone with these packages."""
        return self._new_progress(task, apps) if task is not None else UnknownProgress()

    def variation_of(self, variation: PhoneVariation | str) -> PhoneVariation:
        """The variation of a name, or a variation as it is. Raises UserError for anything else."""
        if isinstance(variation, PhoneVariation):
            return variation
        if not isinstance(variation, str):
            raise UserError(
                _("The variation {name} cannot be used", name=repr(variation)[:80]),
                _("it is neither a variation nor the name of one"),
            )
        return self.variation(variation)

    def variation(self, name: str) -> PhoneVariation:
        """The variation of a name or a combination; an empty name is the plain phone. Raises UserError."""
        return self.variations.resolve(name or DEFAULT)


def _without_project(task: Task, apps: frozenset[str]) -> TaskProgress:
    """What follows an episode of a task of which nothing but its own values is known."""
    if task.target is None and task.expected_answer is None:
        return UnknownProgress()
    from collector.environment.rule_progress import RuleProgress
    from collector.judge.evaluation.task_rules import TaskRules

    return RuleProgress(task, TaskRules(target=task.target), apps)


def _read(folder: Path) -> tuple[tuple[Task, ...], NewProgress]:
    """The tasks of a project, and what follows their episodes by its rules."""
    # Each takes megabytes, which a phone without a project does not need.
    from collector.environment.rule_progress import RuleProgress
    from collector.judge.evaluation.task_rules import rules_by_task
    from collector.rules.grammar.rule_files import rules_in
    from collector.store.project.project import Project
    from collector.store.tasks.task_values import values_of

    project = Project.open(folder)
    rules_of = rules_by_task(project, rules_in(project.paths.rule_files()))

    def follow(task: Task, apps: frozenset[str]) -> TaskProgress:
        return RuleProgress(task, rules_of(task.id).bound(values_of(task, 0), task.target), apps)

    return project.tasks, follow
