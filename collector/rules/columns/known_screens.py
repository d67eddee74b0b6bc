"""The screens that were seen last, by their dumps: what many trajectories show is parsed once."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.tree import Node, Tree

_MOST = 150


class KnownScreen:
    """A dump, its tree, and what views of it looked for. Not thread-safe."""

    def __init__(self, xml: bytes) -> None:
        self.xml = xml
        self.keywords: dict[str, bool] = {}
        self.selected: dict[str, tuple[Node, ...] | None] = {}
        self.indexes: dict[str, dict[str, list[Node]]] = {}

    @cached_property
    def tree(self) -> Tree | None:
        """None without a dump, and for one that cannot be read."""
        try:
            return parse_tree(self.xml) if self.xml else None
        except HierarchyError:
            return None


class KnownScreens:
    """Keeps the screens that were asked for last. Belongs to one thread, with all views that use it."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._screens: OrderedDict[bytes, KnownScreen] = OrderedDict()

    def of(self, xml: bytes) -> KnownScreen:
        """The screen of a dump; equal dumps have the same."""
        screen = self._screens.get(xml)
        if screen is None:
            screen = self._screens[xml] = KnownScreen(xml)
            if len(self._screens) > self._most:
                self._screens.popitem(last=False)
        else:
            self._screens.move_to_end(xml)
        return screen
