"""The frame of every workspace: toolbar, left panel, centre, timeline, right panel."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from studio.theme.tokens import tokens
from studio.views.edit_history import EditHistory
from studio.views.services import WindowServices
from studio.widgets.controls import surface
from studio.widgets.toolbar import Toolbar

NARROW = 1280


class Workspace(QWidget):
    """Subclass it: set ``scope``, fill the parts in ``__init__``, handle commands by ``services.commander``.

    ``set_left``, ``set_centre``, ``set_below`` and ``set_right`` may be called once each.
    """

    scope: ClassVar[str] = ""
    arranged = Signal()
    """The sizes of the panels changed, and so did :attr:`open_area`."""
    history_changed = Signal()
    """Undo and redo would do something else now."""

    def __init__(self, services: WindowServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.services = services
        self.toolbar = Toolbar(services.commander, self.scope)
        self._left: QWidget | None = None
        self._right: QWidget | None = None
        self._switched_on = {"left": True, "right": True}
        self._widths: dict[int, int] = {}
        self._placed = False
        self._across = QSplitter(Qt.Orientation.Horizontal)
        self._down = QSplitter(Qt.Orientation.Vertical)
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._down.addWidget(self._across)
        column = surface("canvas")
        inner = QVBoxLayout(column)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.toolbar)
        inner.addWidget(self._down, 1)
        self._sides.addWidget(column)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._sides)
        for splitter in (self._across, self._down, self._sides):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        self._across.installEventFilter(self)

    # -- parts -------------------------------------------------------------
    def set_centre(self, widget: QWidget) -> None:
        """Set the centre, which takes the space that the panels leave."""
        self._across.addWidget(widget)
        self._across.setStretchFactor(self._across.indexOf(widget), 1)

    def set_left(self, widget: QWidget, panel: str) -> None:
        """Set the left panel, before ``set_centre``; ``panel`` names its width in the design tokens."""
        self._left = widget
        self._limit(widget, panel)
        self._across.insertWidget(0, widget)
        self._across.setStretchFactor(0, 0)

    def set_below(self, widget: QWidget) -> None:
        """Set the timeline, below the left panel and the centre."""
        self._down.addWidget(widget)
        self._down.setStretchFactor(0, 1)
        self._down.setStretchFactor(1, 0)

    def set_right(self, widget: QWidget, panel: str) -> None:
        """Set the right panel, which has the full height."""
        self._right = widget
        self._limit(widget, panel)
        self._sides.addWidget(widget)
        self._sides.setStretchFactor(0, 1)
        self._sides.setStretchFactor(1, 0)

    def _limit(self, widget: QWidget, panel: str) -> None:
        sizes = tokens().panel(panel)
        widget.setMinimumWidth(sizes["min"])
        widget.setMaximumWidth(sizes.get("max", sizes["default"] * 2))
        self._widths[id(widget)] = sizes["default"]

    # -- panels ------------------------------------------------------------
    def panel_shown(self, side: str) -> bool:
        """Return whether the ``left`` or ``right`` panel is switched on."""
        return self._switched_on[side]

    def toggle_panel(self, side: str) -> None:
        """Switch a panel on or off."""
        self._switched_on[side] = not self._switched_on[side]
        self._apply_panels()

    @property
    def open_area(self) -> QRect:
        """The area of left panel and centre, without the right panel and the timeline."""
        return QRect(self._across.mapTo(self, QPoint(0, 0)), self._across.size())

    def _apply_panels(self) -> None:
        if self._left is not None:
            # A narrow window hides the left panel.
            self._left.setVisible(self._switched_on["left"] and self.width() + 64 >= NARROW)
        if self._right is not None:
            self._right.setVisible(self._switched_on["right"])

    def resizeEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._apply_panels()
        if not self._placed and self.width() >= NARROW:
            self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Resize:
            self.arranged.emit()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Set the default widths of the side panels, once the window is wide enough."""
        self._placed = True
        right = self._widths.get(id(self._right), 0)
        self._sides.setSizes([self.width() - right, right])
        if self._left is not None:
            left = self._widths[id(self._left)]
            self._across.setSizes([left, self.width() - right - left])

    # -- saved layout --------------------------------------------------------
    def places(self) -> dict[str, str]:
        """Return the layout of the panels as text for the settings."""
        splitters = {"across": self._across, "down": self._down, "sides": self._sides}
        state = {
            name: bytes(splitter.saveState().toBase64().data()).decode()
            for name, splitter in splitters.items()
        }
        return state | {side: "shown" if shown else "hidden" for side, shown in self._switched_on.items()}

    def restore(self, places: dict[str, str]) -> None:
        """Restore the layout; what ``places`` lacks stays as it is."""
        splitters = {"across": self._across, "down": self._down, "sides": self._sides}
        for name, splitter in splitters.items():
            if name in places:
                self._placed = True
                splitter.restoreState(QByteArray.fromBase64(places[name].encode()))
        for side in self._switched_on:
            self._switched_on[side] = places.get(side) != "hidden"
        self._apply_panels()

    # -- replaced windows ----------------------------------------------------
    def keep_state(self) -> object:
        """What this workspace of the next window needs to go on; called before ``close_workspace``."""
        return None

    def take_state(self, state: Any) -> None:
        """Go on where the workspace of the last window was; ``state`` is from its ``keep_state``."""

    # -- undo --------------------------------------------------------------
    @property
    def history(self) -> EditHistory | None:
        """What *Undo* and *Redo* do while this workspace is in front; None when they do nothing."""
        return None

    # -- life --------------------------------------------------------------
    def activate(self) -> None:
        """Called when this workspace comes to the front."""

    def deactivate(self) -> None:
        """Called when another workspace comes to the front."""

    def close_workspace(self) -> None:
        """Called when the window closes, or another one takes its place: stop threads and close files."""
