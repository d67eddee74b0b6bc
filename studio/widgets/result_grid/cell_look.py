"""How the status of a cell looks: a shape, a tone and a weak background, so that it reads without colour."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from collector.model.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.run.progress import FAULT, RUNNING, UNJUDGED, WAITING
from studio.theme import theme

CELL_WIDTH, CELL_HEIGHT = 26, 18
_ICON = 12


@dataclass(frozen=True, slots=True)
class CellLook:
    """Names of an icon and of colours; without an icon a dot of ``tone`` is drawn, without a tone nothing."""

    background: str
    icon: str = ""
    tone: str = ""


LOOKS = {
    SUCCESS: CellLook("ok-weak", "check", "ok"),
    FAILURE: CellLook("err-weak", "x", "err"),
    UNCOMPLETED: CellLook("warn-weak", "minus", "warn"),
    UNJUDGED: CellLook("bg-3", "help", "text-2"),
    FAULT: CellLook("bg-3", "power", "warn"),
    RUNNING: CellLook("accent-weak", "", "accent"),
    WAITING: CellLook("bg-2"),
}


def draw_cell(painter: QPainter, box: QRect, status: str, *, faint: bool = False) -> None:
    """Draw a cell of 26 x 18 px; a ``faint`` one does not pass the filter."""
    look = LOOKS.get(status, LOOKS[WAITING])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(look.background))
    painter.setOpacity(0.3 if faint else 1.0)
    painter.drawRoundedRect(QRectF(box), 3, 3)
    if look.icon:
        theme.draw_icon_in(painter, look.icon, box, _ICON, look.tone)
    elif look.tone:
        painter.setBrush(theme.color(look.tone))
        painter.drawEllipse(QPointF(box.x() + box.width() / 2, box.y() + box.height() / 2), 3, 3)
    painter.setOpacity(1.0)
