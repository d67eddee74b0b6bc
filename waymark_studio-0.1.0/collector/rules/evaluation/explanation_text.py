"""Pieces of sentences that the explanations of several condition types share."""

from __future__ import annotations

import re
from collections.abc import Iterable

from collector.model.i18n import _, ngettext
from collector.model.tree import Node
from collector.rules.evaluation.near_miss import NearMiss, nearest_node
from collector.rules.evaluation.state_view import StateView

LONGEST = 60
_BY_ATTRIBUTE = re.compile(
    r"""(resource-id|text|content-desc)\s*=\s*(['"])((?:(?!\2)[^\\]|\\.)*)\2""", re.DOTALL
)
LONGEST_TAG = 24


def cut(text: str, longest: int = LONGEST) -> str:
    """The text, shortened in its middle to ``longest`` characters: its end tells ids and values apart."""
    if len(text) <= longest:
        return text
    end = (longest - 3) * 2 // 3
    return f"{text[: longest - 3 - end]}...{text[-end:]}"


def quote(text: str) -> str:
    """The text in single quotes."""
    return f"'{text}'"


def tag(wanted: str, actual: str) -> str:
    """The wanted and the actual value of a node, short enough to be drawn beside it."""
    return f"{quote(cut(wanted, LONGEST_TAG))} ~ {quote(cut(actual, LONGEST_TAG))}"


def node_name(node: Node) -> str:
    """A readable name of a node: its label, else its id, else its class."""
    return quote(cut(node.label)) if node.label else node.short_id or node.short_class


def selector_words(selector: str) -> str:
    """The nodes that a selector means, in words: ``the id stock`` for ``resource-id='com.shop:id/stock'``."""
    match = _BY_ATTRIBUTE.fullmatch(selector.strip())
    if match is None:
        return _("the selector {selector}", selector=selector)
    name, value = match[1], match[3]
    if name == "resource-id":
        return _("the id {id}", id=value.rpartition("/")[2] or value)
    if name == "text":
        return _("the text {text}", text=quote(value))
    return _("the description {text}", text=quote(value))


def nodes_match(count: int) -> str:
    """How many nodes match."""
    return ngettext("One node matches", "{count} nodes match", count)


def no_node_matches(selector: str, view: StateView) -> str:
    """That no node matches, and which one comes nearest."""
    miss = nearest_node(selector, view)
    if miss is None:
        return _("No node matches")
    if _lacks_relation(miss, selector):
        name = node_name(miss.node)
        return _("{name} is there, but not {relation} what it should be", name=name, relation=miss.attribute)
    actual = quote(cut(miss.actual)) if miss.actual else _("nothing")
    return _(
        "No node matches; nearest miss: {attribute} is {found}, wanted {wanted}",
        attribute=miss.attribute, found=actual, wanted=quote(cut(miss.wanted)),
    )  # fmt: skip


def nearest_node_tagged(selector: str, view: StateView) -> list[tuple[Node, str]]:
    """The node that comes nearest to a selector that names none, with what is different; may be empty."""
    miss = nearest_node(selector, view)
    if miss is None:
        return []
    if miss.wanted == selector:
        return [(miss.node, _("not {relation}", relation=miss.attribute))]
    return [(miss.node, tag(miss.wanted, miss.actual))]


def tagged(orders: Iterable[int], view: StateView, text: str) -> list[tuple[Node, str]]:
    """The nodes at these places of the document order, each with ``text``."""
    return [(view.nodes[order], text) for order in orders if order < len(view.nodes)]


def _lacks_relation(miss: NearMiss, selector: str) -> bool:
    return not miss.actual and miss.wanted == selector
