"""Touches without a mouse: a tap, a long press or a swipe of one finger, over the time that it takes."""

from __future__ import annotations

import time
from collections import deque

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction
from studio.widgets.device_view.events import PointerEvent

LONG_PRESS_MS = 800
"""How long the finger stays: Android takes 400 to 500 ms for a long press, unless its setting says more."""
SWIPE_MS = 320
_SAMPLE_MS = 16


class TimedTouch(QObject):
    """Plays one gesture at a time as pointer events; every finger that comes down is lifted or cancelled."""

    pointer = Signal(object)
    """A :class:`PointerEvent`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._next: deque[tuple[int, TouchAction, Position]] = deque()
        self._last: Position | None = None
        # A coarse timer may end 5 % early: a long press would be shorter than it says.
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._play)

    @property
    def is_down(self) -> bool:
        """Whether a gesture goes on."""
        return self._last is not None

    def tap(self, position: Position) -> None:
        """Touch a place and lift the finger at once. Nothing happens while a gesture goes on."""
        self._start([(0, TouchAction.DOWN, position), (0, TouchAction.UP, position)])

    def long_press(self, position: Position) -> None:
        """Touch a place for :data:`LONG_PRESS_MS`."""
        self._start([(0, TouchAction.DOWN, position), (LONG_PRESS_MS, TouchAction.UP, position)])

    def swipe(self, start: Position, end: Position) -> None:
        """Move a finger from place to place in :data:`SWIPE_MS`."""
        count = SWIPE_MS // _SAMPLE_MS
        # It moves at once: a finger that first rests, because the window is busy, would drag.
        moves = [
            (_SAMPLE_MS if number > 1 else 0, TouchAction.MOVE, _between(start, end, number / count))
            for number in range(1, count + 1)
        ]
        self._start([(0, TouchAction.DOWN, start), *moves, (0, TouchAction.UP, end)])

    def cancel(self) -> None:
        """End the gesture without an effect, because another one begins."""
        self._timer.stop()
        self._next.clear()
        if self._last is not None:
            self._emit(TouchAction.CANCEL, self._last)

    def _start(self, events: list[tuple[int, TouchAction, Position]]) -> None:
        if not self.is_down:
            self._next.extend(events)
            self._play()

    @Slot()
    def _play(self) -> None:
        while self._next:
            _delay, action, position = self._next.popleft()
            self._emit(action, position)
            if self._next and self._next[0][0]:
                self._timer.start(self._next[0][0])
                return

    def _emit(self, action: TouchAction, position: Position) -> None:
        self._last = position if action in (TouchAction.DOWN, TouchAction.MOVE) else None
        self.pointer.emit(PointerEvent(action, 0, position, time.monotonic_ns()))


def _between(start: Position, end: Position, share: float) -> Position:
    first, last = start.point, end.point
    x, y = first.x + (last.x - first.x) * share, first.y + (last.y - first.y) * share
    return Position(Point(round(x), round(y)), start.screen)
