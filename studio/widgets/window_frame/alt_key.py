"""Alt pressed alone opens the menus; held while the mouse is used, or with another key, it does not."""

from __future__ import annotations

import sys

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QCursor, QKeyEvent
from PySide6.QtWidgets import QWidget

QUICK_MS = 500
"""Who holds Alt longer looks at the nodes of the phone."""


class AltKey(QObject):
    """Follows the keys that reach a window."""

    released_alone = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.installEventFilter(self)
        self._pressed = QElapsedTimer()
        self._mouse = QPoint()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QKeyEvent) and self._is_released_alone(event):
            self.released_alone.emit()
        return super().eventFilter(watched, event)

    def _is_released_alone(self, event: QKeyEvent) -> bool:
        """Whether an event of the window ends a short press of Alt alone. On macOS Alt types letters."""
        if event.isAutoRepeat() or sys.platform == "darwin":
            return False
        is_alt = event.key() == Qt.Key.Key_Alt
        if event.type() != QEvent.Type.KeyRelease:
            if is_alt and not event.modifiers() & ~Qt.KeyboardModifier.AltModifier:
                self._pressed.start()
                self._mouse = QCursor.pos()
            else:
                self._pressed.invalidate()
            return False
        was_alone = self._pressed.isValid() and self._pressed.elapsed() < QUICK_MS
        self._pressed.invalidate()
        return is_alt and was_alone and QCursor.pos() == self._mouse
