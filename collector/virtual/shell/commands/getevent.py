"""``getevent``: the events of the touchscreen and of the hardware keys.

As on a phone, touches that a program injects (``input``, scrcpy) never pass the driver.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator
from dataclasses import dataclass

from collector.model.geometry import Point, Size
from collector.model.phone.touch import TouchAction
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.registry import command
from collector.virtual.system.phone import HardwareKey, PanelTouch
from collector.virtual.system.phone_state.touch_report import POSITION_X, POSITION_Y, SLOT, TRACKING_ID

DEVICE = "/dev/input/event2"
_NAME = "waymark_touchscreen"
KEYS_DEVICE = "/dev/input/event1"
_KEYS_NAME = "gpio-keys"
LINUX_KEYS = {
    3: (0xAC, "KEY_HOMEPAGE"), 4: (0x9E, "KEY_BACK"), 24: (0x73, "KEY_VOLUMEUP"),
    25: (0x72, "KEY_VOLUMEDOWN"), 26: (0x74, "KEY_POWER"), 187: (0x244, "KEY_APPSELECT"),
}  # fmt: skip
"""Android key code -> the driver's code and its label."""
BUTTONS = ("home", "back", "volume_up", "volume_down", "power", "app_switch")
EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
_TOUCH = 0x14A
_UP = 0xFFFFFFFF
_TYPES = {EV_SYN: "EV_SYN", EV_KEY: "EV_KEY", EV_ABS: "EV_ABS"}
_CODES = {
    (EV_SYN, 0): "SYN_REPORT",
    (EV_KEY, _TOUCH): "BTN_TOUCH",
    **{(EV_KEY, code): label for code, label in LINUX_KEYS.values()},
    (EV_ABS, SLOT): "ABS_MT_SLOT",
    (EV_ABS, POSITION_X): "ABS_MT_POSITION_X",
    (EV_ABS, POSITION_Y): "ABS_MT_POSITION_Y",
    (EV_ABS, TRACKING_ID): "ABS_MT_TRACKING_ID",
}
_POLL = 0.1
Raw = tuple[int, int, int]
"""Type, code and value of a kernel event."""


class Digitizer:
    """Encode touches as events of multi-touch protocol B; report only what changed."""

    def __init__(self, natural: Size) -> None:
        self._natural = natural
        self._slot = 0
        self._next_tracking = 0
        self._down: dict[int, Point] = {}

    def events(self, touch: PanelTouch) -> list[Raw]:
        """The events of one report, ending with SYN; empty when nothing changed."""
        point = upright(touch.point, touch.rotation, self._natural)
        previous = self._down.get(touch.pointer)
        if touch.action is TouchAction.DOWN:
            changes = self._press(touch.pointer, point)
        elif previous is None:
            return []
        elif touch.action is TouchAction.MOVE:
            changes = self._place(previous, point)
            self._down[touch.pointer] = point
        else:
            del self._down[touch.pointer]
            changes = [(EV_ABS, TRACKING_ID, _UP)] + ([] if self._down else [(EV_KEY, _TOUCH, 0)])
        if not changes:
            return []
        if touch.pointer != self._slot:
            self._slot = touch.pointer
            changes.insert(0, (EV_ABS, SLOT, self._slot))
        return [*changes, (EV_SYN, 0, 0)]

    def _press(self, pointer: int, point: Point) -> list[Raw]:
        first = not self._down
        self._down[pointer] = point
        tracking, self._next_tracking = self._next_tracking, self._next_tracking + 1
        changes = [(EV_ABS, TRACKING_ID, tracking)] + ([(EV_KEY, _TOUCH, 1)] if first else [])
        return [*changes, (EV_ABS, POSITION_X, int(point.x)), (EV_ABS, POSITION_Y, int(point.y))]

    @staticmethod
    def _place(before: Point, after: Point) -> list[Raw]:
        changes = [(EV_ABS, POSITION_X, int(after.x))] if int(after.x) != int(before.x) else []
        return changes + ([(EV_ABS, POSITION_Y, int(after.y))] if int(after.y) != int(before.y) else [])


def upright(point: Point, rotation: int, natural: Size) -> Point:
    """Convert a point of the rotated screen to the panel, which does not rotate."""
    width, height = natural.width - 1, natural.height - 1
    return {
        0: point,
        1: Point(width - point.y, point.x),
        2: Point(width - point.x, height - point.y),
        3: Point(point.y, height - point.x),
    }[rotation]


