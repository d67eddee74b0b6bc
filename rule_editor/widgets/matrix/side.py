"""The column at the right of a matrix: scrolls down, gives way across."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

_WIDTH = 320


def side_column(inner: QWidget) -> QScrollArea:
    """``inner`` in a column of at least 320 pixels."""
    side = QScrollArea()
    side.setFrameShape(QFrame.Shape.NoFrame)
    side.setWidgetResizable(True)
    side.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    side.setProperty("surface", "panel")
    side.setProperty("edge", "left")
    side.setMinimumWidth(_WIDTH)
    side.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
    side.setWidget(inner)
    return side
