"""Parse ``getevent``: raw kernel events, with and without ``-t`` times and ``-l`` labels."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_TYPES = {"EV_SYN": 0, "EV_KEY": 1, "EV_REL": 2, "EV_ABS": 3, "EV_MSC": 4, "EV_SW": 5}
_CODES = {
    "SYN_REPORT": 0x00,
    "SYN_MT_REPORT": 0x02,
    "SYN_DROPPED": 0x03,
    "ABS_X": 0x00,
    "ABS_Y": 0x01,
    "ABS_PRESSURE": 0x18,
    "ABS_MT_SLOT": 0x2F,
    "ABS_MT_TOUCH_MAJOR": 0x30,
    "ABS_MT_TOUCH_MINOR": 0x31,
    "ABS_MT_ORIENTATION": 0x34,
    "ABS_MT_POSITION_X": 0x35,
    "ABS_MT_POSITION_Y": 0x36,
    "ABS_MT_TOOL_TYPE": 0x37,
    "ABS_MT_TRACKING_ID": 0x39,
    "ABS_MT_PRESSURE": 0x3A,
    "BTN_TOUCH": 0x14A,
    "BTN_TOOL_PEN": 0x140,
    "BTN_TOOL_RUBBER": 0x141,
    "BTN_TOOL_FINGER": 0x145,
    "BTN_STYLUS": 0x14B,
    "BTN_STYLUS2": 0x14C,
    "KEY_ESC": 0x01,
    "KEY_ENTER": 0x1C,
    "KEY_HOME": 0x66,
    "KEY_MENU": 0x8B,
    "KEY_HOMEPAGE": 0xAC,
    "KEY_BACK": 0x9E,
    "KEY_SEARCH": 0xD9,
    "KEY_CAMERA": 0xD4,
    "KEY_CAMERA_FOCUS": 0x210,
    "KEY_SLEEP": 0x8E,
    "KEY_WAKEUP": 0x8F,
    "KEY_PLAYPAUSE": 0xA4,
    "KEY_NEXTSONG": 0xA3,
    "KEY_PREVIOUSSONG": 0xA5,
    "KEY_MEDIA": 0xE2,
    "KEY_VOICECOMMAND": 0x246,
    "KEY_ASSISTANT": 0x247,
    "KEY_BRIGHTNESSDOWN": 0xE0,
    "KEY_BRIGHTNESSUP": 0xE1,
    "KEY_APPSELECT": 0x244,
    "KEY_VOLUMEUP": 0x73,
    "KEY_VOLUMEDOWN": 0x72,
    "KEY_MUTE": 0x71,
    "KEY_POWER": 0x74,
}
_VALUES = {"DOWN": 1, "UP": 0, "REPEAT": 2}

_EVENT = re.compile(r"^(?:\[\s*(\d+\.\d+)\]\s*)?(?:(/dev/input/\w+):\s+)?(\w+)\s+(\w+)\s+(\w+)\s*$")
_DEVICE = re.compile(r"^add device \d+: (/dev/input/\w+)")
_NAME = re.compile(r'^\s+name:\s+"(.*)"')
_BLOCK = re.compile(r"^\s+([A-Z]+) +\(([0-9a-f]{4})\): ?(.*)$")
_KEY_BLOCK = "KEY"
_DIRECT, _POINTER = "INPUT_PROP_DIRECT", "INPUT_PROP_POINTER"
_AXIS = re.compile(r"(?<!\w)(\w++)\s*+: value -?\d+, min (-?\d{1,10}), max (-?\d{1,10})\b")
_EMULATOR_SCREEN = "virtio_input_multi_touch_1"
"""A file of its image says that it is direct, not the driver. Others of the name are for further displays."""
_MOST_KEY, _MOST_AXIS = 0x2FF, 0x3F
"""The kernel's last code of each."""
_MOST_SECONDS = 1e9
"""Of uptime: thirty years."""


@dataclass(frozen=True, slots=True)
class RawEvent:
    """One kernel event; ``value`` is signed, ``time`` in seconds of the phone's uptime or None."""

    device: str
    type: int
    code: int
    value: int
    time: float | None = None


