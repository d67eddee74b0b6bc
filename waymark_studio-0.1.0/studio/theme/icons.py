"""Icons: SVG sources recoloured by token and rendered sharp at any pixel ratio."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from collector.model.resources import asset
from studio.theme.tokens import tokens

_VARIABLE = re.compile(r"var\(--([a-z0-9-]+)\)")
_GRID = 16


@functools.cache
def _source(name: str) -> str:
    return asset("icons", f"{name}.svg").read_text(encoding="utf-8")


def svg(name: str, colors: Mapping[str, QColor], tone: str, size: int = 16) -> str:
    """SVG text of an icon with token colours filled in and the stroke that suits ``size``."""
    text = _VARIABLE.sub(lambda match: colors[match[1]].name(), _source(name))
    stroke = tokens().group("icon").get(f"stroke_at_{size}")
    if stroke is not None:
        text = text.replace('stroke-width="1.4"', f'stroke-width="{stroke * _GRID / size:.3f}"')
    color = colors[tone]
    text = text.replace("currentColor", color.name())
    if color.alpha() < 255:
        text = text.replace("<svg ", f'<svg opacity="{color.alphaF():.3f}" ', 1)
    return text


def render(text: str, size: int, ratio: float) -> QPixmap:
    """Render SVG text into a square of ``size`` logical pixels at a device pixel ratio."""
    pixels = max(1, round(size * ratio))
    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
