"""The pop-up of suggested conditions or rules, each as a sentence with its syntax and reason beneath."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from collector.model.i18n import _
from rule_editor.widgets.painting import IN_MIDDLE, RIGHT, draw_text
from rule_editor.widgets.toolkit import Toolkit

_NARROW, _WIDE = 340, 760
"""The menu is as wide as its texts need, between these and the screen."""
_HEADER, _GROUP, _ROW, _PAD = 30, 26, 58, 6
_BAR_WIDTH, _SCORE_WIDTH = 24, 28
_SIDES = 11 + 24 + _BAR_WIDTH + _SCORE_WIDTH
_GOOD, _FAIR = 70, 45


class OfferedChoice(Protocol):
    """What a row shows: ``title`` is the syntax of what it offers, ``score`` goes from 0 to 100."""

    @property
    def sentence(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def score(self) -> int: ...


class ConditionMenu(QWidget):
    """Emits ``chosen`` with the choice that was taken; Esc and a click elsewhere close it."""

    chosen = Signal(object)

    def __init__(self, toolkit: Toolkit, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self._toolkit = toolkit
        self._title = ""
        self._rows: tuple[OfferedChoice, ...] = ()
        self._groups: tuple[str, ...] = ()
        """The heading above each row; empty where the group of the row before goes on."""
        self._current = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        toolkit.changed.connect(self.update)

    @property
    def suggestions(self) -> tuple[Any, ...]:
        """What is offered, in the order shown."""
        return self._rows

    @property
    def current(self) -> int:
        """The row of the keyboard cursor, from 0."""
        return self._current

    def offer(
        self, title: str, suggestions: Sequence[OfferedChoice], at: QPoint, avoid: QRect | None = None,
        group_of: Callable[[Any], str] | None = None,
    ) -> None:  # fmt: skip
        """Show ``suggestions`` near the global point ``at``, not over the global rectangle ``avoid``.

        ``group_of`` gives the heading of the group that a suggestion belongs to.
        """
        self._title, self._rows, self._current = title, tuple(suggestions), 0
        names = [group_of(row) if group_of is not None else "" for row in self._rows]
        self._groups = tuple(name if not at or names[at - 1] != name else "" for at, name in enumerate(names))
        self.setAccessibleName(title)
        self.resize(self.sizeHint())
        self.move(self._place(at, avoid))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        height = _HEADER + max(1, len(self._rows)) * _ROW + sum(map(bool, self._groups)) * _GROUP + _PAD
        body, code, caption = (QFontMetrics(self._toolkit.font(role)) for role in ("body", "code", "caption"))
        texts = [body.horizontalAdvance(self._title) + 52 - _SIDES]
        for row in self._rows:
            texts += [
                body.horizontalAdvance(row.sentence),
                code.horizontalAdvance(row.title),
                caption.horizontalAdvance(row.reason),
            ]
        room = self.screen().availableGeometry().width() - 16
        return QSize(min(max(_NARROW, max(texts) + _SIDES + 4), _WIDE, room), height)

    def row_rect(self, row: int) -> QRect:
        """Rectangle of a row in pixels of the menu."""
        headings = sum(map(bool, self._groups[: row + 1])) * _GROUP
        return QRect(1, _HEADER + headings + row * _ROW, self.width() - 2, _ROW)

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

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self._row_at(event.pos())
            choice = self._rows[row] if row is not None else None
            text = f"{choice.sentence}\n{choice.title}\n{choice.reason}" if choice is not None else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def _row_at(self, point: QPoint) -> int | None:
        return next((row for row in range(len(self._rows)) if self.row_rect(row).contains(point)), None)

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._rows):
            self.close()
            self.chosen.emit(self._rows[row])

    # -- painting ----------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        toolkit = self._toolkit
        painter.fillRect(self.rect(), toolkit.color("bg-2"))
        painter.setPen(toolkit.color("line-2"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        draw_text(self._toolkit, painter, QRect(12, 0, self.width() - 64, _HEADER), self._title, "text-2")
        if not self._rows:
            nothing = QRect(12, _HEADER, self.width() - 24, _ROW)
            draw_text(self._toolkit, painter, nothing, _("No condition can identify this node"), "text-2")
            return
        keys = f"1-{len(self._rows)}" if len(self._rows) > 1 else "1"
        numbers = QRect(self.width() - 48, 0, 36, _HEADER)
        draw_text(toolkit, painter, numbers, keys, "text-3", role="caption", side=RIGHT)
        for row, suggestion in enumerate(self._rows):
            box = self.row_rect(row)
            if name := self._groups[row]:
                heading = QRect(12, box.top() - _GROUP, self.width() - 24, _GROUP)
                draw_text(toolkit, painter, heading, name, "text-2", role="name")
            self._paint_row(painter, box, suggestion, chosen=row == self._current)

    def _paint_row(self, painter: QPainter, box: QRect, suggestion: OfferedChoice, *, chosen: bool) -> None:
        if chosen:
            painter.fillRect(box, self._toolkit.color("accent-weak"))
        words = QRect(box.left() + 11, box.top() + 3, box.width() - _SIDES, 18)
        for text, tone, role in (
            (suggestion.sentence, "text", "body"),
            (suggestion.title, "text-2", "code"),
            (suggestion.reason, "text-2", "caption"),
        ):
            draw_text(self._toolkit, painter, words, text, tone, role=role, elide=IN_MIDDLE)
            words.translate(0, 17)
        bar = QRect(box.right() - 12 - _SCORE_WIDTH - _BAR_WIDTH, box.center().y() - 1, _BAR_WIDTH, 4)
        painter.fillRect(bar, self._toolkit.color("bg-4"))
        filled = QRect(bar.left(), bar.top(), round(bar.width() * suggestion.score / 100), bar.height())
        painter.fillRect(filled, self._toolkit.color("accent"))
        score = QRect(box.right() - 12 - _SCORE_WIDTH, box.top(), _SCORE_WIDTH, box.height())
        tone = "text" if suggestion.score >= _GOOD else "text-2" if suggestion.score >= _FAIR else "text-3"
        draw_text(self._toolkit, painter, score, str(suggestion.score), tone, side=RIGHT)
