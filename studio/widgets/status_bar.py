"""The status bar: items about the phone at the left, about the work at the right."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from studio.theme import theme
from studio.widgets.painting import text_width


@dataclass(frozen=True)
class StatusItem:
    """Text, icon, tone and tooltip of one item."""

    text: str
    icon: str = ""
    tone: str = "text-2"
    tip: str = ""


class _Cell(QWidget):
    def __init__(self, *, right: bool) -> None:
        super().__init__()
        self._right = right
        self._item = StatusItem("")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_item(self, item: StatusItem) -> None:
        if item == self._item:
            return
        self._item = item
        self.setToolTip(item.tip)
        self.setAccessibleName(item.text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        width = text_width(self._item.text, "caption") + 25 + (19 if self._item.icon else 0)
        return QSize(width, theme.size("status_bar") - 1)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        x = 12
        if self._item.icon:
            theme.draw_icon_in(painter, self._item.icon, QRect(x, 0, 14, self.height()), 14, self._item.tone)
            x += 19
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color(self._item.tone))
        text = QRect(x, 0, self.width() - x, self.height())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, self._item.text)
        edge = 0 if self._right else self.width() - 1
        painter.fillRect(edge, 0, 1, self.height(), theme.color("line"))


class StatusBar(QFrame):
    """Items by key, in the order of their first use."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "bar")
        self.setProperty("edge", "top")
        self.setFixedHeight(theme.size("status_bar"))
        self._cells: dict[str, _Cell] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addStretch()
        self._left = 0

    def insert_right(self, widget: QWidget) -> None:
        """Insert a widget before all items at the right."""
        self._row.insertWidget(self._left + 1, widget)

    def set_item(self, key: str, item: StatusItem | None, *, right: bool = False, lead: bool = False) -> None:
        """Show an item under a key such as ``device``; None hides it.

        ``lead`` inserts it before all others at the right, so that showing it moves no other item.
        """
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = _Cell(right=right)
            if right and lead:
                self._row.insertWidget(self._left + 1, cell)
            elif right:
                self._row.addWidget(cell)
            else:
                self._row.insertWidget(self._left, cell)
                self._left += 1
        if item is not None:
            cell.show_item(item)
        cell.setVisible(item is not None)
