"""Text in pictures: shaped, broken into lines, in any script, with the fonts of the design where they are."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import skia

from collector.host.installed_fonts import font_manager

_FAMILIES = (
    "Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei UI", "PingFang SC",
    "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Color Emoji", "DejaVu Sans",
)  # fmt: skip
_LONGEST = 2000
"""Characters that are looked at; no picture has room for more."""
_lock = threading.RLock()


@dataclass(frozen=True, slots=True)
class FrameTextStyle:
    """Size and line height in pixels, a weight of CSS, a colour as 0xAARRGGBB."""

    size: float
    color: int
    weight: int = 400
    line: float = 16


@lru_cache(maxsize=1)
def _fonts() -> tuple[Any, Any, list[str]]:
    manager = font_manager()
    collection = skia.textlayout.FontCollection()
    collection.setDefaultFontManager(manager)
    installed = {manager.getFamilyName(number) for number in range(manager.countFamilies())}
    return collection, skia.Unicodes.ICU.Make(), [name for name in _FAMILIES if name in installed]


def draw_text(
    canvas: Any, text: str, at: tuple[float, float], style: FrameTextStyle, width: float, lines: int = 1
) -> float:
    """Draw text into a box of some lines and return its height; what does not fit ends in an ellipsis."""
    if not text:
        return 0.0
    with _lock:
        paragraph = _fitted(_drawable(text), style, max(1.0, width), lines)
        paragraph.paint(canvas, *at)
        return float(paragraph.Height)


def text_width(text: str, style: FrameTextStyle) -> int:
    """The width of a text on one line, in pixels."""
    with _lock:
        return math.ceil(float(_paragraph(_drawable(text), style, 1e6).MaxIntrinsicWidth))


@lru_cache(maxsize=2048)
def _fitted(text: str, style: FrameTextStyle, width: float, lines: int) -> Any:
    limit = (lines + 0.5) * style.line
    whole = _paragraph(text, style, width)
    if whole.Height <= limit:
        return whole
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if _paragraph(text[:middle].rstrip() + "…", style, width).Height <= limit:
            low = middle
        else:
            high = middle - 1
    return _paragraph(text[:low].rstrip() + "…", style, width)


def _paragraph(text: str, style: FrameTextStyle, width: float) -> Any:
    collection, unicode, families = _fonts()
    look = skia.textlayout.TextStyle()
    look.setFontSize(style.size)
    look.setFontFamilies(families)
    look.setColor(style.color)
    upright = skia.FontStyle.kUpright_Slant
    look.setFontStyle(skia.FontStyle(style.weight, skia.FontStyle.kNormal_Width, upright))
    look.setHeight(style.line / style.size)
    look.setHeightOverride(True)
    look.setHalfLeading(True)
    paragraph_style = skia.textlayout.ParagraphStyle()
    paragraph_style.setTextStyle(look)
    builder = skia.textlayout.ParagraphBuilder.make(paragraph_style, collection, unicode)
    builder.pushStyle(look)
    builder.addText(text)
    builder.pop()
    paragraph = builder.Build()
    paragraph.layout(width)
    return paragraph


def _drawable(text: str) -> str:
    """One line without control characters; a lone surrogate cannot be shaped, and a NUL would end it."""
    words = " ".join(text[:_LONGEST].split())
    plain = words.encode("utf-8", "replace").decode()
    return "".join(letter if letter.isprintable() or letter == "\u200d" else "�" for letter in plain)
