"""Where tiles lie on their board, and the parts of a tile. Arithmetic without Qt, in logical pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass

from collector.model.geometry import Rect, Size

GAP = 8
"""Between tiles, and around them."""
HEADER, FOOTER = 32, 36
SMALL_HEADER, SMALL_FOOTER = 28, 26
PAD, SMALL_PAD = 10, 6
"""Around the screen."""
LEAST_TEXT, MOST_TEXT = 132, 320
"""Width of the text column."""
TEXT_FROM = 230
"""Longer side of a screen beside which a text column is read."""
LEAST_SCREEN = 190
"""Longer side of the smallest screen; with less room the board scrolls."""
LEAST_TEXT_HEIGHT = 150
LEAST_WIDTH = 150
"""Width of the smallest tile: its header names phone and step."""
_PORTRAIT = Size(1080, 2400)


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """Tiles in rows of ``columns``, each ``tile`` large; ``height`` is that of all rows."""

    columns: int
    tile: Size
    has_text: bool
    height: int

    def place(self, number: int) -> Rect:
        """The rectangle of a tile, counted from 0."""
        row, column = divmod(number, self.columns)
        left = GAP + column * (self.tile.width + GAP)
        top = GAP + row * (self.tile.height + GAP)
        return Rect(left, top, left + self.tile.width, top + self.tile.height)


@dataclass(frozen=True, slots=True)
class TileParts:
    """The rectangles of a tile. ``text`` is None in a small tile."""

    header: Rect
    body: Rect
    screen: Rect
    text: Rect | None
    footer: Rect

    @property
    def is_small(self) -> bool:
        """Whether the tile has no text column."""
        return self.text is None


def lay_out(count: int, area: Size, screen: Size = _PORTRAIT) -> BoardLayout:
    """Give each tile the largest screen that fits into ``area``; where none fits, the board scrolls."""
    count = max(1, count)
    best: tuple[float, BoardLayout] | None = None
    for columns in range(1, count + 1):
        layout = _with_columns(count, columns, area, screen)
        if layout is not None:
            size = _screen_length(layout.tile, screen, has_text=layout.has_text)
            # Rather a little smaller with the thought than a little larger without.
            worth = size * (1.25 if layout.has_text else 1.0)
            if best is None or worth > best[0]:
                best = (worth, layout)
    return best[1] if best is not None else _scrolling(count, area, screen)


def _with_columns(count: int, columns: int, area: Size, screen: Size) -> BoardLayout | None:
    """The layout with so many columns; None when its tiles would be too small."""
    rows = math.ceil(count / columns)
    width = (area.width - GAP) // columns - GAP
    height = (area.height - GAP) // rows - GAP
    for has_text in (True, False):
        tile = _fitted(Size(width, height), screen, has_text=has_text)
        shown = _screen_length(tile, screen, has_text=has_text)
        is_high = not has_text or height - HEADER - FOOTER >= LEAST_TEXT_HEIGHT
        if shown >= (TEXT_FROM if has_text else LEAST_SCREEN) and width >= LEAST_WIDTH and is_high:
            return BoardLayout(columns, tile, has_text, GAP + rows * (tile.height + GAP))
    return None


def _scrolling(count: int, area: Size, screen: Size) -> BoardLayout:
    """Tiles of the smallest size, as many in a row as fit."""
    longer = max(1, screen.width, screen.height)
    high = LEAST_SCREEN * screen.height // longer
    height = high + SMALL_HEADER + SMALL_FOOTER + 2 * SMALL_PAD
    least = max(LEAST_WIDTH, LEAST_SCREEN * screen.width // longer + 2 * SMALL_PAD)
    columns = min(count, max(1, (area.width - GAP) // (least + GAP)))
    width = min((area.width - GAP) // columns - GAP, 2 * least)
    rows = math.ceil(count / columns)
    return BoardLayout(columns, Size(max(least, width), height), False, GAP + rows * (height + GAP))


def _across(height: int, screen: Size) -> int:
    return math.ceil(height * max(1, screen.width) / max(1, screen.height))


def _fitted(room: Size, screen: Size, *, has_text: bool) -> Size:
    """A tile within ``room`` that is not wider than its content can use."""
    chrome = HEADER + FOOTER + 2 * PAD if has_text else SMALL_HEADER + SMALL_FOOTER + 2 * SMALL_PAD
    across = _across(max(1, room.height - chrome), screen)
    most = across + 2 * PAD + MOST_TEXT if has_text else max(2 * LEAST_WIDTH, across + 2 * SMALL_PAD)
    return Size(min(room.width, most), room.height)


def _screen_length(tile: Size, screen: Size, *, has_text: bool) -> int:
    """The longer side of the screen in a tile."""
    if has_text:
        across = tile.width - LEAST_TEXT - 2 * PAD
        room = tile.height - HEADER - FOOTER - 2 * PAD
    else:
        across = tile.width - 2 * SMALL_PAD
        room = tile.height - SMALL_HEADER - SMALL_FOOTER - 2 * SMALL_PAD
    high = max(0, min(room, across * screen.height // max(1, screen.width)))
    return max(high, high * screen.width // max(1, screen.height))


def parts_of(tile: Size, screen: Size, *, has_text: bool) -> TileParts:
    """Divide a tile; a screen without a size is taken for a portrait one."""
    screen = _PORTRAIT if screen.is_empty else screen
    head, foot, pad = (HEADER, FOOTER, PAD) if has_text else (SMALL_HEADER, SMALL_FOOTER, SMALL_PAD)
    header = Rect(0, 0, tile.width, head)
    footer = Rect(0, tile.height - foot, tile.width, tile.height)
    room = Size(
        max(1, tile.width - 2 * pad - (LEAST_TEXT if has_text else 0)), max(1, footer.top - head - 2 * pad)
    )
    scale = min(room.width / screen.width, room.height / screen.height)
    width, height = max(1, int(screen.width * scale)), max(1, int(screen.height * scale))
    across = width + 2 * pad if has_text else tile.width
    body = Rect(0, head, across, footer.top)
    left = (across - width) // 2
    top = head + (footer.top - head - height) // 2
    text = Rect(across, head, tile.width, footer.top) if has_text else None
    return TileParts(header, body, Rect(left, top, left + width, top + height), text, footer)
