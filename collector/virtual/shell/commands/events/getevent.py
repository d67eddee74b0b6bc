"""``getevent``: the events of the touchscreen and of the hardware keys.

As on a phone, touches that a program injects (``input``, scrcpy) never pass the driver.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator

from collector.model.geometry import Point, Size
from collector.model.phone.touch import TouchAction
from collector.virtual.shell.input_labels import (
    EV_ABS,
    EV_KEY,
    EV_LED,
    EV_MSC,
    EV_SW,
    EV_SYN,
    LABELS,
    TYPES,
)
from collector.virtual.shell.input_nodes import BTN_TOUCH, PRESSURE, EventDevice, InputNodes
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.registry import command
from collector.virtual.system.phone import HardwareKey, PanelTouch
from collector.virtual.system.phone_state.touch_report import POSITION_X, POSITION_Y, SLOT, TRACKING_ID

BUTTONS = ("home", "back", "volume_up", "volume_down", "power", "app_switch")
_UP = 0xFFFFFFFF
_PRESSED = 0x400
_POLL = 0.1
_NAMES, _NUMBERS = 4, 8
"""Codes on a line."""
_INDENT = 16
_UNREADABLE = "touches-unreadable"
"""The quirk of phones whose touchscreen belongs to a group that the shell is not in."""
Raw = tuple[int, int, int]
"""Type, code and value of a kernel event."""


class Digitizer:
    """Encode touches as events of multi-touch protocol B; report only what changed."""

    def __init__(self, nodes: InputNodes) -> None:
        self._nodes = nodes
        self._slot = 0
        self._next_tracking = 0
        self._down: dict[int, tuple[int, int]] = {}

    def events(self, touch: PanelTouch) -> list[Raw]:
        """The events of one report, ending with SYN; empty when nothing changed."""
        place = self._nodes.raw(upright(touch.point, touch.rotation, self._nodes.natural))
        previous = self._down.get(touch.pointer)
        if touch.action is TouchAction.DOWN:
            changes = self._press(touch.pointer, place)
        elif previous is None:
            return []
        elif touch.action is TouchAction.MOVE:
            changes = self._place(previous, place)
            self._down[touch.pointer] = place
        else:
            changes = self._lift(touch.pointer)
        if not changes:
            return []
        if touch.pointer != self._slot:
            self._slot = touch.pointer
            changes.insert(0, (EV_ABS, SLOT, self._slot))
        return [*changes, (EV_SYN, 0, 0)]

    def _press(self, pointer: int, place: tuple[int, int]) -> list[Raw]:
        first = not self._down
        self._down[pointer] = place
        tracking, self._next_tracking = self._next_tracking, self._next_tracking + 1
        changes = [(EV_ABS, TRACKING_ID, tracking)] + ([(EV_KEY, BTN_TOUCH, 1)] if first else [])
        return [*changes, (EV_ABS, POSITION_X, place[0]), (EV_ABS, POSITION_Y, place[1])]

    def _lift(self, pointer: int) -> list[Raw]:
        del self._down[pointer]
        return [(EV_ABS, TRACKING_ID, _UP)] + ([] if self._down else [(EV_KEY, BTN_TOUCH, 0)])

    @staticmethod
    def _place(before: tuple[int, int] | None, after: tuple[int, int]) -> list[Raw]:
        codes = (POSITION_X, POSITION_Y)
        changed = range(2) if before is None else [axis for axis in range(2) if before[axis] != after[axis]]
        return [(EV_ABS, codes[axis], after[axis]) for axis in changed]


class EmulatedDigitizer(Digitizer):
    """The emulator's: it tells the pressure and no button, and a slot's number is that of its finger."""

    def __init__(self, nodes: InputNodes) -> None:
        super().__init__(nodes)
        self._last: dict[int, tuple[int, int]] = {}
        """Where the last finger of a slot was; the kernel does not tell again what it told."""

    def _press(self, pointer: int, place: tuple[int, int]) -> list[Raw]:
        self._down[pointer] = place
        changes = self._place(self._last.get(pointer), place)
        return [(EV_ABS, TRACKING_ID, pointer), *changes, (EV_ABS, PRESSURE, _PRESSED)]

    def _lift(self, pointer: int) -> list[Raw]:
        self._last[pointer] = self._down.pop(pointer)
        return [(EV_ABS, PRESSURE, 0), (EV_ABS, TRACKING_ID, _UP)]


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
    nodes = process.machine.input_nodes
    device = options.operands[0] if options.operands else ""
    shown = [item for item in nodes.devices if device in ("", item.path)]
    if _UNREADABLE in process.machine.phone.profile.quirks:
        for item in shown:
            if item.axes:
                process.err(f"could not open {item.path}, Permission denied")
        shown = [item for item in shown if not item.axes]
        if not shown:
            return 1
    if not shown:
        raise CommandError(f"could not open {device}, No such file or directory")
    if "p" in options or "i" in options:
        for number, item in enumerate(shown, 1):
            process.line(f"add device {number}: {item.path}")
            process.out(_described(item, named="l" in options, everything="i" in options))
        return 0
    if not device and "q" not in options:
        for number, item in enumerate(shown, 1):
            process.out(f'add device {number}: {item.path}\n  name:     "{item.name}"\n')
    left = int(options.get("c")) if options.get("c").isdecimal() else -1
    for line in _lines(process, options, device):
        process.line(line)
        left -= 1
        if not left:
            break
    return 0


def _described(item: EventDevice, *, named: bool, everything: bool) -> str:
    """What a device can report; ``everything`` adds bus, location and driver version."""
    text = f'  name:     "{item.name}"\n'
    if everything:
        text = (
            f"  bus:      {item.bus:04x}\n  vendor    {item.vendor:04x}\n  product   {item.product:04x}\n"
            f"  version   {item.version:04x}\n{text}"
            f'  location: "{item.location}"\n  id:       ""\n  version:  1.0.1\n'
        )
    text += "  events:\n" + _codes("KEY", EV_KEY, item.keys, named)
    if item.axes:
        rows = [
            f"{_code(EV_ABS, code, named)} : value 0, min 0, max {limit}, fuzz 0, flat 0, resolution 0\n"
            for code, limit in item.axes
        ]
        text += "    ABS (0003): " + " ".ljust(_INDENT).join(rows)
    text += _codes("MSC", EV_MSC, item.miscellaneous, named) + _codes("SW ", EV_SW, item.switches, named)
    text += _codes("LED", EV_LED, item.lights, named)
    return text + f"  input props:\n    {'INPUT_PROP_DIRECT' if item.is_direct else '<none>'}\n"


def _codes(title: str, kind: int, codes: tuple[int, ...], named: bool) -> str:
    """The codes of one type, some to a line; nothing for none."""
    if not codes:
        return ""
    words, width = [_code(kind, code, named) for code in codes], _NAMES if named else _NUMBERS
    rows = [" ".join(words[at : at + width]) + "\n" for at in range(0, len(words), width)]
    return f"    {title} ({kind:04x}): " + " ".ljust(_INDENT).join(rows)


def _code(kind: int, code: int, named: bool) -> str:
    """A code, and room for the mark of a key that is down."""
    return f"{LABELS.get((kind, code), f'{code:04x}'):<21}" if named else f"{code:04x} "


def _lines(process: Process, options: CommandOptions, device_filter: str) -> Iterator[str]:
    phone, nodes = process.machine.phone, process.machine.input_nodes
    digitizer = EmulatedDigitizer(nodes) if nodes.is_emulated else Digitizer(nodes)
    hides_touches = _UNREADABLE in phone.profile.quirks
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
            path, events = _reported(hand, digitizer, nodes)
            if device_filter not in ("", path) or (hides_touches and path == nodes.touch):
                continue
            device = "" if device_filter else f"{path}: "
            for event in events:
                yield time + device + (_named if "l" in options else _numbered)(*event)
    finally:
        leave()
    raise Interrupted


def _reported(
    event: PanelTouch | HardwareKey, digitizer: Digitizer, nodes: InputNodes
) -> tuple[str, list[Raw]]:
    """The device node that reports the input, and its events."""
    if isinstance(event, PanelTouch):
        return nodes.touch, digitizer.events(event)
    code = nodes.key_codes.get(event.code)
    return nodes.keys, [] if code is None else [(EV_KEY, code, int(event.down)), (EV_SYN, 0, 0)]


def _numbered(kind: int, code: int, value: int) -> str:
    return f"{kind:04x} {code:04x} {value:08x}"


def _named(kind: int, code: int, value: int) -> str:
    shown = {0: "UP", 1: "DOWN"}[value].ljust(20) if kind == EV_KEY else f"{value:08x}            "
    return f"{TYPES[kind]:<12} {LABELS[kind, code]:<20} {shown}"
