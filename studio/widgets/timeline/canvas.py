"""The scrolling part of a timeline: ruler, lanes and cursor. A drag scrubs the cursor or selects a range."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QToolTip, QWidget

from collector.model.i18n import _
from rule_editor.widgets.painted_rows import PaintedRows, expose_rows, tell_current
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.axis import AxisGrids, TimeAxis
from studio.widgets.timeline.canvas_painter import CanvasPainter
from studio.widgets.timeline.canvas_view import TimelineView
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lane_rows import lane_rows
from studio.widgets.timeline.lanes import Lane, Track
from studio.widgets.timeline.range_drag import RangeDrag
from studio.widgets.timeline.sizes import RECORDING_SIZES, RULER, TimelineSizes
from studio.widgets.wrapped_text import tooltip_text

_FAR = 10
_ZOOM = 1.15


class TimelineCanvas(PaintedRows, QAbstractScrollArea):
    """Draws only the visible slots, so that the length of the track costs nothing."""

    slot_chosen = Signal(int)
    """Emits the slot to which the person moved the cursor."""
    lanes_asked = Signal(QPoint)
    """A right click on the names of the lanes, at a point of the screen."""
    scale_changed = Signal(float)
    """Width of a slot in logical pixels."""
    range_chosen = Signal(object)
    """Emits the slots that the person selected on the ruler, as a range; None when no longer any."""
    thumb_hovered = Signal(int, int)
    """Slot and trajectory of the thumbnail under the pointer; -1 and -1 where there is none."""

    def __init__(
        self, thumbnails: ThumbnailCache, parent: QWidget | None = None,
        sizes: TimelineSizes = RECORDING_SIZES, *, side_by_side: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._sizes = sizes
        self._hidden: set[str] = set()
        self.view = TimelineView(sizes, AxisGrids(sizes), side_by_side, width=sizes.slot)
        """What is shown, and where."""
        self._axis = TimeAxis.STEP
        self._painter = CanvasPainter(thumbnails, self.view)
        self._drag = RangeDrag() if side_by_side else None
        self._hovered = (-1, -1)
        self._scrubbing = False
        self._fits = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._handle = self._scroll_handle()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(_("Timeline"))
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setMouseTracking(side_by_side)
        thumbnails.arrived.connect(self._thumbnail_arrived)
        theme.changed.connect(self._repaint)
        expose_rows()

    def _scroll_handle(self) -> QScrollBar:
        """Show an overlay scroll bar while the pointer is over the canvas."""
        handle = QScrollBar(Qt.Orientation.Horizontal, self)
        handle.hide()
        bar = self.horizontalScrollBar()
        bar.rangeChanged.connect(handle.setRange)
        bar.valueChanged.connect(handle.setValue)
        handle.valueChanged.connect(bar.setValue)
        return handle

    # -- what is shown -----------------------------------------------------
    @property
    def track(self) -> Track:
        return self.view.track

    @property
    def current(self) -> int:
        """Slot of the cursor; -1 without slots."""
        return self.view.current

    @property
    def slot_width(self) -> float:
        """Width of a slot in logical pixels; by the clock the mean."""
        return self.view.width

    @property
    def least_width(self) -> float:
        """The narrowest slot; of trajectories side by side all slots can be in sight."""
        least = self._sizes.least_slot
        return min(least, self._fitting_width()) if self.view.side_by_side else least

    @property
    def axis(self) -> TimeAxis:
        """What x means now."""
        return self.view.grids.axis

    @property
    def selected(self) -> range | None:
        """The selected slots; None for all."""
        return self.view.selected

    def set_track(self, track: Track) -> None:
        """Show another track; the cursor stays in its slot if it exists."""
        self.view.track = track
        self.view.grids.show(track, self._axis)
        self._painter.lanes.tones.forget()
        self.view.current = min(max(self.view.current, 0), track.count - 1)
        if self.view.selected is not None and self.view.selected.stop > track.count:
            self.view.selected = None
        self._lay_out()

    def set_current(self, slot: int) -> None:
        """Move the cursor without a signal and scroll to it."""
        slot = min(max(slot, 0), self.track.count - 1)
        if slot != self.view.current:
            self.view.current = slot
            self._describe()
            tell_current(self)
            self.viewport().update()
        self.reveal(slot)

    def set_axis(self, axis: TimeAxis) -> None:
        """Show slots side by side or by the clock; by the clock only where all times are known."""
        self._axis = axis
        self.view.grids.show(self.track, axis)
        self._lay_out()
        self.reveal(self.view.current)

    def set_range(self, slots: range | None) -> None:
        """Select slots without a signal; None selects none."""
        self.view.selected = slots or None
        self._describe()
        self.viewport().update()

    def set_matching(self, slots: Collection[int] | None) -> None:
        """Dim the slots that are not among these; None dims none."""
        self.view.matching = None if slots is None else frozenset(slots)
        self.viewport().update()

    def set_bookmarks(self, bookmarks: Mapping[int, str]) -> None:
        """Mark slots on the ruler, each with its text."""
        self.view.bookmarks = dict(sorted(bookmarks.items()))
        self.viewport().update()

    def set_divergence_key(self, key: str) -> None:
        """Set the key that the label of the first divergence shows; empty for none."""
        self.view.divergence_key = key
        self.viewport().update()

    def set_slot_width(self, width: float, at_x: int | None = None) -> None:
        """Zoom around an x of the viewport, or around the cursor."""
        view, gutter = self.view, self._sizes.gutter
        width = min(max(width, self.least_width), self._sizes.most_slot)
        width = round(width) if width >= self._sizes.least_slot else width
        if width == view.width:
            return
        self._fits = False
        cursor = view.cursor_x
        at = cursor if at_x is None else at_x
        before = (at - gutter + view.across) / view.width
        view.width = width
        self._lay_out()
        bar = self.horizontalScrollBar()
        if at_x is None and view.current >= 0:
            bar.setValue(bar.value() + view.cursor_x - cursor)
        else:
            bar.setValue(round(before * width) - (at - gutter))
        self.scale_changed.emit(width)

    def fit_all(self) -> None:
        """Zoom until all slots are in sight."""
        self.set_slot_width(self._fitting_width(), self._sizes.gutter)

    def fit_opened(self) -> None:
        """Keep all slots in sight, none wider than usual, until the person zooms; for what is opened."""
        self._fits = True
        self._lay_out()

    def _fitting_width(self) -> float:
        room = self.viewport().width() - self._sizes.gutter - 2 * self._sizes.inset
        return max(0.01, min(room / max(1, self.track.count), self._sizes.most_slot))

    def set_lane_shown(self, title: str, shown: bool) -> None:
        """Show or hide a lane by its title, in all trajectories."""
        self._hidden = self._hidden - {title} if shown else self._hidden | {title}
        self._lay_out()

    def lanes(self) -> list[Lane]:
        """Visible lanes: the first of each trajectory, and all others that are neither empty nor hidden."""
        return [row.lane for row in self.view.rows]

    def is_lane_hidden(self, title: str) -> bool:
        return title in self._hidden

    def reveal(self, slot: int) -> None:
        """Scroll until a slot is wholly visible."""
        grid, bar = self.view.ruler_grid(slot), self.horizontalScrollBar()
        left, right = grid.x(slot), grid.x(slot + 1)
        right = min(right, left + self._sizes.most_slot)
        if slot == self.track.count - 1:
            right += max(0, self._words_past_end())
        if slot <= 0:
            bar.setValue(0)
        elif left < self._sizes.gutter:
            bar.setValue(bar.value() - (self._sizes.gutter - left))
        elif right > self.viewport().width():
            bar.setValue(bar.value() + right - self.viewport().width())

    # -- layout ------------------------------------------------------------
    def grid(self, group: int = 0) -> TimelineGrid:
        """Positions of the slots of a trajectory in pixels of the viewport."""
        return self.view.grid(group)

    def content_height(self) -> int:
        return RULER + sum(row.height for row in self.view.rows)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(640, RULER + self._sizes.film + 3 * self._sizes.text)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        was_in_sight = self._is_in_sight(event.oldSize().width())
        self._lay_out()
        if was_in_sight:
            self.reveal(self.view.current)

    def _is_in_sight(self, width: int) -> bool:
        """Whether the slot of the cursor is wholly visible in a viewport of a width."""
        grid = self.view.ruler_grid(self.view.current)
        left, right = grid.x(self.view.current), grid.x(self.view.current + 1)
        return self.view.current >= 0 and left >= self._sizes.gutter and right <= width

    def scrollContentsBy(self, _across: int, down: int) -> None:  # noqa: N802 - Qt's name
        before = self.view.across
        self._follow_scrolling()
        if down:
            self._painter.layer.invalidate()
        else:
            self._painter.layer.scroll(before - self.view.across)
        self.viewport().update()

    def _follow_scrolling(self) -> None:
        self.view.across = self.horizontalScrollBar().value()
        self.view.down = self.verticalScrollBar().value()

    def _lay_out(self) -> None:
        view = self.view
        view.rows = lane_rows(view.track, self._hidden, self._sizes)
        if self._fits:
            self._fit()
        width, height = self.viewport().width(), self.viewport().height()
        slots = round(view.track.count * view.width)
        across = self._sizes.gutter + slots + max(self._sizes.inset, self._words_past_end())
        for bar, whole, page, step in (
            (self.horizontalScrollBar(), across, width, max(1, round(view.width))),
            (self.verticalScrollBar(), self.content_height(), height, self._sizes.text),
        ):
            bar.setRange(0, max(0, whole - page))
            bar.setPageStep(page)
            bar.setSingleStep(step)
        self._follow_scrolling()
        side = self._handle.sizeHint().height()
        gutter = self._sizes.gutter
        self._handle.setGeometry(gutter, self.height() - side, max(0, width - gutter), side)
        self._handle.setPageStep(width)
        self._show_handle(self.underMouse())
        self._describe()
        self._repaint()

    def _fit(self) -> None:
        width = min(self._fitting_width(), float(self._sizes.slot))
        width = math.floor(width) if width >= self._sizes.least_slot else width
        if width != self.view.width:
            self.view.width = width
            self.scale_changed.emit(width)

    def _words_past_end(self) -> int:
        """How far the words of marks in the last slot reach beyond it."""
        last = self.track.count - 1
        marks = [
            mark
            for row in self.view.rows
            for mark in row.marks_at(last)
            if mark.slot == last and not (mark.span or mark.bar)
        ]
        widths = (self._painter.lanes.marks.width(mark) for mark in marks)
        return max((round(wide + 2 * self._sizes.inset - self.view.width) for wide in widths), default=0)

    def _show_handle(self, near: bool) -> None:
        self._handle.setVisible(near and self._handle.maximum() > 0)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        self._show_handle(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self._show_handle(False)
        self._hover(-1, -1)
        super().leaveEvent(event)

    def _describe(self) -> None:
        self.setAccessibleDescription(self.view.words())

    @Slot()
    def _repaint(self) -> None:
        self._painter.layer.invalidate()
        self.viewport().update()

    @Slot(object)
    def _thumbnail_arrived(self, key: Hashable) -> None:
        region = self._painter.layer.thumbnail_arrived(key)
        if not region.isEmpty():
            self.viewport().update(region)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        self._painter.paint(painter_of(self.viewport()), self.viewport().rect())

    # -- for assistive technology --------------------------------------------
    def spoken_rows(self) -> int:
        return len(self.view.rows)

    def spoken_cells(self, row: int) -> int:
        return self.view.spoken_cells(row)

    def row_words(self, row: int) -> str:
        return self.view.row_words(row)

    def cell_words(self, row: int, number: int) -> str:
        return self.view.cell_words(row, number)

    def row_place(self, row: int) -> QRect:
        lane = self.view.rows[row]
        return QRect(0, self.view.top(lane), self.viewport().width(), lane.height)

    def cell_place(self, row: int, number: int) -> QRect:
        return self.view.cell_place(row, number)

    def current_place(self) -> tuple[int, int] | None:
        return self.view.current_place()

    # -- places ------------------------------------------------------------
    def choose(self, slot: int) -> None:
        """Move the cursor with a signal, as the person does."""
        if self.track.count == 0:
            return
        slot = min(max(slot, 0), self.track.count - 1)
        changed = slot != self.view.current
        self.set_current(slot)
        if changed:
            self.slot_chosen.emit(slot)

    def choose_at(self, at: QPoint | None) -> QPoint | None:
        """Move the cursor to the slot at a point, or keep it for None; return where its menu belongs.

        None left of the slots, where the lanes are named.
        """
        if not self.track.count or (at is not None and at.x() < self._sizes.gutter):
            return None
        if at is not None:
            self.choose(self.view.pressed_slot(at))
            return at
        return QPoint(self.view.cursor_x, RULER)

    # -- mouse and keys ----------------------------------------------------
    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QContextMenuEvent) and event.pos().x() < self._sizes.gutter:
            self.lanes_asked.emit(event.globalPos())
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            tip = self.view.tip_at(event.pos())
            QToolTip.showText(event.globalPos(), tooltip_text(tip) if tip else "", self.viewport())
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position().toPoint()
        self._hover(-1, -1)
        if event.button() != Qt.MouseButton.LeftButton or at.x() < self._sizes.gutter or not self.track.count:
            return
        if self._drag is not None and at.y() < RULER:
            self._drag.press(self.view.slot_at(at), at.x(), self.view.selected)
        else:
            self._scrubbing = True
            self.choose(self.view.pressed_slot(at))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position().toPoint()
        if self._scrubbing:
            self.choose(self.view.slot_at(at))
        elif self._drag is not None and self._drag.is_pressed:
            slot = self.view.slot_at(at)
            chosen = self._drag.move(slot, at.x())
            if chosen is not None:
                self.choose_range(chosen)
                self.reveal(slot)
        elif not event.buttons():
            self._hover(*(self.view.thumb_at(at) or (-1, -1)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._scrubbing = False
        if self._drag is not None and self._drag.release():
            at, flag = event.position().toPoint(), self.view.divergence_flag
            is_flag = flag is not None and flag.box.contains(at)
            self.choose(self.track.divergence or 0 if is_flag else self.view.slot_at(at))

    def choose_range(self, slots: range | None) -> None:
        """Select a range with a signal, as the person does."""
        if self.track.count and (slots or None) != self.view.selected:
            self.set_range(slots)
            self.range_chosen.emit(self.view.selected)

    def _hover(self, slot: int, group: int) -> None:
        if (slot, group) != self._hovered:
            self._hovered = (slot, group)
            self.thumb_hovered.emit(slot, group)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        turned = event.angleDelta()
        self._hover(-1, -1)
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            wanted = self.view.width * _ZOOM ** (turned.y() / 120)
            self.set_slot_width(wanted, round(event.position().x()) if self.view.side_by_side else None)
        else:
            self._scroll(turned, event.modifiers())
        event.accept()

    def _scroll(self, turned: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        """Scroll through lanes that do not fit, else along the steps; Shift always goes along the steps."""
        down = self.verticalScrollBar()
        is_across = bool(modifiers & Qt.KeyboardModifier.ShiftModifier) or abs(turned.x()) > abs(turned.y())
        if self.view.side_by_side and down.maximum() and not is_across:
            down.setValue(down.value() - turned.y() // 2)
            return
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (turned.x() or turned.y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        far = _FAR if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        moves = {
            Qt.Key.Key_Left: self.view.current - far,
            Qt.Key.Key_Right: self.view.current + far,
            Qt.Key.Key_Home: self.track.divergence or 0,
            Qt.Key.Key_End: self.track.count - 1,
        }
        key = Qt.Key(event.key())
        if key in moves:
            self.choose(moves[key])
        elif key == Qt.Key.Key_Escape and self.view.selected is not None:
            self.choose_range(None)
        else:
            super().keyPressEvent(event)
