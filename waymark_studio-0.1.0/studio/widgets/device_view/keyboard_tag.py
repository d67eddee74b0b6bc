"""The tag over the phone that says that the keyboard is the phone's."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter

from studio.theme import theme
from studio.widgets.painting import draw_text, text_width

_HEIGHT, _PAD, _ICON, _FRAME = 14, 8, 12, 6
"""Logical pixels; the frame of the screen stays free."""


def keyboard_tag_strip(view: QRect, picture: QRect) -> QRect:
    """Return the strip across the view that the tag is in, whatever it says."""
    return QRect(view.left(), max(view.top(), picture.top() - _HEIGHT - _FRAME), view.width(), _HEIGHT)


def paint_keyboard_tag(painter: QPainter, view: QRect, picture: QRect, hint: str, short_hint: str) -> None:
    """Draw the hint that fits above the picture, within the view; over its edge where there is no margin."""
    words = hint if _width(hint) <= view.width() else short_hint
    width = min(view.width(), _width(words))
    left = min(max(view.left(), picture.center().x() - width // 2), view.right() + 1 - width)
    tag = QRect(left, keyboard_tag_strip(view, picture).top(), width, _HEIGHT)
    painter.setPen(Qt.PenStyle.NoPen)
    for background in ("bg-1", "ok-weak"):
        painter.setBrush(theme.color(background))
        painter.drawRoundedRect(tag, 3, 3)
    icon = QRect(tag.left() + _PAD, tag.top(), _ICON, _HEIGHT)
    theme.draw_icon_in(painter, "keyb", icon, _ICON, "ok")
    draw_text(painter, tag.adjusted(2 * _PAD + _ICON, 0, 0, 0), words, "caption", "ok")


def _width(words: str) -> int:
    return text_width(words, "caption") + _ICON + 3 * _PAD
