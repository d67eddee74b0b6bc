"""Values of awk: numbers, strings, and input that is both (``strnum``)."""

from __future__ import annotations

import re

from collector.virtual.shell.awk.lexer import AwkError

_PREFIX = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_LARGEST = 1e16


class Input(str):
    """Text that was read: it compares as a number when it looks like one."""

    __slots__ = ()


Value = float | str


def number(value: Value) -> float:
    """The number that a value begins with; 0 without one."""
    if isinstance(value, float):
        return value
    match = _PREFIX.match(value)
    try:
        return float(match[0]) if match else 0.0
    except (ValueError, OverflowError):
        return 0.0


def text(value: Value, form: str = "%.6g") -> str:
    """A value as text; whole numbers without a fraction."""
    if not isinstance(value, float):
        return str(value)
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    if value == int(value) and abs(value) < _LARGEST:
        return str(int(value))
    try:
        return form % value
    except (ValueError, TypeError):
        return repr(value)


def is_number(value: Value) -> bool:
    """Whether a value compares as a number."""
    if isinstance(value, float):
        return True
    if not isinstance(value, Input):
        return False
    match = _PREFIX.match(value)
    return bool(match) and not value[match.end() :].strip() if match else False


def truth(value: Value) -> bool:
    """Whether a value counts as true."""
    return number(value) != 0 if is_number(value) else bool(value)


_DIRECTIVE = re.compile(r"%([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d*))?[hlLqjzt]*(.?)", re.DOTALL)
_WIDEST = 1 << 16


def formatted(pattern: str, values: list[Value]) -> str:
    """``sprintf``."""
    rest = list(values)
    result, at = "", 0
    for match in _DIRECTIVE.finditer(pattern):
        result += pattern[at : match.start()] + _directive(match, rest)
        at = match.end()
    return result + pattern[at:]


def _directive(match: re.Match[str], rest: list[Value]) -> str:
    flags, kind = match[1], match[4]
    if kind == "%":
        return "%"
    width = str(int(number(rest.pop(0))) if rest else 0) if match[2] == "*" else match[2] or ""
    precision = str(max(0, int(number(rest.pop(0))) if rest else 0)) if match[3] == "*" else match[3]
    if (
        not kind
        or kind not in "cdiouxXeEfFgGs"
        or abs(int(width or 0)) > _WIDEST
        or int(precision or 0) > _WIDEST
    ):
        return match[0]
    shape = f"%{flags}{width}" + ("" if precision is None else f".{precision or 0}")
    if not rest:
        raise AwkError(f"not enough args in printf({match.string})")
    value = rest.pop(0)
    if kind == "s":
        return (shape + "s") % text(value)
    if kind == "c":
        shown = (
            chr(int(value) & 0x1F_FFFF)
            if isinstance(value, float) and 0 <= value < 0x11_0000
            else text(value)[:1]
        )
        return (shape.partition(".")[0] + "s") % shown
    amount = number(value)
    if kind in "eEfFgG":
        return (shape + kind) % amount
    whole = int(amount) if abs(amount) < float("inf") else 0
    if whole < 0 and kind in "ouxX":
        whole += 1 << 64
    return ((shape + ("d" if kind in "iu" else kind)) % whole).replace("0o", "0")
