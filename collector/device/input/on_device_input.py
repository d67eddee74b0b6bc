"""Parse the output of ``getevent -lt`` into touches and keys made on the phone itself.

Injected input (scrcpy, ``input``) does not pass the drivers that getevent reads, so every event is a
person's. Sans-IO: the caller runs getevent and feeds its output.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from collector.adb.getevent import InputDevice, RawEvent, parse_event, pressed_key_label
from collector.adb.touch_events import PenReader, RawTouch, TouchReader, on_screen
from collector.device.device_clock import DeviceClock
from collector.model.geometry import Position, Size
from collector.model.phone.touch import TouchAction

_KEY, _DOWN, _UP = 1, 1, 0
_KEYS = {
    0x01: "escape", 0x66: "home", 0x71: "code:164", 0x72: "volume_down", 0x73: "volume_up", 0x74: "power",
    0x8B: "menu", 0x8E: "code:223", 0x8F: "code:224", 0x9E: "back", 0xA3: "code:87", 0xA4: "code:85",
    0xA5: "code:88", 0xAC: "home", 0xD4: "code:27", 0xD9: "search", 0xE0: "code:220", 0xE1: "code:221",
    0xE2: "code:79", 0x210: "code:80", 0x244: "recents", 0x246: "code:231", 0x247: "code:219",
}  # fmt: skip
"""Linux key codes of the buttons of a phone -> names of the action space; typing keys are not included."""
_MAX_LINE = 4096
_MOST_UNKNOWN = 8


@dataclass(frozen=True, slots=True)
class OnDeviceTouch:
    """One event of one finger on the touchscreen; ``time_ns`` is on the clock of ``time.monotonic_ns``."""

    action: TouchAction
    pointer: int
    position: Position
    time_ns: int
    tool: str = ""
    """``pen`` or ``eraser``; empty for a finger."""


@dataclass(frozen=True, slots=True)
class OnDeviceKey:
    """A key of the phone was pressed; ``name`` is that of the action space."""

    name: str
    time_ns: int


@dataclass(frozen=True, slots=True)
class OnDeviceInputUnavailable:
    """The phone does not report on-device input; ``why`` is a sentence for a person."""

    why: str


@dataclass(frozen=True, slots=True)
class OnDeviceKeyUp:
    """A key that was told as pressed is lifted after so long."""

    name: str
    held_ms: int


@dataclass(frozen=True, slots=True)
class OnDeviceUnknownKey:
    """A key that has no name in the action space was pressed; ``label`` is that of getevent."""

    label: str


OnDeviceEvent = OnDeviceTouch | OnDeviceKey | OnDeviceKeyUp | OnDeviceUnknownKey | OnDeviceInputUnavailable


class GeteventReader:
    """Convert output of ``getevent -lt``, in chunks cut anywhere, to on-device events."""

    def __init__(self, devices: list[InputDevice], display: Callable[[], tuple[Size, int]]) -> None:
        """``display`` returns the size of the screen in its present rotation, and the rotation."""
        self._display = display
        self._screens = {device.path: device for device in devices if device.is_touchscreen or device.is_pen}
        self._readers: dict[str, TouchReader | PenReader] = {
            path: PenReader() if screen.is_pen else TouchReader(screen.has_slots)
            for path, screen in self._screens.items()
        }
        self._pressed: dict[int, float] = {}
        """Codes of the keys that are down, with the seconds of the phone at which they were pressed."""
        self._unknown: set[str] = set()
        """Labels of keys that were reported as unknown."""
        self._numbers = {path: number for number, path in enumerate(self._screens)}
        self._clock = DeviceClock()
        self._rest = b""

    def feed(self, data: bytes, now_ns: int) -> list[OnDeviceEvent]:
        """Return the events in ``data``, which arrived at ``now_ns``."""
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[-_MAX_LINE:]
        texts = [line.decode("ascii", "replace") for line in lines]
        parsed = [(text, parse_event(text)) for text in texts]
        for _text, event in parsed:
            if event is not None:
                self._clock.note(event.time, now_ns)
        read: list[OnDeviceEvent] = []
        for text, event in parsed:
            is_known = event is not None and (event.type != _KEY or event.code in _KEYS)
            read += [] if is_known else self._unknown_key(text)
            read += [] if event is None else self._read(event, now_ns)
        return read

    def cancel(self, now_ns: int) -> list[OnDeviceEvent]:
        """Return events that cancel the gestures in progress, whose end will not be reported."""
        touches = [(path, touch) for path, reader in self._readers.items() for touch in reader.cancel()]
        return [self._touch(path, touch, now_ns) for path, touch in touches]

    def _read(self, event: RawEvent, now_ns: int) -> list[OnDeviceEvent]:
        reader = self._readers.get(event.device)
        if reader is not None:
            touches = reader.feed(event)
            if touches or event.type != _KEY:
                return [self._touch(event.device, touch, now_ns) for touch in touches]
        if event.type == _KEY and event.code in _KEYS:
            return self._key(event, now_ns)
        return []

    def _key(self, event: RawEvent, now_ns: int) -> list[OnDeviceEvent]:
        name = _KEYS[event.code]
        if event.value == _DOWN:
            if event.time is not None:
                self._pressed[event.code] = event.time
            return [OnDeviceKey(name, self._clock.here(event.time, now_ns))]
        if event.value != _UP:
            return []  # it repeats
        down = self._pressed.pop(event.code, None)
        return (
            []
            if down is None or event.time is None
            else [OnDeviceKeyUp(name, max(0, round((event.time - down) * 1000)))]
        )

    def _unknown_key(self, line: str) -> list[OnDeviceEvent]:
        """A key pressed that no action is known for, once each: nothing that is done is dropped unsaid."""
        label = pressed_key_label(line)
        if not label or label in self._unknown or len(self._unknown) >= _MOST_UNKNOWN:
            return []
        self._unknown.add(label)
        return [OnDeviceUnknownKey(label)]

    def _touch(self, path: str, touch: RawTouch, now_ns: int) -> OnDeviceTouch:
        size, rotation = self._display()
        point = on_screen(touch.x, touch.y, self._screens[path], size, rotation)
        pointer = self._numbers[path] * 100 + touch.pointer
        return OnDeviceTouch(
            touch.action, pointer, Position(point, size), self._clock.here(touch.time, now_ns), touch.tool
        )
