"""Find rules that D-GARA's engine and validator would read in another way."""

from __future__ import annotations

from collections.abc import Iterator

from collector.hierarchy.errors import SelectorError
from collector.located_yaml.diagnostics import Diagnostic, QuickFix, TextEdit
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.rules.conditions.element_exists import ElementExists, ElementNotExists
from collector.rules.conditions.element_property import ElementProperty
from collector.rules.conditions.element_text import ElementTextEquals
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.evaluation.dgara_semantics import selector_of_dgara
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.model import DGARA, DGARA_KINDS, INJECTION, SUCCESS, Condition, Group, Unknown
from collector.rules.grammar.rule_text import LintContext, rename_key
from collector.rules.grammar.specs import MIN_STEP
from collector.rules.grammar.value_reader import compiled_selector
from collector.rules.lint.attributes import FLAGS

_SHARED_BY_MANY = FLAGS | {"class", "package", "index"}
"""Attributes that many nodes of a screen have alike."""


def dgara_differences(context: LintContext, semantics: str) -> Iterator[Diagnostic]:
    """W307, W308 and W312 of one rule; a single W308 where D-GARA's engine is not the one that judges.

    Essential states and safety rules are left out: the original has none.
    """
    if context.rule.kind not in DGARA_KINDS:
        return
    if semantics != DGARA:
        yield from _superset(context)
        return
    yield from _follow_ups(context)
    yield from (_injection(context) if context.rule.kind == INJECTION else _success(context))


def _superset(context: LintContext) -> Iterator[Diagnostic]:
    beyond = [
        (condition, name) for condition in context.conditions() if (name := _beyond(context, condition))
    ]
    if beyond:
        names = ", ".join(dict.fromkeys(name for _condition, name in beyond))
        what = _("D-GARA's engine cannot read {names}", names=names)
        yield context.report("ignored-by-dgara", beyond[0][0].place, what, _verdict_on_unknown(context))


def _verdict_on_unknown(context: LintContext) -> str:
    if context.rule.kind == SUCCESS:
        return _("It takes what it does not know for false")
    return _("It takes what it does not know for true")


def _beyond(context: LintContext, condition: Condition) -> str:
    """The part of a condition the original has not; empty when it has all of it."""
    kind = context.rule.kind
    if isinstance(condition, Unknown):
        return ""  # the reader reports it
    if isinstance(condition, Group):
        if condition is context.rule.conditions and condition.kind == "all":
            return ""
        return "" if kind == SUCCESS and condition.spelling == "any_of" else condition.spelling
    if condition_specs()[condition.type].origin != kind:
        return condition.type
    if kind == SUCCESS and condition.min_step:
        return MIN_STEP
    selector = getattr(condition, "selector", "")
    return selector if selector and _reads_as(selector) != "same" else ""


def _reads_as(selector: str) -> str:
    """``same``, ``nothing`` or the selector D-GARA reads instead."""
    read = selector_of_dgara(selector)
    if read is None:
        return "nothing"
    try:
        compound = compiled_selector(selector).compound
    except SelectorError:
        return "same"  # the reader reports it
    if (
        compound is not None
        and len(compound.terms) == 1
        and compound.anchor is None
        and compound.position is None
    ):
        term = compound.terms[0]
        if (term.attribute, term.operator, term.value) == (read[0], "=", read[1]):
            return "same"
    return f"{read[0]}='{read[1]}'"


def _follow_ups(context: LintContext) -> Iterator[Diagnostic]:
    places = (context.rule.place, *(action.place for action in context.rule.actions))
    for place in places:
        mapping = context.file.mapping(place)
        key = mapping.key("follow_up") if mapping is not None else None
        if key is not None:
            what = _("D-GARA takes no notice of follow_up")
            yield context.report("ignored-by-dgara", key, what, _("It keeps what follows in its library"))


def _injection(context: LintContext) -> Iterator[Diagnostic]:
    top = context.rule.conditions
    whole = context.file.mapping(top.place)
    if context.file.sequence(top.place) is not None and whole is None:
        what = _("D-GARA's engine stops at conditions that are a list")
        yield context.report("dgara-never", top.place, what, _("It wants all: above them"))
        return
    if whole is not None and whole.get("all") is None and top.conditions:
        what = _("D-GARA reads only all:, so to it this rule always holds")
        yield context.report("semantics-differ", whole, what)
        return
    for condition in top.conditions:
        if isinstance(condition, SemanticElementExists):
            yield from _semantic(context, condition)
        elif isinstance(condition, Group) or condition_specs().get(condition.type) is not None:
            name = _beyond(context, condition)
            if name:
                what = _("D-GARA takes {name} for true in an injection rule", name=name)
                yield context.report(
                    "ignored-by-dgara", condition.place, what, fixes=context.without_condition(condition)
                )


