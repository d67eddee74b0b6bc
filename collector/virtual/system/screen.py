"""The screen: draws when somebody looks, numbers the pictures, wakes those who wait for one."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace

import numpy as np

from collector.model.geometry import Size
from collector.virtual.system.compositor import Compositor
from collector.virtual.system.state import SystemState
from collector.virtual.ui.canvas import Canvas, Pixels

_BLINK_NS = 500_000_000
_SPIN_SECONDS = 1 / 60
_POOL = 2


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What the screen showed: RGBA as (height, width, 4), read only, valid as long as it is held."""

    generation: int
    size: Size
    rgba: Pixels
    secure: bool
    time_ns: int
    """time.monotonic_ns when it was drawn."""


class Screen:
    """Draws into one canvas and hands out copies."""

    def __init__(self, state: SystemState, compositor: Compositor) -> None:
        self._state = state
        self._compositor = compositor
        self._canvas: Canvas | None = None
        self._picture: Picture | None = None
        self._caret_since = (0, 0)
        self._generation = 0
        self._buffers: list[Pixels] = []

    def capture(self) -> Picture:
        with self._state.lock:
            return self._draw()

    def wait(self, after: int, timeout: float) -> Picture | None:
        """A picture newer than ``after``, drawing what moves meanwhile."""
        end = time.monotonic() + timeout
        with self._state.changed:
            while True:
                picture = self._draw()
                if picture.generation > after:
                    return picture
                left = end - time.monotonic()
                if left <= 0:
                    return None
                self._state.changed.wait(min(left, self._seconds_to_next()))

    def _seconds_to_next(self) -> float:
        """Until the picture changes without anybody touching it: the clock, a caret, a turning circle."""
        seconds = self._state.clock.seconds_to_next_minute + 0.01
        if any(window.turns for window in self._compositor.windows):
            return _SPIN_SECONDS
        if self._blinking():
            seconds = min(
                seconds, 0.02 + (_BLINK_NS - (time.monotonic_ns() - self._caret_since[1]) % _BLINK_NS) / 1e9
            )
        return seconds

    def _blinking(self) -> bool:
        window = self._compositor.focused
        return self._state.profile.caret_blinks and window is not None and window.field is not None

    def _move(self) -> None:
        """Bring the caret and turning circles to this moment."""
        now = time.monotonic_ns()
        for one in self._compositor.windows:
            if one.turns:
                one.touches = replace(one.touches, turn=now // 16_000_000 * 6 % 360)
        window = self._compositor.focused
        if window is None or window.field is None:
            return
        if self._caret_since[0] != self._state.version:
            self._caret_since = (self._state.version, now)
        shown = not self._state.profile.caret_blinks or (now - self._caret_since[1]) // _BLINK_NS % 2 == 0
        if window.touches.caret_on != shown:
            window.touches = replace(window.touches, caret_on=shown)

    def _draw(self) -> Picture:
        state = self._state
        size = state.size
        if self._canvas is None or self._canvas.size != size:
            self._canvas = Canvas(size)
            self._buffers = []
            self._picture = None
        self._compositor.windows  # noqa: B018 - lays out first, so that focus is known
        self._move()
        changed = self._canvas.show(self._compositor.items())
        secure = self._compositor.secure
        known = self._picture
        if known is None or changed or known.secure != secure:
            generation = self._generation = self._generation + 1
            pixels = self._buffer(size)
            if secure:
                pixels[:] = (0, 0, 0, 255)
            else:
                np.copyto(pixels, self._canvas.pixels)
            view = pixels.view()
            view.flags.writeable = False
            known = self._picture = Picture(generation, size, view, secure, time.monotonic_ns())
        return known

    def _buffer(self, size: Size) -> Pixels:
        """An array nobody holds any more, or a new one."""
        self._picture = None
        for buffer in self._buffers:
            # The list, the loop and the call itself hold one reference each.
            if sys.getrefcount(buffer) <= 3:
                return buffer
        buffer = np.empty((size.height, size.width, 4), np.uint8)
        if len(self._buffers) < _POOL:
            self._buffers.append(buffer)
        return buffer