@command("getevent")
def getevent(process: Process) -> int:
    """List devices with ``-p`` or ``-i``; otherwise print events, ``-t`` with times, ``-l`` with names."""
    options = read_options("getevent", process.arguments, "ltnqpiS", "cvdr")
    device = options.operands[0] if options.operands else ""
    if device and device not in (DEVICE, KEYS_DEVICE):
        raise CommandError(f"could not open {device}, No such file or directory")
    if "p" in options or "i" in options:
        _describe(process, device, named="l" in options, everything="i" in options)
        return 0
    if not device and "q" not in options:
        for number, (path, name) in enumerate(((DEVICE, _NAME), (KEYS_DEVICE, _KEYS_NAME)), 1):
            process.out(f'add device {number}: {path}\n  name:     "{name}"\n')
    left = int(options.get("c")) if options.get("c").isdecimal() else -1
    for line in _lines(process, options, device):
        process.line(line)
        left -= 1
        if not left:
            break
    return 0


@dataclass(frozen=True, slots=True)
class EventDevice:
    """An input device of the phone."""

    path: str
    name: str
    bus: int
    location: str


EVENT_DEVICES = (
    EventDevice(DEVICE, _NAME, 0x18, "waymark-touch/input0"),
    EventDevice(KEYS_DEVICE, _KEYS_NAME, 0x19, "gpio-keys/input0"),
)


def _describe(process: Process, device: str, *, named: bool, everything: bool) -> None:
    """Print what devices can report; ``everything`` adds bus, location and driver version."""
    size = process.machine.phone.natural_size
    shown = [item for item in EVENT_DEVICES if device in ("", item.path)]
    for number, item in enumerate(shown, 1):
        process.line(f"add device {number}: {item.path}")
        if everything:
            ids = "".join(f"  {name}0000\n" for name in ("vendor    ", "product   ", "version   "))
            process.out(f"  bus:      {item.bus:04x}\n{ids}")
        process.line(f'  name:     "{item.name}"')
        if everything:
            process.out(f'  location: "{item.location}"\n  id:       ""\n  version:  1.0.1\n')
        process.out(
            "  events:\n" + (_touch_events(size, named) if item.path == DEVICE else _key_events(named))
        )
        props = "INPUT_PROP_DIRECT" if item.path == DEVICE else "<none>"
        process.line(f"  input props:\n    {props}")


def _touch_events(size: Size, named: bool) -> str:
    maxima = {SLOT: 9, POSITION_X: size.width - 1, POSITION_Y: size.height - 1, TRACKING_ID: 65535}
    names = {code: f"{_CODES[EV_ABS, code]:<21}" if named else f"{code:04x} " for code in maxima}
    rows = [
        f"{names[code]} : value 0, min 0, max {limit}, fuzz 0, flat 0, resolution 0"
        for code, limit in maxima.items()
    ]
    key = "BTN_TOUCH" if named else f"{_TOUCH:04x}"
    return f"    KEY (0001): {key}\n    ABS (0003): " + "\n                ".join(rows) + "\n"


def _key_events(named: bool) -> str:
    keys = "  ".join(label if named else f"{code:04x}" for code, label in LINUX_KEYS.values())
    return f"    KEY (0001): {keys}\n"


def _lines(process: Process, options: CommandOptions, device_filter: str) -> Iterator[str]:
    phone = process.machine.phone
    digitizer = Digitizer(phone.natural_size)
    waiting: queue.SimpleQueue[PanelTouch | HardwareKey] = queue.SimpleQueue()
    leave = phone.hardware_input.subscribe(waiting.put)
    try:
        while not process.interruption.is_set:
            try:
                hand = waiting.get(timeout=_POLL)
            except queue.Empty:
                continue
            seconds, micros = divmod(hand.uptime_ns // 1000, 1_000_000)
            time = f"[{seconds:8d}.{micros:06d}] " if "t" in options else ""
            path, events = _reported(hand, digitizer)
            if device_filter not in ("", path):
                continue
            device = "" if device_filter else f"{path}: "
            for event in events:
                yield time + device + (_named if "l" in options else _numbered)(*event)
    finally:
        leave()
    raise Interrupted


def _reported(event: PanelTouch | HardwareKey, digitizer: Digitizer) -> tuple[str, list[Raw]]:
    """The device node that reports the input, and its events."""
    if isinstance(event, PanelTouch):
        return DEVICE, digitizer.events(event)
    linux_key = LINUX_KEYS.get(event.code)
    return KEYS_DEVICE, [(EV_KEY, linux_key[0], int(event.down)), (EV_SYN, 0, 0)] if linux_key else []


def _numbered(kind: int, code: int, value: int) -> str:
    return f"{kind:04x} {code:04x} {value:08x}"


def _named(kind: int, code: int, value: int) -> str:
    shown = {0: "UP", 1: "DOWN"}[value].ljust(20) if kind == EV_KEY else f"{value:08x}            "
    return f"{_TYPES[kind]:<12} {_CODES[kind, code]:<20} {shown}"
