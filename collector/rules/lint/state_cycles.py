"""Find essential states that wait for each other."""

from __future__ import annotations

from collections.abc import Iterator

from collector.located_yaml.diagnostics import Diagnostic, QuickFix
from collector.model.i18n import _
from collector.rules.grammar.model import STATE
from collector.rules.lint.linted_project import LintedProject
from collector.rules.lint.rule_text import LintContext


def state_cycles(project: LintedProject) -> Iterator[Diagnostic]:
    """Every W210: one diagnostic for each cycle, at the ``after`` of its first state."""
    contexts = {context.rule.id: context for context in project.contexts(STATE)}
    reported: set[frozenset[str]] = set()
    for start, context in contexts.items():
        circle = _circle(start, contexts)
        if circle and frozenset(circle) not in reported:
            reported.add(frozenset(circle))
            way = " -> ".join((*circle, start))
            what = _("These states depend on each other: {way}", way=way)
            yield _cycle(context, what, circle[1] if len(circle) > 1 else start)


def _circle(start: str, contexts: dict[str, LintContext]) -> tuple[str, ...]:
    """The shortest cycle from a state through its ``after`` back to itself; empty without one."""
    waiting: list[tuple[str, ...]] = [(start,)]
    seen: set[str] = set()
    while waiting:
        way = waiting.pop(0)
        for before in contexts[way[-1]].rule.after:
            if before == start:
                return way
            if before in contexts and before not in seen:
                seen.add(before)
                waiting.append((*way, before))
    return ()


def _cycle(context: LintContext, what: str, before: str) -> Diagnostic:
    mapping = context.file.mapping(context.rule.place)
    listed = mapping.get("after") if mapping is not None else None
    fixes: tuple[QuickFix, ...] = ()
    if mapping is not None and listed is not None and listed.kind == "sequence":
        index = next((at for at, item in enumerate(listed.items) if item.text == before), 0)
        alone = len(listed.items) == 1
        fixes = (
            context.without_key(mapping, "after") if alone else context.without_item(listed, index, before)
        )
    return context.report("state-cycle", listed, what, _("None of them is ever reached"), fixes=fixes)
