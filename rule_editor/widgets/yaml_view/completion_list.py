"""The list of what may be written at the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from rule_editor.document.completion.completions import Completion
from rule_editor.widgets.kit import Kit
from rule_editor.widgets.painting import RIGHT, draw_text

_ROW, _WIDTH, _MOST = 26, 340, 9


class CompletionList(QWidget):
    """Drawn over the editor, which keeps the keyboard and moves the choice; ``chosen(Choice)`` by mouse."""

    chosen = Signal(object)

    def __init__(self, kit: Kit, parent: QWidget) -> None:
        super().__init__(parent)
        self._kit = kit
        self._choices: tuple[Completion, ...] = ()
        self._current = 0
        self._top = 0
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(_("Completions"))
        self.hide()
        kit.changed.connect(self.update)

    @property
    def choices(self) -> tuple[Completion, ...]:
        """What is offered now; empty while hidden."""
        return self._choices if self.isVisible() else ()

    @property
    def current(self) -> Completion | None:
        """The choice Enter takes."""
        return self._choices[self._current] if self._choices and self.isVisible() else None

    def offer(self, choices: Sequence[Completion], line: QRect) -> None:
        """Show ``choices`` below ``line`` (a rectangle of the parent), or above where there is more room."""
        self._choices, self._current, self._top = tuple(choices), 0, 0
        if not choices:
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
        return QSize(_WIDTH, min(_MOST, len(self._choices)) * _ROW + 2)

    def move_by(self, rows: int) -> None:
        """Another choice, around the ends."""
        if self._choices:
            self._current = (self._current + rows) % len(self._choices)
            self._top = min(max(self._top, self._current - _MOST + 1), self._current)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._top + (int(event.position().y()) - 1) // _ROW
        if 0 <= row < len(self._choices):
            self.chosen.emit(self._choices[row])

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, kit = QPainter(self), self._kit
        painter.fillRect(self.rect(), kit.color("bg-2"))
        painter.setPen(kit.color("line-2"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        for place, choice in enumerate(self._choices[self._top : self._top + _MOST]):
            box = QRect(1, 1 + place * _ROW, self.width() - 2, _ROW)
            if self._top + place == self._current:
                painter.fillRect(box, kit.color("accent-weak"))
            kit.draw_icon(painter, "hexa", QPoint(box.left() + 8, box.top() + 7), 12, "accent")
            name = QFontMetrics(kit.font("code")).horizontalAdvance(choice.label)
            draw_text(kit, painter, box.adjusted(28, 0, -8, 0), choice.label, "text", role="code")
            doc = box.adjusted(28 + name + 16, 0, -8, 0)
            if doc.width() >= _ROW:
                draw_text(kit, painter, doc, choice.doc, "text-3", role="caption", side=RIGHT)
