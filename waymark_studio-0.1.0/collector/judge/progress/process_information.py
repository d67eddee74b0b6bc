"""Process information: the actions of a trajectory in words, from trees and actions alone (ProBench, 3.4).

A judge of process tasks reads it. It does not depend on captions, which people edit, nor on the language of
the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from collector.hierarchy.captions import click_target
from collector.model.action import (
    Action,
    Answer,
    DoubleTap,
    Drag,
    Impossible,
    Invalid,
    Key,
    LongPress,
    OpenApp,
    Scroll,
    Swipe,
    Tap,
    Type,
)
from collector.model.geometry import Point
from collector.model.trajectory import Step
from collector.model.tree import Node, Tree

_PRIMITIVES = {"tap": "CLICK", "key:enter": "ENTER", "key:back": "BACK"}
"""Names of ProBench where they differ from ours in capitals; its others are SWIPE, TYPE, COMPLETE, WAIT."""


@dataclass(frozen=True, slots=True)
class ProcessStep:
    """One action in words."""

    index: int
    """Of the step, from 0."""
    primitive: str
    """CLICK, SWIPE, TYPE, ENTER, BACK, COMPLETE, WAIT, or another kind in capitals."""
    description: str

    def __str__(self) -> str:
        return f"{self.primitive} {self.description}".rstrip()


def process_information(
    steps: Sequence[Step], tree_of: Callable[[Step], Tree | None]
) -> tuple[ProcessStep, ...]:
    """The actions of a trajectory in words; ``tree_of`` reads the tree of a step's state."""
    return tuple(
        ProcessStep(step.index, _primitive(step.action), _description(step.action, tree_of(step)))
        for step in steps
        if step.action is not None
    )


def structure_description(tree: Tree, point: Point) -> str:
    """Describe the smallest clickable node around ``point`` (ProBench, Algorithm 1).

    Its text and content description; without both its resource id, and the texts and content descriptions of
    its children. Empty when no node is there, or it says nothing.
    """
    node = click_target(tree, point)
    if node is None:
        return ""
    own = _description_of(node)
    return own or _joined(node.short_id, *map(_description_of, node.children))


def _description_of(node: Node) -> str:
    return _joined(node.text, node.content_desc)


def _joined(*parts: str) -> str:
    return ", ".join(text for part in parts if (text := " ".join(part.split())))


def _primitive(action: Action) -> str:
    name = f"key:{action.key}" if isinstance(action, Key) else action.kind
    return _PRIMITIVES.get(name, action.kind.upper())


def _description(action: Action, tree: Tree | None) -> str:
    match action:
        case Tap() | LongPress() | DoubleTap():
            words = structure_description(tree, action.point) if tree is not None else ""
            return words or f"{action.x}, {action.y}"
        case Swipe() | Drag():
            return f"{action.x1}, {action.y1} to {action.x2}, {action.y2}"
        case Type(redacted=True):
            return "a hidden text"
        case Type(text=text) | Answer(text=text) | Impossible(reason=text):
            return text
        case Key(key=key):
            return "" if f"key:{key}" in _PRIMITIVES else key
        case OpenApp(name=name, package=package):
            return name or package
        case Scroll(direction=direction):
            return direction
        case Invalid(reason=reason):
            return reason
        case _:
            return ""
