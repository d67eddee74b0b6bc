"""The base of painted buttons: it knows whether the pointer is over it."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QAbstractButton, QWidget


class HoverButton(QAbstractButton):
    """A button that repaints when the pointer enters or leaves it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hovered = False

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        self._hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self._hovered = False
        self.update()
        super().leaveEvent(event)
