"""The scrolling part of a timeline: ruler, lanes and cursor. A drag scrubs the cursor."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QToolTip, QWidget

from collector.model.i18n import _
from studio.theme import theme, tokens
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.lanes import FilmLane, Lane, LaneMark, SlotKind, TextLane, Track
from studio.widgets.timeline.painter import (
    FILM_LANE,
    INSET,
    RULER,
    SLOT,
    TEXT_LANE,
    SlotGrid,
    SlotPainter,
    gutter_row,
    mark_width,
)
from studio.widgets.wrapped_text import tooltip_text

GUTTER = int(tokens().group("panel")["timeline_gutter"]["record"])
MIN_SLOT, MAX_SLOT = 20, 2 * SLOT
_FAR = 10


class TimelineCanvas(QAbstractScrollArea):
    """Draws only the visible slots, so that the length of the track costs nothing."""

    slot_chosen = Signal(int)
    """Emits the slot to which the person moved the cursor."""
    lanes_asked = Signal(QPoint)
    """A right click on the names of the lanes, at a point of the screen."""
    scale_changed = Signal(int)
    """Width of a slot in logical pixels."""

    def __init__(self, thumbnails: ThumbnailCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._track = Track()
        self._hidden: set[str] = set()
        self._current = -1
        self._width = SLOT
        self._painter = SlotPainter(thumbnails)
        self._scrubbing = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._handle = self._scroll_handle()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(_("Timeline"))
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        thumbnails.arrived.connect(self._repaint)
        theme.changed.connect(self._repaint)

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
        return self._track

    @property
    def current(self) -> int:
        """Slot of the cursor; -1 without slots."""
        return self._current

    @property
    def slot_width(self) -> int:
        return self._width

    def set_track(self, track: Track) -> None:
        """Show another track; the cursor stays in its slot if it exists."""
        self._track = track
        self._current = min(max(self._current, 0), track.count - 1)
        self._lay_out()

    def set_current(self, slot: int) -> None:
        """Move the cursor without a signal and scroll to it."""
        slot = min(max(slot, 0), self._track.count - 1)
        if slot != self._current:
            self._current = slot
            self._describe()
            self.viewport().update()
        self.reveal(slot)

    def set_slot_width(self, width: int) -> None:
        """Zoom around the cursor."""
        width = min(max(width, MIN_SLOT), MAX_SLOT)
        if width == self._width:
            return
        at = self.grid().middle(max(0, self._current))
        self._width = width
        self._lay_out()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() + self.grid().middle(max(0, self._current)) - at)
        self.scale_changed.emit(width)

    def set_lane_shown(self, title: str, shown: bool) -> None:
        """Show or hide a lane by its title."""
        self._hidden = self._hidden - {title} if shown else self._hidden | {title}
        self._lay_out()

    def lanes(self) -> list[Lane]:
        """Visible lanes: the first, and all others that are neither empty nor hidden."""
        return [
            lane
            for place, lane in enumerate(self._track.lanes)
            if place == 0 or not (lane.title in self._hidden or lane.is_empty())
        ]

    def is_lane_hidden(self, title: str) -> bool:
        return title in self._hidden

    def reveal(self, slot: int) -> None:
        """Scroll until a slot is wholly visible."""
        grid, bar = self.grid(), self.horizontalScrollBar()
        left, right = grid.x(slot), grid.x(slot + 1)
        if slot == self._track.count - 1:
            right += max(0, self._words_past_end())
        if left < GUTTER:
            bar.setValue(bar.value() - (GUTTER - left))
        elif right > self.viewport().width():
            bar.setValue(bar.value() + right - self.viewport().width())

    # -- layout ------------------------------------------------------------
    def grid(self) -> SlotGrid:
        """Positions of the slots in pixels of the viewport."""
        return SlotGrid(GUTTER - self.horizontalScrollBar().value(), self._width, self._track.count)

    def content_height(self) -> int:
        return RULER + sum(_height(lane) for lane in self.lanes())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(640, RULER + FILM_LANE + 3 * TEXT_LANE)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        width, height = self.viewport().width(), self.viewport().height()
        across = GUTTER + self._track.count * self._width + max(INSET, self._words_past_end())
        for bar, whole, page, step in (
            (self.horizontalScrollBar(), across, width, self._width),
            (self.verticalScrollBar(), self.content_height(), height, TEXT_LANE),
        ):
            bar.setRange(0, max(0, whole - page))
            bar.setPageStep(page)
            bar.setSingleStep(step)
        side = self._handle.sizeHint().height()
        self._handle.setGeometry(GUTTER, self.height() - side, max(0, width - GUTTER), side)
        self._handle.setPageStep(width)
        self._show_handle(self.underMouse())
        self._describe()
        self.viewport().update()

    def _words_past_end(self) -> int:
        """How far the words of marks in the last slot reach beyond it."""
        last = self._track.count - 1
        marks = [
            mark for lane in self.lanes() if isinstance(lane, TextLane) for mark in lane.marks(last, last)
        ]
        at_end = [mark for mark in marks if mark.slot == last and not (mark.span or mark.bar)]
        return max((mark_width(mark) + 2 * INSET - self._width for mark in at_end), default=0)

    def _show_handle(self, near: bool) -> None:
        self._handle.setVisible(near and self._handle.maximum() > 0)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        self._show_handle(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self._show_handle(False)
        super().leaveEvent(event)

    def _describe(self) -> None:
        place = _("Step {number} of {count}", number=self._current + 1, count=self._track.count)
        words = ", ".join((place, *self._bars_here()))
        self.setAccessibleDescription(words if self._current >= 0 else _("No steps"))

    def _bars_here(self) -> list[str]:
        """Texts of the marks over the current slot."""
        slot = self._current
        marks = [
            mark for lane in self.lanes() if isinstance(lane, TextLane) for mark in lane.marks(slot, slot)
        ]
        over = [mark for mark in marks if mark.slot <= slot < mark.slot + mark.bar]
        return [" ".join(filter(None, (mark.text, *(part.text for part in mark.parts)))) for mark in over]

    @Slot()
    def _repaint(self) -> None:
        self.viewport().update()

    # -- painting ----------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self.viewport())
        width, height = self.viewport().width(), self.viewport().height()
        painter.fillRect(event.rect(), theme.color("bg-1"))
        line = theme.color("line")
        grid = self.grid()
        seen = grid.in_sight(GUTTER, width)
        top = RULER - self.verticalScrollBar().value()
        gaps: list[range] = []
        for lane in self.lanes():
            lane_height = _height(lane)
            painter.fillRect(0, top + lane_height - 1, width, 1, line)
            painter.setClipRect(GUTTER, max(RULER, top), width - GUTTER, lane_height)
            if self._paint_lane(painter, lane, grid, seen, top):
                gaps.append(range(top, top + lane_height))
            painter.setClipping(False)
            gutter_row(painter, QRect(0, top, GUTTER, lane_height), lane.title, lane.icon)
            top += lane_height
        self._paint_ruler(painter, grid, seen)
        painter.fillRect(GUTTER - 1, 0, 1, height, line)
        if self._current >= 0:
            painter.setClipRect(GUTTER, 0, width - GUTTER, height)
            end = min(height, max(top, RULER))
            self._painter.cursor(painter, grid.middle(self._current), end, gaps)

    def _paint_ruler(self, painter: QPainter, grid: SlotGrid, seen: range) -> None:
        width = self.viewport().width()
        painter.fillRect(0, 0, width, RULER, theme.color("bg-2"))
        painter.fillRect(0, RULER - 1, width, 1, theme.color("line"))
        painter.setClipRect(GUTTER, 0, width - GUTTER, RULER)
        for slot in seen:
            text = self._track.label(slot)
            self._painter.ruler(painter, grid, slot, text, current=slot == self._current)
        painter.setClipping(False)

    def _paint_lane(self, painter: QPainter, lane: Lane, grid: SlotGrid, seen: range, top: int) -> bool:
        """Paint a lane; return whether the cursor would cross its words."""
        if not seen:
            return False
        cursor, crossed = grid.middle(self._current), False
        if isinstance(lane, FilmLane):
            for number in seen:
                current, slot = number == self._current, lane.slot(number)
                self._painter.film(painter, grid, number, slot, top, current=current)
                crossed |= current and slot.kind in (SlotKind.LIVE, SlotKind.PAUSED)
        elif isinstance(lane, TextLane):
            marks = list(lane.marks(seen.start, seen.stop))
            for place, mark in enumerate(marks):
                after = marks[place + 1].slot if place + 1 < len(marks) else self._track.count + _FAR
                end = min(mark.slot + mark.span, after) if mark.span else after
                current = mark.span == 1 and mark.slot == self._current
                words = self._painter.mark(painter, grid, mark, top, end, current=current)
                crossed |= cursor in words
        return crossed

    # -- mouse and keys ----------------------------------------------------
    def choose(self, slot: int) -> None:
        """Move the cursor with a signal, as the person does."""
        if self._track.count == 0:
            return
        slot = min(max(slot, 0), self._track.count - 1)
        changed = slot != self._current
        self.set_current(slot)
        if changed:
            self.slot_chosen.emit(slot)

    def choose_at(self, at: QPoint | None) -> QPoint | None:
        """Move the cursor to the slot at a point, or keep it for None; return where its menu belongs.

        None left of the slots, where the lanes are named.
        """
        if not self._track.count or (at is not None and at.x() < GUTTER):
            return None
        if at is not None:
            self.choose(self.grid().slot_at(at.x()))
            return at
        return QPoint(self.grid().middle(self._current), RULER)

    def mark_at(self, at: QPoint) -> LaneMark | None:
        """The mark of a text lane at a point of the viewport."""
        top = RULER - self.verticalScrollBar().value()
        for lane in self.lanes():
            height = _height(lane)
            if max(top, RULER) <= at.y() < top + height and at.x() >= GUTTER and isinstance(lane, TextLane):
                slot = self.grid().slot_at(at.x())
                under = [mark for mark in lane.marks(slot, slot) if mark.slot <= slot]
                return under[-1] if under else None
            top += height
        return None

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QContextMenuEvent) and event.pos().x() < GUTTER:
            self.lanes_asked.emit(event.globalPos())
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            mark = self.mark_at(event.pos())
            tip = tooltip_text(mark.tip) if mark is not None else ""
            QToolTip.showText(event.globalPos(), tip, self.viewport())
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and at.x() >= GUTTER:
            self._scrubbing = True
            self._scrub(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self._scrubbing:
            self._scrub(event.position().toPoint())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._scrubbing = False

    def _scrub(self, at: QPoint) -> None:
        if self._track.count:
            self.choose(self.grid().slot_at(at.x()))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_slot_width(round(self._width * 1.15 ** (turned.y() / 120)))
        else:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - (turned.x() or turned.y()))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        far = _FAR if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        moves = {
            Qt.Key.Key_Left: self._current - far,
            Qt.Key.Key_Right: self._current + far,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: self._track.count - 1,
        }
        key = Qt.Key(event.key())
        if key in moves:
            self.choose(moves[key])
        else:
            super().keyPressEvent(event)


def _height(lane: Lane) -> int:
    return FILM_LANE if isinstance(lane, FilmLane) else TEXT_LANE
