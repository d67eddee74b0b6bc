"""A bar of progress that stands still while it is busy, where the person wants less motion."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QProgressBar, QStyle, QStyleOptionProgressBar, QStylePainter, QWidget

from collector.model.i18n import _
from studio.theme import theme


class BusyBar(QProgressBar):
    """With the range 0 to 0 it is busy. Qt's own moves then whatever the settings say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName(_("Progress"))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if theme.has_motion or self.maximum() > self.minimum():
            super().paintEvent(event)
            return
        option = QStyleOptionProgressBar()
        self.initStyleOption(option)
        option.maximum, option.progress = 1, 0
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_ProgressBar, option)
        third = self.width() // 3
        painter.fillRect(self.rect().adjusted(third, 0, -third, 0), theme.color("accent"))
