"""Classify pointer events into gestures, by time and distance.

This module has no clock and no device: times come with the events, in nanoseconds, and distances are
measured in dp, so a gesture is the same on every screen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from collector.model.action import Action, DoubleTap, Drag, FingerPath, LongPress, Pinch, Swipe, Tap
from collector.model.geometry import Point
from collector.model.phone.touch import TouchAction

BASE_DPI = 160
SLOP_DP = 8
DOUBLE_TAP_DP = 100
DOUBLE_TAP_MS = (40, 300)
_SAMPLE_MS = 8
_MAX_SAMPLES = 256
_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Gesture:
    """A finished gesture; ``started_ns`` is its first touch-down, whose screen is the state before it."""

    action: Action
    started_ns: int
    finished_ns: int
    down: Point
    """Where the first finger came down."""


@dataclass(slots=True)
class _FingerTrack:
    down: Point
    down_ns: int
    last: Point
    left_slop_ns: int | None = None
    up_ns: int = 0
    samples: list[tuple[int, int, int]] = field(default_factory=list)
    every_ms: int = _SAMPLE_MS

    def moved(self, point: Point, time_ns: int, slop: float) -> None:
        self.last = point
        if self.left_slop_ns is None and point.distance_to(self.down) > slop:
            self.left_slop_ns = time_ns
        elapsed = (time_ns - self.down_ns) // _MS
        if elapsed - self.samples[-1][0] >= self.every_ms:
            self.samples.append((elapsed, point.x, point.y))
            if len(self.samples) > _MAX_SAMPLES:
                # A long path keeps its shape at half the detail, its beginning as its end.
                del self.samples[1:-1:2]
                self.every_ms *= 2

    def path(self, time_ns: int, began_ns: int) -> FingerPath:
        """Its path until ``time_ns``, with times from ``began_ns``."""
        end = ((time_ns - self.down_ns) // _MS, self.last.x, self.last.y)
        samples = self.samples if self.samples[-1] == end else [*self.samples, end]
        later = (self.down_ns - began_ns) // _MS
        return tuple((t_ms + later, x, y) for t_ms, x, y in samples)


class GestureClassifier:
    """Takes every pointer event in order and returns the gestures that each event completed.

    A tap is held back until no second one can make it a double tap: call :meth:`tick` when
    :attr:`deadline_ns` has come, or :meth:`flush` when something else happens.
    """

    def __init__(self, density: int, long_press_ms: int = 400) -> None:
        """``density`` in dots per inch; ``long_press_ms`` is the phone's ``long_press_timeout``."""
        self._dp = max(density, 1) / BASE_DPI
        self._long_press_ns = max(400, long_press_ms) * _MS
        self._fingers: dict[int, _FingerTrack] = {}
        self._lifted: list[_FingerTrack] = []
        self._started_ns = 0
        self._two_at: tuple[Point, Point] | None = None
        self._held_tap: Gesture | None = None

    @property
    def is_touching(self) -> bool:
        return bool(self._fingers)

    @property
    def deadline_ns(self) -> int | None:
        """When a held-back tap stops waiting for a second one; None while no tap waits."""
        if self._held_tap is None or self._fingers:
            return None
        return self._held_tap.finished_ns + DOUBLE_TAP_MS[1] * _MS

    def feed(self, action: TouchAction, pointer: int, point: Point, time_ns: int) -> list[Gesture]:
        """Take one event; the gestures it completed, oldest first."""
        if action is TouchAction.DOWN:
            return self._down(pointer, point, time_ns)
        if action is TouchAction.CANCEL:
            self._forget()
            return self.flush()
        finger = self._fingers.get(pointer)
        if finger is None:
            return []
        finger.moved(point, time_ns, SLOP_DP * self._dp)
        return self._up(pointer, time_ns) if action is TouchAction.UP else []

    def tick(self, now_ns: int) -> list[Gesture]:
        """The held-back tap, once no second one can follow."""
        deadline = self.deadline_ns
        return self.flush() if deadline is not None and now_ns > deadline else []

    def flush(self) -> list[Gesture]:
        """The held-back tap, now, because something other than a touch followed it."""
        held, self._held_tap = self._held_tap, None
        return [held] if held is not None else []

    def flush_if(self, is_single: Callable[[Gesture], bool]) -> list[Gesture]:
        """The held-back tap, now, if it must not become part of a double tap."""
        held = self._held_tap
        return self.flush() if held is not None and not self._fingers and is_single(held) else []

    def _forget(self) -> None:
        self._fingers.clear()
        self._lifted.clear()
        self._two_at = None

    def _down(self, pointer: int, point: Point, time_ns: int) -> list[Gesture]:
        done: list[Gesture] = []
        if not self._fingers:
            self._forget()
            self._started_ns = time_ns
            if not self._may_be_second_tap(point, time_ns):
                done = self.flush()
        self._fingers[pointer] = _FingerTrack(point, time_ns, point, samples=[(0, point.x, point.y)])
        if self._two_at is None and len(self._fingers) == 2:
            first, second = self._fingers.values()
            self._two_at = (first.last, second.last)
        return done

    def _may_be_second_tap(self, point: Point, time_ns: int) -> bool:
        held = self._held_tap
        if held is None or held.action.point is None:
            return False
        gap_ms = (time_ns - held.finished_ns) / _MS
        near = point.distance_to(held.action.point) <= DOUBLE_TAP_DP * self._dp
        return near and DOUBLE_TAP_MS[0] <= gap_ms <= DOUBLE_TAP_MS[1]

    def _up(self, pointer: int, time_ns: int) -> list[Gesture]:
        lifted = self._fingers.pop(pointer)
        lifted.up_ns = time_ns
        self._lifted.append(lifted)
        if self._fingers:
            return []
        fingers = sorted(self._lifted, key=lambda finger: finger.down_ns)
        action = (
            self._two_fingers(fingers, time_ns) if self._two_at else self._one_finger(fingers[0], time_ns)
        )
        gesture = Gesture(action, self._started_ns, time_ns, fingers[0].down)
        self._forget()
        if not isinstance(action, Tap):
            return [*self.flush(), gesture]
        held = self._held_tap
        if held is None:
            self._held_tap = gesture
            return []
        self._held_tap = None
        first = held.action.point
        assert first is not None
        return [Gesture(DoubleTap(first.x, first.y), held.started_ns, time_ns, first)]

    def _one_finger(self, finger: _FingerTrack, time_ns: int) -> Action:
        x, y = finger.down.x, finger.down.y
        duration = (time_ns - finger.down_ns) // _MS
        if finger.left_slop_ns is None:
            if time_ns - finger.down_ns >= self._long_press_ns:
                return LongPress(x, y, duration)
            return Tap(x, y, duration)
        held = finger.left_slop_ns - finger.down_ns >= self._long_press_ns
        kind = Drag if held else Swipe
        return kind(x, y, finger.last.x, finger.last.y, duration, finger.path(time_ns, finger.down_ns))

    def _two_fingers(self, fingers: list[_FingerTrack], time_ns: int) -> Action:
        assert self._two_at is not None
        first, second = fingers[:2]
        before = max(1.0, self._two_at[0].distance_to(self._two_at[1]))
        scale = first.last.distance_to(second.last) / before
        middle = Point(
            (self._two_at[0].x + self._two_at[1].x) // 2, (self._two_at[0].y + self._two_at[1].y) // 2
        )
        began = self._started_ns
        paths = tuple(finger.path(finger.up_ns, began) for finger in fingers)
        return Pinch(middle.x, middle.y, round(scale, 3), (time_ns - began) // _MS, paths)
