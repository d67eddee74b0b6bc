"""Shaped text: line breaking, fallback fonts (CJK, emoji, right to left) and a cache of what was shaped."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import skia

from collector.host.installed_fonts import font_manager
from collector.virtual.ui.widgets import Span, TextAlign

_SANS = ("Roboto", "Noto Sans", "Inter")
_SERIF = ("Noto Serif", "DejaVu Serif")
_DISPLAY = ("Noto Serif Display", "Noto Serif", "DejaVu Serif")
_MONO = ("Roboto Mono", "Noto Sans Mono", "DejaVu Sans Mono", "JetBrains Mono")
# A font with ligatures comes last: a phone shows "->" and "!=" as they are written.
_CJK = {
    "zh": ("Noto Sans CJK SC", "Noto Sans CJK TC"),
    "ja": ("Noto Sans CJK JP",),
    "ko": ("Noto Sans CJK KR",),
}
_REST = ("Noto Color Emoji", "Noto Sans Symbols", "Noto Sans Arabic", "Noto Sans Hebrew", "DejaVu Sans")
_ALIGN = {
    "start": skia.textlayout.TextAlign.kLeft,
    "center": skia.textlayout.TextAlign.kCenter,
    "end": skia.textlayout.TextAlign.kRight,
}
_FONTS = {"mono": _MONO, "serif": _SERIF, "display": _DISPLAY}
_WEIGHTS = {
    "thin": (skia.FontStyle.kThin_Weight, skia.FontStyle.kNormal_Weight),
    "normal": (skia.FontStyle.kNormal_Weight, skia.FontStyle.kBold_Weight),
    "bold": (skia.FontStyle.kBold_Weight, skia.FontStyle.kBlack_Weight),
}
"""Of a usual and of a bold text."""
_lock = threading.RLock()


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Style of a text; ``size`` in px, ``color`` as 0xAARRGGBB."""

    size: float
    color: int
    bold: bool = False
    italic: bool = False
    mono: bool = False
    strike: bool = False
    underline: bool = False
    align: TextAlign = "start"
    line_height: float = 1.35
    language: str = "en"
    font: str = "sans"
    """sans, serif, mono or display."""
    weight: str = "normal"
    """thin, normal or bold."""
    letter_spacing: float = 0.0
    """As a share of the size."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidText:
    """A text broken into lines for one width.

    It is equal only to itself; because it is cached, identity means equality.
    """

    paragraph: Any
    text: str
    width: int
    """Width of the longest line in px, rounded up."""
    height: int

    def draw(self, canvas: Any, x: float, y: float) -> None:
        with _lock:
            self.paragraph.paint(canvas, x, y)


@lru_cache(maxsize=1)
def _fonts() -> tuple[Any, Any, frozenset[str]]:
    manager = font_manager()
    collection = skia.textlayout.FontCollection()
    collection.setDefaultFontManager(manager)
    installed = frozenset(manager.getFamilyName(i) for i in range(manager.countFamilies()))
    return collection, skia.Unicodes.ICU.Make(), installed


@lru_cache(maxsize=32)
def _families(font: str, language: str, latin: bool) -> list[str]:
    """Fonts in order of preference; large fonts are not opened for a Latin text."""
    _collection, _unicode, installed = _fonts()
    own = _CJK.get(language, _CJK["zh"])
    others = tuple(name for names in _CJK.values() for name in names)
    rest = () if latin else (*own, *_REST, *others)
    families = (*_FONTS.get(font, ()), *_SANS, *rest)
    return [name for name in dict.fromkeys(families) if name in installed]


@lru_cache(maxsize=512)
def _skia_style(style: TextStyle, color: int, bold: bool, latin: bool) -> Any:
    skia_style = skia.textlayout.TextStyle()
    skia_style.setFontSize(style.size)
    skia_style.setFontFamilies(_families("mono" if style.mono else style.font, style.language, latin))
    skia_style.setColor(color)
    weight = _WEIGHTS[style.weight][bold]
    slant = skia.FontStyle.kItalic_Slant if style.italic else skia.FontStyle.kUpright_Slant
    skia_style.setFontStyle(skia.FontStyle(weight, skia.FontStyle.kNormal_Width, slant))
    skia_style.setHeight(style.line_height)
    skia_style.setHeightOverride(True)
    skia_style.setHalfLeading(True)
    if style.letter_spacing:
        skia_style.setLetterSpacing(style.letter_spacing * style.size)
    if style.strike or style.underline:
        kinds = skia.textlayout.TextDecoration
        skia_style.setDecoration(kinds.kLineThrough if style.strike else kinds.kUnderline)
        skia_style.setDecorationColor(color)
    return skia_style


def _build(
    text: str, style: TextStyle, spans: tuple[Span, ...], colors: tuple[int, ...], width: float
) -> Any:
    collection, unicode, _installed = _fonts()
    latin = _is_latin(text + "".join(span.text for span in spans))
    paragraph_style = skia.textlayout.ParagraphStyle()
    paragraph_style.setTextStyle(_skia_style(style, style.color, style.bold, latin))
    paragraph_style.setTextAlign(_ALIGN[style.align])
    builder = skia.textlayout.ParagraphBuilder.make(paragraph_style, collection, unicode)
    if spans:
        for span, color in zip(spans, colors, strict=True):
            builder.pushStyle(_skia_style(style, color, span.bold or style.bold, latin))
            builder.addText(span.text)
            builder.pop()
    else:
        builder.pushStyle(_skia_style(style, style.color, style.bold, latin))
        builder.addText(text)
    paragraph = builder.Build()
    paragraph.layout(width)
    return paragraph


@lru_cache(maxsize=512)
def lay_text(
    text: str,
    style: TextStyle,
    max_width: int,
    max_lines: int = 0,
    spans: tuple[Span, ...] = (),
    colors: tuple[int, ...] = (),
) -> LaidText:
    """Break ``text`` into lines of ``max_width`` px; beyond ``max_lines`` it ends in an ellipsis.

    ``colors`` has one 0xAARRGGBB for each of ``spans``.
    """
    text = _drawable(text)
    with _lock:
        paragraph = _build(text, style, spans, colors, max_width)
        limit = (max_lines + 0.5) * style.size * style.line_height
        if max_lines and paragraph.Height > limit:
            text = _shortened(text, style, max_width, limit)
            paragraph = _build(text, style, (), (), max_width)
        return LaidText(paragraph, text, math.ceil(paragraph.LongestLine), math.ceil(paragraph.Height))


@lru_cache(maxsize=512)
def natural_width(
    text: str, style: TextStyle, spans: tuple[Span, ...] = (), colors: tuple[int, ...] = ()
) -> int:
    """Width of the text in px in one line, or of its longest line when it has line breaks."""
    with _lock:
        paragraph = _build(_drawable(text), style, spans, colors, 1e6)
        return math.ceil(float(paragraph.MaxIntrinsicWidth))


def _is_latin(text: str) -> bool:
    """Whether the first font covers the text: Latin letters and common punctuation."""
    return all(ord(letter) < 0x250 or 0x2010 <= ord(letter) <= 0x203A for letter in text)


def _shortened(text: str, style: TextStyle, width: int, limit: float) -> str:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if _build(text[:middle].rstrip() + "…", style, (), (), width).Height <= limit:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


def _drawable(text: str) -> str:
    # A lone surrogate cannot be encoded for the shaper, and a NUL would end the text.
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
