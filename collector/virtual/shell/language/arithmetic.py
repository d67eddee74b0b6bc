"""Arithmetic in 32 bits, as in ``$((...))``, ``((...))`` and ``let``."""

from __future__ import annotations

import re
from typing import Protocol

_TOKEN = re.compile(
    r"\s*(?:(\d+#\w+|0[xX][0-9a-fA-F]+|\d\w*)|([A-Za-z_]\w*)|(<<=|>>=|&&|\|\||\+\+|--|[-+*/%&|^<>=!]=|<<|>>|.))",
    re.ASCII | re.DOTALL,
)
_LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>"),
           ("+", "-"), ("*", "/", "%"))  # fmt: skip
_ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_MAX_DEPTH = 12
"""Variables whose values are expressions again."""
_MAX_BRACKETS = 30


class ExpansionError(Exception):
    """An invalid expansion; the message is what the shell prints after its name."""


class Variables(Protocol):
    """The variables that an expression reads and changes."""

    def element(self, name: str, index: int) -> str | None: ...

    def set_element(self, name: str, index: int, value: str) -> None: ...


def wrap(value: int) -> int:
    """Reduce to a signed number of 32 bits."""
    return (value + 0x8000_0000) % 0x1_0000_0000 - 0x8000_0000


def calculate(expression: str, variables: Variables, depth: int = 0) -> int:
    """The value of an expression; ExpansionError with mksh's message when it is invalid."""
    return _Calculator(expression, variables, depth).value()


class _Calculator:
    """Evaluates while it reads; ``quiet`` counts the branches that must have no effect."""

    def __init__(self, source: str, variables: Variables, depth: int) -> None:
        self._source = source
        self._variables = variables
        self._depth = depth
        self._quiet = 0
        self._tokens = [(match[1], match[2], match[3]) for match in _TOKEN.finditer(source.rstrip())]
        self._at = 0
        self._brackets = 0

    def value(self) -> int:
        if not self._tokens:
            return 0
        result = self._comma()
        if self._at < len(self._tokens):
            raise self._unexpected()
        return result

    def _peek(self) -> str:
        return self._tokens[self._at][2] or "" if self._at < len(self._tokens) else ""

    def _take(self, *symbols: str) -> str:
        symbol = self._peek()
        if symbol and symbol in symbols:
            self._at += 1
            return symbol
        return ""

    def _comma(self) -> int:
        self._brackets += 1
        if self._brackets > _MAX_BRACKETS:
            raise self._error("nested too deeply")
        try:
            return self._list()
        finally:
            self._brackets -= 1

    def _list(self) -> int:
        result = self._choice()
        while self._take(","):
            result = self._choice()
        return result

    def _choice(self) -> int:
        condition = self._binary(0)
        if not self._take("?"):
            return condition
        self._quiet += not condition
        first = self._comma()
        self._quiet -= not condition
        if not self._take(":"):
            raise self._unexpected()
        self._quiet += bool(condition)
        second = self._choice()
        self._quiet -= bool(condition)
        return first if condition else second

    def _binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while symbol := self._take(*_LEVELS[level]):
            skips = (symbol == "&&" and not left) or (symbol == "||" and left)
            self._quiet += bool(skips)
            right = self._binary(level + 1)
            self._quiet -= bool(skips)
            left = self._apply(symbol, left, right)
        return left

    def _apply(self, symbol: str, left: int, right: int) -> int:
        if symbol in ("/", "%"):
            if not right:
                if self._quiet:
                    return 0
                raise self._error("zero divisor")
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return wrap(left - quotient * right if symbol == "%" else quotient)
        compared = {"==": left == right, "!=": left != right, "<": left < right, "<=": left <= right,
                    ">": left > right, ">=": left >= right, "&&": bool(left and right),
                    "||": bool(left or right)}  # fmt: skip
        if symbol in compared:
            return int(compared[symbol])
        shift = right & 31
        results = {"+": left + right, "-": left - right, "*": left * right, "&": left & right,
                   "|": left | right, "^": left ^ right, "<<": left << shift,
                   ">>": left >> shift}  # fmt: skip
        return wrap(results[symbol])

    def _unary(self) -> int:
        symbol = self._take("+", "-", "!", "~", "++", "--")
        if symbol in ("++", "--"):
            name, index = self._variable()
            return self._assign(name, index, self._read(name, index) + (1 if symbol == "++" else -1))
        if symbol:
            self._brackets += 1
            if self._brackets > _MAX_BRACKETS:
                raise self._error("nested too deeply")
            value = self._unary()
            self._brackets -= 1
            return {"+": value, "-": wrap(-value), "!": int(not value), "~": wrap(~value)}[symbol]
        return self._primary()

    def _primary(self) -> int:
        if self._at >= len(self._tokens):
            raise self._unexpected()
        number, name, _symbol = self._tokens[self._at]
        if number:
            self._at += 1
            return self._number(number)
        if name:
            return self._named()
        if self._take("("):
            result = self._comma()
            if not self._take(")"):
                raise self._error("missing )")
            return result
        raise self._unexpected()

    def _named(self) -> int:
        name, index = self._variable()
        symbol = self._take(*_ASSIGNMENTS)
        if symbol == "=":
            return self._assign(name, index, self._choice())
        if symbol:
            right = self._choice()
            return self._assign(name, index, self._apply(symbol[:-1], self._read(name, index), right))
        value = self._read(name, index)
        if step := self._take("++", "--"):
            self._assign(name, index, value + (1 if step == "++" else -1))
        return value

    def _variable(self) -> tuple[str, int]:
        if self._at >= len(self._tokens) or not self._tokens[self._at][1]:
            raise self._unexpected()
        name = self._tokens[self._at][1]
        self._at += 1
        index = 0
        if self._take("["):
            index = self._comma()
            if not self._take("]"):
                raise self._unexpected()
        return name, index

    def _assign(self, name: str, index: int, value: int) -> int:
        value = wrap(value)
        if not self._quiet:
            self._variables.set_element(name, index, str(value))
        return value

    def _read(self, name: str, index: int) -> int:
        text = (self._variables.element(name, index) or "0").strip()
        if re.fullmatch(r"-?\d+", text, re.ASCII):
            return wrap(int(text))
        if self._quiet:
            return 0
        if self._depth >= _MAX_DEPTH:
            raise self._error(f"expression recurses on parameter '{name}'")
        return calculate(text, self._variables, self._depth + 1)

    def _number(self, text: str) -> int:
        base, digits = 10, text
        if text[:2] in ("0x", "0X"):
            base, digits = 16, text[2:]
        elif "#" in text:
            base_text, _, digits = text.partition("#")
            base = int(base_text[:4])
        try:
            if not 2 <= base <= 36:
                raise ValueError
            return wrap(int(digits, base))
        except ValueError:
            raise self._error("bad number: Invalid argument") from None

    def _unexpected(self) -> ExpansionError:
        if self._at >= len(self._tokens):
            return self._error("unexpected 'end of expression'")
        number, name, symbol = self._tokens[self._at]
        return self._error(f"unexpected '{number or name or symbol}'")

    def _error(self, what: str) -> ExpansionError:
        return ExpansionError(f"{self._source}: {what}")
