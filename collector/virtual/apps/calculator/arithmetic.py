"""What the calculator computes: a formula of numbers, the four operations, percent, powers and brackets."""

from __future__ import annotations

import decimal
import re
from decimal import Decimal

_TOKEN = re.compile(r"\d+\.?\d*|\.\d+|[-+×÷^%()√]")
_CONTEXT = decimal.Context(prec=28, Emax=999_999, Emin=-999_999)
_SHOWN = 12
"""Digits of a result."""
_LARGEST_POWER = 10_000
_DEEPEST = 50
"""Brackets and signs within each other."""


class NoResultError(Exception):
    """A formula without a result: unfinished, or a division by zero."""


def result_of(formula: str) -> str:
    """The result as the calculator shows it; NoResultError for a formula without one."""
    try:
        value = _Reader(formula).value()
    except (decimal.DecimalException, IndexError, RecursionError):
        raise NoResultError from None
    return _shown(value)


def _shown(value: Decimal) -> str:
    rounded = +value.normalize(decimal.Context(prec=_SHOWN))
    if rounded == 0:
        return "0"
    exponent = rounded.adjusted()
    if -_SHOWN < exponent < _SHOWN:
        text = f"{rounded:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa = f"{rounded.scaleb(-exponent):f}".rstrip("0").rstrip(".")
    return f"{mantissa}E{exponent}"


class _Reader:
    """Reads a formula from left to right; a bracket that is not closed ends with it."""

    def __init__(self, formula: str) -> None:
        self._tokens = _TOKEN.findall(formula)
        self._at = 0
        self._depth = 0

    def value(self) -> Decimal:
        value = self._sum()
        if self._at < len(self._tokens):
            raise NoResultError
        return value

    def _next(self, *wanted: str) -> str:
        if self._at < len(self._tokens) and self._tokens[self._at] in wanted:
            self._at += 1
            return str(self._tokens[self._at - 1])
        return ""

    def _sum(self) -> Decimal:
        value = self._product()
        while sign := self._next("+", "-"):
            other = self._product()
            value = _CONTEXT.add(value, other) if sign == "+" else _CONTEXT.subtract(value, other)
        return value

    def _product(self) -> Decimal:
        value = self._signed()
        while True:
            sign = self._next("×", "÷")
            if not sign and not (self._at < len(self._tokens) and self._tokens[self._at] in "(√"):
                return value
            other = self._signed()
            value = _CONTEXT.divide(value, other) if sign == "÷" else _CONTEXT.multiply(value, other)

    def _signed(self) -> Decimal:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise NoResultError
        sign = self._next("-", "+")
        value = -self._signed() if sign == "-" else self._signed() if sign else self._power()
        self._depth -= 1
        return value

    def _power(self) -> Decimal:
        base = self._part()
        if not self._next("^"):
            return base
        exponent = self._signed()
        if abs(exponent) > _LARGEST_POWER:
            raise NoResultError
        return _CONTEXT.power(base, exponent)

    def _part(self) -> Decimal:
        if self._next("√"):
            return _CONTEXT.sqrt(self._signed())
        if self._next("("):
            self._depth += 1
            value = self._sum()
            self._next(")")
        else:
            token = self._tokens[self._at]
            if token[0] not in "0123456789.":
                raise NoResultError
            self._at += 1
            value = Decimal(token)
        while self._next("%"):
            value = _CONTEXT.divide(value, Decimal(100))
        return value
