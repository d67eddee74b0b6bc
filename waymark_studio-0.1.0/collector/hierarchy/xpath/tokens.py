"""Split an XPath expression into tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from collector.hierarchy.errors import SelectorError
from collector.model.i18n import _

NAME, NUMBER, LITERAL, OPERATOR, END = "name", "number", "literal", "operator", "end"
_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:
      (?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)
    | (?P<literal>"[^"]*"|'[^']*')
    | (?P<name>[^\W\d][\w.-]*)
    | (?P<operator>//|!=|<=|>=|[/|+\-=<>])
    | (?P<symbol>::|\.\.|[()\[\].@,*])
    )""",
    re.VERBOSE,
)
_BLANK = " \t\r\n"
_WORDS = frozenset(("and", "or", "mod", "div"))
_BEFORE_OPERAND = frozenset(("@", "::", "(", "[", ","))
_LONGEST_SHOWN = 30


class Token(NamedTuple):
    """A token and where it begins in the text."""

    kind: str
    text: str
    at: int


def tokens_of(text: str) -> Iterator[Token]:
    """The tokens of ``text``; the last is of the kind END. Raises SelectorError.

    A ``*`` and a word such as ``and`` are operators where one can stand: after a complete operand.
    """
    at, end, ends_operand = 0, len(text.rstrip(_BLANK)), False
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise unreadable(text, at, _("This is no part of an XPath"))
        kind, word = match.lastgroup, match[match.lastgroup]
        if ends_operand and (word == "*" or (kind == NAME and word in _WORDS)):
            kind = OPERATOR
        yield Token(kind, word, match.start(match.lastgroup))
        ends_operand = kind != OPERATOR and word not in _BEFORE_OPERAND
        at = match.end()
    yield Token(END, "", end)


def unreadable(text: str, at: int, why: str) -> SelectorError:
    """The error for a mistake at a place of an XPath."""
    shown = text[at : at + _LONGEST_SHOWN].strip() or _("the end")
    return SelectorError(
        _("The XPath cannot be read at: {text}", text=shown), why, _("Write it as in //node[@text='Sign in']")
    )
