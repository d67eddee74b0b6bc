"""Marks over a screen in a picture: touch, path, target, dialogs, and the distance from the reference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import skia

from collector.model.action import Action, Drag, Pinch, Swipe
from collector.model.geometry import Point, Position, Rect, Size
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.pictures.drawn_text import FrameTextStyle, draw_text, text_width
from collector.sharing.frame_colors import FrameColors

_FAR_APART = 8
_RING = 11
_HEAD = 9


@dataclass(frozen=True, slots=True)
class ScreenMarks:
    """What is drawn over the screen of one step."""

    step: Step
    is_run: bool
    """Whether an agent acted: its mark is a cross, a person's a ring."""
    dialogs: Sequence[Rect] = ()
    reference: Position | None = None
    """Where the reference touched."""

    def draw(self, canvas: Any, colors: FrameColors, box: Rect, *, acts: bool) -> None:
        """Draw into ``box``, where the screen is; with ``acts`` the action too."""
        screen = self.step.state.size
        if screen.is_empty:
            return
        pen = _Pen(canvas, colors, box, screen)
        for dialog in self.dialogs:
            pen.frame(dialog, "overlay injected", dashed=True)
        if not acts or self.step.action is None:
            return
        if self.step.target is not None and self.step.target.bounds is not None:
            pen.frame(self.step.target.bounds, "overlay select", fill="overlay hover_fill")
        other = pen.place(self.reference.on(screen)) if self.reference is not None else None
        kind = "agent" if self.is_run else "person"
        for path in _paths(self.step.action):
            pen.arrow(path, kind)
        if other is not None:
            pen.mark(other, "golden")
        point = self.step.action.point
        if point is not None:
            if other is not None and self.reference is not None:
                pen.distance(other, pen.place(point), self.reference.on(screen).distance_to(point))
            pen.mark(pen.place(point), kind)


@dataclass(frozen=True, slots=True)
class _Pen:
    """Draws marks of a fixed size over a screen of any size."""

    canvas: Any
    colors: FrameColors
    box: Rect
    screen: Size

    def place(self, point: Point) -> tuple[float, float]:
        """A point of the screen in pixels of the picture."""
        return (
            self.box.left + point.x * self.box.width / self.screen.width,
            self.box.top + point.y * self.box.height / self.screen.height,
        )

    def frame(self, bounds: Rect, color: str, fill: str = "", *, dashed: bool = False) -> None:
        left, top = self.place(Point(bounds.left, bounds.top))
        right, bottom = self.place(Point(bounds.right, bounds.bottom))
        rect = skia.Rect.MakeLTRB(
            max(left, self.box.left),
            max(top, self.box.top),
            min(right, self.box.right),
            min(bottom, self.box.bottom),
        )
        if fill:
            self.canvas.drawRect(rect, skia.Paint(Color=self.colors[fill]))
        paint = self._stroke(color, 2)
        if dashed:
            paint.setPathEffect(skia.DashPathEffect.Make([6.0, 4.0], 0))
        self.canvas.drawRect(rect, paint)

    def mark(self, at: tuple[float, float], kind: str) -> None:
        for color, width in (("overlay mark_halo", 4.5), (f"overlay mark_{kind}", 2.5)):
            paint = self._stroke(color, width)
            if kind == "agent":
                for side in (1, -1):
                    self.canvas.drawLine(at[0] - 6, at[1] - 6 * side, at[0] + 6, at[1] + 6 * side, paint)
            else:
                self.canvas.drawCircle(*at, _RING, paint)
        if kind == "person":
            self.canvas.drawCircle(
                *at, 4.5, skia.Paint(Color=self.colors["overlay mark_halo"], AntiAlias=True)
            )
            self.canvas.drawCircle(
                *at, 3.5, skia.Paint(Color=self.colors["overlay mark_person"], AntiAlias=True)
            )

    def arrow(self, points: Sequence[Point], kind: str) -> None:
        path = skia.Path()
        places = [self.place(point) for point in points]
        path.moveTo(*places[0])
        for place in places[1:]:
            path.lineTo(*place)
        start = next((place for place in reversed(places) if math.dist(place, places[-1]) >= 1), places[0])
        angle = math.atan2(places[-1][1] - start[1], places[-1][0] - start[0])
        for turn in (0.5, -0.5):
            path.moveTo(*places[-1])
            path.lineTo(
                places[-1][0] - _HEAD * math.cos(angle + turn), places[-1][1] - _HEAD * math.sin(angle + turn)
            )
        for color, width in (("overlay mark_halo", 4.0), (f"overlay mark_{kind}", 2.0)):
            self.canvas.drawPath(path, self._stroke(color, width))

    def distance(self, other: tuple[float, float], own: tuple[float, float], pixels: float) -> None:
        """Join two points that lie apart, and say how far in pixels of the device."""
        if math.dist(other, own) <= _FAR_APART:
            return
        paint = self._stroke("overlay mark_halo", 1)
        paint.setPathEffect(skia.DashPathEffect.Make([4.0, 3.0], 0))
        self.canvas.drawLine(*other, *own, paint)
        style = FrameTextStyle(11, self.colors["overlay tag_text"], 500)
        text = _("{count} px", count=round(pixels))
        width = text_width(text, style) + 8
        left = min(max(other[0], own[0]) + 16, self.box.right - width)
        top = (other[1] + own[1]) / 2 - 8
        ground = skia.Paint(Color=0xDC000000 | self.colors["overlay mark_halo"] & 0xFFFFFF, AntiAlias=True)
        self.canvas.drawRoundRect(skia.Rect.MakeXYWH(left, top, width, 16), 3, 3, ground)
        draw_text(self.canvas, text, (left + 4, top), style, width)

    def _stroke(self, color: str, width: float) -> Any:
        return skia.Paint(
            Color=self.colors[color], AntiAlias=True, Style=skia.Paint.kStroke_Style, StrokeWidth=width,
            StrokeCap=skia.Paint.kRound_Cap, StrokeJoin=skia.Paint.kRound_Join,
        )  # fmt: skip


def _paths(action: Action | None) -> list[list[Point]]:
    """The way of each finger that moves."""
    if isinstance(action, Pinch):
        return [[Point(x, y) for _t, x, y in path] for path in action.fingers]
    if not isinstance(action, Swipe | Drag):
        return []
    samples = [Point(x, y) for _t, x, y in action.path]
    return [samples or [Point(action.x1, action.y1), Point(action.x2, action.y2)]]
