"""The launcher icons of apps: as a widget, as the picture in an APK, and pictures that came with one."""

from __future__ import annotations

import hashlib
from typing import Any

import skia

from collector.model.byte_bounded_cache import ByteBoundedCache
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import AppIcon
from collector.virtual.ui.drawing.icons import STROKE, icon_path
from collector.virtual.ui.drawing.pictures import picture

_PICTURE = "app icon"
_BUDGET, _LARGEST = 4 << 20, 1024
_kept: ByteBoundedCache[str, bytes] = ByteBoundedCache(_BUDGET, len)
"""Encoded pictures of apps that came as an APK, by the name that :func:`keep_icon` gave them."""
_RADIUS, _SIGN = 0.3, 0.47
"""Of the side of a picture: the radius of its corners, and the side of the sign."""


def keep_icon(data: bytes) -> str:
    """Keep an encoded picture for :attr:`AppIcon.picture`; empty when it cannot be read."""
    if _image(data) is None:
        return ""
    name = hashlib.sha256(data).hexdigest()[:16]
    _kept.put(name, data)
    return name


def _image(data: bytes) -> Any:
    """The picture; None for what is none, or larger than an icon can be: the size is read before it."""
    encoded = skia.Data.MakeWithCopy(data)
    try:
        size = skia.Codec.MakeFromData(encoded).dimensions()
    except RuntimeError:
        return None
    if max(size.width(), size.height()) > _LARGEST:
        return None
    return skia.Image.MakeFromEncoded(encoded)


@picture(_PICTURE)
def _draw(canvas: Any, width: float, height: float, argument: str) -> None:
    image = _image(_kept.get(argument) or b"")
    frame = skia.Rect.MakeWH(width, height)
    if image is None:
        canvas.drawRect(frame, skia.Paint(Color=0xFFB8C0C4))
        return
    canvas.drawImageRect(image, frame, skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear))


def app_mark(
    icon: AppIcon, side: float, sign: float, radius: float, color: str = "#FFFFFF", *, class_name: str = "-"
) -> w.Widget:
    """The icon of an app ``side`` dp wide, with a sign of ``sign`` dp; by default no node of the tree."""
    if icon.picture:
        return w.Image(
            picture=_PICTURE, argument=icon.picture, width=side, height=side, radius=radius,
            class_name=class_name, align_self="center",
        )  # fmt: skip
    return w.Row(
        (w.Icon(name=icon.icon, color=color, size=sign, class_name=class_name),),
        width=side,
        height=side,
        radius=radius,
        background=icon.color,
        arrange="center",
        align_self="center",
        class_name=class_name,
    )


def icon_picture(icon: AppIcon, side: int) -> bytes:
    """The icon as a PNG of ``side`` px."""
    surface = skia.Surface(side, side)
    canvas = surface.getCanvas()
    if icon.picture:
        _draw(canvas, side, side, icon.picture)
    else:
        radius = side * _RADIUS
        color = skia.Paint(AntiAlias=True, Color=int(icon.color.lstrip("#"), 16) | 0xFF000000)
        canvas.drawRoundRect(skia.Rect.MakeWH(side, side), radius, radius, color)
        scale = side * _SIGN / 24
        canvas.translate(side * (1 - _SIGN) / 2, side * (1 - _SIGN) / 2)
        canvas.scale(scale, scale)
        line = skia.Paint(
            AntiAlias=True, Color=0xFFFFFFFF, Style=skia.Paint.kStroke_Style, StrokeWidth=STROKE,
            StrokeCap=skia.Paint.kRound_Cap, StrokeJoin=skia.Paint.kRound_Join,
        )  # fmt: skip
        canvas.drawPath(icon_path(icon.icon), line)
    return bytes(surface.makeImageSnapshot().encodeToData(skia.kPNG, 100))
