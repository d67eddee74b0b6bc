"""PIN pads on protected windows: which touches are keys, so that they are counted and not told apart."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from collector.hierarchy.describe import click_target
from collector.model.action import Action, LongPress, Swipe, Tap
from collector.model.geometry import Point
from collector.model.tree import Node, Tree

_FEWEST_KEYS = 6
"""A close button of one character does not make a window a pad."""
_ERASES = ("backspace", "delete", "erase", "⌫", "删除", "退格")


class PinPadKey(Enum):
    """What a key does to the length of what is typed."""

    CHARACTER = "character"
    ERASE = "erase"


def is_character_key(node: Node) -> bool:
    """Whether a node is pressed and says one character: itself, or as the first word of what is in it."""
    if not node.clickable:
        return False
    own = [words.strip() for words in (node.text, node.content_desc) if words.strip()]
    if not own:
        own = [below.label.strip() for below in node.descendants() if below.label.strip()][:1]
    return any(len(words) == 1 for words in own)


def key_at(trees: Iterable[Tree | None], point: Point) -> PinPadKey | None:
    """The key of a pad at ``point`` in any of the trees: which of them the finger met is not always known."""
    for tree in trees:
        node = click_target(tree, point) if tree is not None else None
        if tree is None or node is None or sum(map(is_character_key, tree)) < _FEWEST_KEYS:
            continue
        if is_character_key(node):
            return PinPadKey.CHARACTER
        if _erases(node):
            return PinPadKey.ERASE
    return None


def key_of(trees: Iterable[Tree | None], action: Action) -> PinPadKey | None:
    """The key an action pressed; a finger that slid a little on a key still pressed it."""
    if not isinstance(action, (Tap, LongPress, Swipe)):
        return None
    if not isinstance(action, Swipe):
        return key_at(trees, Point(action.x, action.y))
    trees = tuple(trees)
    down, up = Point(action.x1, action.y1), Point(action.x2, action.y2)
    stayed = any(tree is not None and click_target(tree, down) is click_target(tree, up) for tree in trees)
    return key_at(trees, down) if stayed else None


def _erases(node: Node) -> bool:
    said = (node.text, node.content_desc, node.short_id, *(below.label for below in node.descendants()))
    words = " ".join(said).casefold()
    return any(word in words for word in _ERASES)
