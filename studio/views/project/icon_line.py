"""A state icon, and a line with a state icon for one finding of the doctor."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.model.finding import Finding
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls import Label

_ICONS = {"ok": "state-ok", "notice": "state-info", "problem": "state-err"}


class StateIcon(QWidget):
    """A state icon of 14 px that follows the theme."""

    def __init__(self, icon: str = "state-todo") -> None:
        super().__init__()
        self._icon = icon
        self.setFixedSize(14, 16)
        theme.changed.connect(self.update)

    def show_state(self, icon: str) -> None:
        """Show another icon."""
        if icon != self._icon:
            self._icon = icon
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        theme.draw_icon_in(painter_of(self), self._icon, self.rect(), 14, "text-2")


class IconLine(QWidget):
    """One finding: what it is, why, and what to do."""

    def __init__(self, finding: Finding, icon: str = "") -> None:
        """``icon`` replaces the icon of the severity."""
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 12, 5)
        row.setSpacing(8)
        row.addWidget(StateIcon(icon or _ICONS[finding.severity]), alignment=Qt.AlignmentFlag.AlignTop)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(Label(finding.what, "name", wrap=True))
        for text in (finding.why, finding.to_do):
            if text:
                texts.addWidget(Label(text, "caption", "text-2", wrap=True))
        row.addLayout(texts, 1)
