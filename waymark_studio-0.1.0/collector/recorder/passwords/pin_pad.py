"""PIN pads on protected windows: find which touches press keys, so that only their number is recorded."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from collector.hierarchy.captions import click_target
from collector.model.action import Action, LongPress, Swipe, Tap
from collector.model.geometry import Point
from collector.model.tree import Node, Tree

_FEWEST_KEYS = 6
"""A single button of one character, such as a close button, does not make a PIN pad."""
_ERASES = ("backspace", "delete", "erase", "⌫", "删除", "退格")


class PinPadKey(Enum):
    """What a key does to the length of the PIN."""

    CHARACTER = "character"
    ERASE = "erase"


def is_character_key(node: Node) -> bool:
    """Whether a node is clickable and its label, or that of its first child, is one character."""
    return bool(character_of(node))


def character_of(node: Node) -> str:
    """The one character on a clickable node, or on its first child; empty for any other node."""
    if not node.clickable:
        return ""
    labels = [label.strip() for label in (node.text, node.content_desc) if label.strip()]
    if not labels:
        labels = [child.label.strip() for child in node.descendants() if child.label.strip()][:1]
    return next((label for label in labels if len(label) == 1), "")


def key_at(trees: Iterable[Tree | None], point: Point) -> PinPadKey | None:
    """The key at ``point`` in the first tree that has one: it may be unknown which tree was on screen."""
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
    """The key an action pressed; a finger that slides a little on a key still presses it."""
    if not isinstance(action, (Tap, LongPress, Swipe)):
        return None
    if not isinstance(action, Swipe):
        return key_at(trees, Point(action.x, action.y))
    trees = tuple(trees)
    down, up = Point(action.x1, action.y1), Point(action.x2, action.y2)
    stayed = any(tree is not None and click_target(tree, down) is click_target(tree, up) for tree in trees)
    return key_at(trees, down) if stayed else None


def _erases(node: Node) -> bool:
    labels = (node.text, node.content_desc, node.short_id, *(child.label for child in node.descendants()))
    text = " ".join(labels).casefold()
    return any(word in text for word in _ERASES)
