"""Arrow keys in the tree of an inspected screen: to the parent, the first child and the siblings."""

from __future__ import annotations

from PySide6.QtCore import Qt

from collector.model.tree import Node, Tree

WALKING_KEYS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right})


def node_beside(tree: Tree | None, node: Node | None, key: Qt.Key) -> Node | None:
    """Return the node that an arrow key goes to; the first of the tree without a node."""
    if node is None:
        return tree.nodes[0] if tree is not None and tree.nodes else None
    if key == Qt.Key.Key_Up:
        return node.parent or node
    if key == Qt.Key.Key_Down:
        return node.children[0] if node.children else node
    siblings = node.parent.children if node.parent is not None else (node,)
    place = siblings.index(node) + (1 if key == Qt.Key.Key_Right else -1)
    return siblings[min(max(place, 0), len(siblings) - 1)]
