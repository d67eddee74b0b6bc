"""Expand words to arguments: parameters, substitutions, field splitting and file patterns."""

from __future__ import annotations

import ast
import fnmatch
import operator
import re
from collections.abc import Callable
from typing import Protocol

from collector.virtual.shell.files import Files
from collector.virtual.shell.syntax import (
    Arithmetic,
    Literal,
    ParameterExpansion,
    Part,
    Script,
    Substitution,
    Word,
)

_PATTERN = re.compile(r"[*?\[]")
_MAX_MATCHES = 20_000


class ExpansionError(Exception):
    """An invalid expansion; the message is what the shell prints after its name."""


class Scope(Protocol):
    """The parts of a shell that expansion uses."""

    @property
    def directory(self) -> str: ...

    def variable(self, name: str) -> str | None: ...

    def set_variable(self, name: str, value: str) -> None: ...

    def capture(self, script: Script) -> str: ...


class Expander:
    """Expands the words of one shell."""

    def __init__(self, scope: Scope, files: Files) -> None:
        self._scope = scope
        self._files = files

    def arguments(self, words: tuple[Word, ...]) -> list[str]:
        """Expand each word to arguments: none, one or several."""
        arguments: list[str] = []
        for word in words:
            arguments += self._fields(word)
        return arguments

    def text(self, word: Word) -> str:
        """Expand a word without splitting: the value of an assignment or the target of a redirect."""
        return "".join(text for part in _with_home(word).parts for text, _quoted in self._part(part))

    def _fields(self, word: Word) -> list[str]:
        fields: list[list[tuple[str, bool]]] = []
        open_field: list[tuple[str, bool]] | None = None
        for part in _with_home(word).parts:
            if (
                isinstance(part, ParameterExpansion)
                and part.name == "@"
                and part.quoted
                and not part.operator
            ):
                for number, argument in enumerate((self._scope.variable("@") or "").split("\0")):
                    if number or open_field is None:
                        open_field = []
                        fields.append(open_field)
                    open_field.append((argument, True))
                continue
            for text, quoted in self._part(part):
                splits = not quoted and not isinstance(part, Literal)
                pieces = re.split(r"[ \t\n]+", text) if splits else [text]
                for number, piece in enumerate(pieces):
                    if number:
                        open_field = None
                    if piece or quoted:
                        if open_field is None:
                            open_field = []
                            fields.append(open_field)
                        open_field.append((piece, quoted))
        return [name for field in fields for name in self._matches(field)]

    def matches(self, text: str, pattern: Word) -> bool:
        """Whether a ``case`` pattern matches all of ``text``; quoted characters match literally."""
        pieces = [piece for part in _with_home(pattern).parts for piece in self._part(part)]
        source = "".join(_escape(piece) if quoted else piece for piece, quoted in pieces)
        return _matcher(source).match(text) is not None

    def _part(self, part: Part) -> list[tuple[str, bool]]:
        if isinstance(part, Literal):
            return [(part.text, part.quoted)]
        if isinstance(part, Substitution):
            return [(self._scope.capture(part.script).rstrip("\n"), part.quoted)]
        if isinstance(part, Arithmetic):
            return [(str(self._calculate(self.text(part.expression))), part.quoted)]
        return [(self._parameter(part), part.quoted)]

    def _parameter(self, part: ParameterExpansion) -> str:
        value = self._scope.variable(part.name)
        if part.name in "@*" and value is not None:
            value = value.replace("\0", " ")
        if part.operator == "length":
            return str(len(value or ""))
        if not part.operator or part.argument is None:
            return value or ""
        if part.operator == ":":
            return _slice(value or "", self.text(part.argument), self._calculate)
        if part.operator == "/":
            pattern, _, replacement = self.text(part.argument).partition("/")
            return (value or "").replace(pattern, replacement, 1) if pattern else value or ""
        if part.operator[0] in "#%":
            return _trim(value or "", part.operator, self.text(part.argument))
        return self._default(part.name, value, part.operator, part.argument)

    def _default(self, name: str, value: str | None, operator_: str, argument: Word) -> str:
        missing = value is None or (operator_.startswith(":") and not value)
        kind = operator_[-1]
        if kind == "+":
            return "" if missing else self.text(argument)
        if not missing:
            return value or ""
        text = self.text(argument)
        if kind == "=":
            self._scope.set_variable(name, text)
        elif kind == "?":
            raise ExpansionError(f"{name}: {text or 'parameter null or not set'}")
        return text

    def _matches(self, field: list[tuple[str, bool]]) -> list[str]:
        plain = "".join(text for text, _quoted in field)
        if not any(not quoted and _PATTERN.search(text) for text, quoted in field):
            return [plain]
        pattern = "".join(_escape(text) if quoted else text for text, quoted in field)
        return self._glob(pattern) or [plain]

    def _glob(self, pattern: str) -> list[str]:
        paths = ["/"] if pattern.startswith("/") else [""]
        for name in pattern.strip("/").split("/"):
            following: list[str] = []
            for base in paths:
                following += self._children(base, name)
            paths = following[:_MAX_MATCHES]
        return paths

    def _children(self, base: str, pattern: str) -> list[str]:
        prefix = base if base in ("", "/") else base + "/"
        place = base if base.startswith("/") else f"{self._scope.directory.rstrip('/')}/{base}"
        if not _PATTERN.search(pattern):
            return [prefix + pattern] if self._files.exists(f"{place}/{pattern}") else []
        try:
            names = [name for name, _entry in self._files.list(place)]
        except OSError:
            return []
        matcher = _matcher(pattern)
        hidden = pattern.startswith(".")
        return [prefix + name for name in names if matcher.match(name) and (hidden or name[0] != ".")]

    def _calculate(self, expression: str) -> int:
        return calculate(expression, self._scope.variable)


