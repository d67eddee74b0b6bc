"""Where the graph and the film strip lie in the viewport: zoom, scrolling and the height of each."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF

from studio.theme import tokens
from studio.widgets.state_graph.layout import CARD_HEIGHT, LANE, SLOT, PlacedCard

_FILM = tokens().group("timeline")["film_states"]
FILM_HEIGHT = int(_FILM["lane"])
THUMB_WIDTH, THUMB_HEIGHT = (int(side) for side in _FILM["thumb"])
THUMB_LEFT = (SLOT - THUMB_WIDTH) // 2
TOP, FOOT = 12, 26
"""Free space over the first lane, and the room of the marks at the ends of the lines to the film strip."""
LEAST_ZOOM, MOST_ZOOM = 0.4, 2.0


@dataclass(frozen=True, slots=True)
class GraphTransform:
    """Maps the layout, whose lengths are pixels at zoom 1, to logical pixels of the viewport.

    The film strip stays at the bottom; the lanes scroll above it.
    """

    zoom: float
    left: int
    """How far the content is scrolled to the right."""
    top: int
    """How far the lanes are scrolled down."""
    width: int
    height: int
    """Size of the viewport."""

    @property
    def film_top(self) -> int:
        """Height at which the film strip begins."""
        return self.height - round(FILM_HEIGHT * self.zoom)

    @property
    def lanes_bottom(self) -> int:
        """Height at which the lanes end; below it are the ends of the lines to the film strip."""
        return self.film_top - round((FOOT - 6) * self.zoom)

    def x(self, column: float) -> float:
        return column * self.zoom - self.left

    def y(self, row: float) -> float:
        return (row + TOP) * self.zoom - self.top

    def column(self, x: float) -> float:
        return (x + self.left) / self.zoom

    def card(self, card: PlacedCard) -> QRectF:
        """The rectangle of a card."""
        return QRectF(self.x(card.left), self.y(card.top), card.width * self.zoom, CARD_HEIGHT * self.zoom)

    def thumb(self, slot: int) -> QRect:
        """The rectangle of the thumbnail of a slot."""
        top = self.film_top + round(7 * self.zoom)
        left = round(self.x(slot * SLOT + THUMB_LEFT))
        return QRect(left, top, round(THUMB_WIDTH * self.zoom), round(THUMB_HEIGHT * self.zoom))

    def slot_at(self, at: QPoint, slots: int) -> int | None:
        """The slot of the film strip at a point; None outside it."""
        slot = int(self.column(at.x()) // SLOT)
        return slot if at.y() >= self.film_top and 0 <= slot < slots else None

    def in_sight(self, slots: int) -> range:
        """The slots that can be seen."""
        first, last = int(self.column(0) // SLOT), int(self.column(self.width) // SLOT) + 1
        return range(max(0, first), max(0, min(slots, last)))


def content_height(lanes: int, zoom: float) -> int:
    """Height that the lanes need above the film strip."""
    return round((TOP + lanes * LANE + FOOT) * zoom)


def zoom_to_fit(width: int, lanes: int, room_width: int, room_height: int) -> float:
    """The zoom at which lanes and film strip fit a room; never above 1, so that text keeps its size."""
    across = room_width / max(1, width)
    down = room_height / (TOP + lanes * LANE + FOOT + FILM_HEIGHT)
    return max(LEAST_ZOOM, min(1.0, across, down))
