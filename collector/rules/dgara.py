"""``semantics: dgara``: the verdicts of D-GARA's rule engine and success validator, quirks included.

Restated from their published behaviour. Both take the values as PyYAML gives them and the dump as
ElementTree parses it, so this does too:

- injection: only ``conditions.all``; a type it does not know is true; keywords are looked for in one
  text made of every ``<node>``'s text, id and description, so a phrase may reach from one node into
  the next;
- success: a list of conditions, all of which must hold; the first match only, the root left out; one
  quoted attribute a selector; a type it does not know is false; a selector it cannot read finds
  nothing, so that ``element_not_exists`` then holds;
- values of the wrong kind end the original with an exception: here the rule does not hold, and the
  proof says so.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.rules.model import SUCCESS, Condition, Group, Rule, Unknown
from collector.rules.plain import plain_rule
from collector.rules.proof import Proof
from collector.rules.view import StateView

CRASHES = "crashes"
IGNORED = "ignored"
FIRST_MATCH = "first-match"
BAD_SELECTOR = "bad-selector"
UNKNOWN_TYPE = "unknown-type"
NO_TREE = "no-tree"
TOO_EARLY = "too-early"
_SELECTOR = re.compile(r"([^=]+)=['\"]([^'\"]+)['\"]")
_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.-]*\Z", re.ASCII)
_FAULTS = (TypeError, AttributeError, KeyError, SyntaxError, ValueError)
"""What the original can die of on values of the wrong kind."""


@dataclass(eq=False)
class _Seen:
    """A state as D-GARA sees it: ``root`` is None when ElementTree cannot parse the dump."""

    root: ET.Element | None
    words: str | None
    """Every node's words in one lower-cased text; None when there are no ``<node>`` elements."""
    elements: tuple[ET.Element, ...]
    orders: Mapping[int, int]
    """From ``id`` of an element to the place of its node, when the tree has the same nodes."""
    first: dict[str, dict[str, ET.Element]] = field(default_factory=dict)

    def find(self, key: str, value: str) -> ET.Element | None:
        """What ``root.find(".//*[@key='value']")`` gives; raises what it raises."""
        if self.root is None:
            return None
        if not _PLAIN_NAME.match(key):
            return self.root.find(f".//*[@{key}='{value}']")
        index = self.first.get(key)
        if index is None:
            index = self.first[key] = {}
            for element in self.elements[1:]:
                have = element.get(key)
                if have is not None:
                    index.setdefault(have, element)
        return index.get(value)

    def order(self, element: ET.Element | None) -> tuple[int, ...]:
        found = self.orders.get(id(element)) if element is not None else None
        return () if found is None else (found,)


def prove_dgara(rule: Rule, view: StateView) -> Proof:
    """The verdict of D-GARA on one rule and one state, with its reasons. Never raises."""
    raw = rule.raw if rule.raw is not None else plain_rule(rule)
    known = {id(one.raw): one for one in rule.conditions.walk() if isinstance(one.raw, dict)}
    prover = _Success(view, known) if rule.kind == SUCCESS else _Injection(view, known)
    return prover.rule(rule.conditions, raw)


class _Prover:
    def __init__(self, view: StateView, known: Mapping[int, Condition]) -> None:
        self._view = view
        self._known = known
        self._seen = seen_by_dgara(view)

    def _typed(self, raw: Any) -> Condition:
        return self._known.get(id(raw)) or Unknown(raw=raw)

    def _all(self, group: Group, parts: list[Proof], note: str = "") -> Proof:
        deficit = sum(part.deficit for part in parts)
        evidence = sum(part.evidence for part in parts)
        holds = all(part.holds for part in parts) and not note
        return Proof(
            group, holds, parts=tuple(parts), note=note, deficit=deficit + bool(note), evidence=evidence
        )  # fmt: skip


