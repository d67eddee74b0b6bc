"""Compare two trees: which nodes were added, removed, moved or changed. Nodes are matched by content."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from collector.model.geometry import Rect, Size
from collector.model.tree import Node, Tree

_PLACE = frozenset({"index", "drawing-order", "NAF"})
"""Attributes of the position among siblings; they shift without a visible change."""
_TOLERANCE = 0.01
"""Share of the screen by which an edge may stand elsewhere on a screen of another size: sizes are rounded."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeChange:
    """A node whose attributes differ; ``attributes`` maps a name to (before, after), "" when absent."""

    before: Node
    after: Node
    attributes: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True, eq=False)
class NodeMove:
    """A node that says the same at another place: on the screen, or under another parent."""

    before: Node
    after: Node
    has_other_parent: bool
    by: tuple[int, int]
    """How far its top left corner moved, in pixels of the second screen to the right and down.

    (0, 0) where bounds are missing.
    """


@dataclass(frozen=True, slots=True, eq=False)
class TreeDiff:
    """``matched`` pairs all nodes that are in both trees, changed or not."""

    added: tuple[Node, ...]
    removed: tuple[Node, ...]
    changed: tuple[NodeChange, ...]
    moved: tuple[NodeMove, ...]
    matched: tuple[tuple[Node, Node], ...]

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed or self.moved)


def diff_trees(before: Tree, after: Tree, screens: tuple[Size, Size] | None = None) -> TreeDiff:
    """Match the trees from their roots down; return what was added, removed, moved and changed.

    Siblings are paired by class, id and words, then by class and id, then by class and words, each
    in order, so a row inserted above shifts nothing. Rows of a list that have nothing in common are not
    the same. What is left of both trees is paired by class, id and words, or by an id that no
    other node has, wherever it stands: it went to another parent. Nodes of two apps are never the same.

    ``screens`` are the sizes of both screens. Where they differ, bounds are compared as shares of the screen.
    """
    pairs: list[tuple[Node, Node]] = []
    _pair_below([(before.roots, after.roots)], pairs)
    left = _without(before, (old for old, _new in pairs))
    right = _without(after, (new for _old, new in pairs))
    elsewhere = _pair_elsewhere(left, right)
    pairs += elsewhere
    pairs.sort(key=lambda pair: pair[1].order)
    adopted = {new for _old, new in elsewhere}
    changed: list[NodeChange] = []
    moved: list[NodeMove] = []
    scale = _scale_of(screens)
    for old, new in pairs:
        attributes = _changed(old, new)
        if scale is not None and "bounds" in attributes and scale.is_same_place(old.bounds, new.bounds):
            del attributes["bounds"]
        if attributes.keys() - {"bounds"}:
            changed.append(NodeChange(old, new, attributes))
        elif attributes or new in adopted:
            moved.append(NodeMove(old, new, new in adopted, _way(old.bounds, new.bounds, scale)))
    return TreeDiff(
        added=tuple(_without(after, (new for _old, new in pairs))),
        removed=tuple(_without(before, (old for old, _new in pairs))),
        changed=tuple(changed),
        moved=tuple(moved),
        matched=tuple(pairs),
    )


def _pair_below(
    waiting: list[tuple[tuple[Node, ...], tuple[Node, ...]]], pairs: list[tuple[Node, Node]]
) -> None:
    """Pair siblings, then the children of each pair."""
    while waiting:
        for old, new in _pair(*waiting.pop()):
            pairs.append((old, new))
            if old.children and new.children:
                waiting.append((old.children, new.children))


def _without(tree: Tree, matched: Iterable[Node]) -> list[Node]:
    known = set(matched)
    return [node for node in tree if node not in known]


def _pair_elsewhere(left: list[Node], right: list[Node]) -> list[tuple[Node, Node]]:
    """Pair nodes under different parents: by their words, else by an id that no other has."""
    pairs = _pair_by(_content_with_words, left, right)
    matched = {node for pair in pairs for node in pair}
    olds, news = (_by_kin(node for node in nodes if node not in matched) for nodes in (left, right))
    for key, nodes in olds.items():
        others = news.get(key, [])
        if (
            len(nodes) == len(others) == 1
            and nodes[0].resource_id
            and not (nodes[0].label or others[0].label)
        ):
            pairs.append((nodes[0], others[0]))
    return pairs


def _pair(before: Iterable[Node], after: Iterable[Node]) -> list[tuple[Node, Node]]:
    left, right = list(before), list(after)
    pairs: list[tuple[Node, Node]] = []
    for match in _MATCHERS:
        matches = match(left, right)
        pairs += matches
        matched_left, matched_right = {old for old, _new in matches}, {new for _old, new in matches}
        left = [node for node in left if node not in matched_left]
        right = [node for node in right if node not in matched_right]
        if not left or not right:
            break
    return pairs


def _pair_by(key: Callable[[Node], Hashable], left: list[Node], right: list[Node]) -> list[tuple[Node, Node]]:
    waiting: dict[Hashable, deque[Node]] = {}
    for node in right:
        waiting.setdefault(key(node), deque()).append(node)
    pairs = []
    for node in left:
        queue = waiting.get(key(node))
        if queue:
            pairs.append((node, queue.popleft()))
    return pairs


def _content(node: Node) -> Hashable:
    return (node.package, node.class_name, node.resource_id, node.text, node.content_desc)


