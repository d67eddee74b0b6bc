"""Buttons side by side where their words have room, else below each other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QWidget

_SPACING = 6


class ButtonGrid(QWidget):
    """Two buttons of equal width in a row; one whose words need more than half has a row alone."""

    def __init__(self, buttons: Sequence[QAbstractButton]) -> None:
        super().__init__()
        self._buttons = tuple(buttons)
        self._rows: list[list[QAbstractButton]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_SPACING)
        for column in (0, 1):
            self._grid.setColumnStretch(column, 1)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        """Arrange anew when a button has other words, is shown or hidden."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def _arrange(self) -> None:
        half = (self.width() - _SPACING) // 2
        rows: list[list[QAbstractButton]] = []
        for button in self._buttons:
            if button.isHidden() and button.parent() is self:
                continue
            last = rows[-1] if rows else []
            if len(last) == 1 and _fits(last[0], half) and _fits(button, half):
                last.append(button)
            else:
                rows.append([button])
        if rows == self._rows:
            return
        self._rows = rows
        for button in self._buttons:
            self._grid.removeWidget(button)
        for place, row in enumerate(rows):
            for column, button in enumerate(row):
                self._grid.addWidget(button, place, column, 1, 1 if len(row) > 1 else 2)


def _fits(button: QAbstractButton, width: int) -> bool:
    return button.sizeHint().width() <= width
