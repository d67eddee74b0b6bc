"""The screen: drawn on demand, with numbered frames; wakes those who wait for a new one."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from collector.model.geometry import Rect, Size
from collector.virtual.system.compositor import Compositor
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.ui.drawing.canvas import Canvas, Pixels, around

_BLINK_NS = 500_000_000
_SPIN_SECONDS = 1 / 60
_MAX_HISTORY = 32
"""Number of frames whose differences are stored; a reader of an older one gets the whole screen."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ScreenFrame:
    """A frame: RGBA as (height, width, 4), read-only, valid while it is held or viewed."""

    generation: int
    size: Size
    rgba: Pixels
    secure: bool
    time_ns: int
    """The phone's time in ns when it was drawn."""
    since: int = 0
    """The generation that ``changed`` refers to; 0 when the whole screen counts as changed."""
    changed: Rect | None = None
    """The changed rectangle since that generation; None for the whole screen."""


class DeviceScreen:
    """Draw into one canvas; give temporary views and permanent copies of it."""

    def __init__(self, state: SystemState, compositor: Compositor) -> None:
        self._state = state
        self._compositor = compositor
        self._canvas: Canvas | None = None
        self._copied: weakref.ref[ScreenFrame] | None = None
        self._secure = False
        self._drawn_ns = 0
        self._changes: deque[tuple[int, Rect]] = deque(maxlen=_MAX_HISTORY)
        self._caret_since = (0, 0)
        self._generation = 0
        self._is_frozen = False

    def freeze(self, frozen: bool) -> None:
        """Show what is on the screen now until it is drawn again."""
        with self._state.lock:
            self._draw()
            self._is_frozen = frozen
            self._state.touch(accessible=False)

    def capture(self) -> ScreenFrame:
        with self._state.lock:
            self._draw()
            return self._copy()

    def wait(self, after: int, timeout: float) -> ScreenFrame | None:
        """A copy of a frame newer than ``after``; animations are drawn meanwhile."""
        with self._state.lock:
            return self._copy() if self._wait(after, timeout) else None

    def look(self, after: int, timeout: float, use: Callable[[ScreenFrame], None]) -> bool:
        """Call ``use`` with a frame newer than ``after``; False when there is none in ``timeout`` s.

        Nothing is copied: the pixels are those of the canvas, valid only until ``use`` returns.
        """
        with self._state.lock:
            if not self._wait(after, timeout):
                return False
            assert self._canvas is not None
            pixels = _black(self._canvas.size) if self._secure else self._canvas.pixels.view()
            use(self._picture(pixels, after))
            return True

    def _wait(self, after: int, timeout: float) -> bool:
        end = self._state.time.now_ns + round(timeout * 1e9)
        while True:
            self._draw()
            if self._generation > after:
                return True
            left = (end - self._state.time.now_ns) / 1e9
            if left <= 0:
                return False
            self._state.changed.wait(min(left, self._seconds_to_next()))

    def _seconds_to_next(self) -> float:
        """Seconds until the frame changes without input: clock, caret, progress circle."""
        seconds = self._state.clock.seconds_to_next_minute + 0.01
        if any(window.turns for window in self._compositor.windows):
            return _SPIN_SECONDS
        if self._blinking():
            shown_ns = (self._state.time.now_ns - self._caret_since[1]) % _BLINK_NS
            seconds = min(seconds, 0.02 + (_BLINK_NS - shown_ns) / 1e9)
        return seconds

    def _blinking(self) -> bool:
        window = self._compositor.focused
        blinks = window is not None and window.field is not None and not window.stopped
        return self._state.profile.caret_blinks and blinks

    def _move(self) -> None:
        """Advance the caret and the progress circles to the current time."""
        now = self._state.time.now_ns
        for moving in self._compositor.windows:
            if moving.turns:
                moving.touches = replace(moving.touches, turn=now // 16_000_000 * 6 % 360)
        window = self._compositor.focused
        if window is None or window.field is None or window.stopped:
            return
        if self._caret_since[0] != self._state.version:
            self._caret_since = (self._state.version, now)
        shown = not self._state.profile.caret_blinks or (now - self._caret_since[1]) // _BLINK_NS % 2 == 0
        if window.touches.caret_on != shown:
            window.touches = replace(window.touches, caret_on=shown)

    def _draw(self) -> None:
        """Update the canvas; count a new generation when anything differs."""
        if self._is_frozen:
            return
        size = self._state.size
        if self._canvas is None or self._canvas.size != size:
            self._canvas = Canvas(size)
            self._changes.clear()
        self._compositor.windows  # noqa: B018 - lays out first, so that focus is known
        self._move()
        changed = self._canvas.show(self._compositor.items())
        secure = self._compositor.secure
        if secure != self._secure:
            changed = Rect(0, 0, size.width, size.height)
        self._secure = secure
        if changed is not None:
            self._generation += 1
            self._drawn_ns = self._state.time.now_ns
            self._changes.append((self._generation, changed))

    def _copy(self) -> ScreenFrame:
        """The current frame in separate memory, shared by all holders."""
        assert self._canvas is not None
        copy = self._copied() if self._copied is not None else None
        if copy is None or copy.generation != self._generation:
            size = self._canvas.size
            copy = self._picture(_black(size) if self._secure else self._canvas.pixels.copy())
            self._copied = weakref.ref(copy)
        return copy

    def _picture(self, pixels: Pixels, after: int = 0) -> ScreenFrame:
        assert self._canvas is not None
        pixels.flags.writeable = False
        newer = [place for generation, place in self._changes if generation > after]
        is_complete = after > 0 and len(newer) == self._generation - after
        return ScreenFrame(
            self._generation,
            self._canvas.size,
            pixels,
            self._secure,
            self._drawn_ns,
            after if is_complete else 0,
            reduce(around, newer) if is_complete else None,
        )


def _black(size: Size) -> Pixels:
    """The black frame shown instead of a protected screen."""
    pixels = np.zeros((size.height, size.width, 4), np.uint8)
    pixels[..., 3] = 255
    return pixels
