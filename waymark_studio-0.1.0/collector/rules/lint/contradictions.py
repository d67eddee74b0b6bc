"""Find conditions that exclude each other, and repeated ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from collector.hierarchy.errors import SelectorError
from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.element_exists import ElementNotExists
from collector.rules.conditions.element_property import ElementProperty, ElementPropertyContains
from collector.rules.conditions.element_text import ElementTextContains, ElementTextEquals
from collector.rules.grammar.model import Condition, Group, Unknown
from collector.rules.grammar.rule_text import LintContext
from collector.rules.grammar.value_reader import compiled_selector

_MOST_COMPARED = 200
_MOST_REPORTED = 20
"""Contradictions of one rule between its conditions."""


def contradictions(context: LintContext) -> Iterator[Diagnostic]:
    """Every W306 and W310 of one rule."""
    for condition in context.conditions():
        if isinstance(condition, Group):
            yield from _repeated(context, condition)
        else:
            yield from _in_itself(context, condition)
    yield from islice(_among(context, context.rule.conditions, [], []), _MOST_REPORTED)


def _repeated(context: LintContext, group: Group) -> Iterator[Diagnostic]:
    seen: set[Condition] = set()
    for condition in group.conditions:
        if condition in seen and not isinstance(condition, Unknown):
            fixes = context.without_condition(condition)
            what = _("This condition appears twice in {group}", group=group.spelling)
            yield context.report("repeated-condition", condition.place, what, fixes=fixes)
        seen.add(condition)


def _among(
    context: LintContext, group: Group, wanted: list[Condition], unwanted: list[Condition]
) -> Iterator[Diagnostic]:
    """Contradictions of the conditions that hold together when ``group`` does, given those around it."""
    if group.kind == "not":
        return
    if group.kind == "any":
        for part in group.conditions:
            branch = Group(conditions=(part,), place=group.place)
            yield from _among(context, branch, list(wanted), list(unwanted))
        return
    new_wanted, new_unwanted, branches = _conjuncts(group)
    yield from _between(context, wanted, unwanted, new_wanted, new_unwanted)
    for branch in branches:
        yield from _among(context, branch, wanted + new_wanted, unwanted + new_unwanted)


def _conjuncts(group: Group) -> tuple[list[Condition], list[Condition], list[Group]]:
    """What must hold, what must not, and the groups of alternatives, through nested ``all`` and ``not``."""
    wanted: list[Condition] = []
    unwanted: list[Condition] = []
    branches: list[Group] = []
    waiting = list(group.conditions)
    while waiting:
        part = waiting.pop(0)
        if not isinstance(part, Group):
            wanted.append(part)
        elif part.kind == "all":
            waiting += part.conditions
        elif part.kind == "not":
            unwanted += [condition for condition in part.conditions if not isinstance(condition, Group)]
        else:
            branches.append(part)
    return wanted, unwanted, branches


def _between(
    context: LintContext, wanted: Sequence[Condition], unwanted: Sequence[Condition],
    new_wanted: Sequence[Condition], new_unwanted: Sequence[Condition],
) -> Iterator[Diagnostic]:  # fmt: skip
    together = [*wanted, *new_wanted][:_MOST_COMPARED]
    for at, other in enumerate(together[len(wanted) :], len(wanted)):
        for condition in together[:at]:
            if what := _excluded(condition, other) or _excluded(other, condition):
                yield _contradiction(context, condition, other, what)
    what = _("The same condition must hold and must not hold")
    for asked, denied in ((together, new_unwanted), (together[len(wanted) :], unwanted)):
        first = {condition: condition for condition in reversed(asked)}
        for other in denied:
            if other in first:
                yield _contradiction(context, first[other], other, what)


def _contradiction(context: LintContext, wanted: Condition, opposite: Condition, what: str) -> Diagnostic:
    first, second = sorted((wanted, opposite), key=lambda condition: condition.place)
    why = _("Line {line} asks for the opposite", line=first.place.line)
    fixes = context.without_condition(second) + context.without_condition(first)
    return context.report("contradiction", second.place, what, why, fixes=fixes)


def _excluded(first: Condition, second: Condition) -> str:
    """Why two conditions cannot hold on one screen; empty when they can."""
    if isinstance(first, ElementNotExists):
        selector = getattr(second, "selector", "")
        if (
            type(second) is not ElementNotExists
            and selector == first.selector
            and second.type != "action_was"
        ):
            return _("A node must match and no node may match")
    if (
        isinstance(first, CurrentPackageIs)
        and isinstance(second, CurrentPackageIs)
        and first.value != second.value
    ):
        return _("Two apps cannot be in front at once")
    if isinstance(first, CurrentActivityIs) and isinstance(second, CurrentActivityIs):
        return (
            ""
            if _same_activity(first.value, second.value)
            else _("Two activities cannot be in front at once")
        )
    if isinstance(first, CurrentPackageIs) and isinstance(second, CurrentActivityIs) and "/" in second.value:
        package = second.value.partition("/")[0]
        return "" if package == first.value else _("The activity belongs to another app")
    return ""


def _same_activity(first: str, second: str) -> bool:
    short, long = sorted((name.rpartition("/")[2].lstrip(".") for name in (first, second)), key=len)
    packages = {name.partition("/")[0] for name in (first, second) if "/" in name}
    return len(packages) < 2 and (short == long or long.endswith("." + short))


def _in_itself(context: LintContext, condition: Condition) -> Iterator[Diagnostic]:
    have = _demands(getattr(condition, "selector", ""))
    where = context.value(condition, "selector") or condition.place
    for name, values in have.items():
        if len(values) > 1:
            what = _("{name} cannot have two values", name=name)
            yield context.report("contradiction", where, what, _("The selector asks for both"))
    name, wanted, contains = _wanted(condition)
    values = have.get(name, [])
    if len(values) == 1 and (wanted not in values[0] if contains else wanted != values[0]):
        what = _(
            "The selector asks for {name} {value}, and the condition for another", name=name, value=values[0]
        )
        fixes = context.without_condition(condition)
        key = "value" if isinstance(condition, ElementProperty) else "text"
        node = context.value(condition, key)
        if node is not None:
            fixes = (context.change(node, values[0]), *fixes)
        yield context.report("contradiction", node or where, what, _("So it can never hold"), fixes=fixes)


def _demands(selector: str) -> dict[str, list[str]]:
    """Values a selector asks of its own node, by attribute, each once."""
    try:
        compound = compiled_selector(selector).compound if selector else None
    except SelectorError:
        return {}
    demands: dict[str, list[str]] = {}
    for term in compound.terms if compound is not None else ():
        values = demands.setdefault(term.attribute, [])
        if term.operator == "=" and term.value not in values:
            values.append(term.value)
    return demands


def _wanted(condition: Condition) -> tuple[str, str, bool]:
    """Attribute and value a condition asks for, and whether it need only be contained."""
    if isinstance(condition, ElementProperty):
        return condition.attribute, condition.value, isinstance(condition, ElementPropertyContains)
    if isinstance(condition, ElementTextEquals):
        return "text", condition.text, isinstance(condition, ElementTextContains)
    return "", "", False
