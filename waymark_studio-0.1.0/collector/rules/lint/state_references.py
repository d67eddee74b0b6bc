"""Check what tasks, rules and essential states say of essential states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from collector.located_yaml.diagnostics import Diagnostic, QuickFix
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.rules.conditions.state_reached import StateReached
from collector.rules.grammar.model import STATE
from collector.rules.grammar.rule_text import LintContext
from collector.rules.lint.indexes import TaskEntry, WrittenName
from collector.rules.lint.linted_project import LintedProject, renamed


def state_references(project: LintedProject) -> Iterator[Diagnostic]:
    """Every state that is named and not defined, or defined and not named, or named for nothing."""
    knows, known = project.knows(STATE), project.ids[STATE]
    if project.tasks is not None and (knows or project.has_every_file):
        for task in project.tasks.tasks:
            yield from _of_task(project, task)
    known_tasks = {task.id.text for task in project.tasks.tasks} if project.tasks is not None else None
    for context in project.contexts(STATE):
        if known_tasks is not None and context.rule.task and context.rule.task not in known_tasks:
            yield from _dangling_task(context, known_tasks)
        yield from _relations(context, known if knows else None)
    if not knows:
        return
    for context in project.contexts():
        yield from _reached(context, known)
    yield from _orphans(project)


def _of_task(project: LintedProject, task: TaskEntry) -> Iterator[Diagnostic]:
    assert project.tasks is not None
    index = project.tasks
    known = project.ids[STATE] | index.pending_states
    if not index.has_state_ids and not known:
        return  # version 1 of the file names states by their sentences
    seen: set[str] = set()
    for state in task.states:
        if state.text not in known:
            what = _(
                "Task {task} names the state {id}, which does not exist", task=task.id.text, id=state.text
            )
            to_do = _("Add it to rules/states.yaml, or remove it from the task")
            fixes = renamed(state, known, index.text)
            yield project.in_tasks("dangling-state", state, what, to_do=to_do, fixes=fixes)
        elif state.text in seen:
            what = _("Task {task} names the state {id} twice", task=task.id.text, id=state.text)
            yield project.in_tasks("repeated-state", state, what, to_do=_("Remove it once"))
        seen.add(state.text)


def _dangling_task(context: LintContext, known: Collection[str]) -> Iterator[Diagnostic]:
    mapping = context.file.mapping(context.rule.place)
    node = mapping.get("task") if mapping is not None else None
    name = WrittenName(context.rule.task, node)
    what = _("There is no task {id}", id=context.rule.task)
    yield context.report("dangling-task", node, what, fixes=renamed(name, known, context.file.text))


def _relations(context: LintContext, known: frozenset[str] | None) -> Iterator[Diagnostic]:
    """Faults of ``after`` and ``alternatives``; ``known`` is None when not all states are known."""
    rule = context.rule
    for key, names in (("after", rule.after), ("alternatives", rule.alternatives)):
        for at, name in enumerate(names):
            node = _item(context, key, name, names[:at].count(name))
            if known is not None and name not in known:
                what = _("There is no essential state {id}", id=name)
                fixes = renamed(WrittenName(name, node), known, context.file.text)
                yield context.report(
                    "dangling-state", node, what, fixes=(*fixes, *_without(context, key, name, names))
                )
            elif name in names[:at]:
                what = _("{id} is named twice under {key}", id=name, key=key)
                fixes = _without(context, key, name, names)
                yield context.report("repeated-state", node, what, fixes=fixes)
            elif key == "alternatives" and name in (rule.id, *rule.after):
                what = (
                    _("The state {id} is an alternative of itself", id=rule.id)
                    if name == rule.id
                    else _("{name} comes before {id} and is its alternative too", name=name, id=rule.id)
                )
                why = _("An alternative is a state that can be reached in place of it")
                fixes = _without(context, key, name, names)
                yield context.report("useless-alternative", node, what, why, fixes=fixes)


def _item(context: LintContext, key: str, name: str, before: int = 0) -> YamlNode | None:
    """The item ``name`` of a list of the state, behind ``before`` items of the same name; else the list."""
    mapping = context.file.mapping(context.rule.place)
    listed = mapping.get(key) if mapping is not None else None
    if listed is None:
        return None
    return next(iter([item for item in listed.items if item.text == name][before:]), listed)


def _without(context: LintContext, key: str, name: str, names: Sequence[str]) -> tuple[QuickFix, ...]:
    mapping = context.file.mapping(context.rule.place)
    listed = mapping.get(key) if mapping is not None else None
    if mapping is None or listed is None or listed.kind != "sequence":
        return ()
    if len(names) == 1:
        return context.without_key(mapping, key)
    at = max((at for at, item in enumerate(listed.items) if item.text == name), default=0)
    return context.without_item(listed, at, name)


def _reached(context: LintContext, known: frozenset[str]) -> Iterator[Diagnostic]:
    for condition in context.conditions():
        if isinstance(condition, StateReached) and condition.state not in known:
            node = context.value(condition, "state")
            what = _("There is no essential state {id}", id=condition.state)
            fixes = renamed(WrittenName(condition.state, node), known, context.file.text)
            yield context.report("dangling-state", node, what, _("It is never reached"), fixes=fixes)


def _orphans(project: LintedProject) -> Iterator[Diagnostic]:
    """States that no task names, and nothing else either."""
    if project.tasks is None or not project.tasks.has_state_ids:
        return
    named = {state.text for task in project.tasks.tasks for state in task.states}
    for context in project.contexts():
        named.update((*context.rule.after, *context.rule.alternatives))
        named.update(
            condition.state for condition in context.conditions() if isinstance(condition, StateReached)
        )
    for context in project.contexts(STATE):
        rule = context.rule
        if not rule.id or rule.task or rule.id in named:
            continue
        what = _("No task names the essential state {id}", id=rule.id)
        to_do = _("Name it in a task, or delete it")
        root = context.file.source.root
        listed = root.get("states") if root is not None else None
        index = next(
            (at for at, item in enumerate(listed.items) if item.place == rule.place), None
        ) if listed is not None else None  # fmt: skip
        fixes = context.without_item(listed, index, rule.id) if listed and index is not None else ()
        yield context.report("orphan-state", rule.id_place, what, "", to_do, fixes=fixes)
