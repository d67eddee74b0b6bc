"""Parse a regular expression into its repeats, alternatives and single characters.

``re`` keeps its own parser private. This one reads what ``re`` has accepted, so it reports no mistakes;
what it does not know in detail becomes an :class:`Opaque` part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FLAGS = {"a": re.ASCII, "i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}
_QUANTIFIER = re.compile(r"(?:([*+?])|\{(?!\})(?:(\d*),(\d*)|(\d+))\})([?+]?)")
_CLASS = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]", re.DOTALL)
_REFERENCE = re.compile(r"\\(?![0-3][0-7]{2})[1-9]\d?")
_ESCAPE = re.compile(
    r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|0[0-7]{0,2}|[0-3][0-7]{2}|.)", re.DOTALL
)
_COMMENT = re.compile(r"\(\?#[^)]*\)")
_VERBOSE_SPACE = re.compile(r"\s+|#[^\n]*")
_GLOBAL_FLAGS = re.compile(r"\(\?[aiLmsux]+\)")
_NAMED_REFERENCE = re.compile(r"\(\?P=\w+\)")
_LOCAL_FLAGS = re.compile(r"\(\?([aLuimsx]*)(?:-([imsx]+))?:")
_NAMED_GROUP = re.compile(r"\(\?P<\w+>")
_OPAQUE_GROUP = re.compile(r"\(\?(?:=|!|<=|<!|>|\(\w+\))")
_ASSERTIONS = ("^", "$", r"\A", r"\Z", r"\b", r"\B")
_SINGLE = r"(?:[^\\\s^$.|?*+()\[\]{}#]|\\[dDwWsS])"
_SINGLES = re.compile(rf"({_SINGLE}(?:\|{_SINGLE})+)\)")
"""Alternatives of one character each, of which ``re`` makes a set."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One character, or with ``eats`` False a place between two: ``source`` is its pattern."""

    source: str
    flags: int
    eats: bool = True


@dataclass(frozen=True, slots=True)
class Repeat:
    """``body`` so many times; ``most`` is None without a limit."""

    least: int
    most: int | None
    body: Parts
    possessive: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """One of several alternatives."""

    alternatives: tuple[Parts, ...]


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something only ``re`` can match: a reference, a look around, an atomic or a conditional group."""

    body: Parts = ()


Part = Atom | Repeat | Branch | Opaque
Parts = tuple[Part, ...]


def parse_regex(compiled: re.Pattern[str]) -> Parts:
    """The parts of a pattern that ``re`` has compiled, in their order. Raises RecursionError."""
    return _join(_Parser(compiled.pattern).alternatives(int(compiled.flags)))


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def alternatives(self, flags: int) -> tuple[Parts, ...]:
        """Read up to the end of the group that is open, or of the pattern."""
        read = [self._sequence(flags)]
        while self._take("|"):
            read.append(self._sequence(flags))
        self._take(")")
        return tuple(read)

    def _sequence(self, flags: int) -> Parts:
        parts: list[Part] = []
        while True:
            self._skip(flags)
            if self._at >= len(self._text) or self._text[self._at] in "|)":
                return tuple(parts)
            body = self._item(flags)
            self._skip(flags)
            quantifier = self._match(_QUANTIFIER)
            parts += (_repeat(body, quantifier),) if quantifier is not None else body

    def _item(self, flags: int) -> Parts:
        """One thing that a quantifier may follow."""
        character = self._text[self._at]
        if character == "(":
            return self._group(flags)
        if character == "\\" and self._match(_REFERENCE):
            return (Opaque(),)
        token = self._match(_CLASS) if character == "[" else None
        token = token or (self._match(_ESCAPE) if character == "\\" else None)
        source = token[0] if token is not None else character
        if token is None:
            self._at += 1
        if token is None and character not in "^$.":
            source = re.escape(character)
        return (Atom(source, flags & ~re.VERBOSE, eats=source not in _ASSERTIONS),)

    def _group(self, flags: int) -> Parts:
        if self._match(_GLOBAL_FLAGS):  # already in the flags of the compiled pattern
            return ()
        if self._match(_NAMED_REFERENCE):
            return (Opaque(),)
        if self._match(_OPAQUE_GROUP):
            return (Opaque(_join(self.alternatives(flags))),)
        if (local := self._match(_LOCAL_FLAGS)) is not None:
            flags = _changed(flags, local[1], local[2] or "")
        elif not self._match(_NAMED_GROUP):
            self._at += 1
        singles = _SINGLES.match(self._text, self._at)
        if singles is not None and len(set(singles[1].split("|"))) > 1:
            self._at = singles.end()
            return (Atom(f"(?:{singles[1]})", flags & ~re.VERBOSE),)
        return _join(self.alternatives(flags))

    def _skip(self, flags: int) -> None:
        """Pass over what means nothing: comments, and spaces in a verbose pattern."""
        while self._match(_COMMENT) or (flags & re.VERBOSE and self._match(_VERBOSE_SPACE)):
            pass

    def _match(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        match = expression.match(self._text, self._at)
        if match is not None:
            self._at = match.end()
        return match

    def _take(self, character: str) -> bool:
        taken = self._text.startswith(character, self._at)
        self._at += taken
        return taken


def _repeat(body: Parts, quantifier: re.Match[str]) -> Repeat:
    sign, least, most, count, mode = quantifier.groups()
    if sign is not None:
        limits = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
    elif count is not None:
        limits = (int(count), int(count))
    else:
        limits = (int(least or 0), int(most) if most else None)
    return Repeat(*limits, body, possessive=mode == "+")


def _join(alternatives: tuple[Parts, ...]) -> Parts:
    """The alternatives as one part."""
    return alternatives[0] if len(alternatives) == 1 else (Branch(alternatives),)


def _changed(flags: int, added: str, removed: str) -> int:
    for letter in added:
        if letter in "au":
            flags &= ~(re.ASCII | re.UNICODE)
        flags |= _FLAGS.get(letter, re.UNICODE)
    for letter in removed:
        flags &= ~_FLAGS[letter]
    return flags
