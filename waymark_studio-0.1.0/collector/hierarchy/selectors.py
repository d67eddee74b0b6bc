"""Selectors: match nodes by their attributes and their position.

::

    text='Sign in'                                   one attribute
    class="android.widget.Button" and text='Buy'     several, joined by a space or `and`
    resource-id=tv.app:id/like_button                unquoted, as the D-GARA paper writes it
    content-desc*='saved'                            contains; also ^= begins with, $= ends with
    text='Delete' within resource-id='app:id/row'    also `child of`, `sibling of`, `holding`
    class='android.widget.ImageView' [3]             the third match
    //android.widget.TextView[@text='Buy']           XPath, by class or as //node[...]

Inside quotes a backslash escapes a quote or a backslash; elsewhere it stands for itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.xpath.find import compile_xpath, find_xpath, looks_like_xpath
from collector.model.i18n import _
from collector.model.tree import Node, Tree

MAX_LENGTH = 8000
"""Characters of a selector."""
MAX_RELATIONS = 20
"""Relations of one node to another to another."""
MAX_TERMS = 40
"""Attributes of one node."""
_NAME = r"[A-Za-z_][\w:.-]*"
_TERM = re.compile(rf"({_NAME})\s*([*^$]?=)\s*")
_QUOTED = re.compile(r"""'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)\"""", re.DOTALL)
_RELATION = re.compile(r"(within|child of|sibling of|holding)\b\s*")
_POSITION = re.compile(r"\[(\d{1,6})\]")
_UNQUOTED_END = re.compile(  # begins before the first of several spaces, so that none is tried as well
    rf"(?<!\s)(?:\s+(?:{_NAME}\s*[*^$]?=|and\s+{_NAME}\s*[*^$]?=|(?:within|child of|sibling of|holding)\s)"
    r"|\s*\[\d{1,6}\]\s*(?:$|(?=\s(?:within|child|sibling|holding)\s))|\s*$)"
)
_ESCAPE = re.compile(r"""\\(['"\\])""")
_SPACE = re.compile(r"(?:\s+and\s+(?=[A-Za-z_]))|\s+")


@dataclass(frozen=True, slots=True)
class Term:
    """One attribute test; ``operator`` is ``=``, ``*=``, ``^=`` or ``$=``."""

    attribute: str
    operator: str
    value: str

    def matches(self, node: Node) -> bool:
        value = node.attributes.get(self.attribute)
        if value is None:
            return False
        if self.operator == "=":
            return value == self.value
        if self.operator == "*=":
            return self.value in value
        return value.startswith(self.value) if self.operator == "^=" else value.endswith(self.value)


@dataclass(frozen=True, slots=True)
class Compound:
    """Attribute tests, an optional position among the matches (from 1) and a relation to other nodes."""

    terms: tuple[Term, ...]
    position: int | None = None
    relation: str = ""
    anchor: Compound | None = None

    def find(self, tree: Tree) -> list[Node]:
        matches = [node for node in tree.nodes if all(term.matches(node) for term in self.terms)]
        if self.anchor is not None and matches:
            related = _RELATED[self.relation](tree, set(self.anchor.find(tree)))
            matches = [node for node in matches if node in related]
        if self.position is not None:
            return matches[self.position - 1 : self.position]
        return matches


@dataclass(frozen=True, slots=True)
class Selector:
    """A parsed selector; ``compound`` is None for XPath, which is kept as text."""

    text: str
    compound: Compound | None = None

    def find(self, tree: Tree) -> list[Node]:
        """Return every match in document order; SelectorError when an XPath does not select nodes."""
        return self.compound.find(tree) if self.compound is not None else find_xpath(tree, self.text)


def parse_selector(text: str) -> Selector:
    """Parse a selector; SelectorError names the place of the mistake."""
    text = text.strip()
    if not text:
        raise SelectorError(_("The selector is empty"), "", _("Write one as in text='Sign in'"))
    if len(text) > MAX_LENGTH:
        why = _("It has {count} characters; at most {limit} are read", count=len(text), limit=MAX_LENGTH)
        raise SelectorError(_("The selector is too long"), why)
    if looks_like_xpath(text):
        compile_xpath(text)  # report a mistake now, not at the first screen
        return Selector(text)
    return Selector(text, _Reader(text).compound())


def quote(value: str) -> str:
    """Return ``value`` quoted for a selector."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _within(tree: Tree, anchors: set[Node]) -> set[Node]:
    below: set[Node] = set()
    for node in tree.nodes:  # parents come first
        if node.parent in anchors or node.parent in below:
            below.add(node)
    return below


def _child_of(_tree: Tree, anchors: set[Node]) -> set[Node]:
    return {child for anchor in anchors for child in anchor.children}


def _sibling_of(_tree: Tree, anchors: set[Node]) -> set[Node]:
    """Beside an anchor; an anchor itself only where there is a second one."""
    under = Counter(anchor.parent for anchor in anchors if anchor.parent is not None)
    return {
        child for parent, count in under.items() for child in parent.children if count > (child in anchors)
    }


def _holding(_tree: Tree, anchors: set[Node]) -> set[Node]:
    above: set[Node] = set()
    for anchor in anchors:
        node = anchor.parent
        while node is not None and node not in above:
            above.add(node)
            node = node.parent
    return above


_RELATED: Mapping[str, Callable[[Tree, set[Node]], set[Node]]] = {
    "within": _within,
    "child of": _child_of,
    "sibling of": _sibling_of,
    "holding": _holding,
}
"""For each relation: the nodes that are in it to one of some anchors, in one look at the tree."""


class _Reader:
    """Parse compounds from left to right; the anchor of a relation is the rest of the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._relations = 0

    def compound(self) -> Compound:
        terms: list[Term] = []
        position: int | None = None
        while self._at < len(self._text):
            if match := self._take(_POSITION):
                position = int(match[1])
                if position < 1:
                    raise self._error(_("Positions are counted from 1"))
            elif terms and (match := self._take(_RELATION)):
                self._relations += 1
                if self._relations > MAX_RELATIONS:
                    raise self._error(
                        _("More than {limit} relations follow one another", limit=MAX_RELATIONS)
                    )
                return Compound(tuple(terms), position, match[1], self.compound())
            elif position is None and (match := self._take(_TERM)):
                terms.append(Term(match[1], match[2], self._value()))
                if len(terms) > MAX_TERMS:
                    raise self._error(_("More than {limit} attributes are asked about", limit=MAX_TERMS))
            else:
                raise self._error(_("An attribute and its value were expected here"))
            self._take(_SPACE)
        if not terms:
            raise self._error(_("An attribute and its value were expected here"))
        return Compound(tuple(terms), position)

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._at)
        if match is not None:
            self._at = match.end()
        return match

    def _value(self) -> str:
        if self._text[self._at : self._at + 1] in ("'", '"'):
            match = self._take(_QUOTED)
            if match is None:
                raise self._error(_("The quote that opens here is never closed"))
            return _ESCAPE.sub(r"\1", match[1] if match[1] is not None else match[2])
        rest = self._text[self._at :]  # before which there is no space
        end = _UNQUOTED_END.search(rest)
        value = rest[: end.start()] if end is not None else rest
        self._at += len(value)
        self._take(_SPACE)
        return value

    def _error(self, why: str) -> SelectorError:
        shown = self._text[self._at : self._at + 30] or _("the end")
        return SelectorError(
            _("The selector cannot be read at: {text}", text=shown), why, _("Write it as in text='Sign in'")
        )
