"""A part of the compose panel: a heading with a count, and the rows under it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from studio.theme import theme
from studio.widgets.controls import Label
from studio.widgets.icon_button import IconButton

_BELOW = 8


class ComposeSection(QFrame):
    """Add rows to ``rows``. A button at the right of the heading changes or adds something."""

    def __init__(self, title: str, icon: str = "", tip: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("edge", "top")
        self.setAccessibleName(title)
        self.count = Label("", "caption", "text-2")
        self.count.setProperty("surface", "badge")
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.count.setFixedHeight(theme.size("badge"))
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, 8, 0)
        head.setSpacing(6)
        head.addWidget(Label(title, "heading"))
        head.addStretch(1)
        self.button: IconButton | None = None
        if icon:
            self.button = IconButton(icon, tip, size=22)
            head.addWidget(self.button)
        head.addWidget(self.count)
        top = QWidget()
        top.setFixedHeight(theme.size("panel_header"))
        top.setLayout(head)
        self.rows = QVBoxLayout()
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 1, 0, _BELOW)
        column.setSpacing(0)
        column.addWidget(top)
        column.addLayout(self.rows)

    def show_count(self, text: str) -> None:
        """Show a count beside the heading; an empty text hides it."""
        self.count.setText(text)
        self.count.setVisible(bool(text))
