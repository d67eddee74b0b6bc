"""The menu that a widget opens for one choice."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget


class PopupMenu(QMenu):
    """A menu that deletes itself when it closes, and closes when the widget that opened it goes.

    It belongs to the window: a menu of the widget would be disabled with it, and not even close by Esc.
    """

    def __init__(self, opener: QWidget) -> None:
        super().__init__(opener.window())
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        opener.destroyed.connect(self.close)
