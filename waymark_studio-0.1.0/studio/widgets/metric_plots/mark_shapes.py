"""Marks of plots: series differ by shape and fill, so that no plot is read by colour alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from studio.theme import theme

MARK = 8
"""Side of a mark in logical pixels."""
_STROKE = 1.5


@dataclass(frozen=True, slots=True)
class MarkLook:
    """A shape, its tone, and whether it is filled."""

    shape: str
    tone: str
    is_filled: bool = True


LOOKS = (
    MarkLook("circle", "accent"),
    MarkLook("square", "text", is_filled=False),
    MarkLook("triangle", "text-3"),
    MarkLook("diamond", "accent", is_filled=False),
    MarkLook("triangle-down", "text"),
    MarkLook("cross", "text-3"),
    MarkLook("circle", "text", is_filled=False),
    MarkLook("square", "accent"),
    MarkLook("triangle", "accent", is_filled=False),
    MarkLook("diamond", "text-3"),
    MarkLook("triangle-down", "accent", is_filled=False),
    MarkLook("plus", "text"),
)
"""One a series, in order; a plot with more series begins again."""

_Corner = tuple[float, float]
_CORNERS: dict[str, tuple[_Corner, ...]] = {
    "triangle": ((-0.5, 0.42), (0, -0.5), (0.5, 0.42)),
    "triangle-down": ((-0.5, -0.42), (0, 0.5), (0.5, -0.42)),
    "diamond": ((-0.56, 0), (0, -0.56), (0.56, 0), (0, 0.56)),
}
_STROKES: dict[str, tuple[tuple[_Corner, _Corner], ...]] = {
    "cross": (((-0.4, -0.4), (0.4, 0.4)), ((-0.4, 0.4), (0.4, -0.4))),
    "plus": (((-0.5, 0), (0.5, 0)), ((0, -0.5), (0, 0.5))),
}
"""Shapes that are lines: they have no inside to fill."""

BASELINE = MarkLook("circle", "text", is_filled=False)
INTERRUPTED = MarkLook("square", "accent")


def look_of(series: int) -> MarkLook:
    """The look of a series by its number."""
    return LOOKS[series % len(LOOKS)]


@cache
def _outline(shape: str) -> QPainterPath:
    """A shape around 0, as wide as 1."""
    path = QPainterPath()
    if shape == "circle":
        path.addEllipse(QRectF(-0.5, -0.5, 1, 1))
    elif shape == "square":
        path.addRect(QRectF(-0.44, -0.44, 0.88, 0.88))
    elif shape in _STROKES:
        for start, end in _STROKES[shape]:
            path.moveTo(*start)
            path.lineTo(*end)
    else:
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in _CORNERS[shape]]))
        path.closeSubpath()
    return path


def draw_mark(painter: QPainter, centre: QPointF, look: MarkLook, size: float = MARK) -> None:
    """Draw a mark. A hollow one is filled with the colour of panels, so that lines do not run through it."""
    outline = _outline(look.shape)
    painter.save()
    painter.translate(centre)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ink = theme.color(look.tone)
    pen = QPen(ink, _STROKE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen if not look.is_filled or look.shape in _STROKES else Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(ink if look.is_filled else theme.color("bg-1")))
    side = size if look.is_filled else size - _STROKE / 2
    painter.drawPath(QTransform.fromScale(side, side).map(outline))
    painter.restore()
