"""A picture to draw on: shapes, texts and screenshots, in colours of the design."""

from __future__ import annotations

from typing import Any

import numpy as np
import skia
from numpy.typing import NDArray
from PIL import Image

from collector.model.geometry import Rect
from collector.model.verdicts.judgement import FAILURE, MISSED, REACHED, SUCCESS, UNCOMPLETED
from collector.pictures.drawn_text import FrameTextStyle, draw_text, text_width
from collector.sharing.frame_colors import Theme, frame_colors

_VERDICT_TONES = {SUCCESS: "ok", REACHED: "ok", FAILURE: "err", MISSED: "err", UNCOMPLETED: "warn"}


class FrameCanvas:
    """A picture of a fixed size. Places and sizes are pixels."""

    def __init__(self, width: int, height: int, theme: Theme) -> None:
        self.width, self.height = width, height
        self.colors = frame_colors(theme)
        self._pixels = np.zeros((height, width, 4), np.uint8)
        self._surface = skia.Surface(self._pixels, colorType=skia.kRGBA_8888_ColorType)
        self.canvas: Any = self._surface.getCanvas()
        self.canvas.clear(self.colors["bg-1"])

    def fill(self, box: Rect, color: str, radius: int = 0) -> None:
        paint = skia.Paint(Color=self.colors[color], AntiAlias=radius > 0)
        self.canvas.drawRoundRect(_rect(box), radius, radius, paint)

    def outline(self, box: Rect, color: str, *, dashed: bool = False) -> None:
        paint = skia.Paint(Color=self.colors[color], Style=skia.Paint.kStroke_Style, StrokeWidth=1)
        if dashed:
            paint.setPathEffect(skia.DashPathEffect.Make([4.0, 4.0], 0))
        inside = skia.Rect.MakeLTRB(box.left + 0.5, box.top + 0.5, box.right - 0.5, box.bottom - 0.5)
        self.canvas.drawRect(inside, paint)

    def text(
        self, words: str, left: float, top: float, width: float, color: str = "text", size: float = 12,
        weight: int = 400, lines: int = 1, line: float = 16,
    ) -> float:  # fmt: skip
        """Draw text and return its height."""
        style = FrameTextStyle(size, self.colors[color], weight, line)
        return draw_text(self.canvas, words, (left, top), style, width, lines)

    def width_of(self, words: str, size: float = 12, weight: int = 400) -> int:
        return text_width(words, FrameTextStyle(size, 0, weight))

    def picture(self, image: Image.Image, box: Rect) -> None:
        """Draw a picture, scaled to ``box``."""
        scaled = image.resize(
            (max(1, box.width), max(1, box.height)), Image.Resampling.LANCZOS, reducing_gap=3
        )
        pixels = np.ascontiguousarray(np.asarray(scaled.convert("RGBA")))
        drawing = skia.Image.fromarray(pixels, colorType=skia.kRGBA_8888_ColorType)
        self.canvas.drawImage(drawing, box.left, box.top)

    def letter(self, letter: str, left: int, top: int, *, selected: bool = False) -> None:
        """The badge of a column."""
        self.fill(Rect(left, top, left + 18, top + 18), "accent-fill" if selected else "bg-4", 3)
        wide = self.width_of(letter, 11, 600)
        self.text(
            letter, left + (18 - wide) / 2, top + 1, wide + 2, "on-fill" if selected else "text", 11, 600
        )

    def verdict(self, verdict: str, words: str, right: int, top: int) -> int:
        """A verdict with its shape, right-aligned; return its left edge."""
        tone = _VERDICT_TONES.get(verdict, "text-2")
        wide = self.width_of(words, 12, 500)
        left = right - wide - 20
        self.shape(verdict, left + 7, top + 8)
        self.text(words, left + 20, top, wide + 2, tone, 12, 500)
        return left

    def shape(self, verdict: str, x: float, y: float) -> None:
        """The shape of a verdict: disc with tick, octagon with cross, ring with bar, or an empty ring."""
        tone = _VERDICT_TONES.get(verdict, "text-3")
        stroke = skia.Paint(
            Color=self.colors["glyph"], AntiAlias=True, Style=skia.Paint.kStroke_Style, StrokeWidth=1.6,
            StrokeCap=skia.Paint.kRound_Cap,
        )  # fmt: skip
        filled = skia.Paint(Color=self.colors[tone], AntiAlias=True)
        if tone == "ok":
            self.canvas.drawCircle(x, y, 6.5, filled)
            tick = skia.Path()
            tick.moveTo(x - 3, y + 0.2)
            tick.lineTo(x - 0.9, y + 2.3)
            tick.lineTo(x + 3, y - 2)
            self.canvas.drawPath(tick, stroke)
        elif tone == "err":
            octagon = skia.Path()
            points = [
                (-2.7, -6.5),
                (2.7, -6.5),
                (6.5, -2.7),
                (6.5, 2.7),
                (2.7, 6.5),
                (-2.7, 6.5),
                (-6.5, 2.7),
                (-6.5, -2.7),
            ]
            octagon.addPoly([skia.Point(x + dx, y + dy) for dx, dy in points], True)
            self.canvas.drawPath(octagon, filled)
            for side in (1, -1):
                self.canvas.drawLine(x - 2.3, y - 2.3 * side, x + 2.3, y + 2.3 * side, stroke)
        else:
            ring = skia.Paint(
                Color=self.colors[tone], AntiAlias=True, Style=skia.Paint.kStroke_Style, StrokeWidth=1.5
            )
            self.canvas.drawCircle(x, y, 5.7, ring)
            if verdict:
                self.canvas.drawLine(x - 3, y, x + 3, y, ring)

    def pixels(self) -> NDArray[np.uint8]:
        """The picture as uint8 RGB, height x width x 3."""
        self._surface.flushAndSubmit()
        return self._pixels[:, :, :3].copy()


def _rect(box: Rect) -> Any:
    return skia.Rect.MakeLTRB(box.left, box.top, box.right, box.bottom)
