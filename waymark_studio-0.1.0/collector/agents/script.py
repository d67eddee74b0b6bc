"""A script for an agent as frozen values: its actions, where they touch, and when they are done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.hierarchy.selectors import Selector
from collector.located_yaml.diagnostics import NOWHERE, Place
from collector.model.geometry import Point, Size
from collector.model.tree import Node, Tree
from collector.replay.target_search import is_shown
from collector.rules.grammar.model import Group


@dataclass(frozen=True, slots=True)
class PixelPlace:
    """A place in pixels of the screen, or in shares of it from 0 to 1."""

    x: float
    y: float
    is_share: bool = False

    def on(self, screen: Size) -> Point:
        """The pixels on a screen."""
        if not self.is_share:
            return Point(int(self.x), int(self.y))
        x, y = round(self.x * screen.width), round(self.y * screen.height)
        return Point(min(x, screen.width - 1), min(y, screen.height - 1))


@dataclass(frozen=True, slots=True)
class NodePlace:
    """The middle of a node, named by a selector, an XPath or the words on it."""

    text: str
    selector: Selector | None = None
    """None for words, which are a node's whole text or description, or else a part of it."""

    def find(self, tree: Tree, screen: Size) -> Node | None:
        """The first node on the screen that it names; None without one. Raises TooManyStepsError."""
        shown = [node for node in self._named(tree) if is_shown(node, screen)]
        return shown[0] if shown else None

    def _named(self, tree: Tree) -> list[Node]:
        if self.selector is not None:
            return self.selector.find(tree)
        whole = [node for node in tree if self.text in (node.text, node.content_desc)]
        return whole or [node for node in tree if self.text in node.text or self.text in node.content_desc]


ScriptPlace = PixelPlace | NodePlace


@dataclass(frozen=True, slots=True)
class ScriptedAction:
    """One action of a script."""

    kind: str
    """Of the action space."""
    number: int
    """In its script, from 1."""
    at: ScriptPlace | None = None
    to: ScriptPlace | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    """The other fields of the action."""
    direction: str = ""
    """Of a swipe through the middle of the screen."""
    erase: int = 0
    when: Group | None = None
    """``if``: left out unless this holds."""
    wait_for: Group | None = None
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class AgentScript:
    """The actions of one task in order. ``name`` is the file, or empty for one written in an experiment."""

    actions: tuple[ScriptedAction, ...]
    name: str = ""
