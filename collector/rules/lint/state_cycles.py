"""Find essential states that wait for each other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from collector.located_yaml.diagnostics import Diagnostic, QuickFix
from collector.model.i18n import _
from collector.rules.evaluation.task_states import states_judged_by_rules
from collector.rules.grammar.model import STATE
from collector.rules.grammar.rule_text import LintContext
from collector.rules.lint.linted_project import LintedProject

_Befores = Mapping[str, Sequence[str]]


def state_cycles(project: LintedProject) -> Iterator[Diagnostic]:
    """Every W210: diagnostics of cycles until each state on one was named, at its first state's ``after``."""
    contexts = {context.rule.id: context for context in project.contexts(STATE)}
    rules = [context.rule for context in contexts.values()]
    holding = states_judged_by_rules(rules) - {rule.id for rule in rules if rule.optional}
    befores = {
        name: [before for before in dict.fromkeys(context.rule.after) if before in contexts]
        for name, context in contexts.items()
    }
    named: set[str] = set()
    group_of = _groups(befores)
    for start, context in contexts.items():
        circle = () if start in named else _circle(start, befores, group_of)
        if circle:
            named.update(circle)
            way = " -> ".join((*circle, start))
            what = _("These states depend on each other: {way}", way=way)
            why = _("None of them holds the others back, so the order says nothing")
            if not holding.isdisjoint(circle):
                why = _("None of them is ever reached")
            yield _cycle(context, what, why, circle[1] if len(circle) > 1 else start)


def _circle(start: str, befores: _Befores, group_of: Mapping[str, int]) -> tuple[str, ...]:
    """The shortest cycle from a state through its ``after`` back to itself; empty without one."""
    waiting, after = deque([start]), {start: ""}
    while waiting:
        name = waiting.popleft()
        for before in befores[name]:
            if before == start:
                return _way(name, after)
            if before not in after and group_of[before] == group_of[start]:
                after[before] = name
                waiting.append(before)
    return ()


def _way(name: str, after: Mapping[str, str]) -> tuple[str, ...]:
    """The names from the first one, which comes after nothing, to ``name``."""
    way = [name]
    while name := after[name]:
        way.append(name)
    return tuple(reversed(way))


def _groups(befores: _Befores) -> dict[str, int]:
    """A number for each state, the same for states that all wait for each other (Kosaraju's algorithm)."""
    afters: dict[str, list[str]] = {name: [] for name in befores}
    for name, others in befores.items():
        for other in others:
            afters[other].append(name)
    seen: set[str] = set()
    finished = [name for start in befores for name in _finished(start, befores, seen)]
    groups: dict[str, int] = {}
    seen.clear()
    for number, start in enumerate(reversed(finished)):
        groups.update(dict.fromkeys(_finished(start, afters, seen), number))
    return groups


def _finished(start: str, following: _Befores, seen: set[str]) -> Iterator[str]:
    """States reached from ``start`` that were not seen before, each behind those that are reached from it."""
    if start in seen:
        return
    seen.add(start)
    path = [(start, iter(following[start]))]
    while path:
        name, others = path[-1]
        other = next((other for other in others if other not in seen), None)
        if other is None:
            path.pop()
            yield name
        else:
            seen.add(other)
            path.append((other, iter(following[other])))


def _cycle(context: LintContext, what: str, why: str, before: str) -> Diagnostic:
    mapping = context.file.mapping(context.rule.place)
    listed = mapping.get("after") if mapping is not None else None
    fixes: tuple[QuickFix, ...] = ()
    if mapping is not None and listed is not None and listed.kind == "sequence":
        index = next((at for at, item in enumerate(listed.items) if item.text == before), 0)
        alone = len(listed.items) == 1
        fixes = (
            context.without_key(mapping, "after") if alone else context.without_item(listed, index, before)
        )
    return context.report("state-cycle", listed, what, why, fixes=fixes)
