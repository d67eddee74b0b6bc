"""The ring that turns while something runs: the only thing of the window that moves without an end."""

from __future__ import annotations

import time

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of

_ICON = "state-prog"
_TURN_MS = 1000
_FRAME_MS = 80


class RunningRing(QWidget):
    """A ring of ``size`` px on the opaque colour ``background``; it turns once a second while it is visible.

    It stands still when the system or the settings ask for less motion.
    """

    def __init__(self, size: int = 16, background: str = "bg-1", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self.setFixedSize(size, size)
        # What is behind it is not painted again with each turn.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self._turn)
        theme.changed.connect(self.update)

    def set_background(self, name: str) -> None:
        """Fill what is behind the ring with another colour of the theme."""
        if name != self._background:
            self._background = name
            self.update()

    @property
    def is_turning(self) -> bool:
        """Whether it moves now."""
        return self._timer.isActive() and theme.has_motion

    def _turn(self) -> None:
        if self.is_turning:
            self.update()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        self._timer.stop()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.fillRect(self.rect(), theme.color(self._background))
        size, half = self.width(), self.width() / 2
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(half, half)
        if theme.has_motion:
            # By the clock, so that all rings stand alike.
            painter.rotate(time.monotonic() * 1000 % _TURN_MS * 360 / _TURN_MS)
        painter.translate(-half, -half)
        theme.draw_icon_in(painter, _ICON, QRect(0, 0, size, size), size)
