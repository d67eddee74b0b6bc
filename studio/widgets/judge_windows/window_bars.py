"""Windows of screens as bars over the film strip of a trajectory, a row for each essential state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

from collector.model.i18n import _
from collector.model.trajectory import Step
from rule_editor.widgets.painted_rows import PaintedRows, expose_rows, tell_current
from studio.theme import theme
from studio.theme.mirroring import keep_left_to_right, painter_of
from studio.widgets.captions.step_text import step_caption
from studio.widgets.captions.verdict_text import verdict_icon, verdict_tone
from studio.widgets.judge_windows.window_rows import BarRow, WindowBar, lanes_of
from studio.widgets.painting import draw_text
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.wrapped_text import tooltip_text

_NAME, _SLOT, _SIDE = 108, 42, 8
_BAR, _GAP, _PAD = 18, 3, 5
_THUMBS = ((34, 68), (24, 48))
"""Width and height of a screen of the film strip, where there is room for it and where there is little."""
_ROOM = 240
_UNDER_THUMB = 24
_LEAST_ROWS = 40


class WindowBars(PaintedRows, QAbstractScrollArea):
    """One bar is current: arrows move it. The film strip stays at the bottom, the names at the left."""

    chosen = Signal(int)
    """The number of the question whose bar the person moved to."""
    step_chosen = Signal(int)
    """The person clicked a screen of the film strip."""

    def __init__(self, thumbnails: ThumbnailCache) -> None:
        super().__init__()
        keep_left_to_right(self)
        self._thumbnails = thumbnails
        self._rows: tuple[BarRow, ...] = ()
        self._lanes: list[list[int]] = []
        self._tops: list[int] = [0]
        self._trajectory = ""
        self._steps: Sequence[Step] = ()
        self._current: tuple[int, int] | None = None
        self._step = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Windows that the judge was asked about"))
        self.setProperty("takesNavigationKeys", True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.horizontalScrollBar().setSingleStep(_SLOT)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(self._repaint)
        thumbnails.arrived.connect(self._repaint)
        theme.changed.connect(self._repaint)
        expose_rows()

    # -- what is shown -------------------------------------------------------
    @property
    def rows(self) -> tuple[BarRow, ...]:
        """What is on show."""
        return self._rows

    @property
    def current(self) -> WindowBar | None:
        """The chosen bar."""
        if self._current is None:
            return None
        return self._rows[self._current[0]].bars[self._current[1]]

    def show_rows(self, rows: Sequence[BarRow]) -> None:
        """Show other rows; no bar is chosen then."""
        self._rows, self._current = tuple(rows), None
        self._lanes = [lanes_of(row.bars) for row in rows]
        self._tops = [0]
        for lanes in self._lanes:
            count = max(lanes, default=0) + 1
            self._tops.append(self._tops[-1] + 2 * _PAD + count * (_BAR + _GAP) - _GAP)
        self._measure()

    def show_film(self, trajectory: str, steps: Sequence[Step]) -> None:
        """Show the screens of a trajectory; thumbnails are asked for by its id."""
        self._trajectory, self._steps = trajectory, steps
        self._measure()

    def show_step(self, step: int) -> None:
        """Mark a step in the film strip."""
        if step != self._step:
            self._step = step
            self._repaint()

    def _choose(self, row: int, place: int) -> None:
        if (row, place) == self._current:
            return
        self._current = (row, place)
        self._reveal(row, place)
        self.setAccessibleDescription(self._rows[row].bars[place].words)
        tell_current(self)
        self._repaint()
        self.chosen.emit(self._rows[row].bars[place].question)

    # -- where it is ---------------------------------------------------------
    def _measure(self) -> None:
        size = self.viewport().size()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        width = _NAME + len(self._steps) * _SLOT + _SIDE
        across.setRange(0, max(0, width - size.width()))
        across.setPageStep(size.width())
        down.setRange(0, max(0, self._tops[-1] - self._rows_height()))
        down.setPageStep(self._rows_height())
        self._repaint()

    def _rows_height(self) -> int:
        return max(_LEAST_ROWS, self.viewport().height() - self._film)

    @property
    def _thumb(self) -> tuple[int, int]:
        return _THUMBS[int(self.viewport().height() < _ROOM)]

    @property
    def _film(self) -> int:
        """Height of the film strip."""
        return self._thumb[1] + _UNDER_THUMB

    def _left_of(self, step: int) -> int:
        return _NAME + step * _SLOT - self.horizontalScrollBar().value()

    def bar_place(self, row: int, place: int) -> QRect:
        """Where a bar is painted in the viewport; it may be scrolled away."""
        bar = self._rows[row].bars[place]
        top = self._tops[row] + _PAD + self._lanes[row][place] * (_BAR + _GAP)
        left = self._left_of(bar.first)
        width = (bar.last - bar.first + 1) * _SLOT - 4
        return QRect(left + 2, top - self.verticalScrollBar().value(), width, _BAR)

    def _bars(self) -> Iterator[tuple[int, int]]:
        return ((row, place) for row, each in enumerate(self._rows) for place in range(len(each.bars)))

    def _bar_at(self, at: QPoint) -> tuple[int, int] | None:
        if at.y() >= self._rows_height() or at.x() < _NAME:
            return None
        return next((bar for bar in self._bars() if self.bar_place(*bar).contains(at)), None)

    def _step_at(self, at: QPoint) -> int | None:
        step = (at.x() - self._left_of(0)) // _SLOT
        is_film = at.y() >= self._rows_height() and at.x() >= _NAME
        return step if is_film and 0 <= step < len(self._steps) else None

    def _reveal(self, row: int, place: int) -> None:
        box = self.bar_place(row, place)
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        if box.left() < _NAME:
            across.setValue(across.value() + box.left() - _NAME - _SIDE)
        elif box.right() > self.viewport().width():
            across.setValue(across.value() + box.right() - self.viewport().width() + _SIDE)
        if box.top() < 0:
            down.setValue(down.value() + box.top() - _PAD)
        elif box.bottom() > self._rows_height():
            down.setValue(down.value() + box.bottom() - self._rows_height() + _PAD)

    # -- for assistive technology --------------------------------------------
    def spoken_rows(self) -> int:
        return len(self._rows)

    def spoken_cells(self, row: int) -> int:
        return len(self._rows[row].bars)

    def row_words(self, row: int) -> str:
        return f"{self._rows[row].name} {self._rows[row].words}"

    def cell_words(self, row: int, number: int) -> str:
        return self._rows[row].bars[number].words

    def row_place(self, row: int) -> QRect:
        top = self._tops[row] - self.verticalScrollBar().value()
        return QRect(0, top, self.viewport().width(), self._tops[row + 1] - self._tops[row])

    def cell_place(self, row: int, number: int) -> QRect:
        return self.bar_place(row, number)

    def current_place(self) -> tuple[int, int] | None:
        return self._current

    # -- painting ------------------------------------------------------------
    @Slot()
    def _repaint(self) -> None:
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._measure()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, viewport = painter_of(self.viewport()), self.viewport().rect()
        painter.fillRect(viewport, theme.color("bg-0"))
        height = self._rows_height()
        painter.setClipRect(0, 0, viewport.width(), height)
        for row in range(len(self._rows)):
            self._paint_row(painter, row)
        painter.setClipRect(viewport)
        self._paint_film(painter, height)
        if self.hasFocus() and self._current is None:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(viewport.adjusted(1, 1, -1, -1))

    def _paint_row(self, painter: QPainter, row: int) -> None:
        box = self.row_place(row)
        if box.bottom() < 0 or box.top() > self._rows_height():
            return
        painter.fillRect(box.left(), box.bottom(), box.width(), 1, theme.color("line"))
        painter.save()
        painter.setClipRect(
            QRect(_NAME, 0, self.viewport().width() - _NAME, self._rows_height()),
            Qt.ClipOperation.IntersectClip,
        )
        for place in range(len(self._rows[row].bars)):
            self._paint_bar(painter, row, place)
        painter.restore()
        used = draw_text(painter, QRect(_SIDE, box.top(), 32, box.height()), self._rows[row].name, "name")
        left = _SIDE + used + 6 if used else _SIDE
        words = QRect(left, box.top(), _NAME - left - 4, box.height())
        draw_text(painter, words, self._rows[row].words, "caption", "text-2")

    def _paint_bar(self, painter: QPainter, row: int, place: int) -> None:
        box, bar = self.bar_place(row, place), self._rows[row].bars[place]
        if box.right() < _NAME or box.left() > self.viewport().width():
            return
        tone = verdict_tone(bar.verdict)
        is_current = (row, place) == self._current
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = "accent" if is_current else tone or "line-2"
        painter.setPen(QPen(theme.color(edge), 2 if is_current else 1))
        painter.setBrush(theme.color(f"{tone}-weak" if tone else "bg-3"))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        if is_current and self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(box).adjusted(-1.5, -1.5, 1.5, 1.5), 5, 5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        icon = QRect(box.left() + 5, box.top(), 12, box.height())
        theme.draw_icon_in(painter, verdict_icon(bar.verdict), icon, 12)
        numbers = f"{bar.first + 1}-{bar.last + 1}" if bar.last > bar.first else str(bar.first + 1)
        draw_text(painter, box.adjusted(21, 0, -3, 0), numbers, "caption", "text-2")

    def _paint_film(self, painter: QPainter, top: int) -> None:
        painter.fillRect(0, top, self.viewport().width(), self._film, theme.color("bg-1"))
        painter.fillRect(0, top, self.viewport().width(), 1, theme.color("line"))
        draw_text(painter, QRect(_SIDE, top, _NAME - _SIDE, self._film), _("Screens"), "caption", "text-2")
        painter.setClipRect(_NAME, top, self.viewport().width() - _NAME, self._film)
        bar = self.current
        for step in range(len(self._steps)):
            left = self._left_of(step)
            if left + _SLOT < _NAME or left > self.viewport().width():
                continue
            is_shown = bar is not None and bar.first <= step <= bar.last
            self._paint_screen(painter, QRect(left, top, _SLOT, self._film), step, is_shown=is_shown)

    def _paint_screen(self, painter: QPainter, slot: QRect, step: int, *, is_shown: bool) -> None:
        width, height = self._thumb
        box = QRect(slot.left() + (_SLOT - width) // 2, slot.top() + 5, width, height)
        shot = self._steps[step].state.screenshot
        if shot:
            self._thumbnails.draw(painter, box, (self._trajectory, shot))
        else:
            painter.fillRect(box, QColor(Qt.GlobalColor.black))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent" if is_shown else "line-2"), 2 if is_shown else 1))
        painter.drawRect(box.adjusted(-1, -1, 0, 0))
        number = QRect(slot.left(), box.bottom() + 1, slot.width(), slot.bottom() - box.bottom() - 2)
        tone = "accent" if step == self._step else "text-2"
        role = "name" if step == self._step else "caption"
        draw_text(painter, number, str(step + 1), role, tone, Qt.AlignmentFlag.AlignHCenter)

    # -- what the person does ------------------------------------------------
    def focusInEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)  # type: ignore[arg-type]
        self._repaint()

    def focusOutEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self._repaint()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position().toPoint()
        bar, step = self._bar_at(at), self._step_at(at)
        if bar is not None:
            self._choose(*bar)
        elif step is not None:
            self.step_chosen.emit(step)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tooltip_text(self._tip_at(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def _tip_at(self, at: QPoint) -> str:
        bar, step = self._bar_at(at), self._step_at(at)
        if bar is not None:
            return self._rows[bar[0]].bars[bar[1]].words
        if step is not None:
            return step_caption(self._steps[step])
        rows = range(len(self._rows))
        row = next((row for row in rows if self.row_place(row).contains(at)), None)
        return self.row_words(row) if row is not None and at.y() < self._rows_height() else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        target = self._target(Qt.Key(event.key()))
        if target is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        self._choose(*target)

    def _target(self, key: Qt.Key) -> tuple[int, int] | None:
        """The bar that a key leads to: within its row, or the nearest one of another row."""
        filled = [row for row, each in enumerate(self._rows) if each.bars]
        if not filled or key not in _KEYS:
            return None
        if self._current is None:
            return filled[0], 0
        row, place = self._current
        across, down = _KEYS[key]
        if across:
            return row, min(max(0, place + across), len(self._rows[row].bars) - 1)
        at = min(max(0, filled.index(row) + down), len(filled) - 1)
        first, bars = self._rows[row].bars[place].first, self._rows[filled[at]].bars
        return filled[at], min(range(len(bars)), key=lambda number: abs(bars[number].first - first))


_KEYS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip
