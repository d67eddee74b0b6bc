"""Convert raw touchscreen events to touches: multi-touch protocol B (slots) and A (anonymous contacts).

Sans-IO. See the kernel's ``Documentation/input/multi-touch-protocol.rst``. A report is everything between two
SYN_REPORT; touches of one report come in the order of their slots.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.adb.getevent import InputDevice, RawEvent
from collector.model.geometry import Point, Size
from collector.model.phone.touch import TouchAction

_SYN, _KEY, _ABS = 0, 1, 3
_REPORT, _MT_REPORT, _DROPPED = 0, 2, 3
_SLOT, _X, _Y, _TRACKING, _TOUCH = 0x2F, 0x35, 0x36, 0x39, 0x14A
_MAX_FINGERS = 32
PEN, ERASER = "pen", "eraser"
_AXIS_X, _AXIS_Y, _TOOL_RUBBER, _TOOL_TYPE, _TOOL_IS_PEN = 0x00, 0x01, 0x141, 0x37, 1


@dataclass(frozen=True, slots=True)
class RawTouch:
    """One event of one finger, in the units of the device's axes; ``pointer`` is its slot."""

    action: TouchAction
    pointer: int
    x: int
    y: int
    time: float | None
    tool: str = ""
    """PEN or ERASER; empty for a finger."""


@dataclass(slots=True)
class _Contact:
    x: int | None = None
    y: int | None = None
    tracking: int | None = None
    reported: tuple[int, int] | None = None
    """Last reported position; None before the touch-down was reported."""
    tool: str = ""
    restarted: bool = False
    """Whether a new finger took over the slot without the end of the old one."""

    @property
    def place(self) -> tuple[int, int] | None:
        return (self.x, self.y) if self.x is not None and self.y is not None else None


@dataclass(slots=True)
class TouchReader:
    """Convert the events of one touchscreen, fed in order; the end of a report returns its touches."""

    has_slots: bool = True
    """Protocol B if true, otherwise A."""
    _slot: int = 0
    _contacts: dict[int, _Contact] = field(default_factory=dict)
    _anonymous: list[_Contact] = field(default_factory=list)
    _current: _Contact = field(default_factory=_Contact)
    _dropped: bool = False

    def feed(self, event: RawEvent) -> list[RawTouch]:
        """Take one event; return touches at the end of a report."""
        if event.type == _SYN:
            return self._synchronise(event)
        if event.type == _ABS and not self._dropped:
            self._axis(event.code, event.value)
        return []

    def cancel(self, time: float | None = None) -> list[RawTouch]:
        """Cancel all fingers: the device is gone, or events were lost."""
        gone = [
            RawTouch(TouchAction.CANCEL, pointer, *contact.reported, time, contact.tool)
            for pointer, contact in self._contacts.items()
            if contact.reported is not None
        ]
        self._contacts.clear()
        self._anonymous.clear()
        self._current = _Contact()
        return gone

    def _synchronise(self, event: RawEvent) -> list[RawTouch]:
        if event.code == _DROPPED:
            self._dropped = True
            return self.cancel(event.time)
        if self._dropped:
            self._dropped = event.code != _REPORT
            return []
        if event.code == _MT_REPORT and not self.has_slots:
            if self._current.place is not None and len(self._anonymous) < _MAX_FINGERS:
                self._anonymous.append(self._current)
            self._current = _Contact()
            return []
        return self._report(event.time) if event.code == _REPORT else []

    def _axis(self, code: int, value: int) -> None:
        if code == _SLOT:
            self._slot = value if 0 <= value < _MAX_FINGERS else -1
            return
        contact = self._writable(code, value)
        if contact is None:
            return
        if code == _X:
            contact.x = value
        elif code == _Y:
            contact.y = value
        elif code == _TOOL_TYPE:
            contact.tool = PEN if value == _TOOL_IS_PEN else ""
        elif code == _TRACKING and value < 0:
            contact.tracking = value

    def _writable(self, code: int, value: int) -> _Contact | None:
        """Return the contact a value belongs to: the current one, or that of the slot."""
        if not self.has_slots:
            return self._current
        if self._slot < 0:
            return None
        known = self._contacts.get(self._slot)
        if code == _TRACKING and value >= 0 and (known is None or known.tracking != value):
            again = known is not None and known.reported is not None
            fresh = _Contact(tracking=value, restarted=again)
            if known is not None:
                # The kernel sends changes only: a finger may touch down where the last one lifted.
                fresh.x, fresh.y, fresh.reported = known.x, known.y, known.reported
            self._contacts[self._slot] = fresh
            return fresh
        return known

    def _report(self, time: float | None) -> list[RawTouch]:
        if not self.has_slots:
            return self._anonymous_report(time)
        touches: list[RawTouch] = []
        for pointer in sorted(self._contacts):
            touches += self._touches(pointer, self._contacts[pointer], time)
        return touches

    def _touches(self, pointer: int, contact: _Contact, time: float | None) -> list[RawTouch]:
        touches: list[RawTouch] = []
        lifted = contact.tracking is None or contact.tracking < 0
        if contact.reported is not None and (lifted or contact.restarted):
            place = contact.place if lifted else contact.reported
            at = place or contact.reported
            touches.append(RawTouch(TouchAction.UP, pointer, *at, time, contact.tool))
            contact.reported, contact.restarted = None, False
        if lifted or contact.place is None or contact.place == contact.reported:
            return touches
        action = TouchAction.DOWN if contact.reported is None else TouchAction.MOVE
        contact.reported = contact.place
        return [*touches, RawTouch(action, pointer, *contact.place, time, contact.tool)]

    def _anonymous_report(self, time: float | None) -> list[RawTouch]:
        """Report for protocol A, whose positions have no ids: match each to the nearest finger before."""
        before, now = self._contacts, self._anonymous
        self._anonymous = []
        matched = _matched(before, now)
        touches = [
            RawTouch(TouchAction.UP, pointer, *contact.reported, time)
            for pointer, contact in before.items()
            if contact.reported is not None and pointer not in matched
        ]
        self._contacts = {}
        for pointer, contact in matched.items():
            contact.tracking = 0
            contact.reported = before[pointer].reported if pointer in before else None
            self._contacts[pointer] = contact
            touches += self._touches(pointer, contact, time)
        return touches