class _Injection(_Prover):
    """The rule engine: which conditions hold before a step."""

    def rule(self, group: Group, raw: Any) -> Proof:
        try:
            listed = list(raw.get("conditions", {}).get("all", []))
        except _FAULTS:
            return self._all(group, [], CRASHES)
        return self._all(group, [self._one(one) for one in listed])

    def _one(self, raw: Any) -> Proof:
        condition = self._typed(raw)
        try:
            if self._view.step < raw.get("min_step", 0):
                return Proof(condition, False, note=TOO_EARLY, deficit=1)
            kind = raw.get("type")
            if kind == "current_activity_is":
                return self._activity(condition, raw.get("value"))
            if kind == "semantic_element_exists":
                return self._semantic(condition, raw)
        except _FAULTS:
            return Proof(condition, False, note=CRASHES, deficit=1)
        return Proof(condition, True, note=IGNORED)

    def _activity(self, condition: Condition, wanted: Any) -> Proof:
        have = self._view.activity or "Unknown"
        have = have if "." in have else f".{have}" if have != "Unknown" else have
        holds = bool(wanted) and have == wanted
        return Proof(condition, holds, found=have, deficit=not holds)

    def _semantic(self, condition: Condition, raw: Mapping[str, Any]) -> Proof:
        words = self._seen.words
        if words is None:
            return Proof(condition, False, note=NO_TREE, deficit=1)
        keywords = list(raw.get("keywords", []))
        share = len(raw.get("keywords", [])) * raw.get("match_threshold", 1.0)
        missing = tuple(word for word in keywords if word.lower() not in words)
        have = len(keywords) - len(missing)
        holds = bool(have >= share)
        need = max(0, int(-(-share // 1)))
        return Proof(
            condition, holds, have=have, need=need, missing=missing,
            deficit=0 if holds else max(1, need - have), evidence=have,
        )  # fmt: skip


class _Success(_Prover):
    """The success validator: which conditions hold after a step."""

    def rule(self, group: Group, raw: Any) -> Proof:
        try:
            listed = list(raw.get("conditions", []) or ())
        except _FAULTS:
            return self._all(group, [], CRASHES)
        if not listed:
            return Proof(group, False, note=IGNORED, deficit=1)
        if self._seen.root is None:
            return Proof(group, False, note=NO_TREE, deficit=len(listed))
        return self._all(group, [self._one(one) for one in listed])

    def _one(self, raw: Any) -> Proof:
        condition = self._typed(raw)
        try:
            kind = raw.get("type")
            if kind == "any_of":
                return self._any(condition, raw.get("sub_conditions", []) or ())
            if not kind or not raw.get("selector"):
                return Proof(condition, False, note=UNKNOWN_TYPE, deficit=1)
            return self._on_element(condition, kind, raw)
        except _FAULTS:
            return Proof(condition, False, note=CRASHES, deficit=1)

    def _any(self, condition: Condition, listed: Any) -> Proof:
        parts = [self._one(one) for one in listed]
        holds = False
        for part in parts:
            if part.holds or part.note == CRASHES:
                holds = part.holds
                break
        nearest = min(parts, key=lambda one: (one.deficit, -one.evidence), default=None)
        crashed = not holds and any(part.note == CRASHES for part in parts)
        return Proof(
            condition, holds, parts=tuple(parts), note=CRASHES if crashed else "",
            deficit=0 if holds else max(1, nearest.deficit if nearest else 1),
            evidence=nearest.evidence if nearest else 0,
        )  # fmt: skip

    def _on_element(self, condition: Condition, kind: str, raw: Mapping[str, Any]) -> Proof:
        read = _SELECTOR.match(raw["selector"])
        element = self._seen.find(*read.groups()) if read else None
        note = "" if read else BAD_SELECTOR
        nodes = self._seen.order(element)
        there = element is not None
        if kind == "element_not_exists":
            return Proof(condition, not there, nodes=nodes, note=note, deficit=there)
        if kind == "element_exists" or element is None:
            holds = there and kind == "element_exists"
            return Proof(condition, holds, nodes=nodes, note=note, deficit=not holds, evidence=there)
        return self._about(condition, kind, raw, element, nodes)

    def _about(
        self, condition: Condition, kind: str, raw: Mapping[str, Any], element: ET.Element,
        nodes: tuple[int, ...],
    ) -> Proof:  # fmt: skip
        holds = False
        name: Any = "text"
        if kind in ("element_property", "element_property_contains"):
            name, wanted = raw.get("attribute"), raw.get("value")
            if name is not None and wanted is not None:
                if kind == "element_property":
                    holds = element.get(name) == str(wanted)
                else:
                    holds = str(wanted) in element.get(name, "")
        elif kind == "element_text_equals":
            holds = element.get("text") == raw.get("text", "")
        elif kind == "element_text_contains":
            wanted = raw.get("text")
            holds = wanted is not None and str(wanted) in element.get("text", "")
        else:
            return Proof(condition, False, note=UNKNOWN_TYPE, deficit=1)
        if holds:
            return Proof(condition, True, nodes=nodes, note=FIRST_MATCH, evidence=1)
        instead = str(element.get(name, "")) if isinstance(name, str) else ""
        return Proof(condition, False, near=nodes, found=instead, note=FIRST_MATCH, deficit=1, evidence=1)


def seen_by_dgara(view: StateView) -> _Seen:
    """``view`` as D-GARA's engine and validator see it; made once for each view."""
    kept = view.__dict__.get("_dgara")
    if kept is None:
        kept = view.__dict__["_dgara"] = _look(view)
    return kept


def _look(view: StateView) -> _Seen:
    root = _parse(view.xml)
    elements = tuple(root.iter()) if root is not None else ()
    nodes = [one for one in elements if one.tag == "node"]
    pieces = [
        f"{one.get('text', '')} {one.get('resource-id', '')} {one.get('content-desc', '')} " for one in nodes
    ]
    words = "".join(pieces).lower() if pieces else None
    held = elements[1:] if root is not None and root.tag == "hierarchy" else elements
    same = view.tree is not None and len(view.tree.nodes) == len(held)
    orders = {id(element): order for order, element in enumerate(held)} if same else {}
    return _Seen(root, words, elements, orders)


def _parse(xml: bytes) -> ET.Element | None:
    text = xml.decode("utf-8", "ignore")
    if not text or "<!DOCTYPE" in text:  # a dump has none; a bomb does
        return None
    try:
        return ET.fromstring(text)  # noqa: S314 - no document type, so no entities
    except (ET.ParseError, ValueError):
        return None
