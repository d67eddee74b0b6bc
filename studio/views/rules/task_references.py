"""Rules that other files name: add a new rule to its task, and follow a renamed one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from collector.model.edit_stack import Edit
from collector.model.i18n import _
from collector.rules.grammar.model import INJECTION, STATE, SUCCESS, Rule
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.stored_labels import StoredLabels
from studio.bridge.rules.renaming_in_experiments import RenamingInExperiments
from studio.bridge.rules.rule_names import ANOMALY_KIND
from studio.bridge.task_edits import TaskEdits


def judging_rule(edits: TaskEdits, rules: Iterable[Rule], task_id: str) -> str:
    """Return the id of the success rule that judges a task; empty when it names none that exists."""
    task = next((task for task in edits.tasks if task.id == task_id), None)
    known = {rule.id for rule in rules if rule.kind == SUCCESS}
    return task.rule_key if task is not None and task.rule_key in known else ""


def name_rule_in_task(edits: TaskEdits, task_id: str, rule: Rule) -> None:
    """Name a rule in a task: as its rule key, or as one more target rule."""
    task = next((task for task in edits.tasks if task.id == task_id), None)
    if task is None:
        return
    if rule.kind == SUCCESS and task.rule_key != rule.id:
        changed = replace(task, rule_key=rule.id)
    elif rule.kind == INJECTION and rule.id not in task.target_rule_ids:
        changed = replace(task, target_rule_ids=(*task.target_rule_ids, rule.id))
    else:
        return
    tasks = [changed if task.id == task_id else task for task in edits.tasks]
    edits.edit(_("name {rule} in {task}", rule=rule.id, task=task_id), tasks)


def follow_renamed(
    project_library: ProjectLibrary, labels: StoredLabels, kind: str, old: str, new: str
) -> Edit:
    """Follow a renamed rule in tasks and experiments, and a renamed essential state in what was said of it.

    An anomaly has the kind ``ANOMALY_KIND``; only experiments name it. Returns what was done as an edit.
    """
    experiments = RenamingInExperiments(project_library, kind, old, new)

    def rename(before: str, after: str) -> None:
        if kind != ANOMALY_KIND:
            rename_rule_in_tasks(project_library.edits, kind, before, after)
        if kind == STATE:
            labels.rename_state(before, after)

    def redo() -> None:
        rename(old, new)
        experiments.rename()

    def undo() -> None:
        rename(new, old)
        experiments.take_back()

    redo()
    return Edit(_("rename {old} to {new}", old=old, new=new), undo, redo)


def rename_rule_in_tasks(edits: TaskEdits, kind: str, old: str, new: str) -> None:
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
        for task in edits.tasks
    ]
    if tuple(tasks) != tuple(edits.tasks):
        edits.edit(_("rename {old} to {new}", old=old, new=new), tasks)
