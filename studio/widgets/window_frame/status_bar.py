"""The status bar: items about the phone at the left, about the work at the right."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of, upright
from studio.widgets.painted_items import Role
from studio.widgets.painting import text_width


@dataclass(frozen=True)
class StatusItem:
    """Text, icon, tone and tooltip of one item; in a narrow window the highest ``rank`` goes first.

    A click on one that ``opens`` something is emitted by the bar.
    """

    text: str
    icon: str = ""
    tone: str = "text-2"
    tip: str = ""
    rank: int = 0
    opens: bool = False


class _Cell(QWidget):
    clicked = Signal()

    spoken_role = Role.StaticText

    def __init__(self, *, right: bool) -> None:
        super().__init__()
        self._right = right
        self._item = StatusItem("")
        self.wanted = False
        """Whether the item is to be seen, if there is room."""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def rank(self) -> int:
        return self._item.rank

    def show_item(self, item: StatusItem) -> None:
        if item == self._item:
            return
        self._item = item
        self.setToolTip(item.tip)
        self.setAccessibleName(item.text)
        self.setCursor(Qt.CursorShape.PointingHandCursor if item.opens else Qt.CursorShape.ArrowCursor)
        self.updateGeometry()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self._item.opens and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()
        else:
            super().mousePressEvent(event)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        width = text_width(self._item.text, "caption") + 25 + (19 if self._item.icon else 0)
        return QSize(width, theme.size("status_bar") - 1)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        x = 12
        if self._item.icon:
            theme.draw_icon_in(painter, self._item.icon, QRect(x, 0, 14, self.height()), 14, self._item.tone)
            x += 19
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color(self._item.tone))
        text = QRect(x, 0, self.width() - x, self.height())
        with upright(painter, text):
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, self._item.text)
        edge = 0 if self._right else self.width() - 1
        painter.fillRect(edge, 0, 1, self.height(), theme.color("line"))


class StatusBar(QFrame):
    """Items by key, in the order of their first use. Emits ``opened(key)`` for a click on one that opens."""

    opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "bar")
        self.setProperty("edge", "top")
        self.setFixedHeight(theme.size("status_bar"))
        self.cells: dict[str, _Cell] = {}
        self._others: list[QWidget] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addStretch()
        self._last = QHBoxLayout()
        self._last.setContentsMargins(0, 0, 0, 0)
        self._left = 0
        self._row.addLayout(self._last)

    def append_right(self, widget: QWidget) -> None:
        """Add a widget at the right end, after all items shown later."""
        self._others.append(widget)
        self._last.addWidget(widget)

    def insert_right(self, widget: QWidget) -> None:
        """Insert a widget before all items at the right."""
        self._others.append(widget)
        self._row.insertWidget(self._left + 1, widget)

    def set_item(self, key: str, item: StatusItem | None, *, right: bool = False, lead: bool = False) -> None:
        """Show an item under a key such as ``device``; None hides it.

        ``lead`` inserts it before all others at the right, so that showing it moves no other item.
        """
        cell = self.cells.get(key)
        if cell is None:
            cell = self.cells[key] = _Cell(right=right)
            cell.setProperty("key", key)
            cell.clicked.connect(self._cell_clicked)
            if right and lead:
                self._row.insertWidget(self._left + 1, cell)
            elif right:
                self._row.insertWidget(self._row.count() - 1, cell)
            else:
                self._row.insertWidget(self._left, cell)
                self._left += 1
        if item is not None:
            cell.show_item(item)
        cell.wanted = item is not None
        self._fit()

    def _cell_clicked(self) -> None:
        self.opened.emit(str(self.sender().property("key")))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the wanted items; hide whole ones where the window is too narrow for all."""
        wanted = [cell for cell in self.cells.values() if cell.wanted]
        room = self.width() - self._fixed_width() - sum(cell.sizeHint().width() for cell in wanted)
        hidden = set()
        for cell in sorted(wanted, key=lambda cell: cell.rank, reverse=True):
            if room >= 0 or not cell.rank:
                break
            room += cell.sizeHint().width()
            hidden.add(cell)
        for cell in self.cells.values():
            cell.setVisible(cell.wanted and cell not in hidden)

    def _fixed_width(self) -> int:
        """Width of what is no item: the badge of anomalies and the notifications."""
        return sum(widget.sizeHint().width() for widget in self._others if not widget.isHidden())
