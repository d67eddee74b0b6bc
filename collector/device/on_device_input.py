"""What hands do on the phone itself, as its drivers print it: fingers on the glass and keys.

Injected input (scrcpy, ``input``) never passes these drivers, so whatever they tell is a hand.
Sans-IO: the lines come from whoever runs ``getevent -lt``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from collector.adb.getevent import InputDevice, RawEvent, parse_event
from collector.adb.touch_events import RawTouch, TouchReader, on_screen
from collector.model.geometry import Position, Size
from collector.model.touch import TouchAction

_KEY, _DOWN = 1, 1
_KEYS = {
    0x01: "escape", 0x66: "home", 0x71: "code:164", 0x72: "volume_down", 0x73: "volume_up", 0x74: "power",
    0x8B: "menu", 0x9E: "back", 0xAC: "home", 0xD4: "code:27", 0xD9: "search", 0x244: "recents",
}  # fmt: skip
"""Linux key codes of the keys a phone has, by the action space's names; what types is not among them."""
_MOST_LINE = 4096
_LONGEST_DELAY_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class OnDeviceTouch:
    """One event of one finger on the glass; ``time_ns`` on the clock of ``time.monotonic_ns``."""

    action: TouchAction
    pointer: int
    position: Position
    time_ns: int


@dataclass(frozen=True, slots=True)
class OnDeviceKey:
    """A key of the phone went down, by its name in the action space."""

    name: str
    time_ns: int


@dataclass(frozen=True, slots=True)
class OnDeviceInputUnavailable:
    """The phone does not tell what hands do on it; ``why`` is a sentence for a person."""

    why: str


OnDeviceEvent = OnDeviceTouch | OnDeviceKey | OnDeviceInputUnavailable


class DeviceClock:
    """The phone's time on this computer's clock, by the event that came with the least delay."""

    def __init__(self) -> None:
        self._offset: int | None = None
        self._newest = 0

    def note(self, time: float | None, now_ns: int) -> None:
        """Something that happened at ``time``, in seconds of the phone's uptime, came at ``now_ns``."""
        if time is not None:
            offset = now_ns - int(time * 1e9)
            known = self._offset
            # The phone's clock stands while it sleeps: a delay nothing can have means that it did.
            slept = known is not None and offset - known > _LONGEST_DELAY_NS
            self._offset = offset if known is None or slept else min(known, offset)

    def here(self, time: float | None, now_ns: int) -> int:
        """When ``time`` was; what comes back never runs backwards nor ahead of ``now_ns``."""
        if time is not None and self._offset is not None:
            now_ns = min(now_ns, int(time * 1e9) + self._offset)
        self._newest = max(self._newest, now_ns)
        return self._newest


class GeteventReader:
    """Lines of ``getevent -lt`` to hand events; chunks may be cut anywhere."""

    def __init__(self, devices: list[InputDevice], display: Callable[[], tuple[Size, int]]) -> None:
        """``display`` gives the size of the screen as it is turned, and its rotation."""
        self._display = display
        self._screens = {device.path: device for device in devices if device.is_touchscreen}
        self._readers = {path: TouchReader(screen.has_slots) for path, screen in self._screens.items()}
        self._numbers = {path: number for number, path in enumerate(self._screens)}
        self._clock = DeviceClock()
        self._rest = b""

    def feed(self, data: bytes, now_ns: int) -> list[OnDeviceEvent]:
        """The events in ``data``, which came at ``now_ns``."""
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[-_MOST_LINE:]
        parsed = [parse_event(line.decode("ascii", "replace")) for line in lines]
        events = [event for event in parsed if event is not None]
        for event in events:
            self._clock.note(event.time, now_ns)
        return [hand for event in events for hand in self._read(event, now_ns)]

    def cancel(self, now_ns: int) -> list[OnDeviceEvent]:
        """End the gestures under way: nobody will tell how they ended."""
        touches = [(path, one) for path, reader in self._readers.items() for one in reader.cancel()]
        return [self._touch(path, one, now_ns) for path, one in touches]

    def _read(self, event: RawEvent, now_ns: int) -> list[OnDeviceEvent]:
        reader = self._readers.get(event.device)
        if reader is not None:
            touches = reader.feed(event)
            if touches or event.type != _KEY:
                return [self._touch(event.device, touch, now_ns) for touch in touches]
        if event.type == _KEY and event.value == _DOWN and event.code in _KEYS:
            return [OnDeviceKey(_KEYS[event.code], self._clock.here(event.time, now_ns))]
        return []

    def _touch(self, path: str, touch: RawTouch, now_ns: int) -> OnDeviceTouch:
        size, rotation = self._display()
        point = on_screen(touch.x, touch.y, self._screens[path], size, rotation)
        pointer = self._numbers[path] * 100 + touch.pointer
        return OnDeviceTouch(
            touch.action, pointer, Position(point, size), self._clock.here(touch.time, now_ns)
        )
