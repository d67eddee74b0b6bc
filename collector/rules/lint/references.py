"""Check references between rules, tasks, success rules, states and anomalies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import Diagnostic, QuickFix
from collector.located_yaml.nearest_word import nearest
from collector.model.i18n import _
from collector.rules.conditions.state_reached import StateReached
from collector.rules.grammar.model import INJECTION, PLACEHOLDER, STATE, SUCCESS, Rule
from collector.rules.lint.indexes import AnomalyIndex, TaskEntry, TaskIndex, WrittenName
from collector.rules.lint.rule_text import LintContext, RuleText, change


@dataclass(frozen=True)
class LintedProject:
    """The files of a project that refer to each other; what is None is unknown and not checked."""

    files: Sequence[RuleText] = ()
    tasks: TaskIndex | None = None
    library: AnomalyIndex | None = None
    ids: dict[str, frozenset[str]] = field(init=False)
    """Ids of rules by kind."""

    def __post_init__(self) -> None:
        ids = {kind: frozenset(rule.id for rule in self.rules(kind)) for kind in (INJECTION, SUCCESS, STATE)}
        object.__setattr__(self, "ids", ids)

    def rules(self, kind: str) -> list[Rule]:
        return [context.rule for context in self.contexts(kind)]

    def contexts(self, kind: str = "") -> Iterator[LintContext]:
        """Every rule of one kind, or of all, with its file."""
        for file in self.files:
            if kind in ("", file.file.kind):
                yield from (LintContext(file, rule) for rule in file.file.rules)

    def knows(self, kind: str) -> bool:
        """Whether all rules of a kind are known: there is a file of them, and each could be read."""
        files = [file for file in self.files if file.file.kind == kind]
        return bool(files) and all(file.source.is_whole for file in files)

    def in_tasks(
        self,
        name: str,
        at: WrittenName,
        what: str,
        why: str = "",
        to_do: str = "",
        fixes: tuple[QuickFix, ...] = (),
    ) -> Diagnostic:
        """A finding in the file of tasks."""
        path = self.tasks.path if self.tasks is not None else ""
        return replace(diagnostic(name, at.place, what, why, to_do, fixes=fixes), path=path)

    def in_library(
        self, name: str, at: WrittenName, what: str, why: str = "", fixes: tuple[QuickFix, ...] = ()
    ) -> Diagnostic:
        """A finding in the library."""
        path = self.library.path if self.library is not None else ""
        return replace(diagnostic(name, at.place, what, why, fixes=fixes), path=path)


def references(project: LintedProject) -> Iterator[Diagnostic]:
    """Every W201 to W209 of a project."""
    yield from _duplicates(project)
    yield from _anomalies(project)
    if project.tasks is not None:
        for task in project.tasks.tasks:
            yield from _of_task(project, project.tasks, task)
        yield from _orphans(project, project.tasks)
    else:
        yield from _placeholders(project)
    yield from _states(project)


def renamed(at: WrittenName, known: Iterable[str], text: str) -> tuple[QuickFix, ...]:
    """The nearest known name written in the place of one that is not known."""
    better = nearest(at.text, known)
    return (change(at.node, better, text),) if better and at.node is not None else ()


def _of_task(project: LintedProject, index: TaskIndex, task: TaskEntry) -> Iterator[Diagnostic]:
    unharmed = _("The task runs without it, and no message says so")
    for target in task.targets if project.knows(INJECTION) else ():
        if target.text not in project.ids[INJECTION]:
            what = _(
                "Task {task} names the rule {id}, which does not exist", task=task.id.text, id=target.text
            )
            fixes = renamed(target, project.ids[INJECTION], index.text)
            yield project.in_tasks("dangling-rule", target, what, unharmed, fixes=fixes)
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
    for state in task.states if project.knows(STATE) else ():
        if state.text not in project.ids[STATE]:
            what = _(
                "Task {task} names the state {id}, which does not exist", task=task.id.text, id=state.text
            )
            fixes = renamed(state, project.ids[STATE], index.text)
            yield project.in_tasks("dangling-state", state, what, fixes=fixes)


def _orphans(project: LintedProject, index: TaskIndex) -> Iterator[Diagnostic]:
    targets = {target.text for task in index.tasks for target in task.targets}
    keys = {task.rule_key.text for task in index.tasks if task.rule_key is not None}
    for kind, named in ((INJECTION, targets), (SUCCESS, keys)):
        for context in project.contexts(kind):
            if context.rule.id and context.rule.id not in named:
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


def _states(project: LintedProject) -> Iterator[Diagnostic]:
    known_tasks = {task.id.text for task in project.tasks.tasks} if project.tasks is not None else None
    for context in project.contexts(STATE):
        if known_tasks is not None and context.rule.task and context.rule.task not in known_tasks:
            yield from _dangling(context, "task", context.rule.task, known_tasks)
        for before in context.rule.after if project.knows(STATE) else ():
            if before not in project.ids[STATE]:
                yield from _dangling(context, "after", before, project.ids[STATE])
    for context in project.contexts() if project.knows(STATE) else ():
        for condition in context.conditions():
            if isinstance(condition, StateReached) and condition.state not in project.ids[STATE]:
                node = context.value(condition, "state")
                what = _("There is no essential state {id}", id=condition.state)
                name = WrittenName(condition.state, node)
                fixes = renamed(name, project.ids[STATE], context.file.text)
                yield context.report("dangling-state", node, what, _("It is never reached"), fixes=fixes)


def _dangling(context: LintContext, key: str, name: str, known: Iterable[str]) -> Iterator[Diagnostic]:
    """A task or a state that an essential state names and that does not exist."""
    mapping = context.file.mapping(context.rule.place)
    value = mapping.get(key) if mapping is not None else None
    node = next((item for item in value.items if item.text == name), value) if value is not None else None
    code = "dangling-task" if key == "task" else "dangling-state"
    what = (
        _("There is no task {id}", id=name)
        if key == "task"
        else _("There is no essential state {id}", id=name)
    )
    fixes = renamed(WrittenName(name, node), known, context.file.text)
    yield context.report(code, node, what, fixes=fixes)
