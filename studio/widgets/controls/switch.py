"""A switch that takes effect at once."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.theme.tokens import tokens


class Switch(QAbstractButton):
    """A track of 26 x 14 with a knob; emits ``toggled``."""

    def __init__(self, name: str, *, on: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setChecked(on)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        width, height = tokens().group("size")["switch"]
        return QSize(width + 6, height + 6)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width, height = tokens().group("size")["switch"]
        track = QRectF(3, (self.height() - height) / 2, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent-fill" if self.isChecked() else "edge"))
        painter.drawRoundedRect(track, height / 2, height / 2)
        left = track.right() - height + 2 if self.isChecked() else track.left() + 2
        painter.setBrush(theme.color("on-fill"))
        painter.drawEllipse(QRectF(left, track.top() + 2, height - 4, height - 4))
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(track.adjusted(-2, -2, 2, 2), height / 2 + 2, height / 2 + 2)
