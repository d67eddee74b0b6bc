"""``od``: bytes as numbers and characters, in toybox's layout."""

from __future__ import annotations

import re

from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_NAMES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"}
_DIGITS = {"x": {1: 2, 2: 4, 4: 8, 8: 16}, "o": {1: 3, 2: 6, 4: 11, 8: 22}}
_WIDTHS = {
    "x": {1: 3, 2: 6, 4: 12, 8: 24},
    "o": {1: 4, 2: 8, 4: 12, 8: 24},
    "u": {1: 4, 2: 6, 4: 12, 8: 24},
    "d": {1: 5, 2: 8, 4: 12, 8: 24},
}
"""Columns of a number, its gap included."""
_SHORT = {"b": "o1", "c": "c", "d": "u2", "o": "o2", "s": "d2", "x": "x2"}
_SIZES = {"C": 1, "S": 2, "I": 4, "L": 8, "": 4}


@command("od")
def od(process: Process) -> int:
    """Dump bytes: ``-t`` says how, ``-A`` the base of the offsets, ``-j`` and ``-N`` which."""
    options = read_options("od", process.arguments, "bcdosxv", "AjNtw")
    data = b"".join(_data(process, name) for name in options.operands or ["-"])
    skipped = options.number("j", 0, "od")
    data = data[skipped:]
    data = data[: options.number("N", len(data), "od")]
    kinds = [_SHORT[letter] for letter in options.given if letter in _SHORT]
    kinds += re.findall(r"[acdoux][CSIL\d]*", options.get("t"))
    kinds = kinds or ["o2"]
    width = max(1, options.number("w", 16, "od"))
    base = options.get("A", "o")
    if base not in ("o", "d", "x", "n"):
        raise CommandError(f"od: bad -A '{base}'")
    for start in range(0, len(data), width):
        row = data[start : start + width]
        for number, kind in enumerate(kinds):
            place = _offset(skipped + start, base)
            process.line((place if not number else " " * len(place)) + _row(row, kind))
    if base != "n":
        process.line(_offset(skipped + len(data), base))
    return 0


def _data(process: Process, name: str) -> bytes:
    return process.input() if name == "-" else process.machine.files.read(process.path(name))


def _offset(place: int, base: str) -> str:
    return {"o": f"{place:07o}", "d": f"{place:07d}", "x": f"{place:06x}", "n": ""}[base]


def _row(row: bytes, kind: str) -> str:
    letter, size = kind[0], _SIZES.get(kind[1:], 0) or (int(kind[1:]) if kind[1:].isdecimal() else 0)
    if letter in "ac":
        return "".join(f"{_NAMES.get(byte) or _character(byte):>4}" for byte in row)
    if size not in _WIDTHS[letter]:
        raise CommandError(f"od: bad -t {kind}")
    width = _WIDTHS[letter][size]
    shown = ""
    for start in range(0, len(row), size):
        number = int.from_bytes(row[start : start + size].ljust(size, b"\0"), "little", signed=letter == "d")
        text = f"{number:0{_DIGITS[letter][size]}{letter}}" if letter in "xo" else str(number)
        shown += text.rjust(width)
    return shown


def _character(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"{byte:03o}"
