"""Select a range of slots by dragging on the ruler. No Qt."""

from __future__ import annotations

_LEAST_DRAG = 4
"""Pixels below which a press is a click."""


class RangeDrag:
    """A press on the ruler: a click until it moves, then a range from there."""

    def __init__(self) -> None:
        self._anchor = -1
        self._pressed_x = 0
        self._has_moved = False

    @property
    def is_pressed(self) -> bool:
        return self._anchor >= 0

    def press(self, slot: int, x: int, chosen: range | None) -> None:
        """Begin at a slot. At the first or last slot of the range that is ``chosen``, its other end stays."""
        self._pressed_x, self._has_moved = x, False
        self._anchor = slot
        if chosen is not None and len(chosen) > 1:
            ends = {chosen[0]: chosen[-1], chosen[-1]: chosen[0]}
            self._anchor = ends.get(slot, slot)

    def move(self, slot: int, x: int) -> range | None:
        """The range up to a slot; None while the press is still a click."""
        self._has_moved = self._has_moved or abs(x - self._pressed_x) >= _LEAST_DRAG
        if not self._has_moved:
            return None
        return range(min(self._anchor, slot), max(self._anchor, slot) + 1)

    def release(self) -> bool:
        """End; return whether it was a click."""
        was_click = self.is_pressed and not self._has_moved
        self._anchor = -1
        return was_click
