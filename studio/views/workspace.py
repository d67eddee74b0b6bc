"""The frame of every workspace: toolbar, left panel, centre, timeline, right panel."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from collector.model.editing.edit_stack import EditStack
from studio.commands.search import PaletteSource
from studio.theme import theme
from studio.theme.tokens import tokens
from studio.views.edited_place import EditedPlace
from studio.views.panel_layout import NARROW, SHORT, Panel, PanelChoices
from studio.views.services import WindowServices
from studio.views.undo_source import UndoSource
from studio.widgets.controls import surface
from studio.widgets.window_frame.panel_splitter import PanelSplitter
from studio.widgets.window_frame.panel_strip import PanelStrip
from studio.widgets.window_frame.toolbar import Toolbar

_LEAST_BELOW = 96
_MOST = 16777215
"""Qt's limit for the size of a widget without a limit."""


class Workspace(QWidget):
    """Subclass it: set ``scope``, fill the parts in ``__init__``, handle commands by ``services.commander``.

    ``set_left``, ``set_centre``, ``set_below`` and ``set_right`` may be called once each.
    """

    scope: ClassVar[str] = ""
    palette_source: PaletteSource | None = None
    """What the palette finds while this workspace is in front, beside what it finds everywhere."""
    folds_right_below: ClassVar[int] = 0
    """Width of the window in logical pixels below which the right panel folds by itself."""
    folds_bottom_below: ClassVar[int] = SHORT
    """Height of the window in logical pixels below which the bottom panel folds by itself."""
    most_below: ClassVar[float] = 1.0
    """Share of the height under the toolbar that the bottom panel takes by itself at most."""
    arranged = Signal()
    """The sizes of the panels changed, and so did :attr:`open_area`."""
    history_changed = Signal()
    """Undo and redo would do something else now."""
    place_changed = Signal()
    """:attr:`edited_place` is another now."""
    panels_changed = Signal()
    """A panel was folded or opened."""

    def __init__(self, services: WindowServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.services = services
        self.toolbar = Toolbar(services.commander, self.scope)
        self.toolbar.command_asked.connect(services.run_command)
        self._panels: dict[Panel, QWidget] = {}
        self._strips: dict[Panel, PanelStrip] = {}
        self._choices = PanelChoices(self.folds_right_below, self.folds_bottom_below)
        self._needed = dict.fromkeys(Panel, True)
        self._head, self._height_below = 0, 0
        self._below_is_dragged = False
        self._sizes: dict[Panel, Mapping[str, int]] = {}
        self._widths: dict[Panel, tuple[int, int]] = {}
        self._placed: bool | None = None
        self._has_widths = False
        self._across = PanelSplitter(Qt.Orientation.Horizontal)
        self._down = PanelSplitter(Qt.Orientation.Vertical)
        self._sides = PanelSplitter(Qt.Orientation.Horizontal)
        upper = QWidget()
        self._row = _tight(QHBoxLayout(upper))
        self._row.addWidget(self._across, 1)
        self._down.addWidget(upper)
        column = surface("canvas")
        inner = _tight(QVBoxLayout(column))
        inner.addWidget(self.toolbar)
        inner.addWidget(self._down, 1)
        self._sides.addWidget(column)
        self._outer = _tight(QHBoxLayout(self))
        self._outer.addWidget(self._sides)
        self._across.line_double_clicked.connect(self._fold_left)
        self._down.line_double_clicked.connect(self._fold_below)
        self._sides.line_double_clicked.connect(self._fold_right)
        self._down.splitterMoved.connect(self._below_dragged)
        self._across.installEventFilter(self)

    # -- parts -------------------------------------------------------------
    def set_centre(self, widget: QWidget) -> None:
        """Set the centre, which takes the space that the panels leave."""
        self._across.addWidget(widget)
        self._across.setStretchFactor(self._across.indexOf(widget), 1)

    def set_left(self, widget: QWidget, panel: str, title: str) -> None:
        """Set the left panel, before ``set_centre``; ``panel`` names its width in the design tokens."""
        self._add_side(Panel.LEFT, widget, panel, title)
        self._across.insertWidget(0, widget)
        self._across.setStretchFactor(0, 0)
        self._row.insertWidget(0, self._strips[Panel.LEFT])

    def set_below(self, widget: QWidget, *, head: int, height: int = 0) -> None:
        """Set the panel below the left panel and the centre; folded, its upper ``head`` pixels remain.

        It opens with ``height``, or with the height of its size hint.
        """
        below = self._panels[Panel.BOTTOM] = _BottomFrame(widget)
        below.setMinimumHeight(_LEAST_BELOW)
        self._head = head
        self._height_below = height or widget.sizeHint().height()
        self._down.addWidget(below)
        self._down.setStretchFactor(0, 1)
        self._down.setStretchFactor(1, 0)

    def set_right(self, widget: QWidget, panel: str, title: str, *, least: int = 0) -> None:
        """Set the right panel, which has the full height.

        It is as wide as the words in it need, or ``least`` pixels, and more where there is room.
        """
        self._add_side(Panel.RIGHT, widget, panel, title, least)
        self._sides.addWidget(widget)
        self._sides.setStretchFactor(0, 1)
        self._sides.setStretchFactor(1, 0)
        self._outer.addWidget(self._strips[Panel.RIGHT])

    def _add_side(self, side: Panel, widget: QWidget, panel: str, title: str, least: int = 0) -> None:
        self._panels[side] = widget
        self._sizes[side] = {**tokens().panel(panel), "words": least}
        self._measure(side)
        strip = self._strips[side] = PanelStrip(title, at_right=side is Panel.RIGHT)
        strip.hide()
        strip.clicked.connect(self._fold_left if side is Panel.LEFT else self._fold_right)

    def _measure(self, side: Panel) -> None:
        """Give a side panel the width that its words need: they are longer in some languages."""
        widget, sizes = self._panels[side], self._sizes[side]
        least = max(sizes["min"], sizes["words"] or widget.minimumSizeHint().width())
        widget.setMinimumWidth(least)
        widget.setMaximumWidth(max(least, sizes.get("max", sizes["default"] * 2)))
        self._widths[side] = (max(least, sizes["default"]), least)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Measure the side panels again in their style, which they get with a place in a window."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            for side in self._sizes:
                self._measure(side)

    # -- panels ------------------------------------------------------------
    def has_panel(self, panel: Panel) -> bool:
        """Return whether this workspace has the panel and needs it now."""
        return panel in self._panels and self._needed[panel]

    def panel_shown(self, panel: Panel) -> bool:
        """Return whether a panel is open."""
        return self.has_panel(panel) and self._choices.is_shown(panel)

    def show_panel(self, panel: Panel, shown: bool = True) -> None:
        """Open or fold a panel."""
        if self.has_panel(panel) and self._choices.is_shown(panel) != shown:
            self._choices.choose(panel, shown)
            self._apply_panels()

    def toggle_panel(self, panel: Panel) -> None:
        """Fold an open panel, open a folded one."""
        self.show_panel(panel, not self._choices.is_shown(panel))

    def set_panel_needed(self, panel: Panel, needed: bool) -> None:
        """Remove a panel that has nothing to show, without a strip to bring it back."""
        if self._needed[panel] != needed:
            self._needed[panel] = needed
            self._apply_panels()

    def set_panel_idle(self, panel: Panel, idle: bool) -> None:
        """Say that a panel has nothing to read now: it folds, unless the person opened it."""
        self._choices.set_idle(panel, idle)
        self._apply_panels()

    def suggest_height_below(self, height: int) -> None:
        """Give the bottom panel the height of its content, unless the person chose one."""
        if self._below_is_dragged or max(height, _LEAST_BELOW) == self._height_below:
            return
        self._height_below = max(height, _LEAST_BELOW)
        if self.panel_shown(Panel.BOTTOM):
            self._place_below()

    @Slot()
    def _below_dragged(self) -> None:
        self._below_is_dragged = True
        self._height_below = self._down.sizes()[1]

    def raise_below(self, height: int, least_centre: int) -> None:
        """Open the bottom panel with ``height``, as far as ``least_centre`` pixels remain above it."""
        self.show_panel(Panel.BOTTOM)
        upper, lower = self._down.sizes()
        more = min(height - lower, upper - least_centre)
        if more > 0:
            self._height_below = lower + more
            self._down.setSizes([upper - more, lower + more])

    @Slot()
    def _fold_left(self) -> None:
        self.toggle_panel(Panel.LEFT)

    @Slot()
    def _fold_right(self) -> None:
        self.toggle_panel(Panel.RIGHT)

    @Slot()
    def _fold_below(self) -> None:
        self.toggle_panel(Panel.BOTTOM)

    @property
    def open_area(self) -> QRect:
        """The area of left panel and centre, without the right panel and the timeline."""
        return QRect(self._across.mapTo(self, QPoint(0, 0)), self._across.size())

    @property
    def phone_rect(self) -> QRect:
        """Where the phone's screen is shown, in this widget; empty without one."""
        return QRect()

    def _apply_panels(self) -> None:
        for side, strip in self._strips.items():
            self._panels[side].setVisible(self.panel_shown(side))
            strip.setVisible(self._needed[side] and not self.panel_shown(side))
        if Panel.BOTTOM in self._panels:
            self._apply_below()
        self.panels_changed.emit()

    def _apply_below(self) -> None:
        """Fold the bottom panel to its head, or give it the height that it had."""
        below, is_open = self._panels[Panel.BOTTOM], self.panel_shown(Panel.BOTTOM)
        below.setVisible(self._needed[Panel.BOTTOM])
        is_folded = below.maximumHeight() == self._head
        if is_open == (not is_folded):
            return
        if is_folded:
            below.setMinimumHeight(_LEAST_BELOW)
            below.setMaximumHeight(_MOST)
            self._place_below()
        else:
            below.setFixedHeight(self._head)
            self._place_below()

    def _place_below(self) -> None:
        folded = self._panels[Panel.BOTTOM].maximumHeight() == self._head
        room = self.height() - self.toolbar.height()
        height = self._head if folded else self._height_below
        if not folded and not self._below_is_dragged:
            height = max(_LEAST_BELOW, min(height, int(room * self.most_below)))
        self._down.setSizes([max(1, room - height), height])

    def resizeEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._choices.set_window_size(self._window_size())
        self._apply_panels()
        self._place()
        if self.panel_shown(Panel.BOTTOM):
            self._place_below()  # a low window had squeezed it

    def _window_size(self) -> QSize:
        """Size of the window that this workspace fills beside the rail, between the bars."""
        bars = theme.size("menu_bar") + theme.size("status_bar")
        return QSize(self.width() + theme.size("rail"), self.height() + bars)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Resize:
            self.arranged.emit()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Set the first sizes of the panels; set the widths again when the window becomes wide or narrow."""
        wide = self._window_size().width() >= NARROW
        before, self._placed = self._placed, wide
        if before is None and Panel.BOTTOM in self._panels:
            self._place_below()
        if before == wide or (before is None and self._has_widths):
            return
        widths = {side: sizes[0] if wide else sizes[1] for side, sizes in self._widths.items()}
        right = widths.get(Panel.RIGHT, 0)
        self._sides.setSizes([self.width() - right, right])
        if Panel.LEFT in widths:
            left = widths[Panel.LEFT]
            self._across.setSizes([left, self.width() - right - left])

    # -- saved layout --------------------------------------------------------
    def _splitters(self) -> dict[str, PanelSplitter]:
        return {"across": self._across, "sides": self._sides}

    def places(self) -> dict[str, str]:
        """Return the layout of the panels as text for the settings."""
        state = {
            name: bytes(splitter.saveState().toBase64().data()).decode()
            for name, splitter in self._splitters().items()
        }
        if self._below_is_dragged:
            state["below"] = str(self._height_below)
        return state | self._choices.places()

    def restore(self, places: dict[str, str]) -> None:
        """Restore the layout; what ``places`` lacks stays as it is."""
        for name, splitter in self._splitters().items():
            if name in places:
                self._has_widths = True
                splitter.restoreState(QByteArray.fromBase64(places[name].encode()))
        if places.get("below", "").isdecimal():
            self._height_below, self._below_is_dragged = max(_LEAST_BELOW, int(places["below"])), True
            self._place_below()
        self._choices.restore(places)
        self._apply_panels()

    # -- replaced windows ----------------------------------------------------
    def keep_state(self) -> object:
        """What this workspace of the next window needs to go on; called before ``close_workspace``."""
        return None

    def take_state(self, state: Any) -> None:
        """Go on where the workspace of the last window was; ``state`` is from its ``keep_state``."""

    def show_entry(self, kind: str, entry_id: str) -> None:
        """Select what a kind and an id name here, once it is read; the palette asks for it."""

    # -- undo --------------------------------------------------------------
    @property
    def history(self) -> UndoSource | None:
        """What *Undo* and *Redo* do while this workspace is in front; None when they do nothing."""
        return None

    # -- edits of trajectories -----------------------------------------------
    @property
    def edited_place(self) -> EditedPlace | None:
        """The step of a golden trajectory that is shown and can be edited; None where there is none."""
        return None

    @property
    def edit_stack(self) -> EditStack | None:
        """Where edits of steps that are made here are undone; None where the trajectory's own history is."""
        return None

    def show_edited(self, folder: Path, step: int) -> None:
        """Show a trajectory that was edited, or made by an edit, at a step; called once it is on the disk."""

    # -- life --------------------------------------------------------------
    def take_keyboard(self) -> None:
        """Take the keyboard from a text field, so that keys run commands again."""
        self.setFocus()

    def activate(self) -> None:
        """Called when this workspace comes to the front."""

    def deactivate(self) -> None:
        """Called when another workspace comes to the front."""

    def close_workspace(self) -> None:
        """Called when the window closes, or another one takes its place: stop threads and close files."""


class _BottomFrame(QWidget):
    """Clips the panel below when it is folded, so that its head does not shrink with the rest."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self._panel = panel
        panel.setParent(self)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._panel.setGeometry(0, 0, self.width(), max(self.height(), _LEAST_BELOW))


def _tight(layout: QBoxLayout) -> QBoxLayout:
    """Return a layout without margins and gaps."""
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    return layout
