"""The selected, hovered and found nodes of a screen, shared by device view, tree and inspector."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Point
from collector.model.tree import Node, Tree


class NodeSelection(QObject):
    """The current tree, its selected and hovered nodes, and the matches of a search.

    A new tree keeps the selection when it has the same node: at the same path, or, when siblings
    moved it, the only one with its class, id and texts.
    """

    tree_changed = Signal()
    selected_changed = Signal(object)
    """Emits the selected Node, or None."""
    hovered_changed = Signal(object)
    """Emits the Node under the pointer, in the device view or in the tree, or None."""
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
        """Show another tree; ``index`` is used when a worker has already built it."""
        self._tree = tree
        self._index = index
        self._selected, self._hovered, self._hits = same_node(self._selected, tree), None, ()
        self.tree_changed.emit()
        self.selected_changed.emit(self._selected)
        self.hovered_changed.emit(self._hovered)  # a view may have highlighted the node now under the pointer
        self.hits_changed.emit()

    def select(self, node: Node | None) -> None:
        """Select a node; a node of an earlier tree, as from an open menu, selects its match in this one."""
        node = self._in_tree(node)
        if node is not self._selected:
            self._selected = node
            self.selected_changed.emit(node)

    def hover(self, node: Node | None) -> None:
        """Highlight a node, matched as in :meth:`select`."""
        node = self._in_tree(node)
        if node is not self._hovered:
            self._hovered = node
            self.hovered_changed.emit(node)

    def set_hits(self, nodes: Sequence[Node]) -> None:
        if tuple(nodes) != self._hits:
            self._hits = tuple(nodes)
            self.hits_changed.emit()

    def at(self, point: Point) -> Node | None:
        """The topmost, smallest node at a device pixel."""
        index = self._built_index()
        return index.at(point) if index is not None else None

    def stack(self, point: Point) -> list[Node]:
        """Every node at a device pixel, topmost first, root last."""
        index = self._built_index()
        return list(index.stack(point)) if index is not None else []

    def _in_tree(self, node: Node | None) -> Node | None:
        nodes = self._tree.nodes if self._tree is not None else ()
        if node is not None and node.order < len(nodes) and nodes[node.order] is node:
            return node
        return same_node(node, self._tree)

    def _built_index(self) -> SpatialIndex | None:
        if self._index is None and self._tree is not None:
            self._index = SpatialIndex(self._tree)
        return self._index


def same_node(node: Node | None, tree: Tree | None) -> Node | None:
    """The node of another tree that is the same: at its path, or the only one that says the same."""
    if node is None or tree is None:
        return None
    same_path = tree.at_path(node.path)
    if same_path is not None and _identity(same_path) == _identity(node):
        return same_path
    key = (*_identity(node), *_texts(node))
    alike = [other for other in tree if (*_identity(other), *_texts(other)) == key]
    named = [other for other in alike if other.resource_id or any(_texts(other))]
    in_place = [other for other in alike if other.bounds == node.bounds]
    for matches in (named, in_place):
        if len(matches) == 1:
            return matches[0]
    return None


def _identity(node: Node) -> tuple[str, str]:
    return node.class_name, node.resource_id


def _texts(node: Node) -> tuple[str, str]:
    return node.text, node.content_desc
