"""Qt model of a tree of nodes. An index holds the number of its node, so that rows need no objects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from collector.model.tree import Node, Tree
from studio.widgets.captions.node_text import tree_line

NODE_ROLE = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


class NodeTreeModel(QAbstractItemModel):
    """One column; can be filtered to some nodes and their ancestors."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree: Tree | None = None
        self._visible: frozenset[int] | None = None
        self._rows: list[int] = []
        self._children: dict[int, tuple[Node, ...]] = {}

    @property
    def tree(self) -> Tree | None:
        return self._tree

    def set_tree(self, tree: Tree | None) -> None:
        """Show another tree without a filter."""
        self.beginResetModel()
        self._tree, self._visible = tree, None
        self._lay_out()
        self.endResetModel()

    def narrow(self, nodes: Iterable[Node] | None) -> None:
        """Show only these nodes and their ancestors; None shows all."""
        visible: set[int] | None = None
        if nodes is not None:
            visible = set()
            for node in nodes:
                visible.add(node.order)
                visible.update(ancestor.order for ancestor in node.ancestors())
        self.beginResetModel()
        self._visible = None if visible is None else frozenset(visible)
        self._lay_out()
        self.endResetModel()

    def _lay_out(self) -> None:
        """Row of each visible node among its siblings, filled when children are first requested."""
        self._children = {}
        self._rows = [0] * (len(self._tree) if self._tree is not None else 0)

    def _shown(self, node: Node | None) -> tuple[Node, ...]:
        key = -1 if node is None else node.order
        children = self._children.get(key)
        if children is None:
            family = node.children if node is not None else self._roots()
            children = family
            if self._visible is not None:
                children = tuple(node for node in family if node.order in self._visible)
            for row, child in enumerate(children):
                self._rows[child.order] = row
            self._children[key] = children
        return children

    def _roots(self) -> tuple[Node, ...]:
        return self._tree.roots if self._tree is not None else ()

    def node(self, index: _Index) -> Node | None:
        """The node of an index; None for the invisible root."""
        if not index.isValid() or self._tree is None:
            return None
        return self._tree.nodes[index.internalId()]

    def index_of(self, node: Node | None) -> QModelIndex:
        """The index of a node; invalid for a node of another tree or a hidden one."""
        if node is None or self._tree is None or node.order >= len(self._tree):
            return QModelIndex()
        if self._tree.nodes[node.order] is not node:
            return QModelIndex()
        if self._visible is not None and node.order not in self._visible:
            return QModelIndex()
        self._shown(node.parent)
        return self.createIndex(self._rows[node.order], 0, node.order)

    # -- what Qt asks --------------------------------------------------------
    def index(self, row: int, column: int, parent: _Index | None = None) -> QModelIndex:
        family = self._shown(self.node(parent or QModelIndex()))
        if column != 0 or not 0 <= row < len(family):
            return QModelIndex()
        return self.createIndex(row, 0, family[row].order)

    def parent(self, index: _Index | None = None) -> Any:
        """Parent of an index; without an argument, ``QObject.parent()``."""
        if index is None:
            return super().parent()
        node = self.node(index)
        return self.index_of(node.parent) if node is not None else QModelIndex()

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        parent = parent or QModelIndex()
        if parent.isValid() and parent.column() != 0:
            return 0
        return len(self._shown(self.node(parent)))

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: ARG002, N802 - Qt's name
        return 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if node is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return str(tree_line(node))
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(filter(None, (node.class_name, node.resource_id, str(node.bounds or ""))))
        return node if role == NODE_ROLE else None
