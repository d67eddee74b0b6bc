"""Numbers in console lines, read as C's strtol, strtod and sscanf read them: a prefix counts."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"[ \t]*([+-]?[0-9]+)")
_REAL = re.compile(r"[ \t]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_INTEGER = re.compile(r"[ \t]*([+-]?(?:0[xX][0-9a-fA-F]+|[0-9]+))")


def whole_number(text: str) -> tuple[int, str] | None:
    """The decimal number at the beginning, and what follows it; None without one."""
    match = _WHOLE.match(text)
    return (int(match[1]), text[match.end() :]) if match else None


def real_number(text: str) -> tuple[float, str] | None:
    """The number with a fraction at the beginning, and what follows it; None without one."""
    match = _REAL.match(text)
    return (float(match[1]), text[match.end() :]) if match else None


def any_number(text: str) -> int | None:
    """The number at the beginning, decimal, octal or hexadecimal as in C; None without one."""
    match = _INTEGER.match(text)
    if match is None:
        return None
    sign, digits = (-1 if match[1].startswith("-") else 1), match[1].lstrip("+-").lower()
    if digits.startswith("0x"):
        return sign * int(digits, 16)
    octal = digits.startswith("0") and set(digits) <= set("01234567")
    return sign * int(digits, 8 if octal else 10)