@dataclass(frozen=True, slots=True)
class InputDevice:
    """An input device: the ranges of its absolute axes by code, its keys and its properties."""

    path: str
    name: str
    axes: dict[int, tuple[int, int]]
    keys: frozenset[int] = frozenset()
    direct: bool = False
    """Whether touches act directly under the finger: a screen, not a touchpad."""
    pointer: bool = False
    """Whether it moves a pointer: a touchpad, or a tablet to draw on beside a screen."""

    @property
    def is_touchscreen(self) -> bool:
        """Whether it is a multi-touch screen: it says so, or it is the one of the SDK's emulators."""
        is_screen = self.direct or self.name == _EMULATOR_SCREEN
        return is_screen and {_CODES["ABS_MT_POSITION_X"], _CODES["ABS_MT_POSITION_Y"]} <= self.axes.keys()

    @property
    def is_pen(self) -> bool:
        """Whether it is a pen's own digitizer behind the screen; its driver rarely says that it is direct."""
        tells = {_CODES["BTN_TOOL_PEN"], _CODES["BTN_TOUCH"]} <= self.keys
        places = {_CODES["ABS_X"], _CODES["ABS_Y"]} <= self.axes.keys()
        return tells and places and not self.is_touchscreen and not self.pointer

    @property
    def has_slots(self) -> bool:
        """Whether it tracks fingers by slots (protocol B) or reports positions only (A)."""
        return _CODES["ABS_MT_SLOT"] in self.axes


def parse_event(line: str) -> RawEvent | None:
    """Parse one line of ``getevent [-lt]``; None for any other line and for unknown labels."""
    match = _EVENT.match(line.rstrip("\r\n"))
    if not match:
        return None
    kind = _number(match[3], _TYPES)
    code = _number(match[4], _CODES)
    value = _number(match[5], _VALUES)
    if kind is None or code is None or value is None or value > 0xFFFFFFFF:
        return None
    signed = value - 0x1_0000_0000 if value >= 0x8000_0000 else value
    time = float(match[1]) if match[1] else 0.0
    return RawEvent(match[2] or "", kind, code, signed, time if 0 < time <= _MOST_SECONDS else None)


def pressed_key_label(line: str) -> str:
    """The label of a key that a line says is pressed, whatever key it is; empty for any other line."""
    match = _EVENT.match(line.rstrip("\r\n"))
    is_pressed = match is not None and match[3] == "EV_KEY" and match[5] == "DOWN"
    return match[4] if match is not None and is_pressed and not match[4].startswith("BTN_") else ""


def _number(word: str, labels: dict[str, int]) -> int | None:
    if word in labels:
        return labels[word]
    try:
        return int(word, 16)
    except ValueError:
        return None


def parse_devices(text: str) -> list[InputDevice]:
    """Parse devices from ``getevent -p`` or ``-lp`` (without axes from the head of a plain ``getevent``)."""
    devices: list[InputDevice] = []
    block = ""
    for line in text.splitlines():
        if match := _DEVICE.match(line):
            devices.append(InputDevice(match[1], "", {}))
            block = ""
        elif not devices:
            continue
        elif match := _NAME.match(line):
            devices[-1] = replace(devices[-1], name=match[1])
        else:
            block, words = _in_block(line, block)
            devices[-1] = _with(devices[-1], block, words)
    return devices


def _in_block(line: str, block: str) -> tuple[str, str]:
    """Return the section of the description the line belongs to, and the line's contents."""
    match = _BLOCK.match(line)
    if match:
        return match[1], match[3]
    return ("", line) if "input props" in line else (block, line)


def _with(device: InputDevice, block: str, words: str) -> InputDevice:
    if words.strip() == _DIRECT:
        return replace(device, direct=True)
    if words.strip() == _POINTER:
        return replace(device, pointer=True)
    if block == _KEY_BLOCK:
        codes = (_number(word.rstrip("*"), _CODES) for word in words.split())
        known = {code for code in codes if code is not None and code <= _MOST_KEY}
        return replace(device, keys=device.keys | known)
    if match := _AXIS.search(words):
        code = _number(match[1], _CODES)
        if code is not None and code <= _MOST_AXIS:
            device.axes[code] = (int(match[2]), int(match[3]))
    return device
