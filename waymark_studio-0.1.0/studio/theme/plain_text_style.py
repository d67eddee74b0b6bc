"""The style of the application: Fusion, with every tooltip and label in plain text."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProxyStyle


class PlainTextStyle(QProxyStyle):
    """Shows text as it is, whatever it begins with.

    Qt takes a text with tags for HTML, in labels, message boxes and tooltips. Much of what the window shows
    comes from recorded apps and imported files: their ``<img>`` would load a file, and their tags would
    vanish. Every label passes here before it is shown, the one in a tooltip too, before it has a text.
    """

    def __init__(self) -> None:
        super().__init__("Fusion")

    def polish(self, target: Any) -> Any:
        """Style a widget, a palette or the application."""
        if isinstance(target, QLabel) and target.textFormat() == Qt.TextFormat.AutoText:
            target.setTextFormat(Qt.TextFormat.PlainText)
        return super().polish(target)
