"""Rules that other files name: add rules to tasks, and follow a renamed one."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from collector.model.editing.edit_stack import Edit
from collector.model.message import _
from collector.model.task import Task
from collector.project_rules.rules_of_tasks import with_renamed_rule, with_rule, with_users
from collector.rules.grammar.model import STATE, SUCCESS, Rule
from collector.store.tasks.task_merge import merge_tasks
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
    tasks = [with_rule(task, rule.kind, rule.id) if task.id == task_id else task for task in edits.tasks]
    if tuple(tasks) != tuple(edits.tasks):
        edits.edit(_("name {rule} in {task}", rule=rule.id, task=task_id), tasks)


def choose_users(edits: TaskEdits, kind: str, rule_id: str, users: Collection[str]) -> Edit | None:
    """Let the tasks ``users``, and no others, name a rule. Returns the edit; None when nothing changes.

    Undo keeps what others changed in the tasks since.
    """
    before = tuple(edits.tasks)
    after = with_users(before, kind, rule_id, users)
    if after == before:
        return None
    title = _("choose the tasks of {rule}", rule=rule_id)

    def put(base: tuple[Task, ...], mine: tuple[Task, ...]) -> None:
        edits.edit(title, merge_tasks(base, mine, edits.tasks).tasks)

    put(before, after)
    return Edit(title, lambda: put(after, before), lambda: put(before, after))


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
    tasks = [with_renamed_rule(task, kind, old, new) for task in edits.tasks]
    if tuple(tasks) != tuple(edits.tasks):
        edits.edit(_("rename {old} to {new}", old=old, new=new), tasks)
