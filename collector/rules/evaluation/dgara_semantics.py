"""Evaluate ``semantics: dgara``: the verdicts of D-GARA's rule engine and validator, quirks included.

Restated from their published behaviour. Both take the values as PyYAML gives them and the dump as
ElementTree parses it, so this does too:

- injection: only ``conditions.all``; a type it does not know is true; keywords are looked for in one
  text made of every ``<node>``'s text, id and description, so a phrase may reach from one node into
  the next;
- success: a list of conditions, all of which must hold; the first match only, the root left out; one
  quoted attribute a selector; a type it does not know is false; a selector it cannot read finds
  nothing, so that ``element_not_exists`` then holds;
- values of the wrong kind end the original with an exception: here the rule does not hold, and the
  proof says so;
- an attribute name that holds a path of its own is not followed, as it could take for ever.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from collector.model.cancellation import check_cancelled
from collector.rules.evaluation.condition_semantics import (
    DgaraElementCondition,
    DgaraInjectionCondition,
    semantics_named,
)
from collector.rules.evaluation.proof import CRASHES, TOO_EARLY, Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import SUCCESS, Condition, Group, Rule, Unknown
from collector.rules.grammar.plain import plain_rule

IGNORED = "ignored"
EMPTY = "empty"
FIRST_MATCH = "first-match"
BAD_SELECTOR = "bad-selector"
PATH_IN_NAME = "path-in-name"
UNKNOWN_TYPE = "unknown-type"
NO_TREE = "no-tree"
SELECTOR = re.compile(r"([^=]+)=['\"]([^'\"]+)['\"]")
PLAIN_NAME = re.compile(r"[A-Za-z_][\w.-]*\Z", re.ASCII)
FAULTS = (TypeError, AttributeError, KeyError, SyntaxError, ValueError)
"""Exceptions that end the original on values of the wrong kind."""


class PathInNameError(Exception):
    """The name of an attribute closes its bracket and goes on, as ``a]//*//*[@b`` does.

    ElementTree follows ``//`` to a node as often as there are ways to it, so the time multiplies with each.
    """


@dataclass(eq=False)
class DgaraScreen:
    """A state as D-GARA sees it: ``root`` is None when ElementTree cannot parse the dump."""

    root: ET.Element | None
    words: str | None
    """Every node's words in one lower-cased text; None when there are no ``<node>`` elements."""
    elements: tuple[ET.Element, ...]
    orders: Mapping[int, int]
    """From ``id`` of an element to the place of its node, when the tree has the same nodes."""
    first: dict[str, dict[str, ET.Element]] = field(default_factory=dict)

    def find(self, key: str, value: str) -> ET.Element | None:
        """The result of ``root.find(".//*[@key='value']")``; raises as :func:`element_path`."""
        if self.root is None:
            return None
        if not PLAIN_NAME.match(key):
            return self.root.find(element_path(key, value))
        index = self.first.get(key)
        if index is None:
            index = self.first[key] = {}
            for element in self.elements[1:]:
                have = element.get(key)
                if have is not None:
                    index.setdefault(have, element)
        return index.get(value)

    def order(self, element: ET.Element | None) -> tuple[int, ...]:
        position = self.orders.get(id(element)) if element is not None else None
        return () if position is None else (position,)


def element_path(key: str, value: str) -> str:
    """The path by which the original looks for an element.

    Raises SyntaxError where ElementTree does, and PathInNameError for what it may search for ever.
    """
    path = f".//*[@{key}='{value}']"
    ET.Element("hierarchy").find(path)
    if "]" in key:
        raise PathInNameError
    return path


def selector_of_dgara(text: str) -> tuple[str, str] | None:
    """The attribute and value the validator looks for; None when it finds nothing on any screen."""
    read = SELECTOR.match(text)
    return (read[1], read[2]) if read is not None and PLAIN_NAME.match(read[1]) else None


def prove_dgara(rule: Rule, view: StateView) -> Proof:
    """The verdict of D-GARA on one rule and one state, with its reasons. Raises nothing but Cancelled."""
    raw = rule.raw if rule.raw is not None else plain_rule(rule)
    known = {
        id(condition.raw): condition
        for condition in rule.conditions.walk()
        if isinstance(condition.raw, dict)
    }
    prover = DgaraSuccess(view, known) if rule.kind == SUCCESS else DgaraInjection(view, known)
    return prover.rule(rule.conditions, raw)


class _Prover:
    def __init__(self, view: StateView, known: Mapping[int, Condition]) -> None:
        self._view = view
        self._known = known
        self._screen = dgara_screen(view)

    def _typed(self, raw: Any) -> Condition:
        return self._known.get(id(raw)) or Unknown(raw=raw)

    def _all(self, group: Group, parts: list[Proof], note: str = "") -> Proof:
        deficit = sum(part.deficit for part in parts)
        evidence = sum(part.evidence for part in parts)
        holds = all(part.holds for part in parts) and not note
        return Proof(
            group, holds, parts=tuple(parts), note=note, deficit=deficit + bool(note), evidence=evidence
        )  # fmt: skip


