"""The nine dots of a lock pattern, and the line between those that a finger touched."""

from __future__ import annotations

from typing import Any

import skia

from collector.virtual.ui.drawing.pictures import picture

NAME = "lock_pattern"
_GROUND, _DOT = skia.Color(0x16, 0x27, 0x3C), skia.Color(0xFF, 0xFF, 0xFF)
_LINE_COLOR = skia.Color(0xFF, 0xFF, 0xFF, 0x99)
_SMALL, _LARGE, _LINE = 0.016, 0.034, 0.014
"""Radii of a dot and of a touched one, and the width of the line, in shares of the whole width."""


@picture(NAME)
def _draw(canvas: Any, width: float, height: float, argument: str) -> None:
    """Draw the dots; ``argument`` names those that were touched, from 1 at the top left to 9."""
    canvas.clear(_GROUND)
    centers = {
        str(row * 3 + column + 1): skia.Point(width * (column + 0.5) / 3, height * (row + 0.5) / 3)
        for row in range(3)
        for column in range(3)
    }
    if len(argument) > 1:
        path = skia.Path()
        path.addPoly([centers[dot] for dot in argument], False)
        canvas.drawPath(path, skia.Paint(
            AntiAlias=True, Color=_LINE_COLOR, Style=skia.Paint.kStroke_Style, StrokeWidth=width * _LINE,
            StrokeCap=skia.Paint.kRound_Cap, StrokeJoin=skia.Paint.kRound_Join,
        ))  # fmt: skip
    for dot, center in centers.items():
        radius = width * (_LARGE if dot in argument else _SMALL)
        canvas.drawCircle(center, radius, skia.Paint(AntiAlias=True, Color=_DOT))
