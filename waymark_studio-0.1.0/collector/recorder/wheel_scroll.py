"""Merge turns of the mouse wheel that follow each other into one scroll."""

from __future__ import annotations

from collector.model.action import Scroll
from collector.model.geometry import Point
from collector.recorder.screen_moment import ScreenMoment

PAUSE_NS = 400_000_000


class WheelTurns:
    """Turns of the wheel at a point that are one scroll until none follows for a while."""

    def __init__(self, point: Point, now_ns: int) -> None:
        self._point = point
        self._last_ns = now_ns
        self._sums = [0.0, 0.0]

    def turn(self, horizontal: float, vertical: float, now_ns: int) -> None:
        self._sums = [total + turn for total, turn in zip(self._sums, (horizontal, vertical), strict=True)]
        self._last_ns = now_ns

    @property
    def ends_ns(self) -> int:
        """When the scroll is over if nothing follows."""
        return self._last_ns + PAUSE_NS

    def is_over(self, now_ns: int) -> bool:
        return now_ns >= self.ends_ns

    @property
    def action(self) -> Scroll:
        """The scroll so far; its direction is the one in which the wheel was turned most."""
        across, up = self._sums
        if abs(across) > abs(up):
            direction = "right" if across > 0 else "left"
        else:
            direction = "up" if up > 0 else "down"
        return Scroll(self._point.x, self._point.y, direction)


class WheelScroll(WheelTurns):
    """A scroll of a recording; ``moment`` is the screen before it."""

    def __init__(self, moment: ScreenMoment, point: Point) -> None:
        super().__init__(point, moment.time_ns)
        self.moment = moment
