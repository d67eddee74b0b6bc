"""The column at the right of a matrix; it scrolls vertically only."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from collector.model.i18n import _

_WIDTH = 320


class SideColumn(QScrollArea):
    """A scroll area at least 320 pixels wide."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Cell"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setProperty("surface", "panel")
        self.setProperty("edge", "left")
        self.setMinimumWidth(_WIDTH)


def side_column(inner: QWidget) -> SideColumn:
    """A column with ``inner`` that takes only its share of the width."""
    side = SideColumn()
    side.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
    side.setWidget(inner)
    return side
