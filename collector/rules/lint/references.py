"""Check references between rules, tasks, success rules, states and anomalies."""

from __future__ import annotations

from collections.abc import Iterator

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _
from collector.model.task import PLACEHOLDER
from collector.rules.grammar.model import INJECTION, SAFETY, SUCCESS
from collector.rules.grammar.rule_text import LintContext
from collector.rules.lint.indexes import TaskEntry, TaskIndex, WrittenName
from collector.rules.lint.linted_project import LintedProject, renamed
from collector.rules.lint.state_references import state_references


def references(project: LintedProject) -> Iterator[Diagnostic]:
    """Every W201 to W209 and W213 to W215 of a project."""
    yield from _duplicates(project)
    yield from _anomalies(project)
    if project.tasks is not None:
        for task in project.tasks.tasks:
            yield from _of_task(project, project.tasks, task)
        yield from _orphans(project, project.tasks)
    else:
        yield from _placeholders(project)
    yield from state_references(project)


def _of_task(project: LintedProject, index: TaskIndex, task: TaskEntry) -> Iterator[Diagnostic]:
    unharmed = _("The task runs without it, and no message says so")
    for kind, names, why in (
        (INJECTION, task.targets, unharmed),
        (SAFETY, task.forbidden, _("What it forbids is not noticed")),
    ):
        for name in names if project.knows(kind) or (kind == SAFETY and project.has_every_file) else ():
            if name.text not in project.ids[kind]:
                what = _(
                    "Task {task} names the rule {id}, which does not exist", task=task.id.text, id=name.text
                )
                fixes = renamed(name, project.ids[kind], index.text)
                yield project.in_tasks("dangling-rule", name, what, why, fixes=fixes)
    key = task.rule_key
    if key is not None and key.text == PLACEHOLDER:
        what = _("Task {task} waits for a person to judge it", task=task.id.text)
        to_do = _("Write a success rule for it")
        yield project.in_tasks("human-validation", key, what, _("Its rule can never hold"), to_do)
    elif key is not None and project.knows(SUCCESS) and key.text not in project.ids[SUCCESS]:
        what = _(
            "Task {task} names the success rule {id}, which does not exist", task=task.id.text, id=key.text
        )
        fixes = renamed(key, project.ids[SUCCESS], index.text)
        yield project.in_tasks("dangling-rule-key", key, what, _("It can never succeed"), fixes=fixes)


def _orphans(project: LintedProject, index: TaskIndex) -> Iterator[Diagnostic]:
    targets = {target.text for task in index.tasks for target in task.targets}
    keys = {task.rule_key.text for task in index.tasks if task.rule_key is not None}
    forbidden = {name.text for task in index.tasks for name in task.forbidden}
    for kind, named in ((INJECTION, targets), (SUCCESS, keys), (SAFETY, forbidden)):
        for context in project.contexts(kind):
            if context.rule.id and context.rule.id not in named and not context.rule.every_task:
                what = _("No task uses the rule {id}", id=context.rule.id)
                yield context.report("orphan-rule", context.rule.id_place, what)


def _placeholders(project: LintedProject) -> Iterator[Diagnostic]:
    for context in project.contexts(SUCCESS):
        if context.rule.id == PLACEHOLDER:
            what = _("{id} is a placeholder: a person has to judge", id=PLACEHOLDER)
            yield context.report(
                "human-validation", context.rule.id_place, what, _("Its rule can never hold")
            )


def _duplicates(project: LintedProject) -> Iterator[Diagnostic]:
    first: dict[tuple[str, str], LintContext] = {}
    for context in project.contexts():
        rule = context.rule
        before = first.setdefault((rule.kind, rule.id), context)
        same_key = rule.kind == SUCCESS and before.file is context.file  # W102 reports equal keys
        if rule.id and before is not context and not same_key:
            what = _("Another rule has the id {id} already", id=rule.id)
            line = before.rule.id_place.line
            where = _(
                "The first is in {path}, line {line}", path=before.file.path or _("this file"), line=line
            )
            yield context.report(
                "duplicate-id", rule.id_place, what, where, _("Change the id of one of them")
            )
    seen: set[str] = set()
    for anomaly in project.library.anomalies if project.library is not None else ():
        if anomaly.id.text in seen:
            what = _("Another anomaly has the id {id} already", id=anomaly.id.text)
            yield project.in_library("duplicate-id", anomaly.id, what)
        seen.add(anomaly.id.text)


def _anomalies(project: LintedProject) -> Iterator[Diagnostic]:
    if project.library is None:
        return
    used: set[str] = set()
    for context in project.contexts(INJECTION):
        for action in context.rule.actions:
            used.add(action.interference_id)
            if not action.interference_id or action.interference_id in project.library.ids:
                continue
            mapping = context.file.mapping(action.place)
            node = mapping.get("interference_id") if mapping is not None else None
            name = WrittenName(action.interference_id, node)
            what = _("The library has no anomaly {id}", id=action.interference_id)
            fixes = renamed(name, project.library.ids, context.file.text)
            yield context.report(
                "dangling-interference", node, what, _("The rule injects nothing"), fixes=fixes
            )
    for anomaly in project.library.anomalies if project.knows(INJECTION) else ():
        if anomaly.id.text not in used:
            what = _("No rule injects the anomaly {id}", id=anomaly.id.text)
            yield project.in_library("orphan-interference", anomaly.id, what)
