"""Android Env's accessibility forest (``android_env/proto/a11y``): the trees of the windows on a screen.

Fields are numbered as in ``android_accessibility_node_info.proto``. Windows become roots, the frontmost last,
as in a dump of several windows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from collector.exchange.tfrecord.wire import fields, message, signed, text_of, varint_of, varints
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.tree_builder import MAX_NODES, TreeBuilder, too_many_nodes
from collector.model.geometry import Rect
from collector.model.i18n import _
from collector.model.tree import Node, Tree

_WINDOWS, _NODES = 1, 1
_WINDOW_BOUNDS, _LAYER, _TREE = 1, 4, 11
_ID, _BOUNDS, _CHILDREN = 1, 2, 25
_TEXTS = {3: "class", 4: "content-desc", 5: "hint", 6: "package", 7: "text", 10: "resource-id"}
_FLAGS = {
    12: "checkable", 13: "checked", 14: "clickable", 16: "enabled", 17: "focusable", 18: "focused",
    19: "long-clickable", 20: "password", 21: "scrollable", 22: "selected", 23: "visible-to-user",
}  # fmt: skip
_TYPE, _APPLICATION, _DEPTH, _DRAWN = 6, 1, 27, 30
_SHOWN = "visible-to-user"
HELD = frozenset((*_TEXTS.values(), *_FLAGS.values(), "bounds", "drawing-order", "index"))
"""Attributes of a dump that a forest has; the index of a node is its place among its siblings."""
_SIDES = (1, 2, 3, 4)
"""Left, top, right and bottom of a rectangle."""


@dataclass(slots=True)
class _ForestNode:
    id: int = 0
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[int] = field(default_factory=list)


def read_forest(data: bytes) -> Tree:
    """The tree of a forest. Raises HierarchyError when it cannot be read."""
    try:
        windows = [
            _window(window)
            for number, window in fields(data)
            if number == _WINDOWS and not isinstance(window, int)
        ]
    except ValueError as error:
        raise HierarchyError(_("The accessibility forest cannot be read"), str(error)) from None
    builder = TreeBuilder()
    builder.start("hierarchy", {"rotation": "0"})
    for _layer, nodes in sorted(windows, key=lambda window: window[0]):
        _build(builder, nodes)
    if not builder.nodes:
        raise HierarchyError(_("The accessibility forest has no nodes"), "")
    return builder.finish("accessibility forest", [])


def forest_of(tree: Tree) -> bytes:
    """The forest of a dump: a window for each root, the last one in front.

    A node without ``visible-to-user`` was dumped because it is visible. Ids count the nodes of a window in
    the order of the dump, from 0 for its root.
    """
    windows = []
    for layer, root in enumerate(tree.roots):
        nodes = [root, *root.descendants()]
        ids = {node.order: number for number, node in enumerate(nodes)}
        trees = message(*((_NODES, _node_message(node, ids)) for node in nodes))
        box = [(_WINDOW_BOUNDS, _rect(root.bounds))] if root.bounds is not None else []
        windows.append(message(*box, (_LAYER, layer), (_TYPE, _APPLICATION), (_TREE, trees)))
    return message(*((_WINDOWS, window) for window in windows))


def _node_message(node: Node, ids: Mapping[int, int]) -> bytes:
    """A node; what is empty, false or 0 is left out, as always in this version of the format."""
    parts: list[tuple[int, int | str | bytes]] = [(_ID, ids[node.order])] if ids[node.order] else []
    if node.bounds is not None:
        parts.append((_BOUNDS, _rect(node.bounds)))
    parts += [(number, node.get(name)) for number, name in _TEXTS.items() if node.get(name)]
    flags = {name: node.flag(name) for name in _FLAGS.values()}
    flags[_SHOWN] = node.get(_SHOWN, "true") == "true"
    parts += [(number, 1) for number, name in _FLAGS.items() if flags[name]]
    if node.children:
        parts.append((_CHILDREN, b"".join(varint_of(ids[child.order]) for child in node.children)))
    drawn = node.get("drawing-order")
    more = {_DEPTH: node.depth, _DRAWN: int(drawn) if drawn.isdecimal() and len(drawn) < 9 else 0}
    parts += [(number, value) for number, value in more.items() if value]
    return message(*sorted(parts, key=lambda part: part[0]))


def _rect(bounds: Rect) -> bytes:
    sides = zip(_SIDES, (bounds.left, bounds.top, bounds.right, bounds.bottom), strict=True)
    return message(*((side, value) for side, value in sides if value))


def _window(data: memoryview) -> tuple[int, list[_ForestNode]]:
    """The layer of a window and its nodes."""
    layer = 0
    nodes: list[_ForestNode] = []
    for number, value in fields(data):
        if number == _LAYER and isinstance(value, int):
            layer = signed(value, 32)
        elif number == _TREE and not isinstance(value, int):
            for one, node in fields(value):
                if len(nodes) >= MAX_NODES:
                    raise too_many_nodes()
                if one == _NODES and not isinstance(node, int):
                    nodes.append(_node(node))
    return layer, nodes


def _node(data: memoryview) -> _ForestNode:
    node = _ForestNode(attributes=dict.fromkeys(_FLAGS.values(), "false"))
    for number, value in fields(data):
        if number in _TEXTS:
            node.attributes[_TEXTS[number]] = text_of(value)
        elif number in _FLAGS:
            node.attributes[_FLAGS[number]] = "true" if value else "false"
        elif number == _ID and isinstance(value, int):
            node.id = signed(value, 32)
        elif number == _CHILDREN:
            ids = [value] if isinstance(value, int) else list(varints(value))
            node.children += [signed(child, 32) for child in ids]
        elif number == _BOUNDS and not isinstance(value, int):
            node.attributes["bounds"] = _bounds(value)
        elif number == _DRAWN and isinstance(value, int):
            node.attributes["drawing-order"] = str(value)
    return node


def _bounds(data: memoryview) -> str:
    sides = {number: signed(value, 32) for number, value in fields(data) if isinstance(value, int)}
    left, top, right, bottom = (sides.get(side, 0) for side in _SIDES)
    return f"[{left},{top}][{right},{bottom}]"


def _build(builder: TreeBuilder, nodes: list[_ForestNode]) -> None:
    """Add the nodes of a window, each once; a root is nobody's child, or the first of a circle."""
    by_id = {node.id: node for node in reversed(nodes)}
    named = {child for node in nodes for child in node.children}
    seen: set[int] = set()
    roots = [node for node in nodes if node.id not in named]
    for place, root in enumerate([*roots, *nodes]):
        waiting: list[tuple[_ForestNode, int] | None] = [(root, place)]
        while waiting:
            item = waiting.pop()
            if item is None:
                builder.end("node")
                continue
            node, index = item
            if id(node) in seen:
                continue
            seen.add(id(node))
            builder.start("node", {"index": str(index), **node.attributes})
            waiting.append(None)
            below = [by_id[child] for child in node.children if child in by_id]
            waiting += [(child, number) for number, child in enumerate(below)][::-1]
