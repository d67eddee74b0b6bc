"""Fonts by role, with families from the tokens and tabular figures."""

from __future__ import annotations

import functools
import sys

from PySide6.QtGui import QFont, QGuiApplication, QRawFont

from studio.theme.tokens import tokens

_WEIGHTS = {400: QFont.Weight.Normal, 500: QFont.Weight.Medium, 600: QFont.Weight.DemiBold}
# role: (size name in the tokens, weight name, mono)
FONT_ROLES = {
    "body": ("body", "regular", False),
    "name": ("body", "medium", False),
    "heading": ("body", "semibold", False),
    "caption": ("caption", "regular", False),
    "title": ("title", "medium", False),
    "instruction": ("instruction", "semibold", False),
    "empty": ("empty", "semibold", False),
    "figure": ("figure", "semibold", False),
    "figure_large": ("figure_large", "semibold", False),
    "code": ("code", "regular", True),
    "code_inline": ("code_inline", "regular", True),
}


_LIGHTER = QFont.Weight(350)
"""Weight of regular text in light ink, where the rasterizer thickens it."""


@functools.cache
def _build(role: str, on_dark: bool) -> QFont:
    spec = tokens().group("font")
    size_name, weight_name, mono = FONT_ROLES[role]
    font = QFont()
    font.setFamilies(list(spec["mono" if mono else "ui"]))
    font.setWeight(_WEIGHTS[spec["weight"][weight_name]])
    if on_dark and weight_name == "regular" and _is_thickened(role):
        font.setWeight(_LIGHTER)
    _set_pixels(font, spec["size"][size_name])
    for tag, value in spec["mono_features" if mono else "features"].items():
        font.setFeature(QFont.Tag(tag), value)
    font.setStyleHint(QFont.StyleHint.Monospace if mono else QFont.StyleHint.SansSerif)
    return font


@functools.cache
def _is_thickened(role: str) -> bool:
    """Whether small text is drawn bolder than its design: Qt lets FreeType darken stems of CFF outlines.

    Light text on dark, which spreads by itself, looks medium then.
    """
    raw = QRawFont.fromFont(_build(role, False))
    return sys.platform.startswith("linux") and not raw.fontTable("CFF ").isEmpty()


def _set_pixels(font: QFont, pixels: float) -> None:
    """Set a size in logical pixels; whole ones exactly, halves through points."""
    screen = QGuiApplication.primaryScreen()
    if float(pixels).is_integer() or screen is None:
        font.setPixelSize(round(pixels))
    else:
        font.setPointSizeF(pixels * 72.0 / screen.logicalDotsPerInchY())


def font(role: str, *, on_dark: bool = False) -> QFont:
    """A copy of the font for a role of ``FONT_ROLES``; ``on_dark`` for light text on a dark ground."""
    return QFont(_build(role, on_dark))