def _with_home(word: Word) -> Word:
    """Replace ``~`` at the start of a word by the home folder, which is ``/``."""
    first = word.parts[0] if word.parts else None
    if isinstance(first, Literal) and not first.quoted and (first.text == "~" or first.text[:2] == "~/"):
        return Word((Literal("/" + first.text[2:]), *word.parts[1:]))
    return word


def _matcher(pattern: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(pattern.replace("[!", "[^").replace("[^", "[!")))


def _escape(text: str) -> str:
    return _PATTERN.sub(lambda match: f"[{match[0]}]", text)


def _trim(value: str, operator_: str, pattern: str) -> str:
    matcher = re.compile(fnmatch.translate(pattern))
    lengths = range(len(value) + 1)
    if operator_[0] == "#":
        order = lengths if operator_ == "#" else reversed(lengths)
        return next((value[n:] for n in order if matcher.match(value[:n])), value)
    order = lengths if operator_ == "%%" else reversed(lengths)
    return next((value[:n] for n in order if matcher.match(value[n:])), value)


def _slice(value: str, argument: str, calculate_: Callable[[str], int]) -> str:
    start_text, _, length_text = argument.partition(":")
    start = calculate_(start_text or "0")
    start = max(0, len(value) + start) if start < 0 else start
    return value[start : start + calculate_(length_text)] if length_text else value[start:]


_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: lambda a, b: a << (b & 31),
    ast.RShift: lambda a, b: a >> (b & 31),
    ast.Eq: lambda a, b: int(a == b),
    ast.NotEq: lambda a, b: int(a != b),
    ast.Lt: lambda a, b: int(a < b),
    ast.LtE: lambda a, b: int(a <= b),
    ast.Gt: lambda a, b: int(a > b),
    ast.GtE: lambda a, b: int(a >= b),
}


def calculate(expression: str, variable: Callable[[str], str | None]) -> int:
    """Evaluate ``$((expression))`` in 32 bits, as mksh does; ExpansionError when it is invalid."""
    source = expression.replace("&&", " and ").replace("||", " or ").replace("$", "").strip() or "0"
    source = re.sub(r"!(?!=)", " not ", source)
    try:
        tree = ast.parse(source, mode="eval")
        return _evaluate(tree.body, variable)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpansionError(f"{expression}: unexpected '{expression}'") from error


def _evaluate(node: ast.expr, variable: Callable[[str], str | None]) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return _wrap(int(node.value))
    if isinstance(node, ast.Name):
        text = variable(node.id) or "0"
        return _wrap(int(text, 0))
    if isinstance(node, ast.UnaryOp):
        value = _evaluate(node.operand, variable)
        if isinstance(node.op, ast.Not):
            return int(not value)
        return _wrap(~value if isinstance(node.op, ast.Invert) else -value)
    if isinstance(node, ast.BoolOp):
        values = [bool(_evaluate(value, variable)) for value in node.values]
        return int(all(values) if isinstance(node.op, ast.And) else any(values))
    if isinstance(node, ast.BinOp):
        return _binary(type(node.op), _evaluate(node.left, variable), _evaluate(node.right, variable))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = _evaluate(node.left, variable), _evaluate(node.comparators[0], variable)
        return _binary(type(node.ops[0]), left, right)
    raise ValueError("not arithmetic")


def _binary(kind: type, left: int, right: int) -> int:
    if kind in (ast.Div, ast.FloorDiv, ast.Mod):
        if not right:
            raise ExpansionError("divisor is zero")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return _wrap(left - quotient * right if kind is ast.Mod else quotient)
    if kind not in _OPERATORS:
        raise ValueError("not arithmetic")
    return _wrap(_OPERATORS[kind](left, right))


def _wrap(value: int) -> int:
    return (value + 0x8000_0000) % 0x1_0000_0000 - 0x8000_0000
