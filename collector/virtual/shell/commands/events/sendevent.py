"""``sendevent``: write events to the nodes of the touchscreen and the hardware keys."""

from __future__ import annotations

import re

from collector.model.geometry import Point, Size
from collector.virtual.shell.input_labels import EV_ABS, EV_KEY, EV_SYN
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.system.phone import HardwareKey, Phone


def turned(point: Point, rotation: int, natural: Size) -> Point:
    """Convert a point of the panel, which does not rotate, to the rotated screen."""
    width, height = natural.width - 1, natural.height - 1
    return {
        0: point,
        1: Point(point.y, width - point.x),
        2: Point(width - point.x, height - point.y),
        3: Point(height - point.y, point.x),
    }[rotation]


@command("sendevent")
def sendevent(process: Process) -> int:
    """``sendevent DEVICE TYPE CODE VALUE``; what is no number counts as 0."""
    words = process.arguments
    if len(words) != 4:
        few = "Needs" if len(words) < 4 else "Max"
        raise CommandError(f'sendevent: {few} 4 arguments (see "sendevent --help")')
    device, kind, code, value = words[0], *map(_atoi, words[1:])
    nodes = process.machine.input_nodes
    if all(device != item.path for item in nodes.devices):
        raise CommandError(f"sendevent: {device}: No such file or directory")
    phone = process.machine.phone
    report = process.machine.touch_report
    if device == nodes.keys:
        pressed = [android for android, linux in nodes.key_codes.items() if linux == code]
        if kind == EV_KEY and pressed:
            _press(phone, pressed[0], value != 0)
    elif device == nodes.touch and kind == EV_ABS:
        report.take(code, value)
    elif device == nodes.touch and (kind, code) == (EV_SYN, 0):
        for action, pointer, at in report.report():
            place = nodes.place(int(at.x), int(at.y))
            point = turned(place, phone.rotation, phone.natural_size)
            phone.touch(action, pointer, point.x, point.y, on_panel=True)
    return 0


def _press(phone: Phone, code: int, down: bool) -> None:
    phone.hardware_input.emit(HardwareKey(code, down, phone.clock.uptime_ns))
    phone.key(code, down)


def _atoi(text: str) -> int:
    """A number as C's ``atoi`` reads it."""
    match = re.match(r"\s*[-+]?\d+", text)
    return int(match[0]) if match else 0
