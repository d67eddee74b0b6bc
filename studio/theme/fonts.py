"""Fonts by role, with families from the tokens and tabular figures."""

from __future__ import annotations

import functools

from PySide6.QtGui import QFont, QGuiApplication

from studio.theme.tokens import tokens

_WEIGHTS = {400: QFont.Weight.Normal, 500: QFont.Weight.Medium, 600: QFont.Weight.DemiBold}
# role: (size name in the tokens, weight name, mono)
_ROLES = {
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
FONT_ROLES = tuple(_ROLES)


@functools.cache
def _build(role: str) -> QFont:
    spec = tokens().group("font")
    size_name, weight_name, mono = _ROLES[role]
    font = QFont()
    font.setFamilies(list(spec["mono" if mono else "ui"]))
    font.setWeight(_WEIGHTS[spec["weight"][weight_name]])
    _set_pixels(font, spec["size"][size_name])
    for tag, value in spec["mono_features" if mono else "features"].items():
        font.setFeature(QFont.Tag(tag), value)
    font.setStyleHint(QFont.StyleHint.Monospace if mono else QFont.StyleHint.SansSerif)
    return font


def _set_pixels(font: QFont, pixels: float) -> None:
    """Set a size in logical pixels; whole ones exactly, halves through points."""
    screen = QGuiApplication.primaryScreen()
    if float(pixels).is_integer() or screen is None:
        font.setPixelSize(round(pixels))
    else:
        font.setPointSizeF(pixels * 72.0 / screen.logicalDotsPerInchY())


def font(role: str) -> QFont:
    """A copy of the font for a role of ``FONT_ROLES``."""
    return QFont(_build(role))
