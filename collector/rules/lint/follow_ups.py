"""Check follow-ups: keys that are no answers, and follow-ups that are empty or hidden."""

from __future__ import annotations

from collections.abc import Iterator

from collector.located_yaml.diagnostics import Diagnostic
from collector.located_yaml.nearest_word import nearest
from collector.located_yaml.yaml_node import YamlNode
from collector.model.anomaly_terms import EVENT_PREFIX, STANDARD_ANSWERS
from collector.model.i18n import _
from collector.rules.grammar.value_reader import MAX_TEXTS
from collector.rules.lint.rule_text import LintContext, rename_key


def follow_ups(context: LintContext) -> Iterator[Diagnostic]:
    """Every W311 of one rule."""
    rule = context.file.mapping(context.rule.place) or _entry(context)
    own = rule.get("follow_up") if rule is not None else None
    inside = [mapping for action in context.rule.actions if (mapping := context.file.mapping(action.place))]
    for mapping in ([rule] if own is not None and rule is not None else []) + inside:
        yield from _follow_up(context, mapping)
    if own is None or rule is None or not own.pairs:
        return
    if inside and all(mapping.get("follow_up") is not None for mapping in inside):
        what = _("The rule's follow_up is never read")
        why = _("Its actions have their own")
        fixes = context.without_key(rule, "follow_up")
        yield context.report("follow-up-shape", rule.key("follow_up"), what, why, fixes=fixes)


def _entry(context: LintContext) -> YamlNode | None:
    """The mapping of a rule under its id."""
    root = context.file.source.root
    return root.get(context.rule.id) if root is not None else None


def _follow_up(context: LintContext, mapping: YamlNode) -> Iterator[Diagnostic]:
    listed = mapping.get("follow_up")
    if listed is None or listed.kind != "mapping":
        return
    if not listed.pairs:
        fixes = context.without_key(mapping, "follow_up")
        yield context.report("follow-up-shape", listed, _("follow_up names no answer"), fixes=fixes)
    for key, value in listed.pairs[:MAX_TEXTS]:
        if key.text not in STANDARD_ANSWERS and not key.text.startswith(EVENT_PREFIX):
            better = nearest(key.text.lower(), STANDARD_ANSWERS)
            fixes = (rename_key(key, better),) if better else context.without_key(listed, key.text)
            what = _("{key} is no answer", key=key.text)
            why = _("Answers are {known}, or EVENT: and a name", known=", ".join(STANDARD_ANSWERS))
            yield context.report("follow-up-shape", key, what, why, fixes=fixes)
        if value.kind != "scalar" or not value.text.strip():
            fixes = context.without_key(listed, key.text) or context.without_key(mapping, "follow_up")
            what = _("What follows {answer} has to be a text", answer=key.text)
            yield context.report("follow-up-shape", value, what, fixes=fixes)
