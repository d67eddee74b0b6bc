"""The screen's pixels: items drawn with skia into one array, and of each frame only what changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from typing import Any

import numpy as np
import skia
from numpy.typing import NDArray

from collector.model.geometry import Rect, Size
from collector.virtual.ui.drawing.icons import STROKE, icon_path
from collector.virtual.ui.drawing.paint import DrawingItem
from collector.virtual.ui.drawing.pictures import draw, rendered
from collector.virtual.ui.theme import LUMINANCE

Pixels = NDArray[np.uint8]


class Canvas:
    """An RGBA array kept up to date with a list of drawing items."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self.pixels: Pixels = np.zeros((size.height, size.width, 4), np.uint8)
        info = skia.ImageInfo.Make(size.width, size.height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
        self._surface = skia.Surface.MakeRasterDirect(info, self.pixels, size.width * 4)
        self._items: list[DrawingItem] = []

    def show(self, items: list[DrawingItem]) -> Rect | None:
        """Draw the difference to the previous items; return the drawn rectangle, None when nothing
        changed."""
        damage = _damage(self._items, items, Rect(0, 0, self.size.width, self.size.height))
        damage = _whole_curves(damage, items) if damage is not None else None
        self._items = items
        if damage is None:
            return None
        canvas = self._surface.getCanvas()
        canvas.save()
        canvas.clipRect(_rect(damage))
        for item in items:
            visible = item.clip.intersection(damage)
            if visible is not None:
                _draw(canvas, item)
        canvas.restore()
        return damage


def _damage(old: Sequence[DrawingItem], new: Sequence[DrawingItem], screen: Rect) -> Rect | None:
    """The rectangle around all items that were added, removed or reordered."""
    if old == new:
        return None
    before, after = set(old), set(new)
    unchanged_old = [item for item in old if item in after]
    unchanged_new = [item for item in new if item in before]
    if unchanged_old != unchanged_new or not old:
        return screen
    changed = [item.clip for item in old if item not in after]
    changed += [item.clip for item in new if item not in before]
    return reduce(around, changed).intersection(screen)


def _whole_curves(damage: Rect, items: Sequence[DrawingItem]) -> Rect:
    """Extend the damage to whole curved shapes.

    Skia smooths a clipped shape slightly differently, and the same state must always give the same
    pixels.
    """
    curved = [rect for item in items if _is_curved(item) and (rect := item.clip.intersection(item.rect))]
    growing = True
    while growing:
        growing = False
        for rect in curved:
            if not damage.encloses(rect) and damage.intersection(rect) is not None:
                damage = around(damage, rect)
                growing = True
    return damage


def _is_curved(item: DrawingItem) -> bool:
    return item.kind in ("border", "shadow", "arc") or (item.kind == "fill" and any(item.data[1]))


def around(first: Rect, other: Rect) -> Rect:
    """The bounding rectangle of both."""
    return Rect(
        min(first.left, other.left),
        min(first.top, other.top),
        max(first.right, other.right),
        max(first.bottom, other.bottom),
    )


def _draw(canvas: Any, item: DrawingItem) -> None:
    # A text may extend beyond its rectangle, as may the corners of a curve by one pixel.
    reaches_out = item.kind == "text" or _is_curved(item)
    inside = item.clip.encloses(item.rect) and not reaches_out
    if not inside:
        canvas.save()
        canvas.clipRect(_rect(item.clip))
    if item.saturation < 1.0:
        canvas.saveLayer(None, _fading(item.saturation))
    _DRAW[item.kind](canvas, item)
    if item.saturation < 1.0:
        canvas.restore()
    if not inside:
        canvas.restore()


def _rect(rect: Rect) -> Any:
    return skia.Rect.MakeLTRB(rect.left, rect.top, rect.right, rect.bottom)


@lru_cache(maxsize=16)
def _fading(saturation: float) -> Any:
    """A paint that takes colour away, as :func:`collector.virtual.ui.theme.faded` does."""
    rows = []
    for kept in range(3):
        row = [
            share * (1 - saturation) + (saturation if i == kept else 0) for i, share in enumerate(LUMINANCE)
        ]
        rows += [*row, 0.0, 0.0]
    return skia.Paint(ColorFilter=skia.ColorFilters.Matrix([*rows, 0.0, 0.0, 0.0, 1.0, 0.0]))


@lru_cache(maxsize=256)
def _paint(color: int, stroke: float = 0.0, smooth: bool = True) -> Any:
    paint = skia.Paint(Color=color, AntiAlias=smooth)
    if stroke:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(stroke)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
    return paint


def _rounded(rect: Any, radii: tuple[int, ...]) -> Any:
    shape = skia.RRect()
    shape.setRectRadii(rect, [(radius, radius) for radius in radii])
    return shape


def _fill(canvas: Any, item: DrawingItem) -> None:
    color, radii = item.data
    if any(radii):
        canvas.drawRRect(_rounded(_rect(item.rect), radii), _paint(color))
    else:
        canvas.drawRect(_rect(item.rect), _paint(color, smooth=False))


def _border(canvas: Any, item: DrawingItem) -> None:
    color, radii, width = item.data
    place = _rect(item.rect)
    place.inset(width / 2, width / 2)
    canvas.drawRRect(_rounded(place, tuple(max(0, radius) for radius in radii)), _paint(color, width))


def _shadow(canvas: Any, item: DrawingItem) -> None:
    reach, radius = item.data
    place = _rect(item.rect)
    place.inset(reach, reach)
    place.offset(0, reach / 4)
    canvas.drawRRect(_rounded(place, (radius,) * 4), _blur(reach / 2.6))


@lru_cache(maxsize=32)
def _blur(sigma: float) -> Any:
    paint = skia.Paint(Color=0x38000000, AntiAlias=True)
    paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, sigma))
    return paint


