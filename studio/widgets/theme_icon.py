"""An icon of the theme as a widget, in the colours of the theme."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of


class ThemeIcon(QWidget):
    """An icon of 16 px; ``tone`` colours one that has no colour of its own."""

    def __init__(self, name: str, tone: str = "text-2", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._tone = name, tone
        self.setFixedSize(16, 16)
        theme.changed.connect(self.update)

    def set_icon(self, name: str) -> None:
        """Show another icon."""
        self._name = name
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        theme.draw_icon_in(painter_of(self), self._name, self.rect(), 16, self._tone)
