"""Convert mouse input to one touch pointer, or two for a pinch; no Qt."""

from __future__ import annotations

import time

from collector.model.geometry import Position
from collector.model.phone.touch import TouchAction
from studio.widgets.device_view.events import PointerEvent, mirrored


class MouseTouch:
    """Convert presses, moves and releases to pointer events; every pointer pressed is released."""

    def __init__(self) -> None:
        self._last: Position | None = None
        self._pinching = False

    @property
    def is_down(self) -> bool:
        return self._last is not None

    def press(self, position: Position, *, pinch: bool) -> list[PointerEvent]:
        """Press; ``pinch`` adds a second pointer on the other side of the screen's centre."""
        self._pinching = pinch
        return self._events(TouchAction.DOWN, position)

    def move(self, position: Position) -> list[PointerEvent]:
        """Move; return no events when no pointer is pressed or it has not moved a device pixel."""
        if self._last is None or self._last == position:
            return []
        return self._events(TouchAction.MOVE, position)

    def release(self, position: Position) -> list[PointerEvent]:
        return self._lift(TouchAction.UP, position)

    def cancel(self) -> list[PointerEvent]:
        """Cancel the gesture, because the window lost the mouse."""
        return self._lift(TouchAction.CANCEL, self._last) if self._last is not None else []

    def _lift(self, action: TouchAction, position: Position) -> list[PointerEvent]:
        if self._last is None:
            return []
        events = self._events(action, position)
        self._last = None
        return events

    def _events(self, action: TouchAction, position: Position) -> list[PointerEvent]:
        self._last = position
        now = time.monotonic_ns()
        places = [position, mirrored(position)] if self._pinching else [position]
        return [PointerEvent(action, number, place, now) for number, place in enumerate(places)]
