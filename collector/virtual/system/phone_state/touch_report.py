"""Touches that are written to the touchscreen's node as kernel events, up to their report."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.model.geometry import Point
from collector.model.phone.touch import TouchAction

SLOT, POSITION_X, POSITION_Y, TRACKING_ID = 0x2F, 0x35, 0x36, 0x39
"""Codes of multi-touch protocol B."""
_SIGNED = 1 << 31


@dataclass(slots=True)
class _Contact:
    """A finger, as its slot tells it in px of the panel."""

    x: int = 0
    y: int = 0
    is_down: bool = False
    was_down: bool = False
    has_moved: bool = False


@dataclass(slots=True)
class TouchReport:
    """What was written and not reported yet."""

    slot: int = 0
    contacts: dict[int, _Contact] = field(default_factory=dict)

    def take(self, code: int, value: int) -> None:
        """Take one ``EV_ABS`` event."""
        if code == SLOT:
            self.slot = value
            return
        contact = self.contacts.setdefault(self.slot, _Contact())
        if code == TRACKING_ID:
            contact.is_down = 0 <= value < _SIGNED
        elif code == POSITION_X:
            contact.has_moved, contact.x = contact.has_moved or contact.x != value, value
        elif code == POSITION_Y:
            contact.has_moved, contact.y = contact.has_moved or contact.y != value, value

    def report(self) -> list[tuple[TouchAction, int, Point]]:
        """What ``SYN_REPORT`` tells: action, finger and its place on the panel."""
        touches = []
        for pointer, contact in self.contacts.items():
            if contact.is_down != contact.was_down:
                action = TouchAction.DOWN if contact.is_down else TouchAction.UP
                touches.append((action, pointer, Point(contact.x, contact.y)))
            elif contact.is_down and contact.has_moved:
                touches.append((TouchAction.MOVE, pointer, Point(contact.x, contact.y)))
            contact.was_down, contact.has_moved = contact.is_down, False
        return touches
