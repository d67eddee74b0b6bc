"""Draw a line of text over a finished picture."""

from __future__ import annotations

import skia

from collector.virtual.ui.drawing.canvas import Pixels
from collector.virtual.ui.text import TextStyle, lay_text


def write_line(pixels: Pixels, text: str) -> None:
    """Draw light ``text`` on a dark strip along the upper edge of an RGBA image."""
    height, width = pixels.shape[:2]
    tall = max(12, height // 32)
    pixels[:tall] = (0, 0, 0, 255)
    info = skia.ImageInfo.Make(width, height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    surface = skia.Surface.MakeRasterDirect(info, pixels, width * 4)
    lay_text(text, TextStyle(tall * 0.7, 0xFFF4F6F7, mono=True), width).draw(surface.getCanvas(), tall / 2, 0)
