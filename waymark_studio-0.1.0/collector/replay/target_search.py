"""Find the target of a recorded action again on another screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from collector.hierarchy.captions import describe_node
from collector.hierarchy.errors import SelectorError
from collector.hierarchy.selectors import Selector, parse_selector
from collector.model.geometry import Point, Position, Rect, Size
from collector.model.i18n import _
from collector.model.trajectory import Step, Target
from collector.model.tree import Node, Tree

_NEAR = 0.06
"""Share of the screen's height a node may have moved and still be in its place."""
_POINTS = {"resource-id": 3, "text": 3, "content-desc": 3, "class": 1}
_LEAST_POINTS = 3
_MOST_SELECTORS = 10
_NAMES = ("text", "content-desc", "hint", "resource-id", "class")


@dataclass(frozen=True, slots=True, eq=False)
class TargetMatch:
    """The node that is the target now, the selector that named it, and how it differs."""

    node: Node
    box: Rect
    selector: str
    moved: bool = False
    """It lies elsewhere than recorded."""
    reworded: bool = False
    """Its texts changed; only its id and place identify it."""


@dataclass(frozen=True, slots=True)
class TargetQuery:
    """A recorded target, and where it would lie on a screen of the size ``screen``."""

    target: Target
    words: str
    """The texts of the target and its children."""
    box: Rect | None
    screen: Size

    @classmethod
    def of(cls, step: Step, recorded: Tree | None, screen: Size) -> TargetQuery | None:
        """The target of a step; None when none was recorded."""
        target = step.target
        if target is None:
            return None
        node = recorded.at_path(target.path) if recorded is not None else None
        label = target.attributes.get("text", "") or target.attributes.get("content-desc", "")
        box = scaled(target.bounds, step.state.size, screen) if target.bounds is not None else None
        return cls(target, describe_node(node) if node is not None else label, box, screen)

    @property
    def name(self) -> str:
        """The name of the target for a person."""
        known = (self.wanted(name) for name in _NAMES)
        return self.words or next((value for value in known if value), "") or str(self.target.bounds or "")

    def wanted(self, attribute: str) -> str:
        return self.target.attributes.get(attribute, "")

    @property
    def _selectors(self) -> tuple[str, ...]:
        """Those that are tried; a recording has five, and a file from elsewhere any number."""
        return self.target.selectors[:_MOST_SELECTORS]

    def distance(self, box: Rect) -> float:
        """Distance from its recorded place in pixels; 0 when that is unknown."""
        return box.center.distance_to(self.box.center) if self.box is not None else 0.0

    def is_near(self, box: Rect) -> bool:
        return self.distance(box) <= _NEAR * self.screen.height

    def find(self, tree: Tree) -> TargetMatch | None:
        """The one node that the ranked selectors name, in its place or elsewhere; None without one."""
        return next((match for text in self._selectors if (match := self._by(text, tree))), None)

    def count(self, tree: Tree) -> int:
        """How many nodes fit the first selector that names any; over 1 the target is ambiguous."""
        counts = (len(self._named(text, tree)) for text in self._selectors)
        return next((count for count in counts if count), 0)

    def nearest(self, tree: Tree) -> str:
        """The most similar node and how it differs, in words; empty when no node is similar."""
        rated = [
            (points, -self.distance(node.bounds), node)
            for node in tree
            if node.bounds is not None
            and is_shown(node, self.screen)
            and (points := self._similarity(node)) >= _LEAST_POINTS
        ]
        if not rated:
            return ""
        node = max(rated, key=lambda rating: rating[:2])[2]
        others = [
            f"{name}={node.get(name)!r}"
            for name in _POINTS
            if self.wanted(name) and self.wanted(name) != node.get(name)
        ]
        name = repr(describe_node(node) or node.short_id or node.short_class)
        if others:
            return _("nearest is {name} with {others}", name=name, others=", ".join(others))
        return _("nearest is {name} at {place}", name=name, place=node.bounds)

    def _similarity(self, node: Node) -> int:
        return sum(points for name, points in _POINTS.items() if self.wanted(name) == node.get(name) != "")

    def _by(self, text: str, tree: Tree) -> TargetMatch | None:
        alike = self._named(text, tree)
        same = [node for node in alike if _holds_input(node) or describe_node(node) == self.words]
        if not same and _counts_places(text):
            return None
        node = self._only(same or alike)
        if node is None or node.bounds is None:
            return None
        near = self.is_near(node.bounds)
        if not same and not near and not (len(alike) == 1 and _names_words(text)):
            return None
        return TargetMatch(node, node.bounds, text, not near, not same)

    def _named(self, text: str, tree: Tree) -> list[Node]:
        """Nodes a selector names that are on the screen and of the kind recorded."""
        selector = _parsed(text)
        try:
            named = selector.find(tree) if selector is not None else []
        except SelectorError:
            return []
        return [node for node in named if is_shown(node, self.screen) and self._is_kind(node)]

    def _is_kind(self, node: Node) -> bool:
        wanted = {name: self.wanted(name) for name in ("class", "resource-id")}
        return all(not value or node.get(name) == value for name, value in wanted.items())

    def _only(self, nodes: Sequence[Node]) -> Node | None:
        """The only node, or the only node in the recorded place."""
        if len(nodes) == 1:
            return nodes[0]
        if self.box is None:
            return None
        near = [node for node in nodes if node.bounds is not None and self.is_near(node.bounds)]
        return near[-1] if len({node.bounds for node in near}) == 1 else None


def scaled(box: Rect, recorded: Size, live: Size) -> Rect:
    """``box`` of a screen of the size ``recorded`` on one of the size ``live``."""
    corner = Position(Point(box.left, box.top), recorded).on(live)
    opposite = Position(Point(box.right, box.bottom), recorded).on(live)
    return Rect(corner.x, corner.y, opposite.x, opposite.y)


def is_shown(node: Node, screen: Size) -> bool:
    """Whether the middle of a node lies on the screen."""
    box = node.bounds
    if box is None or box.is_empty or node.get("visible-to-user") == "false":
        return False
    return screen.is_empty or Rect(0, 0, screen.width, screen.height).contains(box.center)


@lru_cache(1024)
def _parsed(text: str) -> Selector | None:
    try:
        return parse_selector(text)
    except SelectorError:
        return None


def _counts_places(selector: str) -> bool:
    """Whether a selector says only where a node stands, so that another may have come to stand there."""
    return selector.startswith("/") or selector.endswith("]")


def _names_words(selector: str) -> bool:
    """Whether a selector says words on the node, so that a row with other words besides is still that row."""
    return "text=" in selector or "content-desc=" in selector


def _holds_input(node: Node) -> bool:
    """Whether its words are what somebody typed."""
    return "EditText" in node.class_name or node.password
