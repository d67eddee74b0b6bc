"""Find what the rules of a project hide on one screen: its places, and the words that stand there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.xpath.evaluation import TooManyStepsError
from collector.model.geometry import Rect, Size
from collector.model.tree import Node
from collector.redaction_rules.pattern_spans import pattern_words
from collector.redaction_rules.redaction_rule import HIDE, PIXELS, TREE, RedactionRule
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.store.redaction.screens import MASK, TEXT_ATTRIBUTES
from collector.store.redaction.secret_text import SHORTEST

_EVERYWHERE = Rect(-(1 << 20), -(1 << 20), 1 << 20, 1 << 20)
Detect = Callable[[str, StateView, Size], Sequence[Rect]]
"""Finds faces or QR codes in the picture of a screen, in pixels of the screen."""


@dataclass(frozen=True, slots=True)
class HiddenRegion:
    """A place that a rule hides, in pixels of the screen."""

    rule: str
    bounds: Rect
    style: str

    def as_dict(self) -> dict[str, object]:
        """As a step keeps it."""
        box = self.bounds
        return {
            "rule": self.rule,
            "region": [box.left, box.top, box.right, box.bottom],
            "style": self.style,
        }


@dataclass(slots=True)
class HiddenScreen:
    """What is hidden of a screen."""

    pixels: list[HiddenRegion] = field(default_factory=list)
    tree: list[Rect] = field(default_factory=list)
    """The places whose nodes lose their texts."""
    fields: list[tuple[RedactionRule, Rect]] = field(default_factory=list)
    """Those places with their rules: what is typed there is hidden."""
    words: list[tuple[RedactionRule, str]] = field(default_factory=list)
    """The texts that are hidden, each with its rule."""
    holding: set[str] = field(default_factory=set)
    """The names of the rules that count on it."""
    hiding: set[str] = field(default_factory=set)
    """The names of the rules that hide something of it."""
    doubted: list[str] = field(default_factory=list)
    """The rules that could not say, and hide the whole screen."""

    def __bool__(self) -> bool:
        return self.size > 0

    @property
    def size(self) -> int:
        """How many places and words are hidden."""
        return len(self.pixels) + len(self.tree) + len(self.words)


def hidden_on(
    rules: Iterable[RedactionRule], view: StateView, screen: Size, images: ImageFinder | None = None,
    detect: Detect | None = None,
) -> HiddenScreen:  # fmt: skip
    """What ``rules`` hide on ``view``, whose pixels are those of ``screen``."""
    hidden = HiddenScreen()
    for rule in rules:
        before = hidden.size
        holds = _holds(rule, view, images)
        if holds is None:
            _hide_all(rule, screen, hidden)
        elif holds:
            hidden.holding.add(rule.name)
            _RuleOnScreen(rule, view, screen, hidden).hide(detect)
        if hidden.size > before:
            hidden.hiding.add(rule.name)
    return hidden


def _holds(rule: RedactionRule, view: StateView, images: ImageFinder | None) -> bool | None:
    """Whether the rule counts on a screen; None when nobody can say."""
    if rule.apps:
        seen = {view.package, *(node.package for node in view.nodes)} - {""}
        if not seen:
            return None
        if not seen.intersection(rule.apps):
            return False
    if rule.when.conditions:
        proof = prove(rule.when, view, images)
        if not proof.holds:
            return None if proof.unseen else False
    return True


def _hide_all(rule: RedactionRule, screen: Size, hidden: HiddenScreen) -> None:
    if rule.in_doubt != HIDE:
        return
    hidden.doubted.append(rule.name)
    if PIXELS in rule.parts and not screen.is_empty:
        hidden.pixels.append(HiddenRegion(rule.name, Rect(0, 0, screen.width, screen.height), rule.style))
    if TREE in rule.parts:
        hidden.tree.append(_EVERYWHERE)


@dataclass(slots=True)
class _RuleOnScreen:
    """One rule that holds on one screen; adds to ``hidden``."""

    rule: RedactionRule
    view: StateView
    screen: Size
    hidden: HiddenScreen

    def hide(self, detect: Detect | None) -> None:
        rule = self.rule
        if rule.rectangle is not None:
            self._hide_rectangle(rule.rectangle.on(self.screen))
        if rule.selector or rule.pattern:
            if not self.view.has_nodes:
                _hide_all(rule, self.screen, self.hidden)
            else:
                self._hide_nodes()
        if rule.detector and detect is not None:
            self._hide_places(detect(rule.detector, self.view, self.screen))

    def _hide_places(self, places: Sequence[Rect]) -> None:
        if PIXELS in self.rule.parts:
            self.hidden.pixels += (HiddenRegion(self.rule.name, box, self.rule.style) for box in places)

    def _hide_rectangle(self, box: Rect) -> None:
        self._hide_places([box])
        if TREE in self.rule.parts:
            self.hidden.tree.append(box)
        self.hidden.fields.append((self.rule, box))
        self._learn(node for node in self.view.nodes if _is_mostly_in(node, box))

    def _hide_nodes(self) -> None:
        if self.rule.selector:
            for node in self._selected():
                self._hide_node(node)
        if self.rule.pattern:
            for node in self.view.nodes:
                words = [word for text in _texts(node) for word in pattern_words(self.rule.pattern, text)]
                if words:
                    self._hide_drawn(node)
                    self._learn_texts(words)

    def _selected(self) -> Sequence[Node]:
        try:
            return self.view.find(self.rule.selector)
        except (TooManyStepsError, HierarchyError):  # given up on this screen
            _hide_all(self.rule, self.screen, self.hidden)
            return ()

    def _hide_node(self, node: Node) -> None:
        """A node with everything in it, wherever that is drawn."""
        inside = [node, *node.descendants()]
        boxes = [item.bounds for item in inside if item.bounds is not None and not item.bounds.is_empty]
        self._hide_boxes(_without_enclosed(boxes))
        self._learn(inside)

    def _hide_drawn(self, node: Node) -> None:
        """The place of a node whose text matches, unless it only repeats what a node inside it draws."""
        inside = (text for item in node.descendants() for text in _texts(item))
        is_repeated = any(pattern_words(self.rule.pattern, text) for text in inside)
        if node.bounds is not None and not node.bounds.is_empty and not is_repeated:
            self._hide_places([node.bounds])

    def _hide_boxes(self, boxes: Sequence[Rect]) -> None:
        self._hide_places(boxes)
        if TREE in self.rule.parts:
            self.hidden.tree += boxes
        self.hidden.fields += ((self.rule, box) for box in boxes)

    def _learn(self, nodes: Iterable[Node]) -> None:
        self._learn_texts(word for node in nodes for text in _texts(node) for word in words_of(text))

    def _learn_texts(self, words: Iterable[str]) -> None:
        self.hidden.words += ((self.rule, word) for word in words if MASK not in word)


def words_of(text: str) -> list[str]:
    """What of a hidden text is hidden elsewhere: all of it, its lines, and each word with a digit or an @."""
    text = text.strip()
    lines = [line.strip() for line in text.splitlines()]
    telling = [word.strip(".,:;!?()[]'\"") for word in text.split() if _is_telling(word)]
    return [word for word in dict.fromkeys((text, *lines, *telling)) if len(word) >= SHORTEST]


def _is_telling(word: str) -> bool:
    return "@" in word or (any(map(str.isdigit, word)) and sum(map(str.isalnum, word)) > SHORTEST)


def _texts(node: Node) -> list[str]:
    return [text for name in TEXT_ATTRIBUTES if (text := node.get(name))]


def _is_mostly_in(node: Node, box: Rect) -> bool:
    """Whether half of a node is in a rectangle, or a part of one that has no children."""
    shared = node.bounds.intersection(box) if node.bounds is not None else None
    if shared is None or node.bounds is None:
        return False
    return not node.children or shared.area * 2 >= node.bounds.area


def _without_enclosed(boxes: Sequence[Rect]) -> list[Rect]:
    """The boxes without those that lie in another one."""
    kept: list[Rect] = []
    for box in sorted(set(boxes), key=lambda item: -item.area):
        if not any(other.encloses(box) for other in kept):
            kept.append(box)
    return kept