def _text(canvas: Any, item: DrawingItem) -> None:
    item.data.draw(canvas, item.rect.left, item.rect.top)


@lru_cache(maxsize=512)
def _icon_image(name: str, color: int, filled: bool, side: int) -> Any:
    surface = skia.Surface(side, side)
    canvas = surface.getCanvas()
    canvas.scale(side / 24, side / 24)
    if filled:
        canvas.drawPath(icon_path(name), _paint(color))
    canvas.drawPath(icon_path(name), _paint(color, STROKE))
    return surface.makeImageSnapshot()


def _icon(canvas: Any, item: DrawingItem) -> None:
    name, color, filled = item.data
    side = min(item.rect.width, item.rect.height)
    if side > 0:
        left = item.rect.left + (item.rect.width - side) // 2
        top = item.rect.top + (item.rect.height - side) // 2
        canvas.drawImage(_icon_image(name, color, filled, side), left, top)


def _mirrored_icon(canvas: Any, item: DrawingItem) -> None:
    canvas.save()
    canvas.translate(item.rect.left + item.rect.right, 0)
    canvas.scale(-1, 1)
    _icon(canvas, item)
    canvas.restore()


def _picture(canvas: Any, item: DrawingItem) -> None:
    name, argument, radii = item.data
    if not item.rect.is_empty:
        image = rendered(name, argument, item.rect.width, item.rect.height, radii)
        canvas.drawImage(image, item.rect.left, item.rect.top)


def _zoomed_picture(canvas: Any, item: DrawingItem) -> None:
    name, argument = item.data
    canvas.save()
    canvas.translate(item.rect.left, item.rect.top)
    draw(canvas, name, argument, item.rect.width, item.rect.height)
    canvas.restore()


def _arc(canvas: Any, item: DrawingItem) -> None:
    color, width, turn = item.data
    place = _rect(item.rect)
    place.inset(width, width)
    sweep = 150 + 110 * math.sin(math.radians(turn * 0.7))
    canvas.drawArc(place, turn, sweep, False, _paint(color, width))


_DRAW: dict[str, Callable[[Any, DrawingItem], None]] = {
    "fill": _fill,
    "border": _border,
    "shadow": _shadow,
    "text": _text,
    "icon": _icon,
    "mirrored icon": _mirrored_icon,
    "picture": _picture,
    "zoomed": _zoomed_picture,
    "arc": _arc,
}
