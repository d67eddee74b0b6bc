"""A row with a check box, a name, and a note at the right: an agent, a condition, a variation."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls.hover_button import HoverButton
from studio.widgets.painting import draw_text, text_width

_LEFT, _BOX, _GAP, _RIGHT = 12, 14, 8, 12
_TICK = (QPointF(3, 6.8), QPointF(5.6, 9.4), QPointF(10.2, 4))


class CheckRow(HoverButton):
    """Emits ``clicked(on)``. Up and Down move between rows, Space and Enter tick.

    A disabled row stays as readable as any other: it says what an experiment is made of while it runs.
    """

    def __init__(
        self, name: str, note: str = "", *, on: bool = False, tip: str = "", tone: str = "text",
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._note, self._tone = note, tone
        self.setText(name)
        self.setCheckable(True)
        self.setChecked(on)
        self.setToolTip(tip)
        self.setAccessibleName(f"{name}, {note}" if note else name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_note(self, note: str) -> None:
        """Change the note at the right."""
        if note != self._note:
            self._note = note
            self.setAccessibleName(f"{self.text()}, {note}" if note else self.text())
            self.update()

    @property
    def note(self) -> str:
        """The note at the right."""
        return self._note

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        width = (
            _LEFT + _BOX + _GAP + text_width(self.text()) + _GAP + text_width(self._note, "caption") + _RIGHT
        )
        return QSize(width, theme.size("row_rule"))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._hovered and self.isEnabled():
            painter.fillRect(self.rect(), theme.color("bg-3"))
        box = QRectF(_LEFT + 0.5, (self.height() - _BOX) / 2 + 0.5, _BOX - 1, _BOX - 1)
        self._paint_box(painter, box)
        width = text_width(self._note, "caption") if self._note else 0
        left = _LEFT + _BOX + _GAP
        right = self.width() - _RIGHT - (width + _GAP if width else 0)
        name = QRect(left, 0, max(0, right - left), self.height())
        draw_text(painter, name, self.text(), "body", self._tone)
        if width:
            note = QRect(self.width() - _RIGHT - width, 0, width + 2, self.height())
            draw_text(painter, note, self._note, "caption", "text-2")

    def _paint_box(self, painter: QPainter, box: QRectF) -> None:
        on = self.isChecked()
        painter.setPen(QPen(theme.color("accent-fill" if on else "edge"), 1))
        painter.setBrush(theme.color("accent-fill" if on else "field"))
        painter.drawRoundedRect(box, 2, 2)
        if on:
            painter.setPen(
                QPen(theme.color("on-fill"), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap,
                     Qt.PenJoinStyle.RoundJoin)
            )  # fmt: skip
            painter.drawPolyline([box.topLeft() + offset for offset in _TICK])
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 3, 3)
