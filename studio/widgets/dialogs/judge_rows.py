"""Judges one under the other: the icon of the verdict, who gave it, and why, in one line each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.painted_items import PaintedItems, Role
from studio.widgets.painting import draw_text
from studio.widgets.wrapped_text import tooltip_text

_ROW, _NAME = 26, 82


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge."""

    icon: str
    who: str
    says: str
    tip: str = ""


class JudgeRows(PaintedItems, QWidget):
    """Long sentences are elided, and whole in the tooltip."""

    spoken_roles = (Role.List, Role.ListItem)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[JudgeRow, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def rows(self) -> tuple[JudgeRow, ...]:
        """The judges on show."""
        return self._rows

    def show_rows(self, rows: Sequence[JudgeRow]) -> None:
        """Show other judges; none hides the widget."""
        self._rows = tuple(rows)
        self.setVisible(bool(rows))
        self.setAccessibleDescription("; ".join(f"{row.who}: {row.says}" for row in rows))
        self.updateGeometry()
        self.update()

    def spoken_items(self) -> list[str]:
        return [f"{row.who}: {row.says}" for row in self._rows]

    def item_place(self, number: int) -> QRect:
        return QRect(0, number * _ROW, self.width(), _ROW)

    def current_item(self) -> int:
        return -1

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, _ROW * len(self._rows))

    def event(self, event: object) -> bool:
        if isinstance(event, QHelpEvent):
            place = event.pos().y() // _ROW
            tip = self._rows[place].tip if 0 <= place < len(self._rows) else ""
            QToolTip.showText(event.globalPos(), tooltip_text(tip), self)
            return True
        return super().event(event)  # type: ignore[arg-type]

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        for place, row in enumerate(self._rows):
            top = place * _ROW
            theme.draw_icon_in(painter, row.icon, QRect(0, top, 14, _ROW), 14)
            draw_text(painter, QRect(22, top, _NAME - 6, _ROW), row.who, "name")
            says = QRect(22 + _NAME, top, self.width() - 22 - _NAME, _ROW)
            draw_text(painter, says, row.says, "body", "text-2")
