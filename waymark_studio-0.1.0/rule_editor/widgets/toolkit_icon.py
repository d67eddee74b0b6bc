"""A small icon of the toolkit as a widget."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from rule_editor.widgets.toolkit import Toolkit


class ToolkitIcon(QWidget):
    """Paints an icon of the toolkit in the current colour scheme."""

    def __init__(self, toolkit: Toolkit, name: str, size: int = 14, tone: str = "text-2") -> None:
        super().__init__()
        self._toolkit, self.name, self._size, self._tone = toolkit, name, size, tone
        self.setFixedSize(size, 18)
        toolkit.changed.connect(self.update)

    def set_name(self, name: str) -> None:
        """Show another icon."""
        self.name = name
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        self._toolkit.draw_icon_in(QPainter(self), self.name, self.rect(), self._size, self._tone)
