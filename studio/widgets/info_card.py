"""A small card with a name, a value and an optional state icon on each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_key, draw_text, key_width, text_width

_PAD_X = 13
_PAD_Y = 8


@dataclass(frozen=True, slots=True)
class CardRow:
    """One row; ``icon`` is a state icon of the theme, or empty."""

    name: str
    value: str
    icon: str = ""


def draw_card(painter: QPainter, rect: QRect) -> None:
    """Paint the background and border of a card."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.setBrush(theme.color("bg-1"))
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
    painter.restore()


class InfoCard(QWidget):
    """Values are in a column at ``value_left``, or right-aligned when it is 0."""

    spoken_role = Role.StaticText

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        width: int,
        row_height: int,
        value_left: int = 0,
        role: str = "body",
    ) -> None:
        super().__init__(parent)
        self._rows: tuple[CardRow, ...] = ()
        self._head = ("", "")
        self._foot = ("", "")
        self._width, self._row, self._value_left, self._role = width, row_height, value_left, role
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def rows(self) -> tuple[CardRow, ...]:
        return self._rows

    def set_rows(self, rows: Sequence[CardRow]) -> None:
        grew = len(rows) != len(self._rows)
        self._rows = tuple(rows)
        self.setAccessibleDescription(", ".join(f"{row.name} {row.value}" for row in self._rows))
        if grew:
            self.updateGeometry()
            self.resize(self.sizeHint())
        self.update()

    def set_head(self, title: str, aside: str = "") -> None:
        """Set the line above the rows, with a second text at its right."""
        self._head = (title, aside)
        self.updateGeometry()
        self.update()

    def set_foot(self, text: str, key: str) -> None:
        """Set the line below the rows, which names the key that hides the card."""
        self._foot = (text, key)
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        rows = len(self._rows) + bool(self._head[0])
        foot = self._row + 9 if self._foot[0] else 0
        return QSize(self._width, rows * self._row + 2 * _PAD_Y + foot)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        draw_card(painter, self.rect())
        right = Qt.AlignmentFlag.AlignRight
        row = QRect(_PAD_X, _PAD_Y, self.width() - 2 * _PAD_X, self._row)
        title, aside = self._head
        if title:
            draw_text(painter, row, title, "body", "text-2")
            draw_text(painter, row, aside, "body", "text-2", right)
            row.translate(0, self._row)
        for card_row in self._rows:
            self._paint_row(painter, row, card_row)
            row.translate(0, self._row)
        text, key = self._foot
        if text:
            painter.fillRect(row.left(), row.top() + 4, row.width(), 1, theme.color("line"))
            row.translate(0, 9)
            draw_text(painter, row, text, self._role, "text-2")
            left = row.right() - key_width(key) + 1
            draw_key(painter, QRect(left, row.top(), key_width(key), row.height()), key)

    @property
    def _widest_name(self) -> int:
        return max(text_width(row.name, self._role) for row in self._rows) + _PAD_X // 2

    def _paint_row(self, painter: QPainter, rect: QRect, row: CardRow) -> None:
        used = draw_text(painter, rect, row.name, self._role, "text-2")
        if self._value_left:
            box = rect.adjusted(max(self._value_left, self._widest_name), 0, -16 if row.icon else 0, 0)
            draw_text(painter, box, row.value, self._role)
        else:
            rest = rect.adjusted(used + _PAD_X // 2, 0, 0, 0)
            draw_text(painter, rest, row.value, self._role, "text", Qt.AlignmentFlag.AlignRight)
        if row.icon:
            theme.draw_icon_in(painter, row.icon, QRect(rect.right() - 12, rect.top(), 14, rect.height()), 12)
