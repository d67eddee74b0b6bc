"""The conditions that make sense for a node, several nodes or a part of the screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collector.hierarchy.selector_ranking import RankedSelector, rank_selectors
from collector.hierarchy.selectors import quote
from collector.model.tree import Node
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.conditions.element_property import ElementProperty, ElementPropertyContains
from collector.rules.conditions.element_text import ElementTextContains, ElementTextEquals
from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.conditions.text_matches import TextMatches
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Condition, Group
from collector.rules.suggest.samples import is_content

_SELECTORS = 4
_KEYWORDS = 6
_LONGEST_KEYWORD = 40
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_STATES = ("checked", "selected")


def for_node(view: StateView, node: Node) -> Iterator[Condition]:
    """Conditions that hold on ``view`` because of ``node``, in no particular order."""
    if view.tree is None:
        return
    ranked = _worth_offering(rank_selectors(view.tree, node))
    for selector in ranked:
        yield ElementExists(selector=selector.text)
    naming = _naming(node) or (ranked[0].text if ranked else "")
    if naming:
        yield from _about(node, naming)
    if is_content(node) and len(node.label) <= _LONGEST_KEYWORD:
        yield SemanticElementExists(keywords=(node.label,))
    if pattern := _pattern(node.label):
        yield TextMatches(pattern=pattern)
    yield from for_screen(view)


def for_screen(view: StateView) -> Iterator[Condition]:
    """Conditions on the screen as a whole."""
    if view.activity:
        yield CurrentActivityIs(value=view.activity)
    if view.package:
        yield CurrentPackageIs(value=view.package)


def for_nodes(view: StateView, nodes: Sequence[Node]) -> Iterator[Condition]:
    """Conditions on several nodes: their texts as keywords, or a condition for each."""
    words = (node.label for node in nodes if is_content(node) and len(node.label) <= _LONGEST_KEYWORD)
    labels = list(dict.fromkeys(words))
    if labels:
        keywords = tuple(labels[:_KEYWORDS])
        yield SemanticElementExists(keywords=keywords)
        if len(keywords) > 2:
            yield SemanticElementExists(
                keywords=keywords, match_threshold=share(len(keywords) - 1, len(keywords))
            )
    if view.tree is not None and 1 < len(nodes) <= _KEYWORDS:
        best = [rank_selectors(view.tree, node)[:1] for node in nodes]
        parts = tuple(ElementExists(selector=ranked[0].text) for ranked in best if ranked)
        if len(parts) > 1:
            yield Group(conditions=parts)
    yield from for_screen(view)


def for_region(view: StateView, nodes: Sequence[Node]) -> Iterator[Condition]:
    """Conditions on a part of the screen: its texts and its image.

    The file of the image is left empty: the caller saves the image and names it.
    """
    speaking = [node for node in nodes if node.label]
    yield ImageMatches(image="", region=None)
    if len(speaking) == 1:
        yield from for_node(view, speaking[0])
    elif speaking:
        yield from for_nodes(view, speaking)


def share(count: int, total: int) -> float:
    """A threshold of two digits that asks for ``count`` of ``total`` keywords, under a hundred of them."""
    return count * 100 // total / 100


def _worth_offering(ranked: list[RankedSelector]) -> list[RankedSelector]:
    """The best few; a place among its like, or in the tree, only where nothing shorter is unique."""
    unique = [selector for selector in ranked if selector.matches == 1 and not selector.text.endswith("]")]
    return unique[:_SELECTORS] or ranked[:_SELECTORS]


def _about(node: Node, naming: str) -> Iterator[Condition]:
    if node.text and not naming.startswith("text"):
        yield ElementTextEquals(selector=naming, text=node.text)
        if word := _lasting_word(node.text):
            yield ElementTextContains(selector=naming, text=word)
    if node.content_desc and not naming.startswith("content-desc"):
        word = _lasting_word(node.content_desc) or node.content_desc
        yield ElementPropertyContains(selector=naming, attribute="content-desc", value=word)
    for name in _STATES:
        if node.flag(name) or (name == "checked" and node.flag("checkable")):
            yield ElementProperty(selector=naming, attribute=name, value=node.get(name, "false"))


def _naming(node: Node) -> str:
    """A selector of one attribute, which both semantics read; the id before the words."""
    for name in ("resource-id", "text", "content-desc"):
        if value := node.get(name):
            return f"{name}={quote(value)}"
    return ""


def _lasting_word(text: str) -> str:
    """The longest run of ``text`` without numbers, when it is not the whole."""
    pieces = [piece.strip(" ,.:;()\u00b7-") for piece in _NUMBER.split(text)]
    best = max(pieces, key=len, default="")
    return best if 2 < len(best) < len(text) else ""


def _pattern(text: str) -> str:
    """``148 results`` with any number in it; empty when there is none, or nothing else."""
    if not _NUMBER.search(text) or len(text) > _LONGEST_KEYWORD or not _lasting_word(text):
        return ""
    pieces = _NUMBER.split(text)
    return "[0-9][0-9.,:]*".join(re.escape(piece).replace("\\ ", " ") for piece in pieces)
