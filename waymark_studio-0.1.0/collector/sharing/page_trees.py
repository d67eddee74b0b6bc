"""Trees of the page: equal ones once, each compressed and unpacked by the page when it is looked at."""

from __future__ import annotations

from collector.model.geometry import Rect
from collector.model.trajectory import Step
from collector.model.tree import Node, Tree
from collector.sharing.page_json import cut, packed
from collector.sharing.shared_screens import SharedScreens

_DEFAULTS = {"", "false"}
"""Values of attributes that say nothing."""
_SHOWN_APART = {"bounds", "class", "index"}


class PageTrees:
    """Collects the trees of a page by content."""

    def __init__(self, screens: SharedScreens) -> None:
        self._screens = screens
        self._numbers: dict[str, int | None] = {}
        self.packed: list[str] = []
        """Each tree as JSON, deflated, in base64."""

    def number(self, side: int, step: Step) -> int | None:
        """The number of a step's tree; None when it has none."""
        key = self._screens.tree_key(side, step)
        if key not in self._numbers:
            tree = self._screens.tree(side, step) if key else None
            self._numbers[key] = len(self.packed) if tree is not None else None
            if tree is not None:
                self.packed.append(packed_tree(tree))
        return self._numbers[key]


def packed_tree(tree: Tree) -> str:
    """The nodes in document order: the parent's place or -1, class, bounds and other attributes."""
    return packed([_node_values(node) for node in tree])


def rect_values(rect: Rect | None) -> list[int] | None:
    """A rectangle as left, top, right, bottom."""
    return [rect.left, rect.top, rect.right, rect.bottom] if rect is not None else None


def _node_values(node: Node) -> list[object]:
    attributes = {
        cut(name): cut(value)
        for name, value in node.attributes.items()
        if value not in _DEFAULTS and name not in _SHOWN_APART
    }
    parent = node.parent.order if node.parent is not None else -1
    return [parent, cut(node.class_name), rect_values(node.bounds), attributes]
