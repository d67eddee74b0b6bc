"""Make types of Qt on the GUI thread.

PySide6 makes a type of Qt when its name is first read from a module. A window ended with a segmentation fault
when the GUI thread and a job did it at once: types that jobs import are made before the jobs start.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

TYPES_OF_WORKSPACES: Mapping[str, tuple[str, ...]] = {
    "PySide6.QtCore": ("QBuffer", "QLineF", "QMimeData", "QSocketNotifier"),
    "PySide6.QtGui": (
        "QBrush", "QDrag", "QImageWriter", "QIntValidator", "QPixmapCache", "QSyntaxHighlighter",
        "QTransform", "QWindow",
    ),
    "PySide6.QtWidgets": (
        "QButtonGroup", "QGraphicsGridLayout", "QGraphicsItem", "QListWidgetItem", "QStackedLayout",
        "QStyleOptionComboBox", "QStyleOptionGraphicsItem", "QTableWidgetItem",
    ),
}  # fmt: skip
"""What the modules of workspaces import, and the window without them does not."""


def make_types(module: str, names: Iterable[str]) -> None:
    """Make the types with these names of an imported module of PySide6. GUI thread only."""
    for name in names:
        getattr(sys.modules[module], name)
