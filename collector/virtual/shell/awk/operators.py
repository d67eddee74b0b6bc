"""Operators of awk that need no program."""

from __future__ import annotations

import math

from collector.virtual.shell.awk.lexer import AwkError


def calculated(operator: str, left: float, right: float) -> float:
    """The value of an operator; AwkError for a division by zero."""
    if operator in "/%" and not right:
        raise AwkError("division by zero" + (" in %" if operator == "%" else ""))
    try:
        return {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "/": lambda: left / right,
            "%": lambda: math.fmod(left, right),
            "^": lambda: math.pow(left, right),
        }[operator]()
    except (OverflowError, ValueError):
        return float("inf") if operator != "%" else float("nan")


def rounded(value: float) -> int:
    """A place in a text, rounded to a whole number."""
    return math.floor(value + 0.5) if abs(value) < 1e15 else (1 << 30 if value > 0 else -(1 << 30))


def replaced(replacement: str, matched: str) -> str:
    """The text of ``sub`` with ``&`` replaced by what matched."""
    result, at = "", 0
    while at < len(replacement):
        if replacement[at] == "\\" and replacement[at + 1 : at + 2] in ("&", "\\"):
            result += replacement[at + 1]
            at += 2
            continue
        result += matched if replacement[at] == "&" else replacement[at]
        at += 1
    return result