class DgaraInjection(_Prover):
    """The rule engine: which conditions hold before a step."""

    def rule(self, group: Group, raw: Any) -> Proof:
        try:
            listed = list(raw.get("conditions", {}).get("all", []))
        except FAULTS:
            return self._all(group, [], CRASHES)
        return self._all(group, [self.condition(raw_condition) for raw_condition in listed])

    def condition(self, raw: Any) -> Proof:
        """The verdict of one condition, given as PyYAML reads it. Raises Cancelled."""
        check_cancelled()
        condition = self._typed(raw)
        try:
            if self._view.screens < raw.get("min_step", 0):
                return Proof(condition, False, note=TOO_EARLY, deficit=1)
            semantics = semantics_named(raw.get("type"))
            if semantics is not None and isinstance(semantics.dgara, DgaraInjectionCondition):
                return semantics.dgara.prove(condition, raw, self._view)
        except FAULTS:
            return Proof(condition, False, note=CRASHES, deficit=1)
        return Proof(condition, True, note=IGNORED)


class DgaraSuccess(_Prover):
    """The success validator: which conditions hold after a step."""

    def rule(self, group: Group, raw: Any) -> Proof:
        try:
            listed = list(raw.get("conditions", []) or ())
        except FAULTS:
            return self._all(group, [], CRASHES)
        if not listed:
            return Proof(group, False, note=EMPTY, deficit=1)
        if self._screen.root is None:
            return Proof(group, False, note=NO_TREE, deficit=len(listed), unseen=True)
        return self._all(group, [self.condition(raw_condition) for raw_condition in listed])

    def condition(self, raw: Any) -> Proof:
        """The verdict of one condition, given as PyYAML reads it. Raises Cancelled."""
        check_cancelled()
        condition = self._typed(raw)
        try:
            kind = raw.get("type")
            if kind == "any_of":
                return self._any(condition, raw.get("sub_conditions", []) or ())
            if not kind or not raw.get("selector"):
                return Proof(condition, False, note=UNKNOWN_TYPE, deficit=1)
            return self._on_element(condition, raw)
        except PathInNameError:
            return Proof(condition, False, note=PATH_IN_NAME, deficit=1)
        except FAULTS:
            return Proof(condition, False, note=CRASHES, deficit=1)

    def _any(self, condition: Condition, listed: Any) -> Proof:
        parts = [self.condition(part) for part in listed]
        holds = False
        for part in parts:
            if part.holds or part.note == CRASHES:
                holds = part.holds
                break
        nearest = min(parts, key=lambda part: (part.deficit, -part.evidence), default=None)
        crashed = not holds and any(part.note == CRASHES for part in parts)
        return Proof(
            condition, holds, parts=tuple(parts), note=CRASHES if crashed else "",
            deficit=0 if holds else max(1, nearest.deficit if nearest else 1),
            evidence=nearest.evidence if nearest else 0,
        )  # fmt: skip

    def _on_element(self, condition: Condition, raw: Mapping[str, Any]) -> Proof:
        read = SELECTOR.match(raw["selector"])
        element = self._screen.find(*read.groups()) if read else None
        nodes = self._screen.order(element)
        proof = about_element(condition, raw, element.get if element is not None else None, nodes)
        return proof if read else replace(proof, note=BAD_SELECTOR)


def about_element(
    condition: Condition, raw: Mapping[str, Any], get: Callable[..., Any] | None, nodes: tuple[int, ...]
) -> Proof:
    """The validator's verdict on the first element its selector finds; ``get`` is None when there is none."""
    reading = element_reading(raw)
    if reading is not None:
        return reading.prove(condition, raw, get, nodes)
    if get is None:
        return Proof(condition, False, nodes=nodes, deficit=1)
    return Proof(condition, False, note=UNKNOWN_TYPE, deficit=1)


def first_match_proof(
    condition: Condition, get: Callable[..., Any], name: Any, nodes: tuple[int, ...], *, holds: bool
) -> Proof:
    """The proof about the first element a selector finds; ``name`` is the attribute that was looked at."""
    if holds:
        return Proof(condition, True, nodes=nodes, note=FIRST_MATCH, evidence=1)
    actual = str(get(name, "")) if isinstance(name, str) else ""
    return Proof(condition, False, near=nodes, actual=actual, note=FIRST_MATCH, deficit=1, evidence=1)


def element_reading(raw: Mapping[str, Any]) -> DgaraElementCondition | None:
    """How the validator reads a condition on an element; None when it does not know its type."""
    semantics = semantics_named(raw["type"])
    reading = semantics.dgara if semantics is not None else None
    return reading if isinstance(reading, DgaraElementCondition) else None


def dgara_screen(view: StateView) -> DgaraScreen:
    """``view`` as D-GARA's engine and validator see it; cached in the view."""
    screen = view.__dict__.get("_dgara")
    if screen is None:
        screen = view.__dict__["_dgara"] = _look(view)
    return screen


def _look(view: StateView) -> DgaraScreen:
    root = _parse(view.xml)
    elements = tuple(root.iter()) if root is not None else ()
    nodes = [element for element in elements if element.tag == "node"]
    pieces = [
        f"{node.get('text', '')} {node.get('resource-id', '')} {node.get('content-desc', '')} "
        for node in nodes
    ]
    words = "".join(pieces).lower() if pieces else None
    held = elements[1:] if root is not None and root.tag == "hierarchy" else elements
    same = view.tree is not None and len(view.tree.nodes) == len(held)
    orders = {id(element): order for order, element in enumerate(held)} if same else {}
    return DgaraScreen(root, words, elements, orders)


def _parse(xml: bytes) -> ET.Element | None:
    text = xml.decode("utf-8", "ignore")
    if not text or "<!DOCTYPE" in text:  # dumps have none; it could expand without limit
        return None
    try:
        return ET.fromstring(text)  # noqa: S314 - no document type, so no entities
    except (ET.ParseError, ValueError):
        return None
