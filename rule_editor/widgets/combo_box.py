"""A choice in a list that comes down; a screen reader is told what the list is of."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox


class ComboBox(QComboBox):
    """Qt names the field alone."""

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        """Show the list, under the name of the field."""
        self.view().setAccessibleName(self.accessibleName())
        super().showPopup()
