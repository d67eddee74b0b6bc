"""One selection of nodes for a screen: the device view, the tree and the inspector share it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from collector.hierarchy.index import SpatialIndex
from collector.model.geometry import Point
from collector.model.tree import Node, Tree


class NodeSelection(QObject):
    """The tree on show, the node selected, the node under the pointer and the nodes a search found.

    A new tree keeps the selection when it still has that node: at the same path, or, where others
    came or went before it, the one of its class, id and words.
    """

    tree_changed = Signal()
    selected_changed = Signal(object)
    """The Node now selected, or None."""
    hovered_changed = Signal(object)
    """The Node now under the pointer, here or in the tree, or None."""
    hits_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree: Tree | None = None
        self._index: SpatialIndex | None = None
        self._selected: Node | None = None
        self._hovered: Node | None = None
        self._hits: tuple[Node, ...] = ()

    @property
    def tree(self) -> Tree | None:
        return self._tree

    @property
    def selected(self) -> Node | None:
        return self._selected

    @property
    def hovered(self) -> Node | None:
        return self._hovered

    @property
    def hits(self) -> tuple[Node, ...]:
        return self._hits

    def set_tree(self, tree: Tree | None, index: SpatialIndex | None = None) -> None:
        """Show another tree; ``index`` saves building one when a worker has it already."""
        self._tree = tree
        self._index = index
        kept = _same_node(self._selected, tree)
        self._selected, self._hovered, self._hits = kept, None, ()
        self.tree_changed.emit()
        self.selected_changed.emit(kept)
        self.hovered_changed.emit(self._hovered)  # the view may have lit what now lies under the pointer
        self.hits_changed.emit()

    def select(self, node: Node | None) -> None:
        """Choose a node; one of a tree shown before, as in a menu still open, is looked for in this one."""
        node = self._here(node)
        if node is not self._selected:
            self._selected = node
            self.selected_changed.emit(node)

    def hover(self, node: Node | None) -> None:
        """Light a node, found as :meth:`select` finds it."""
        node = self._here(node)
        if node is not self._hovered:
            self._hovered = node
            self.hovered_changed.emit(node)

    def set_hits(self, nodes: Sequence[Node]) -> None:
        if tuple(nodes) != self._hits:
            self._hits = tuple(nodes)
            self.hits_changed.emit()

    def at(self, point: Point) -> Node | None:
        """The topmost, smallest node at a device pixel."""
        index = self._built()
        return index.at(point) if index is not None else None

    def stack(self, point: Point) -> list[Node]:
        """Every node at a device pixel, topmost first, root last."""
        index = self._built()
        return list(index.stack(point)) if index is not None else []

    def _here(self, node: Node | None) -> Node | None:
        nodes = self._tree.nodes if self._tree is not None else ()
        if node is not None and node.order < len(nodes) and nodes[node.order] is node:
            return node
        return _same_node(node, self._tree)

    def _built(self) -> SpatialIndex | None:
        if self._index is None and self._tree is not None:
            self._index = SpatialIndex(self._tree)
        return self._index


def _same_node(node: Node | None, tree: Tree | None) -> Node | None:
    if node is None or tree is None:
        return None
    found = tree.at_path(node.path)
    if found is not None and _kin(found) == _kin(node):
        return found
    alike = [one for one in tree if (*_kin(one), *_said(one)) == (*_kin(node), *_said(node))]
    named = [one for one in alike if one.resource_id or any(_said(one))]
    in_place = [one for one in alike if one.bounds == node.bounds]
    for only in (named, in_place):
        if len(only) == 1:
            return only[0]
    return None


def _kin(node: Node) -> tuple[str, str]:
    return node.class_name, node.resource_id


def _said(node: Node) -> tuple[str, str]:
    return node.text, node.content_desc
