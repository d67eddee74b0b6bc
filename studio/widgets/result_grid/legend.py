"""The legend of the result grid: each status with its shape. A click filters by it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from collector.model.i18n import _
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.run.progress import ANSWERED, FAULT, RUNNING, UNJUDGED, WAITING
from collector.run.results.result_grid import status_text
from studio.theme import theme
from studio.theme.mirroring import logical_point, painter_of, visual_rect
from studio.widgets.painted_items import PaintedItems, Role
from studio.widgets.painting import draw_text, text_width
from studio.widgets.result_grid.cell_look import CELL_HEIGHT, CELL_WIDTH, draw_cell

ALWAYS = (SUCCESS, FAILURE, UNCOMPLETED, RUNNING, WAITING)
WHEN_THERE = (UNJUDGED, ANSWERED, FAULT)
"""Statuses that are explained once a cell has them."""
_GAP, _WORD_GAP = 14, 5
_BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason,
)  # fmt: skip


class ResultLegend(PaintedItems, QWidget):
    """Emits ``filtered`` with the statuses that were chosen; an empty frozenset shows all."""

    filtered = Signal(object)

    spoken_roles = (Role.Grouping, Role.CheckBox)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: Mapping[str, int] = {}
        self._chosen: frozenset[str] = frozenset()
        self._focused = 0
        self._has_cursor = False
        """Whether the status of the keyboard is framed: not when the focus came here by itself."""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Filter by outcome"))
        theme.changed.connect(self.update)

    @property
    def statuses(self) -> tuple[str, ...]:
        """The statuses that are shown: steps that are asked offline have no outcome."""
        outcomes = [] if self._counts.get(ANSWERED) else ALWAYS[:3]
        return (*outcomes, *(status for status in WHEN_THERE if self._counts.get(status)), *ALWAYS[3:])

    @property
    def chosen(self) -> frozenset[str]:
        """The statuses that are filtered by."""
        return self._chosen

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Say how many cells have each status."""
        before, self._counts = self.statuses, dict(counts)
        if before != self.statuses:
            self.updateGeometry()
        self.update()

    def toggle(self, status: str) -> None:
        """Filter by a status, or no more."""
        self._chosen = self._chosen ^ {status}
        words = [status_text(name) for name in self.statuses if name in self._chosen]
        self.setAccessibleDescription(", ".join(words))
        self.update()
        self.filtered.emit(self._chosen)

    def clear(self) -> None:
        """Filter by nothing."""
        if self._chosen:
            self._chosen = frozenset()
            self.update()
            self.filtered.emit(self._chosen)

    # -- places --------------------------------------------------------------
    def spoken_items(self) -> list[str]:
        return [f"{status_text(status)} {self._counts.get(status, 0)}" for status in self.statuses]

    def item_place(self, number: int) -> QRect:
        return visual_rect(self, self._shown_boxes()[number])

    def current_item(self) -> int:
        return min(self._focused, len(self.statuses) - 1)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._width(words=True), theme.size("button_small"))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._width(words=False), theme.size("button_small"))

    def _width(self, *, words: bool) -> int:
        boxes = self._boxes(words=words)
        return boxes[-1].right() + 2 if boxes else 0

    def _boxes(self, *, words: bool) -> list[QRect]:
        boxes, left = [], 0
        for status in self.statuses:
            width = CELL_WIDTH + (_WORD_GAP + text_width(status_text(status)) if words else 0)
            boxes.append(QRect(left, 0, width + 4, theme.size("button_small")))
            left += width + (_GAP if words else 6)
        return boxes

    def _shown_boxes(self) -> list[QRect]:
        return self._boxes(words=self._has_words)

    @property
    def _has_words(self) -> bool:
        return self.width() >= self._width(words=True)

    def _status_at(self, point: QPoint) -> str:
        point = logical_point(self, point)
        for status, box in zip(self.statuses, self._shown_boxes(), strict=True):
            if box.contains(point):
                return status
        return ""

    # -- input and painting --------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        status = self._status_at(event.position().toPoint())
        if status and event.button() == Qt.MouseButton.LeftButton:
            self.toggle(status)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        self._has_cursor = event.reason() in _BY_KEYBOARD
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        self._has_cursor = True
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if step:
            self._focused = max(0, min(len(self.statuses) - 1, self._focused + step))
            self.update()
        elif event.key() == Qt.Key.Key_Space:
            self.toggle(self.statuses[min(self._focused, len(self.statuses) - 1)])
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            status = self._status_at(event.pos())
            if status:
                words = _("{status}: {count}. Click to filter", status=status_text(status),
                          count=self._counts.get(status, 0))  # fmt: skip
                QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        has_words = self._has_words
        cursor = self._focused if self.hasFocus() and self._has_cursor else -1
        for number, (status, box) in enumerate(zip(self.statuses, self._shown_boxes(), strict=True)):
            is_on = not self._chosen or status in self._chosen
            swatch = QRect(box.left() + 1, box.center().y() - CELL_HEIGHT // 2 + 1, CELL_WIDTH, CELL_HEIGHT)
            draw_cell(painter, swatch, status, faint=not is_on)
            if status in self._chosen or number == cursor:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme.color("accent"), 2 if number == cursor else 1))
                painter.drawRoundedRect(swatch, 3, 3)
            if has_words:
                left = swatch.right() + 1 + _WORD_GAP
                place = QRect(left, 0, box.right() - left + 4, box.height())
                draw_text(painter, place, status_text(status), "body", "text-2" if is_on else "text-3")