def _words(node: Node) -> Hashable:
    """Class and words without the id; a node without words is like no other."""
    words = (node.text, node.content_desc, *_words_below(node))
    return (node.package, node.class_name, words) if any(words) else node


def _pair_kin(left: list[Node], right: list[Node]) -> list[tuple[Node, Node]]:
    """Pair nodes of one class and id, of which the words differ."""
    olds, news = _by_kin(left), _by_kin(right)
    pairs: list[tuple[Node, Node]] = []
    for key in olds.keys() & news.keys():
        pairs += _pair_family(olds[key], news[key])
    return pairs


def _by_kin(nodes: Iterable[Node]) -> dict[Hashable, list[Node]]:
    kin: dict[Hashable, list[Node]] = {}
    for node in nodes:
        kin.setdefault((node.package, node.class_name, node.resource_id), []).append(node)
    return kin


def _pair_family(olds: list[Node], news: list[Node]) -> list[tuple[Node, Node]]:
    """Pair the rows of a list: by a word that only one row has, else all in order when as many are left.

    Of rows that were exchanged for more or fewer others none is the same; only those without words are.
    """
    if len(olds) == len(news) == 1:
        return [(olds[0], news[0])]
    pairs = _pair_by_distinct_words(olds, news)
    known = {node for pair in pairs for node in pair}
    olds, news = ([node for node in nodes if node not in known] for nodes in (olds, news))
    if pairs or len(olds) != len(news):
        olds, news = ([node for node in nodes if not _all_words(node)] for nodes in (olds, news))
    return pairs + list(zip(olds, news, strict=False))


def _pair_by_distinct_words(olds: list[Node], news: list[Node]) -> list[tuple[Node, Node]]:
    before, after = _distinct_words(olds), _distinct_words(news)
    pairs: dict[Node, Node] = {}
    matched: set[Node] = set()
    for word, old in before.items():
        new = after.get(word)
        if new is not None and old not in pairs and new not in matched:
            pairs[old] = new
            matched.add(new)
    return list(pairs.items())


def _distinct_words(nodes: Iterable[Node]) -> dict[str, Node]:
    """The words that one of the nodes has and no other."""
    first: dict[str, Node] = {}
    shared: set[str] = set()
    for node in nodes:
        for word in dict.fromkeys(_all_words(node)):
            if word in first:
                shared.add(word)
            first.setdefault(word, node)
    return {word: node for word, node in first.items() if word not in shared}


def _all_words(node: Node) -> tuple[str, ...]:
    return (node.label, *_words_below(node)) if node.label else _words_below(node)


def _own_content(node: Node) -> Hashable:
    """As :func:`_content`; a node without words of its own is like no other."""
    return _content(node) if node.label else node


def _content_with_words(node: Node) -> Hashable:
    """Of a node with words of its own these, else those below it; a node without any is like no other."""
    if node.label:
        return _content(node)
    words = _words_below(node)
    return (_content(node), words) if words else node


_MATCHERS: tuple[Callable[[list[Node], list[Node]], list[tuple[Node, Node]]], ...] = (
    partial(_pair_by, lambda node: (_content(node), _words_below(node))),
    partial(_pair_by, _own_content),
    _pair_kin,
    partial(_pair_by, _words),
)


def _words_below(node: Node) -> tuple[str, ...]:
    """Return the first labels below a node, which distinguish rows without words of their own."""
    words: list[str] = []
    for looked, below in enumerate(node.descendants()):
        if below.label:
            words.append(below.label)
        if len(words) == 3 or looked == 12:
            break
    return tuple(words)


def _changed(old: Node, new: Node) -> dict[str, tuple[str, str]]:
    if old.attributes == new.attributes:
        return {}
    before, after = dict(old.attributes), dict(new.attributes)
    return {
        name: (before.get(name, ""), after.get(name, ""))
        for name in before | after
        if name not in _PLACE and before.get(name, "") != after.get(name, "")
    }


@dataclass(frozen=True, slots=True)
class _Scale:
    """From a place on the first screen to the same place on the second, which has another size."""

    across: float
    down: float
    screen: Size
    """The second one."""

    def place(self, bounds: Rect) -> tuple[float, float, float, float]:
        return (
            bounds.left * self.across,
            bounds.top * self.down,
            bounds.right * self.across,
            bounds.bottom * self.down,
        )

    def is_same_place(self, old: Rect | None, new: Rect | None) -> bool:
        if old is None or new is None:
            return False
        left, top, right, bottom = self.place(old)
        across, down = _TOLERANCE * self.screen.width, _TOLERANCE * self.screen.height
        return (
            max(abs(new.left - left), abs(new.right - right)) <= across
            and max(abs(new.top - top), abs(new.bottom - bottom)) <= down
        )


def _scale_of(screens: tuple[Size, Size] | None) -> _Scale | None:
    """The scale between screens of different sizes; None where they are alike, or a size is not known."""
    if screens is None or screens[0] == screens[1] or any(size.is_empty for size in screens):
        return None
    first, second = screens
    return _Scale(second.width / first.width, second.height / first.height, second)


def _way(old: Rect | None, new: Rect | None, scale: _Scale | None) -> tuple[int, int]:
    if old is None or new is None:
        return (0, 0)
    left, top = scale.place(old)[:2] if scale is not None else (old.left, old.top)
    return (round(new.left - left), round(new.top - top))
