"""Reader of ``getevent``: raw kernel events, with and without ``-t`` times and ``-l`` labels."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TYPES = {"EV_SYN": 0, "EV_KEY": 1, "EV_REL": 2, "EV_ABS": 3, "EV_MSC": 4, "EV_SW": 5}
_CODES = {
    "SYN_REPORT": 0x00,
    "ABS_X": 0x00,
    "ABS_Y": 0x01,
    "ABS_MT_SLOT": 0x2F,
    "ABS_MT_TOUCH_MAJOR": 0x30,
    "ABS_MT_TOUCH_MINOR": 0x31,
    "ABS_MT_ORIENTATION": 0x34,
    "ABS_MT_POSITION_X": 0x35,
    "ABS_MT_POSITION_Y": 0x36,
    "ABS_MT_TRACKING_ID": 0x39,
    "ABS_MT_PRESSURE": 0x3A,
    "BTN_TOUCH": 0x14A,
    "BTN_TOOL_FINGER": 0x145,
    "KEY_HOMEPAGE": 0xAC,
    "KEY_BACK": 0x9E,
    "KEY_APPSELECT": 0x244,
    "KEY_VOLUMEUP": 0x73,
    "KEY_VOLUMEDOWN": 0x72,
    "KEY_POWER": 0x74,
}
_VALUES = {"DOWN": 1, "UP": 0, "REPEAT": 2}

_EVENT = re.compile(r"^(?:\[\s*(\d+\.\d+)\]\s*)?(?:(/dev/input/\w+):\s+)?(\w+)\s+(\w+)\s+(\w+)\s*$")
_DEVICE = re.compile(r"^add device \d+: (/dev/input/\w+)")
_NAME = re.compile(r'^\s+name:\s+"(.*)"')
_AXIS = re.compile(r"(?:\bABS \(0003\):)?\s*(\w+)\s*: value -?\d+, min (-?\d+), max (-?\d+)")


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
    """An input device and the ranges of its absolute axes, by code."""

    path: str
    name: str
    axes: dict[int, tuple[int, int]]

    @property
    def is_touchscreen(self) -> bool:
        return _CODES["ABS_MT_POSITION_X"] in self.axes and _CODES["ABS_MT_POSITION_Y"] in self.axes


def parse_event(line: str) -> RawEvent | None:
    """One line of ``getevent [-lt]``; None for any other line, and for labels not known here."""
    match = _EVENT.match(line.rstrip("\r\n"))
    if not match:
        return None
    kind = _number(match[3], _TYPES)
    code = _number(match[4], _CODES)
    value = _number(match[5], _VALUES)
    if kind is None or code is None or value is None or value > 0xFFFFFFFF:
        return None
    signed = value - 0x1_0000_0000 if value >= 0x8000_0000 else value
    return RawEvent(match[2] or "", kind, code, signed, float(match[1]) if match[1] else None)


def _number(word: str, labels: dict[str, int]) -> int | None:
    if word in labels:
        return labels[word]
    try:
        return int(word, 16)
    except ValueError:
        return None


def parse_devices(text: str) -> list[InputDevice]:
    """Devices from ``getevent -p`` or ``-lp`` (and without axes from the head of a plain ``getevent``)."""
    devices: list[InputDevice] = []
    for line in text.splitlines():
        if match := _DEVICE.match(line):
            devices.append(InputDevice(match[1], "", {}))
        elif not devices:
            continue
        elif match := _NAME.match(line):
            devices[-1] = InputDevice(devices[-1].path, match[1], devices[-1].axes)
        elif match := _AXIS.search(line):
            code = _number(match[1], _CODES)
            if code is not None:
                devices[-1].axes[code] = (int(match[2]), int(match[3]))
    return devices
