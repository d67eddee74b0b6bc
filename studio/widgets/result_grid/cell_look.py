"""How the status of a cell looks: a shape, a tone and a weak background, so that it reads without colour."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap, QPolygon

from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.run.progress import ANSWERED, FAULT, RUNNING, UNJUDGED, WAITING
from studio.theme import theme

CELL_WIDTH, CELL_HEIGHT = 26, 18
_ICON, _CORNER = 12, 7


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
    ANSWERED: CellLook("bg-3", "check", "text-2"),
    FAULT: CellLook("bg-3", "power", "warn"),
    RUNNING: CellLook("accent-weak", "", "accent"),
    WAITING: CellLook("bg-2"),
}


class CellPixmaps:
    """Cells drawn once for each status: a grid shows hundreds of them at a time."""

    def __init__(self) -> None:
        self._pixmaps: dict[tuple[str, bool], QPixmap] = {}
        self._ratio = 0.0

    def forget(self) -> None:
        """Draw them anew, in the colours of another theme."""
        self._pixmaps.clear()

    def get(self, status: str, ratio: float, *, faint: bool) -> QPixmap:
        """A cell for a device with this pixel ratio."""
        if ratio != self._ratio:
            self._ratio = ratio
            self.forget()
        pixmap = self._pixmaps.get((status, faint))
        if pixmap is None:
            pixmap = QPixmap(round(CELL_WIDTH * ratio), round(CELL_HEIGHT * ratio))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_cell(painter, QRect(0, 0, CELL_WIDTH, CELL_HEIGHT), status, faint=faint)
            painter.end()
            self._pixmaps[status, faint] = pixmap
        return pixmap


def draw_stale_mark(painter: QPainter, left: int, top: int) -> None:
    """Mark a cell whose result is stale: a corner in the colour of warnings."""
    right = left + CELL_WIDTH
    corner = QPolygon([QPoint(right - _CORNER, top), QPoint(right, top), QPoint(right, top + _CORNER)])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("warn"))
    painter.drawPolygon(corner)


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
