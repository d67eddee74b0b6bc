"""The menu at a clicked node: suggested conditions, the best first, with one sentence each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from collector.rules.suggest.suggestions import Suggestion
from rule_editor.widgets.kit import Kit
from rule_editor.widgets.painting import RIGHT, draw_text

_WIDTH = 340
_HEADER, _ROW, _PAD = 30, 40, 6
_BAR_WIDTH, _SCORE_WIDTH = 24, 28
_GOOD, _FAIR = 70, 45
_ID = re.compile(r"resource-id='[^':]*:(id/[^']+)'")


class ConditionMenu(QWidget):
    """A pop-up that emits ``chosen(Suggestion)``; Esc and a click elsewhere close it."""

    chosen = Signal(object)

    def __init__(self, kit: Kit, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self._kit = kit
        self._title = ""
        self._rows: tuple[Suggestion, ...] = ()
        self._current = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        kit.changed.connect(self.update)

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """The suggestions, in the order shown."""
        return self._rows

    @property
    def current(self) -> int:
        """The row of the keyboard cursor, from 0."""
        return self._current

    def offer(
        self, title: str, suggestions: Sequence[Suggestion], at: QPoint, avoid: QRect | None = None
    ) -> None:
        """Show ``suggestions`` near the global point ``at``, not over the global rectangle ``avoid``."""
        self._title, self._rows, self._current = title, tuple(suggestions), 0
        self.setAccessibleName(title)
        self.resize(self.sizeHint())
        self.move(self._place(at, avoid))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        rows = max(1, len(self._rows))
        return QSize(_WIDTH, _HEADER + rows * _ROW + _PAD)

    def row_rect(self, row: int) -> QRect:
        """Rectangle of a row in pixels of the menu."""
        return QRect(1, _HEADER + row * _ROW, self.width() - 2, _ROW)

    def _place(self, at: QPoint, avoid: QRect | None) -> QPoint:
        screen = QGuiApplication.screenAt(at) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        spot = QPoint(at.x() + 8, at.y() + 8)
        if avoid is not None:
            spot = QPoint(at.x() + 8, max(at.y() + 8, avoid.bottom() + 6))
            if spot.y() + self.height() > room.bottom():
                spot.setY(avoid.top() - 6 - self.height())
        x = min(max(room.left(), spot.x()), room.right() - self.width())
        y = min(max(room.top(), spot.y()), room.bottom() - self.height())
        return QPoint(x, y)

    # -- input -------------------------------------------------------------
    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and self._rows:
            self._current = (self._current + (1 if key == Qt.Key.Key_Down else -1)) % len(self._rows)
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self._current)
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            self._choose(key - Qt.Key.Key_1)
        elif key == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._row_at(event.position().toPoint())
        if row is not None and row != self._current:
            self._current = row
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._row_at(event.position().toPoint())
        if row is not None:
            self._choose(row)

    def _row_at(self, point: QPoint) -> int | None:
        return next((row for row in range(len(self._rows)) if self.row_rect(row).contains(point)), None)

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._rows):
            self.close()
            self.chosen.emit(self._rows[row])

    # -- painting ----------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        kit = self._kit
        painter.fillRect(self.rect(), kit.color("bg-2"))
        painter.setPen(kit.color("line-2"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        draw_text(self._kit, painter, QRect(12, 0, self.width() - 64, _HEADER), self._title, "text-2")
        if not self._rows:
            nothing = QRect(12, _HEADER, self.width() - 24, _ROW)
            draw_text(self._kit, painter, nothing, _("No condition can identify this node"), "text-2")
            return
        keys = f"1-{len(self._rows)}" if len(self._rows) > 1 else "1"
        numbers = QRect(self.width() - 48, 0, 36, _HEADER)
        draw_text(kit, painter, numbers, keys, "text-3", role="caption", side=RIGHT)
        for row, suggestion in enumerate(self._rows):
            self._paint_row(painter, self.row_rect(row), suggestion, chosen=row == self._current)

    def _paint_row(self, painter: QPainter, box: QRect, suggestion: Suggestion, *, chosen: bool) -> None:
        if chosen:
            painter.fillRect(box, self._kit.color("accent-weak"))
        words = QRect(box.left() + 11, box.top() + 3, box.width() - 24 - _BAR_WIDTH - _SCORE_WIDTH, 18)
        draw_text(self._kit, painter, words, short(suggestion.title), "text", role="code")
        draw_text(self._kit, painter, words.translated(0, 17), suggestion.reason, "text-2", role="caption")
        bar = QRect(box.right() - 12 - _SCORE_WIDTH - _BAR_WIDTH, box.center().y() - 1, _BAR_WIDTH, 4)
        painter.fillRect(bar, self._kit.color("bg-4"))
        filled = QRect(bar.left(), bar.top(), round(bar.width() * suggestion.score / 100), bar.height())
        painter.fillRect(filled, self._kit.color("accent"))
        score = QRect(box.right() - 12 - _SCORE_WIDTH, box.top(), _SCORE_WIDTH, box.height())
        tone = "text" if suggestion.score >= _GOOD else "text-2" if suggestion.score >= _FAIR else "text-3"
        draw_text(self._kit, painter, score, str(suggestion.score), tone, side=RIGHT)


def short(title: str) -> str:
    """A title with shortened ids: ``id/stock`` for ``resource-id='com.example.shop:id/stock'``."""
    return _ID.sub(r"\1", title)
