"""Shared painting functions: text, keys, badges, node lines, surfaces."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from studio.theme import fonts, theme
from studio.theme.mirroring import upright
from studio.widgets.captions.node_text import NodeLine

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
NOTHING_LEFT = "\N{HORIZONTAL ELLIPSIS}"
"""What :func:`elided` leaves of a text where there is no room for a letter of it."""
_SPACE = 6
_KEY_HEIGHT = 16
BADGE_HEIGHT = 18
_SHORT = 80
"""Letters of the longest text whose width is remembered."""
_SHADE = 5
"""Alpha, of 255, of each ring of a shadow."""


def elided(font: QFont, text: str, width: int, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> str:
    """Shorten ``text`` with ``...`` to a width in logical pixels."""
    return QFontMetrics(font).elidedText(_measurable(text, width, mode), mode, max(0, width))


def _measurable(text: str, width: int, mode: Qt.TextElideMode) -> str:
    """A text not much longer than what may fit: of a hundred thousand letters Qt measures each."""
    most = max(64, 2 * width)
    if len(text) <= most:
        return text
    if mode is Qt.TextElideMode.ElideRight:
        return text[:most]
    return text[-most:] if mode is Qt.TextElideMode.ElideLeft else text[: most // 2] + text[-(most // 2) :]


def draw_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    role: str = "body",
    tone: str = "text",
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> int:
    """Draw one line, elided and vertically centred; return the width it took."""
    font = theme.font(role)
    shown = elided(font, text, rect.width())
    painter.setFont(font)
    painter.setPen(theme.color(tone))
    flags = align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
    with upright(painter, rect):
        painter.drawText(rect, flags, shown)
    return QFontMetrics(font).horizontalAdvance(shown)


def draw_focus_ring(painter: QPainter, rect: QRect, *, radius: int = 0) -> None:
    """Draw the ring of what has the keyboard inside of ``rect``: 2 px, sharp at its straight edges."""
    painter.setPen(QPen(theme.color("accent"), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), radius, radius)


def draw_row_ground(painter: QPainter, rect: QRect, *, is_selected: bool, is_hovered: bool) -> None:
    """Fill a row of a list or table as selected or hovered, and draw the line below it."""
    if is_selected or is_hovered:
        painter.fillRect(rect, theme.color("accent-weak" if is_selected else "bg-3"))
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))


def draw_item_ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
    """Fill the row of an item as its view says, and draw the line below it."""
    draw_row_ground(
        painter, option.rect,
        is_selected=bool(option.state & QStyle.StateFlag.State_Selected),
        is_hovered=bool(option.state & QStyle.StateFlag.State_MouseOver),
    )  # fmt: skip


def draw_round_ground(painter: QPainter, rect: QRect) -> None:
    """Fill a row as selected, with round corners."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("accent-weak"))
    painter.drawRoundedRect(rect, 4, 4)
    painter.restore()


def text_width(text: str, role: str = "body") -> int:
    """Width of a text in the font of a role, in logical pixels.

    Buttons ask for the same few words dozens of times at each layout of a window, so these are remembered.
    """
    on_dark = theme.scheme == "dark"
    return _short_width(text, role, on_dark) if len(text) <= _SHORT else _width(text, role, on_dark)


def _width(text: str, role: str, on_dark: bool) -> int:
    return QFontMetrics(fonts.font(role, on_dark=on_dark)).horizontalAdvance(text)


_short_width = lru_cache(maxsize=4096)(_width)


def key_width(key: str) -> int:
    """Width of a key as :func:`draw_key` draws it."""
    return text_width(key, "caption") + 10


def draw_key(painter: QPainter, rect: QRect, key: str) -> None:
    """Draw an outlined key cap, vertically centred in ``rect``."""
    box = QRectF(rect.left(), rect.center().y() - _KEY_HEIGHT / 2, key_width(key), _KEY_HEIGHT + 1)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("line-2"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setFont(theme.font("caption"))
    painter.setPen(theme.color("text-2"))
    with upright(painter, box):
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, key)
    painter.restore()


def badge_width(text: str, icon: str) -> int:
    """Width of a badge as :func:`draw_badge` draws it."""
    return text_width(text, "caption") + 12 + (16 if icon else 0)


def draw_badge(painter: QPainter, left: int, top: int, text: str, icon: str, tone: str) -> int:
    """Draw a badge of 18 px; ``tone`` is warn, info, err, ok or empty. Return its width."""
    width = badge_width(text, icon)
    box = QRect(left, top, width, BADGE_HEIGHT)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(f"{tone}-weak" if tone else "bg-3"))
    painter.drawRoundedRect(box, 3, 3)
    ink = tone or "text-2"
    indent = 6
    if icon:
        theme.draw_icon_in(painter, icon, QRect(left + 5, top, 12, BADGE_HEIGHT), 12, ink)
        indent = 22
    painter.restore()
    draw_text(painter, QRect(left + indent, top, width - indent, BADGE_HEIGHT), text, "caption", ink)
    return width


def draw_surface(painter: QPainter, rect: QRect, *, shadow: int = 0) -> None:
    """Draw the background of a menu: round corners, a border and a soft shadow."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    shade = theme.overlay("mark_halo")
    shade.setAlpha(_SHADE)
    for step in range(shadow, 0, -1):
        painter.setBrush(shade)
        painter.drawRoundedRect(rect.adjusted(-step, -step + 2, step, step), 6 + step, 6 + step)
    painter.setPen(QPen(theme.color("line-2"), 1))
    painter.setBrush(theme.color("bg-2" if theme.scheme == "dark" else "bg-1"))
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
    painter.restore()


def draw_screen_image(painter: QPainter, box: QRectF, image: QImage, radius: float) -> None:
    """Draw a screen image, scaled into a box with round corners and a border."""
    ratio = painter.device().devicePixelRatioF()
    size = (box.size() * ratio).toSize()
    scaled = image.scaled(
        size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    outline = QPainterPath()
    outline.addRoundedRect(box, radius, radius)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipPath(outline)
    with upright(painter, box):
        painter.drawImage(box, scaled)
    painter.setClipping(False)
    painter.setPen(QPen(theme.color("line-2"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(outline)
    painter.restore()


def _line_parts(line: NodeLine, strong: bool) -> list[tuple[str, str, str]]:
    """(text, font role, tone) of each part that is not empty."""
    parts = [
        (line.kind, "name" if strong else "body", "text"),
        (line.name, "body", "accent"),
        (line.label, "body", "text-2"),
        (line.note, "body", "text-2"),
    ]
    return [part for part in parts if part[0]]


def node_line_width(line: NodeLine) -> int:
    """Width of a node's line without eliding."""
    return sum(text_width(text, role) + _SPACE for text, role, _tone in _line_parts(line, True))


def draw_node_line(painter: QPainter, rect: QRect, line: NodeLine, *, strong: bool = True) -> None:
    """Draw a node's line; elide the first part that does not fit and omit the rest."""
    left = rect.left()
    for text, role, tone in _line_parts(line, strong):
        room = rect.right() - left + 1
        if room < 12:
            return
        left += draw_text(painter, QRect(left, rect.top(), room, rect.height()), text, role, tone) + _SPACE
