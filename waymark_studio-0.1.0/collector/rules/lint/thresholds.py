"""Find thresholds, keywords and values with which a condition holds always or never."""

from __future__ import annotations

import re
from collections.abc import Iterator

from collector.located_yaml.diagnostics import Diagnostic, QuickFix
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.rules.conditions.element_property import ElementPropertyContains
from collector.rules.conditions.element_text import ElementTextContains
from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.conditions.min_step import MinStep
from collector.rules.conditions.semantic_element_exists import SemanticElementExists, keywords_needed
from collector.rules.conditions.text_matches import TextMatches
from collector.rules.grammar.model import DGARA, Condition, Group, Rule
from collector.rules.grammar.patterns import compile_pattern
from collector.rules.grammar.rule_text import LintContext

_PROBES = ("", "a", "7 b", "\N{CJK UNIFIED IDEOGRAPH-4E00}", "-")
"""Texts so unlike each other that a pattern found in all of them is found in any."""


def thresholds(context: LintContext, semantics: str) -> Iterator[Diagnostic]:
    """Every W301, W302, W303 and W304 of one rule."""
    for condition in context.conditions():
        if isinstance(condition, SemanticElementExists):
            yield from _semantic(context, condition, semantics)
        elif isinstance(condition, Group):
            yield from _group(context, condition)
        else:
            yield from _value(context, condition)
    yield from _probabilities(context, context.rule)


def _semantic(context: LintContext, condition: SemanticElementExists, semantics: str) -> Iterator[Diagnostic]:
    listed = context.value(condition, "keywords")
    count = len(condition.keywords)
    if not count:
        name = "threshold-always" if semantics == DGARA else "threshold-never"
        why = _("D-GARA takes it for true") if semantics == DGARA else _("It never holds")
        fixes = context.without_condition(condition)
        yield context.report(name, listed or condition.place, _("There are no keywords"), why, fixes=fixes)
    elif keywords_needed(count, condition.match_threshold) <= 0:
        written = context.value(condition, "match_threshold")
        yield context.report(
            "threshold-always", written or condition.place,
            _("No keyword is needed, so the condition always holds"), "",
            _("Give the share of the keywords that must be there"),
            fixes=_other_shares(context, written, count),
        )  # fmt: skip
    if listed is not None and listed.kind == "sequence" and len(listed.items) == count:
        yield from _keywords(context, listed, condition.keywords)


def _other_shares(context: LintContext, written: YamlNode | None, count: int) -> tuple[QuickFix, ...]:
    if written is None:
        return ()
    shares = dict.fromkeys(("1.0", f"{1 / count:.2g}"))
    return tuple(context.number(written, share) for share in shares)


def _keywords(context: LintContext, listed: YamlNode, keywords: tuple[str, ...]) -> Iterator[Diagnostic]:
    lowered = [word.lower() for word in keywords]
    for index, word in enumerate(lowered):
        item = listed.items[index]
        remove = context.without_item(listed, index, keywords[index] or "''")
        if not word.strip():
            what = _("An empty keyword is found on every screen")
            yield context.report("threshold-always", item, what, fixes=remove)
        elif word in lowered[:index]:
            what = _("The keyword {word} appears twice", word=keywords[index])
            yield context.report("repeated-keyword", item, what, _("It counts twice"), fixes=remove)
        else:
            longer = next((at for at, other in enumerate(lowered) if word != other and word in other), None)
            if longer is not None:
                other = context.without_item(listed, longer, keywords[longer])
                what = _(
                    "The keyword {word} is part of {longer}", word=keywords[index], longer=keywords[longer]
                )
                why = _("Where the longer one is seen, both count")
                yield context.report("repeated-keyword", item, what, why, fixes=(*remove, *other))


def _group(context: LintContext, group: Group) -> Iterator[Diagnostic]:
    if group.conditions or group is context.rule.conditions:
        return
    listed = context.listed(group)
    if listed is None:  # the reader reports a missing list
        return
    fixes = context.without_condition(group)
    if group.kind == "any":
        what = _("{key} has no conditions, so it never holds", key=group.spelling)
        yield context.report("threshold-never", listed, what, fixes=fixes)
    else:
        what = _("{key} has no conditions, so it always holds", key=group.spelling)
        yield context.report("threshold-always", listed, what, fixes=fixes)


def _value(context: LintContext, condition: Condition) -> Iterator[Diagnostic]:
    name, what = _always(condition)
    if name:
        where = context.value(condition, name) or condition.place
        yield context.report("threshold-always", where, what, fixes=context.without_condition(condition))


def _always(condition: Condition) -> tuple[str, str]:
    """The key that makes a condition hold always, and a sentence about it; empty when none does."""
    if isinstance(condition, MinStep) and condition.value <= 1:
        return "value", _("Steps are counted from 1, so the condition always holds")
    if isinstance(condition, ImageMatches) and condition.threshold <= 0:
        return "threshold", _("Every picture scores at least 0, so the condition always holds")
    if isinstance(condition, ElementTextContains) and not condition.text:
        return "text", _("Every text contains an empty one")
    if isinstance(condition, ElementPropertyContains) and not condition.value:
        return "value", _("Every value contains an empty one")
    if isinstance(condition, TextMatches) and _finds_anything(condition.pattern):
        return "pattern", _("The pattern is found in every text")
    return "", ""


def _finds_anything(pattern: str) -> bool:
    try:
        found_in = compile_pattern(pattern).found_in
    except re.error:
        return False
    return all(found_in(probe) for probe in _PROBES)


def _probabilities(context: LintContext, rule: Rule) -> Iterator[Diagnostic]:
    for action in rule.actions:
        mapping = context.file.mapping(action.place)
        written = mapping.get("trigger_probability") if mapping else None
        if action.trigger_probability == 0 and mapping is not None and written is not None:
            fixes = (context.number(written, "1"), *context.without_key(mapping, "trigger_probability"))
            what = _("A probability of 0 never injects {id}", id=action.interference_id)
            yield context.report("unreachable-probability", written, what, fixes=fixes)
