"""SVG path data to a skia path: the commands M L H V C Q A Z, absolute and relative."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import skia

_TOKEN = re.compile(r"[MLHVCQAZmlhvcqaz]|[-+]?(?:\d+\.?\d*|\.\d+)")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}


def svg_path(data: str) -> Any:
    """Build the path; raise ValueError for invalid data."""
    path = skia.Path()
    x = y = 0.0
    start = (0.0, 0.0)
    for command, numbers in _commands(data):
        kind = command.upper()
        dx, dy = (x, y) if command.islower() else (0.0, 0.0)
        if kind == "Z":
            path.close()
            x, y = start
        elif kind == "H":
            x = numbers[0] + dx
            path.lineTo(x, y)
        elif kind == "V":
            y = numbers[0] + dy
            path.lineTo(x, y)
        elif kind == "A":
            x, y = _arc(path, numbers, dx, dy)
        else:
            moved = [number + (dy if i % 2 else dx) for i, number in enumerate(numbers)]
            {"M": path.moveTo, "L": path.lineTo, "Q": path.quadTo, "C": path.cubicTo}[kind](*moved)
            x, y = moved[-2:]
            start = (x, y) if kind == "M" else start
    return path


def _arc(path: Any, numbers: list[float], dx: float, dy: float) -> tuple[float, float]:
    rx, ry, angle, large, sweep, x, y = numbers
    size = skia.Path.ArcSize.kLarge_ArcSize if large else skia.Path.ArcSize.kSmall_ArcSize
    turn = skia.PathDirection.kCW if sweep else skia.PathDirection.kCCW
    path.arcTo(rx, ry, angle, size, turn, x + dx, y + dy)
    return x + dx, y + dy


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    command = ""
    numbers: list[float] = []
    for token in _TOKEN.findall(data):
        if token.isalpha():
            if numbers:
                raise ValueError(f"not path data: {data!r}")
            command = token
            if command in "Zz":
                yield command, []
            continue
        numbers.append(float(token))
        if command and len(numbers) == _ARGUMENTS[command.upper()]:
            yield command, numbers
            numbers = []
            # Further coordinates after a move are lines.
            command = {"M": "L", "m": "l"}.get(command, command)
    if numbers:
        raise ValueError(f"not path data: {data!r}")
