"""Selectors as the tools of app tests understand them: attribute tests, or XPath over a dump."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.selector_ranking import rank_selectors
from collector.hierarchy.selectors import Compound, Term, parse_selector
from collector.model.tree import Node, Tree

# In a dump every element is a <node>; these tools name elements by their class.
_NODE = re.compile(r"(?<=[/:])node(?=[\[/]|$)")


@dataclass(frozen=True, slots=True)
class Locator:
    """Where an element is found: by ``terms`` and ``position`` where they say it all, else by ``xpath``."""

    xpath: str
    """XPath 1.0 over a dump whose elements have any name."""
    terms: tuple[Term, ...] = ()
    """Tests of the element's own attributes; empty when only XPath can say where it is."""
    position: int | None = None
    """The place among the elements that pass the tests, from 1."""

    def having(self, term: Term) -> Locator:
        """Demand that the element passes one more test."""
        xpath = f"{self.xpath}[{_predicate(term)}]"
        if self.terms and self.position is None:
            return Locator(xpath, (*self.terms, term))
        return Locator(xpath)


def locator_of(selector: str) -> Locator | None:
    """The locator of a selector; None for one that these tools cannot express."""
    try:
        parsed = parse_selector(selector)
    except SelectorError:
        return None
    if parsed.compound is None:
        return Locator(_NODE.sub("*", parsed.text))
    xpath = _xpath(parsed.compound)
    if not xpath:
        return None
    if parsed.compound.anchor is None:
        return Locator(xpath, parsed.compound.terms, parsed.compound.position)
    return Locator(xpath)


def locators_of(tree: Tree, node: Node, known: Iterable[str]) -> Iterator[Locator]:
    """Locators of ``node`` that match nothing else in ``tree``: of the selectors ``known``, then others."""
    ranked = (selector.text for selector in rank_selectors(tree, node))
    for selector in dict.fromkeys((*known, *ranked)):
        locator = locator_of(selector)
        if locator is not None and parse_selector(selector).find(tree) == [node]:
            yield locator


def quoted(value: str) -> str:
    """``value`` as a literal of XPath 1.0, which has no escapes."""
    if "'" not in value:
        return f"'{value}'"
    if '"' not in value:
        return f'"{value}"'
    parts = ', "\'", '.join(f"'{part}'" for part in value.split("'"))
    return f"concat({parts})"


def _xpath(compound: Compound) -> str:
    """XPath of a compound; empty when it cannot be expressed."""
    own = "*" + "".join(f"[{_predicate(term)}]" for term in compound.terms)
    found = f"//{own}"
    if compound.anchor is not None:
        found = _related(compound, own)
    return f"({found})[{compound.position}]" if found and compound.position is not None else found


def _related(compound: Compound, own: str) -> str:
    anchor = compound.anchor
    assert anchor is not None
    if compound.relation == "holding":
        if anchor.anchor is not None or anchor.position is not None:
            return ""
        inner = "".join(f"[{_predicate(term)}]" for term in anchor.terms)
        return f"//{own}[.//*{inner}]"
    outer = _xpath(anchor)
    if not outer:
        return ""
    if compound.relation == "sibling of":
        return f"({outer})/preceding-sibling::{own} | ({outer})/following-sibling::{own}"
    return f"({outer}){'//' if compound.relation == 'within' else '/'}{own}"


def _predicate(term: Term) -> str:
    name, value = f"@{term.attribute}", quoted(term.value)
    if term.operator == "*=":
        return f"contains({name}, {value})"
    if term.operator == "^=":
        return f"starts-with({name}, {value})"
    if term.operator == "$=":
        begin = f"string-length({name}) - {len(term.value) - 1}"
        return f"substring({name}, {begin}) = {value}"
    return f"{name}={value}"
