"""Attributes and values that no UI dump can have, in selectors and in conditions on attributes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.selectors import Compound, Term
from collector.located_yaml.diagnostics import Diagnostic, Place, QuickFix
from collector.located_yaml.nearest_word import nearest
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.rules.conditions.element_property import ElementProperty, ElementPropertyContains
from collector.rules.grammar.model import Condition
from collector.rules.grammar.rule_text import LintContext
from collector.rules.grammar.value_reader import compiled_selector

FLAGS = frozenset(
    (
        "checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable",
        "long-clickable", "password", "selected", "visible-to-user", "displayed", "dismissable",
        "context-clickable", "screen-reader-focusable", "content-invalid", "showing-hint",
        "a11y-focused", "a11y-important", "text-entry-key", "heading", "multiline", "NAF",
        "accessible", "visible",
    )
)  # fmt: skip
"""Attributes that are ``true`` or ``false``."""
ATTRIBUTES = FLAGS | frozenset(
    (
        "index", "text", "resource-id", "class", "package", "content-desc", "bounds", "hint", "display-id",
        "drawing-order", "pane-title", "instance", "rotation", "live-region", "input-type", "tooltip-text",
        "max-text-length", "error", "state-description", "width", "height", "x", "y", "name", "label",
        "value", "type", "elementId", "view-id-resource-name", "extras", "actions", "window-id",
    )
)  # fmt: skip
"""Every attribute some dump carries: uiautomator, uiautomator2 and Appium."""
_OFTEN_MEANT = {
    "id": "resource-id", "resourceid": "resource-id", "desc": "content-desc", "description": "content-desc",
    "contentdescription": "content-desc", "contentdesc": "content-desc", "accessibility-id": "content-desc",
    "classname": "class", "pkg": "package", "packagename": "package", "contains-text": "text",
    "visible-text": "text", "longclickable": "long-clickable",
}  # fmt: skip
_IN_XPATH = re.compile(r"""@([A-Za-z_][\w.-]*)|'[^']*'|"[^"]*\"""")
_BOUNDS = re.compile(r"\[-?\d+,-?\d+\]\[-?\d+,-?\d+\]", re.ASCII)


def attributes(context: LintContext, seen: frozenset[str] = frozenset()) -> Iterator[Diagnostic]:
    """Every W305 and W309 of one rule; ``seen`` are attributes that the recordings do have."""
    for condition in context.conditions():
        selector = getattr(condition, "selector", "")
        if selector:
            yield from _selector(context, condition, selector, seen)
        if isinstance(condition, ElementProperty):
            yield from _property(context, condition, seen)


def attribute_names(selector: str) -> list[str]:
    """The attributes a selector asks about, each once; none when it cannot be read."""
    try:
        parsed = compiled_selector(selector)
    except SelectorError:
        return []
    if parsed.compound is not None:
        return list(dict.fromkeys(term.attribute for term in terms_of(parsed.compound)))
    return list(dict.fromkeys(match[1] for match in _IN_XPATH.finditer(parsed.text) if match[1]))


def terms_of(compound: Compound | None) -> Iterator[Term]:
    """The tests of a selector and of the nodes it is related to."""
    while compound is not None:
        yield from compound.terms
        compound = compound.anchor


def meant(name: str, known: Collection[str] = ATTRIBUTES) -> str:
    """The attribute that is probably meant by an unknown name; empty without a guess."""
    plain = name.lower().replace("_", "-")
    return (
        _OFTEN_MEANT.get(plain.replace("-", ""), "") or _OFTEN_MEANT.get(plain, "") or nearest(plain, known)
    )


def _selector(
    context: LintContext, condition: Condition, selector: str, seen: frozenset[str]
) -> Iterator[Diagnostic]:
    node = context.value(condition, "selector")
    for name in attribute_names(selector):
        if name not in ATTRIBUTES and name not in seen:
            known = meant(name)
            fix = (
                [context.change(node, _renamed(selector, name, known))] if known and node is not None else []
            )
            yield _no_such(context, name, node or condition.place, tuple(fix))
    parsed = _compound(selector)
    for term in terms_of(parsed):
        if term.operator == "=" and (better := _values(term.attribute, term.value)) is not None:
            fixes = tuple(
                context.change(node, _with_value(selector, term, value))
                for value in better
                if node is not None
            )
            yield _no_value(context, term.attribute, term.value, node or condition.place, fixes)


def _property(context: LintContext, condition: ElementProperty, seen: frozenset[str]) -> Iterator[Diagnostic]:
    name = condition.attribute
    node = context.value(condition, "attribute")
    if name not in ATTRIBUTES and name not in seen:
        better = meant(name)
        fix = [context.change(node, better)] if better and node is not None else []
        yield _no_such(context, name, node or condition.place, tuple(fix))
    possible = _values(name, condition.value)
    if isinstance(condition, ElementPropertyContains):
        possible = possible if name in FLAGS and not _in_flag(condition.value) else None
    written = context.value(condition, "value")
    if possible is not None:
        fixes = tuple(context.change(written, value) for value in possible if written is not None)
        yield _no_value(context, name, condition.value, written or condition.place, fixes)


def _values(name: str, value: str) -> tuple[str, ...] | None:
    """Values that may be meant by an impossible one; None when the value is possible."""
    if name in FLAGS:
        if value in ("true", "false"):
            return None
        return (value.lower(),) if value.lower() in ("true", "false") else ("true", "false")
    if name == "bounds":
        return None if _BOUNDS.fullmatch(value) else ()
    return () if name == "index" and not value.isdigit() else None


def _in_flag(value: str) -> bool:
    return value in "true" or value in "false"


def _compound(selector: str) -> Compound | None:
    try:
        return compiled_selector(selector).compound
    except SelectorError:
        return None


def _renamed(selector: str, name: str, better: str) -> str:
    return re.sub(rf"(?<![\w.:-]){re.escape(name)}(?=\s*(?:[*^$!]?=|[,)\]]))", better, selector)


def _with_value(selector: str, term: Term, value: str) -> str:
    pattern = rf"(?<![\w.:-])({re.escape(term.attribute)}\s*=\s*['\"]?){re.escape(term.value)}"
    return re.sub(pattern, lambda match: match[1] + value, selector, count=1)


def _no_such(
    context: LintContext, name: str, where: YamlNode | Place, fixes: tuple[QuickFix, ...]
) -> Diagnostic:
    what = _("No UI dump has an attribute {name}", name=name)
    return context.report("impossible-attribute", where, what, _("So no node can match"), fixes=fixes)


def _no_value(
    context: LintContext, name: str, value: str, where: YamlNode | Place, fixes: tuple[QuickFix, ...]
) -> Diagnostic:
    what = _("{name} is never {value}", name=name, value=value or "''")
    why = _("It is true or false, in small letters") if name in FLAGS else _("UI dumps write it otherwise")
    return context.report("impossible-value", where, what, why, fixes=fixes)
