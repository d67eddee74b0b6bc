"""POSIX regular expressions, basic and extended, as Python's."""

from __future__ import annotations

import re

from collector.virtual.shell.process import CommandError

_CLASSES = {
    "space": r"\s", "digit": "0-9", "alpha": "a-zA-Z", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z",
    "punct": r"!-/:-@\[-`{-~", "blank": r" \t", "xdigit": "0-9A-Fa-f", "cntrl": r"\x00-\x1f\x7f",
    "print": " -~", "graph": "!-~",
}  # fmt: skip
_LONGEST = 4096
_SPECIAL = frozenset("|(){}+?")
"""In a basic pattern these stand for themselves, and with a backslash for what an extended one means."""
_REASONS = (
    ("unterminated character set", "brackets ([ ]) not balanced"),
    ("parenthes", "parentheses not balanced"),
    ("subpattern", "parentheses not balanced"),
    ("repeat", "repetition-operator operand invalid"),
    ("escape (end", "trailing backslash (\\)"),
    ("character range", "invalid character range"),
)
"""By a part of what Python says, what Android's C library says."""


def expression(pattern: str, *, extended: bool, fixed: bool) -> str:
    r"""Convert a POSIX pattern to a Python one; in basic patterns ``\|`` is special and ``|`` is not."""
    if len(pattern) > _LONGEST:
        raise CommandError("grep: pattern too long", 2)
    if fixed:
        return re.escape(pattern)
    parts, place = [], 0
    while place < len(pattern):
        letter, following = pattern[place], pattern[place + 1 : place + 2]
        begins = place == 0 or pattern[:place].endswith(("\\(", "\\|"))
        if letter == "[":
            text, place = _bracket(pattern, place)
            parts.append(text)
            continue
        if letter == "\\" and following:
            plain = {"<": r"\b", ">": r"\b", "`": r"\A", "'": r"\Z"}.get(following, letter + following)
            parts.append(following if following in _SPECIAL and not extended else plain)
            place += 2
            continue
        literal = not extended and (letter in _SPECIAL or (letter == "*" and begins))
        parts.append("\\" + letter if literal else letter)
        place += 1
    return "".join(parts)


def reason_of(error: re.error) -> str:
    """What the C library says of a pattern that cannot be read."""
    return next((said for part, said in _REASONS if part in str(error)), "invalid regular expression")


def _bracket(pattern: str, start: int) -> tuple[str, int]:
    """A bracket expression at ``start`` in Python's words, and the place behind it."""
    place = start + 1
    head = "["
    if pattern[place : place + 1] == "^":
        head, place = "[^", place + 1
    first, body = place, ""
    while place < len(pattern) and (pattern[place] != "]" or place == first):
        named = re.match(r"\[:(\w+):\]", pattern[place:])
        if named:
            if named[1] not in _CLASSES:
                raise CommandError(f"grep: bad regex '{pattern}': invalid character class", 2)
            body += _CLASSES[named[1]]
            place += len(named[0])
            continue
        body += "\\" + pattern[place] if pattern[place] in "\\[]&~|" else pattern[place]
        place += 1
    if place >= len(pattern):
        return "[", len(pattern)
    return f"{head}{body}]", place + 1
