"""The letter of a trajectory among several: A, B, C or D in a small square."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of, upright
from studio.widgets.painted_items import Role

SIDE = 18
"""Width and height in logical pixels."""


def draw_letter(painter: QPainter, left: int, top: int, letter: str, *, current: bool = False) -> None:
    """Draw the square with its letter; the current one has the accent as its edge."""
    box = QRectF(left + 0.5, top + 0.5, SIDE - 1, SIDE - 1)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("accent" if current else "line-2"), 1))
    painter.setBrush(theme.color("accent-weak" if current else "bg-3"))
    painter.drawRoundedRect(box, 3, 3)
    painter.setPen(theme.color("text"))
    painter.setFont(theme.font("name"))
    with upright(painter, box):
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)
    painter.restore()


class LetterBadge(QWidget):
    """The letter as a widget."""

    spoken_role = Role.StaticText

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._letter, self._current = "", False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_letter(self, letter: str) -> None:
        self._letter = letter
        self.setAccessibleName(letter)
        self.update()

    def set_current(self, current: bool) -> None:
        """Say whether the trajectory is the one that is worked on."""
        self._current = current
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(SIDE, SIDE)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        draw_letter(painter_of(self), 0, 0, self._letter, current=self._current)
