"""Rules that other files name: add a new rule to its task, and follow a renamed one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from collector.model.i18n import _
from collector.rules.grammar.model import INJECTION, STATE, SUCCESS, Rule
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.renaming_in_experiments import RenamingInExperiments
from studio.bridge.rule_names import ANOMALY_KIND


def judging_rule(project_library: ProjectLibrary, rules: Iterable[Rule], task_id: str) -> str:
    """Return the id of the success rule that judges a task; empty when it names none that exists."""
    task = next((task for task in project_library.tasks if task.id == task_id), None)
    known = {rule.id for rule in rules if rule.kind == SUCCESS}
    return task.rule_key if task is not None and task.rule_key in known else ""


def name_rule_in_task(project_library: ProjectLibrary, task_id: str, rule: Rule) -> None:
    """Name a rule in a task: as its rule key, or as one more target rule."""
    task = next((task for task in project_library.tasks if task.id == task_id), None)
    if task is None:
        return
    if rule.kind == SUCCESS and task.rule_key != rule.id:
        changed = replace(task, rule_key=rule.id)
    elif rule.kind == INJECTION and rule.id not in task.target_rule_ids:
        changed = replace(task, target_rule_ids=(*task.target_rule_ids, rule.id))
    else:
        return
    tasks = [changed if task.id == task_id else task for task in project_library.tasks]
    project_library.edit_tasks(_("name {rule} in {task}", rule=rule.id, task=task_id), tasks)


class RuleRenaming:
    """Follow a renamed rule in tasks and experiments, and a renamed essential state in what was said of it.

    An anomaly has the kind ``ANOMALY_KIND``; only experiments name it.
    """

    def __init__(self, project_library: ProjectLibrary, kind: str, old: str, new: str) -> None:
        self._project_library, self._kind, self._old, self._new = project_library, kind, old, new
        self._experiments = RenamingInExperiments(project_library, kind, old, new)

    @property
    def title(self) -> str:
        return _("rename {old} to {new}", old=self._old, new=self._new)

    def redo(self) -> None:
        """Name the rule by its new id."""
        self._rename(self._old, self._new)
        self._experiments.rename()

    def undo(self) -> None:
        """Name the rule by its id before."""
        self._rename(self._new, self._old)
        self._experiments.take_back()

    def _rename(self, old: str, new: str) -> None:
        if self._kind != ANOMALY_KIND:
            rename_rule_in_tasks(self._project_library, self._kind, old, new)
        if self._kind == STATE:
            self._project_library.rename_state_in_labels(old, new)


def rename_rule_in_tasks(project_library: ProjectLibrary, kind: str, old: str, new: str) -> None:
    """Name a renamed rule by its new id in every task."""

    def renamed(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(new if rule_id == old else rule_id for rule_id in ids)

    tasks = [
        replace(
            task,
            rule_key=new if kind == SUCCESS and task.rule_key == old else task.rule_key,
            target_rule_ids=renamed(task.target_rule_ids) if kind == INJECTION else task.target_rule_ids,
            essential_states=renamed(task.essential_states) if kind == STATE else task.essential_states,
        )
        for task in project_library.tasks
    ]
    if tuple(tasks) != tuple(project_library.tasks):
        project_library.edit_tasks(_("rename {old} to {new}", old=old, new=new), tasks)
