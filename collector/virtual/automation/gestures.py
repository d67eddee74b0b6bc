"""Inject gestures as UiAutomator does: a tap takes 100 ms, a step of a swipe 5 ms."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from collector.model.phone.touch import TouchAction
from collector.virtual.system.phone import Phone

Place = tuple[float, float]

_TAP = 0.1
_LONG_PRESS = 0.55
_STEP = 0.005
_MAX_STEPS = 2000


@dataclass(frozen=True, slots=True)
class GestureInjector:
    """Inject gestures into one phone; ``wait`` sleeps and returns early when the server stops."""

    phone: Phone
    wait: Callable[[float], object]

    def tap(self, x: float, y: float, milliseconds: float = _TAP * 1000) -> bool:
        return self.glide([(x, y)], 0, hold=milliseconds / 1000)

    def long_press(self, x: float, y: float) -> bool:
        return self.glide([(x, y)], 0, hold=_LONG_PRESS)

    def drag(self, start: Place, end: Place, steps: int) -> bool:
        """Press for the long-press time, then move."""
        return self.glide([start, end], steps, hold=_LONG_PRESS)

    def glide(self, points: Sequence[Place], steps: int, hold: float = 0.0) -> bool:
        """Touch down, wait, move through the points in ``steps`` each, touch up."""
        if not points:
            return False
        steps = max(1, min(int(steps), _MAX_STEPS))
        self.phone.touch(TouchAction.DOWN, 0, *points[0])
        self.wait(hold)
        for start, end in itertools.pairwise(points):
            for step in range(1, steps + 1):
                share = step / steps
                x, y = (
                    start_at + (other - start_at) * share for start_at, other in zip(start, end, strict=True)
                )
                self.wait(_STEP)
                self.phone.touch(TouchAction.MOVE, 0, x, y)
        self.phone.touch(TouchAction.UP, 0, *points[-1])
        return True

    def pair(self, first: tuple[Place, Place], other: tuple[Place, Place], steps: int) -> bool:
        """Move two fingers, each from its start to its end."""
        steps = max(1, min(int(steps), _MAX_STEPS))
        both = (first, other)
        for pointer, (start, _end) in enumerate(both):
            self.phone.touch(TouchAction.DOWN, pointer, *start)
        for step in range(1, steps + 1):
            self.wait(_STEP)
            for pointer, (start, end) in enumerate(both):
                x, y = (a + (b - a) * step / steps for a, b in zip(start, end, strict=True))
                self.phone.touch(TouchAction.MOVE, pointer, x, y)
        for pointer, (_start, end) in enumerate(both):
            self.phone.touch(TouchAction.UP, pointer, *end)
        return True
