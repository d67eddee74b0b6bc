"""The window that a person acts on: its widgets with their places, also those that are scrolled away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from collector.model.geometry import Point, Rect
from collector.virtual.system.windows.window import Window
from collector.virtual.ui import widgets as w
from collector.virtual.ui.layout import Box
from collector.virtual.ui.scene import SceneNode, touchable


@dataclass(frozen=True, slots=True)
class ScrollArea:
    """A part of a window whose content scrolls."""

    visible: Rect
    horizontal: bool


@dataclass(frozen=True, slots=True)
class PlacedWidget:
    """A widget of a window."""

    widget: w.Widget
    path: str
    rect: Rect
    """Its whole area in px of the screen, as it is scrolled now."""
    visible: Rect | None
    """What is in view of it; None when it is scrolled away."""
    scrolls: tuple[ScrollArea, ...]
    """What scrolls around it, from the outside."""


class FrontWindow:
    """A window as it is now; read it before the phone changes."""

    def __init__(self, window: Window, above: Sequence[Window]) -> None:
        """``above`` are the windows in front of it that take touches."""
        self._window, self._above = window, above
        self.kind: str = window.kind
        self.package: str = window.package
        self.focused: str = window.touches.focused
        """Path of the field with the focus; empty for none."""
        self.selected: str = edit.selected if (edit := window.edit) is not None else ""
        """The text that is selected in it."""
        self.on_dismiss: Any = window.on_dismiss
        """Of a prompt, the prompt itself."""

    @property
    def widgets(self) -> Iterator[PlacedWidget]:
        """All widgets in document order."""
        window = self._window
        yield from self._walk(window.box, "", window.frame.left, window.frame.top, window.frame, ())

    def touched(self, point: Point) -> SceneNode | None:
        """What takes a touch at a point; None for nothing of this window."""
        if any(window.frame.contains(point) for window in self._above):
            return None
        return next((node for node in self._window.scene.at(point) if touchable(node.widget)), None)

    def _walk(
        self, box: Box, path: str, x: int, y: int, clip: Rect | None, scrolls: tuple[ScrollArea, ...]
    ) -> Iterator[PlacedWidget]:
        rect = Rect(x + box.x, y + box.y, x + box.x + box.width, y + box.y + box.height)
        visible = rect.intersection(clip) if clip is not None else None
        yield PlacedWidget(box.widget, path, rect, visible, scrolls)
        left, top = rect.left, rect.top
        if box.scrolls:
            moved = round(self._window.offset(path))
            left, top = (left - moved, top) if box.horizontal else (left, top - moved)
            if box.overflow:
                scrolls = (*scrolls, ScrollArea(visible or rect, box.horizontal))
            clip = visible
        for name, child in zip(box.names, box.children, strict=True):
            yield from self._walk(child, f"{path}/{name}", left, top, clip, scrolls)
