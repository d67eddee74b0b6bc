"""The status bar: facts at the left about the phone, at the right about the work."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from studio.theme import theme
from studio.widgets.painting import text_width


@dataclass(frozen=True)
class StatusItem:
    """One cell: text, an icon before it, a tone, and a sentence for the tooltip."""

    text: str
    icon: str = ""
    tone: str = "text-2"
    tip: str = ""


class _Cell(QWidget):
    def __init__(self, *, right: bool) -> None:
        super().__init__()
        self._right = right
        self._fact = StatusItem("")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_fact(self, fact: StatusItem) -> None:
        if fact == self._fact:
            return
        self._fact = fact
        self.setToolTip(fact.tip)
        self.setAccessibleName(fact.text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        width = text_width(self._fact.text, "caption") + 25 + (19 if self._fact.icon else 0)
        return QSize(width, theme.size("status_bar") - 1)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        x = 12
        if self._fact.icon:
            theme.draw_icon_in(painter, self._fact.icon, QRect(x, 0, 14, self.height()), 14, self._fact.tone)
            x += 19
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color(self._fact.tone))
        text = QRect(x, 0, self.width() - x, self.height())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, self._fact.text)
        edge = 0 if self._right else self.width() - 1
        painter.fillRect(edge, 0, 1, self.height(), theme.color("line"))


class StatusBar(QFrame):
    """Cells by key, in the order they first came; an empty fact hides its cell."""

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

    def lead_right(self, widget: QWidget) -> None:
        """Put a widget before all facts at the right."""
        self._row.insertWidget(self._left + 1, widget)

    def set_fact(self, key: str, fact: StatusItem | None, *, right: bool = False, lead: bool = False) -> None:
        """Show a fact under a key such as ``device``; None hides it.

        ``lead`` puts it before all others at the right, where its coming and going moves nothing.
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
        if fact is not None:
            cell.show_fact(fact)
        cell.setVisible(fact is not None)