def _semantic(context: LintContext, condition: SemanticElementExists) -> Iterator[Diagnostic]:
    mapping = context.file.mapping(condition.place)
    key = mapping.key("threshold") if mapping is not None else None
    if key is not None and mapping is not None and mapping.key("match_threshold") is None:
        what = _("D-GARA takes no notice of threshold, so it wants all keywords")
        why = _("Its engine reads match_threshold; its paper writes threshold")
        fixes = (rename_key(key, "match_threshold"),)
        yield context.report("semantics-differ", key, what, why, fixes=fixes)
    listed = context.value(condition, "keywords")
    for item in listed.items if listed is not None else ():
        if item.kind == "scalar" and not isinstance(item.plain, str):
            what = _("D-GARA's engine stops at a keyword that is no text")
            yield context.report("dgara-never", item, what, fixes=(_quoted(item),))


def _success(context: LintContext) -> Iterator[Diagnostic]:
    top = context.rule.conditions
    if context.file.sequence(top.place) is None and top.conditions:
        what = _("D-GARA's validator wants a list of conditions")
        yield context.report("dgara-never", top.place, what, _("It stops at anything else"))
        return
    waiting = list(top.conditions)
    while waiting:
        condition = waiting.pop(0)
        if isinstance(condition, Unknown):
            continue
        if isinstance(condition, Group) and condition.spelling == "any_of":
            waiting += condition.conditions
        else:
            yield from _success_condition(context, condition)


def _success_condition(context: LintContext, condition: Condition) -> Iterator[Diagnostic]:
    group = isinstance(condition, Group)
    if group or condition_specs()[condition.type].origin != SUCCESS:
        name = condition.spelling if isinstance(condition, Group) else condition.type
        what = _("D-GARA takes {name} for false in a success rule", name=name)
        fixes = context.without_condition(condition)
        yield context.report("dgara-never", condition.place, what, fixes=fixes)
        return
    if condition.min_step:
        mapping = context.file.mapping(condition.place)
        key = mapping.key(MIN_STEP) if mapping is not None else None
        what = _("D-GARA takes no notice of min_step in a success rule")
        fixes = context.without_key(mapping, MIN_STEP) if mapping is not None else ()
        yield context.report("ignored-by-dgara", key, what, fixes=fixes)
    yield from _selector(context, condition)
    yield from _value(context, condition)


def _selector(context: LintContext, condition: Condition) -> Iterator[Diagnostic]:
    selector: str = getattr(condition, "selector", "")
    node = context.value(condition, "selector")
    reading = _reads_as(selector)
    if reading == "nothing":
        fixes = _one_attribute(context, selector, node)
        what = _("D-GARA cannot read the selector {selector}", selector=selector)
        if isinstance(condition, ElementNotExists):
            why = _("It finds nothing with it, so the condition always holds")
            yield context.report("semantics-differ", node, what, why, fixes=fixes)
        else:
            why = _("It finds nothing with it, so the condition never holds")
            to_do = _("Use one attribute and its whole value in quotes")
            yield context.report("dgara-never", node, what, why, to_do, fixes=fixes)
    elif reading != "same":
        what = _("D-GARA reads only {selector}", selector=reading)
        fixes = (context.change(node, reading),) if node is not None else ()
        yield context.report("semantics-differ", node, what, fixes=fixes)
    elif not isinstance(condition, (ElementExists, ElementNotExists)):
        attribute = selector.partition("=")[0].strip()
        if attribute in _SHARED_BY_MANY:
            what = _("D-GARA looks only at the first node with {selector}", selector=selector)
            to_do = _("Select the node by its id, text or description")
            yield context.report("semantics-differ", node, what, _("Others that match do not count"), to_do)


def _one_attribute(context: LintContext, selector: str, node: YamlNode | None) -> tuple[QuickFix, ...]:
    """Quotes put around the value of a selector that lacks them, when that is all it takes."""
    try:
        compound = compiled_selector(selector).compound
    except SelectorError:
        return ()
    if node is None or compound is None or len(compound.terms) != 1 or compound.anchor or compound.position:
        return ()
    term = compound.terms[0]
    better = f"{term.attribute}='{term.value}'"
    fits = term.operator == "=" and selector_of_dgara(better) == (term.attribute, term.value)
    return (context.change(node, better),) if fits else ()


def _value(context: LintContext, condition: Condition) -> Iterator[Diagnostic]:
    key = "value" if isinstance(condition, ElementProperty) else "text"
    node = (
        context.value(condition, key) if isinstance(condition, (ElementProperty, ElementTextEquals)) else None
    )
    if node is None or isinstance(node.plain, str):
        return
    fixes = (_quoted(node),)
    exact = condition.type == "element_text_equals"
    if exact or isinstance(node.plain, bool):
        what = _("To D-GARA {text} is {value}, which no text is", text=node.text, value=node.plain)
        yield context.report("dgara-never", node, what, _("Without quotes it is no text"), fixes=fixes)
    elif str(node.plain) != node.text:
        what = _("To D-GARA {text} is {value}", text=node.text, value=node.plain)
        yield context.report("semantics-differ", node, what, _("Without quotes it is no text"), fixes=fixes)


def _quoted(node: YamlNode) -> QuickFix:
    text = f'"{node.text}"'
    return QuickFix(
        _("Put quotes around {word}", word=node.text), (TextEdit(node.place.start, node.place.end, text),)
    )