@dataclass(slots=True)
class PenReader:
    """Convert the events of a pen's digitizer, which reports one pen, also while it hovers."""

    _x: int | None = None
    _y: int | None = None
    _is_pressed: bool = False
    _erases: bool = False
    _reported: tuple[int, int] | None = None
    """Where the pen touches the screen; None while it does not."""

    def feed(self, event: RawEvent) -> list[RawTouch]:
        """Take one event; return what the pen did at the end of a report."""
        if event.type == _KEY and event.code == _TOUCH:
            self._is_pressed = bool(event.value)
        elif event.type == _KEY and event.code == _TOOL_RUBBER:
            self._erases = bool(event.value)
        elif event.type == _ABS and event.code == _AXIS_X:
            self._x = event.value
        elif event.type == _ABS and event.code == _AXIS_Y:
            self._y = event.value
        elif event.type == _SYN and event.code == _DROPPED:
            return self.cancel(event.time)
        elif event.type == _SYN and event.code == _REPORT:
            return self._report(event.time)
        return []

    def cancel(self, time: float | None = None) -> list[RawTouch]:
        """End a stroke whose end will not be reported."""
        place, self._reported, self._is_pressed = self._reported, None, False
        return [] if place is None else [RawTouch(TouchAction.CANCEL, 0, *place, time, self._tool)]

    @property
    def _tool(self) -> str:
        return ERASER if self._erases else PEN

    def _report(self, time: float | None) -> list[RawTouch]:
        if self._x is None or self._y is None:
            return []
        place, before = (self._x, self._y), self._reported
        self._reported = place if self._is_pressed else None
        if not self._is_pressed:
            return [] if before is None else [RawTouch(TouchAction.UP, 0, *place, time, self._tool)]
        if place == before:
            return []
        action = TouchAction.DOWN if before is None else TouchAction.MOVE
        return [RawTouch(action, 0, *place, time, self._tool)]


def _matched(before: dict[int, _Contact], now: list[_Contact]) -> dict[int, _Contact]:
    """Assign each contact the pointer of the nearest contact before."""
    matched: dict[int, _Contact] = {}
    for contact in now:
        free = [pointer for pointer in before if pointer not in matched]
        if free:
            nearest = min(free, key=lambda pointer: _distance(before[pointer], contact))
            matched[nearest] = contact
        else:
            number = next(
                free_number for free_number in range(_MAX_FINGERS + 1) if free_number not in matched
            )
            matched[number] = contact
    return matched


def _distance(before: _Contact, now: _Contact) -> int:
    place, at = before.place, now.place
    if place is None or at is None:
        return 0
    return (place[0] - at[0]) ** 2 + (place[1] - at[1]) ** 2


def on_screen(x: int, y: int, screen: InputDevice, size: Size, rotation: int) -> Point:
    """Convert a position on the panel to pixels of a display of ``size`` turned by ``rotation``."""
    natural = size.transposed if rotation % 2 else size
    axes = (_AXIS_X, _AXIS_Y) if screen.is_pen else (_X, _Y)
    across = _scaled(x, screen.axes.get(axes[0], (0, natural.width - 1)), natural.width)
    down = _scaled(y, screen.axes.get(axes[1], (0, natural.height - 1)), natural.height)
    right, bottom = natural.width - 1, natural.height - 1
    return (
        Point(across, down),
        Point(down, right - across),
        Point(right - across, bottom - down),
        Point(bottom - down, across),
    )[rotation % 4]


def _scaled(value: int, limits: tuple[int, int], length: int) -> int:
    low, high = limits
    if high <= low or length <= 0:
        return 0
    return min(max((value - low) * length // (high - low + 1), 0), length - 1)
