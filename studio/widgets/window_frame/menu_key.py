"""Shift+F10 opens the context menu of what has the keyboard: keyboards without a menu key are many."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, QRectF, Qt, Slot
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget


class MenuKey(QObject):
    """Works in a window and in its dialogs. Qt knows the menu key everywhere, these keys on Windows alone."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        if sys.platform == "win32":
            return
        shortcut = QShortcut(QKeySequence("Shift+F10"), window)
        shortcut.setContext(Qt.ShortcutContext.ApplicationShortcut)
        shortcut.activated.connect(self._open)

    @Slot()
    def _open(self) -> None:
        """Do what the menu key does."""
        focused = QApplication.focusWidget()
        if focused is None:
            return
        cursor = QRectF(focused.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle))
        place = cursor.center().toPoint()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, focused.mapToGlobal(place))
        QApplication.sendEvent(focused, event)
