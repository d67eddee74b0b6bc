"""The pop-up list of completions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from rule_editor.document.completion.completions import Completion
from rule_editor.widgets.painting import RIGHT, draw_text
from rule_editor.widgets.toolkit import Toolkit

_ROW, _WIDTH, _MOST = 26, 340, 9


class CompletionList(QWidget):
    """A list over the editor, which keeps the focus; emits ``chosen(Completion)`` on a click."""

    chosen = Signal(object)

    def __init__(self, toolkit: Toolkit, parent: QWidget) -> None:
        super().__init__(parent)
        self._toolkit = toolkit
        self._completions: tuple[Completion, ...] = ()
        self._current = 0
        self._top = 0
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(_("Completions"))
        self.hide()
        toolkit.changed.connect(self.update)

    @property
    def shown(self) -> tuple[Completion, ...]:
        """The completions shown; empty while hidden."""
        return self._completions if self.isVisible() else ()

    @property
    def current(self) -> Completion | None:
        """The completion that Enter inserts."""
        return self._completions[self._current] if self._completions and self.isVisible() else None

    def offer(self, completions: Sequence[Completion], line: QRect) -> None:
        """Show completions below ``line`` (a rectangle of the parent), or above it when there is no space."""
        self._completions, self._current, self._top = tuple(completions), 0, 0
        if not completions:
            self.hide()
            return
        self.resize(self.sizeHint())
        parent = self.parentWidget()
        room = parent.rect() if parent is not None else line
        below = line.bottom() + 2
        top = below if below + self.height() <= room.bottom() else max(0, line.top() - self.height() - 2)
        left = max(0, min(line.left(), room.right() - self.width()))
        self.move(QPoint(left, top))
        self.show()
        self.raise_()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_WIDTH, min(_MOST, len(self._completions)) * _ROW + 2)

    def move_by(self, rows: int) -> None:
        """Move the current row, wrapping around at the ends."""
        if self._completions:
            self._current = (self._current + rows) % len(self._completions)
            self._top = min(max(self._top, self._current - _MOST + 1), self._current)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._top + (int(event.position().y()) - 1) // _ROW
        if 0 <= row < len(self._completions):
            self.chosen.emit(self._completions[row])

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, toolkit = QPainter(self), self._toolkit
        painter.fillRect(self.rect(), toolkit.color("bg-2"))
        painter.setPen(toolkit.color("line-2"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        for place, completion in enumerate(self._completions[self._top : self._top + _MOST]):
            box = QRect(1, 1 + place * _ROW, self.width() - 2, _ROW)
            if self._top + place == self._current:
                painter.fillRect(box, toolkit.color("accent-weak"))
            toolkit.draw_icon(painter, "hexa", QPoint(box.left() + 8, box.top() + 7), 12, "accent")
            name = QFontMetrics(toolkit.font("code")).horizontalAdvance(completion.label)
            draw_text(toolkit, painter, box.adjusted(28, 0, -8, 0), completion.label, "text", role="code")
            doc = box.adjusted(28 + name + 16, 0, -8, 0)
            if doc.width() >= _ROW:
                draw_text(toolkit, painter, doc, completion.doc, "text-3", role="caption", side=RIGHT)
