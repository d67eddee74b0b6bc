"""Lines of a text, and the lines that belong to an entry: its own and the comments directly above it."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"[ \t]*#")
_BANNER = re.compile(r"[ \t]*#\s*[-=#*~_]{3,}")
_BLANK = re.compile(r"[ \t]*\r?\n?")


def line_start(text: str, at: int) -> int:
    """Start of the line that holds ``at``."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """End of the line that holds ``at``, after its line break."""
    return text.find("\n", at) + 1 or len(text)


def body_end(text: str, end: int, start: int = 0) -> int:
    """End of the last line of a value that ends at ``end``, after its comment and line break."""
    while end > start and text[end - 1] in "\r\n \t":
        end -= 1
    return line_end(text, end)


def lead_start(text: str, start: int, floor: int) -> int:
    """Start of the comment lines directly above the line at ``start``; not above ``floor``.

    A banner comment (with a line such as ``----``) belongs to a section and not to the entry below.
    """
    at = start
    while at > floor:
        above = line_start(text, at - 1)
        if above < floor or not _COMMENT.match(text, above):
            break
        if _BANNER.match(text, above):
            return start
        at = above
    return at


def blank_after(text: str, at: int) -> int:
    """End of the blank lines that begin at ``at``."""
    while at < len(text) and is_blank(text[at : line_end(text, at)]):
        at = line_end(text, at)
    return at


def blank_before(text: str, at: int, floor: int) -> int:
    """Start of the blank lines directly above ``at``; not above ``floor``."""
    while at > floor:
        above = line_start(text, at - 1)
        if above < floor or not is_blank(text[above:at]):
            break
        at = above
    return at


def without_tail(text: str) -> str:
    """``text`` without the blank lines and comments at its end, which belong to the next entry."""
    end = len(text)
    while end:
        above = line_start(text, end - 1)
        if not is_blank(text[above:end]) and not _COMMENT.match(text, above):
            break
        end = above
    return text[:end].rstrip("\r\n")


def is_blank(line: str) -> bool:
    """Whether a line has only spaces and its line break."""
    return _BLANK.fullmatch(line) is not None


def column(text: str, at: int) -> int:
    """Column of the character ``at``, counted from 0."""
    return at - line_start(text, at)


def has_comment(text: str) -> bool:
    """Whether ``text`` may have a comment; a ``#`` in quotes can count as one."""
    return re.search(r"(?:^|\s)#", text) is not None


def shifted(lines: list[str], by: int) -> list[str]:
    """Lines indented by ``by`` more columns; blank lines stay, and no line goes beyond the margin."""
    indented = []
    for line in lines:
        bare = line.lstrip(" ")
        indented.append(" " * max(0, len(line) - len(bare) + by) + bare if bare.strip() else line)
    return indented
