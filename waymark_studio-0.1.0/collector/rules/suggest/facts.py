"""Describe a state as a set of facts, so that the difference of two states is a set difference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from collector.hierarchy.clocks import TIME_OF_DAY
from collector.hierarchy.selectors import quote
from collector.model.tree import Node
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.conditions.element_property import ElementProperty
from collector.rules.conditions.element_text import ElementTextEquals
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Condition
from collector.rules.suggest.samples import CHROME

_LONGEST = 60
_ONLY_NUMBERS = re.compile(r"[\d\s.,:%$\u20ac\u00a5+-]+\Z")


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """A node whose ``name`` is ``value`` is there, or its ``attribute`` is as ``wanted``."""

    name: str
    value: str
    attribute: str = ""
    wanted: str = ""

    @property
    def worth(self) -> int:
        """How good a success rule it makes, 0 to 100: checked states before texts, ids before texts."""
        by_id = 20 if self.name == "resource-id" else 0
        if self.attribute in ("checked", "selected"):
            return 70 + by_id
        if self.attribute == "text":
            return (45 if _ONLY_NUMBERS.match(self.wanted) else 58) + by_id
        if self.attribute == "content-desc":
            return 52 + by_id
        return {"resource-id": 66, "content-desc": 50}.get(self.name, 48)

    def condition(self) -> Condition:
        """The condition that holds when the fact does, as both semantics read it."""
        selector = f"{self.name}={quote(self.value)}"
        if not self.attribute:
            return ElementExists(selector=selector)
        if self.attribute == "text":
            return ElementTextEquals(selector=selector, text=self.wanted)
        return ElementProperty(selector=selector, attribute=self.attribute, value=self.wanted)


def facts_of(view: StateView) -> frozenset[Fact]:
    """Everything the app's own nodes say in ``view``; clocks and the status bar are left out."""
    return frozenset(
        fact for node in view.nodes if node.package not in CHROME for fact in _facts(node) if _lasts(fact)
    )


def _facts(node: Node) -> Iterator[Fact]:
    names = [(name, node.get(name)) for name in ("resource-id", "text", "content-desc")]
    for name, value in names:
        if not value or len(value) > _LONGEST:
            continue
        yield Fact(name, value)
        if node.flag("checkable"):
            yield Fact(name, value, "checked", node.get("checked", "false"))
        if node.flag("selected"):  # an unselected node says nothing about the task
            yield Fact(name, value, "selected", "true")
        if name == "resource-id":
            for other in ("text", "content-desc"):
                if (words := node.get(other)) and len(words) <= _LONGEST:
                    yield Fact(name, value, other, words)


@cache
def _lasts(fact: Fact) -> bool:
    return not any(TIME_OF_DAY.fullmatch(value) for value in (fact.value, fact.wanted))
