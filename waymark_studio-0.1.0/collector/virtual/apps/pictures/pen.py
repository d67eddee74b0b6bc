"""A pen over a skia canvas: a square of 100 units fills the illustration's rectangle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import skia

Points = Sequence[tuple[float, float]]


class Pen:
    """Draws in a 100 by 100 square laid over the middle of the rectangle, cut where it sticks out."""

    def __init__(self, canvas: Any, width: float, height: float, background: str) -> None:
        self._canvas = canvas
        canvas.clear(_argb(background))
        scale = max(width, height) / 100
        canvas.translate((width - 100 * scale) / 2, (height - 100 * scale) / 2)
        canvas.scale(scale, scale)

    def _paint(self, color: str, stroke: float = 0.0) -> Any:
        paint = skia.Paint(AntiAlias=True, Color=_argb(color))
        if stroke:
            paint.setStyle(skia.Paint.kStroke_Style)
            paint.setStrokeWidth(stroke)
            paint.setStrokeCap(skia.Paint.kRound_Cap)
            paint.setStrokeJoin(skia.Paint.kRound_Join)
        return paint

    def rect(self, x: float, y: float, width: float, height: float, color: str, radius: float = 0.0) -> None:
        box = skia.Rect.MakeXYWH(x, y, width, height)
        self._canvas.drawRoundRect(box, radius, radius, self._paint(color))

    def circle(self, x: float, y: float, radius: float, color: str, stroke: float = 0.0) -> None:
        self._canvas.drawCircle(x, y, radius, self._paint(color, stroke))

    def oval(self, x: float, y: float, width: float, height: float, color: str, turn: float = 0.0) -> None:
        """An oval centred on x, y and turned by ``turn`` degrees."""
        self._canvas.save()
        self._canvas.translate(x, y)
        self._canvas.rotate(turn)
        box = skia.Rect.MakeXYWH(-width / 2, -height / 2, width, height)
        self._canvas.drawOval(box, self._paint(color))
        self._canvas.restore()

    def shape(self, points: Points, color: str) -> None:
        """A filled polygon."""
        path = skia.Path()
        path.addPoly([skia.Point(x, y) for x, y in points], True)
        self._canvas.drawPath(path, self._paint(color))

    def line(self, points: Points, color: str, width: float) -> None:
        path = skia.Path()
        path.addPoly([skia.Point(x, y) for x, y in points], False)
        self._canvas.drawPath(path, self._paint(color, width))

    def wave(self, y: float, swing: float, color: str, *, phase: float = 0.0, length: float = 50.0) -> None:
        """Everything below a wavy line."""
        path = skia.Path()
        x = -length + phase
        path.moveTo(x, y)
        while x < 100 + length:
            path.cubicTo(x + length * 0.3, y - swing, x + length * 0.7, y + swing, x + length, y)
            x += length
        path.lineTo(x, 110)
        path.lineTo(-length, 110)
        path.close()
        self._canvas.drawPath(path, self._paint(color))

    def leaf(self, x: float, y: float, length: float, turn: float, color: str) -> None:
        """A pointed leaf growing from x, y in the direction ``turn`` (0 = right, degrees)."""
        self._canvas.save()
        self._canvas.translate(x, y)
        self._canvas.rotate(turn)
        path = skia.Path()
        path.moveTo(0, 0)
        path.quadTo(length * 0.4, -length * 0.42, length, 0)
        path.quadTo(length * 0.4, length * 0.42, 0, 0)
        self._canvas.drawPath(path, self._paint(color))
        self._canvas.restore()


def _argb(color: str) -> int:
    return 0xFF000000 | int(color[1:], 16)
