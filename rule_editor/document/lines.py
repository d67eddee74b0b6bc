"""Which lines belong to an entry of a list: its own, and the comments directly above it."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"[ \t]*#")
_BANNER = re.compile(r"[ \t]*#\s*[-=#*~_]{3,}")
_BLANK = re.compile(r"[ \t]*\r?\n?")


def line_start(text: str, at: int) -> int:
    """Where the line that ``at`` is in begins."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Behind the line break of the line that ``at`` is in."""
    return text.find("\n", at) + 1 or len(text)


def body_end(text: str, end: int, start: int = 0) -> int:
    """Behind the last line of what ends at ``end``, its comment and line break with it."""
    while end > start and text[end - 1] in "\r\n \t":
        end -= 1
    return line_end(text, end)


def lead_start(text: str, start: int, floor: int) -> int:
    """Start of the comment lines directly above the line at ``start``; not above ``floor``.

    Comments with a rule drawn in them head a section, not the entry below them.
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
    """Behind the blank lines that begin at ``at``."""
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
    """``text`` without the blank lines and comments at its end, which belong to what follows."""
    end = len(text)
    while end:
        above = line_start(text, end - 1)
        if not is_blank(text[above:end]) and not _COMMENT.match(text, above):
            break
        end = above
    return text[:end].rstrip("\r\n")


def is_blank(line: str) -> bool:
    """Whether a line holds nothing but spaces and its line break."""
    return _BLANK.fullmatch(line) is not None


def column(text: str, at: int) -> int:
    """Counted from 0."""
    return at - line_start(text, at)


def has_comment(text: str) -> bool:
    """Whether a comment may stand in ``text``; a sign in quotes may be taken for one."""
    return re.search(r"(?:^|\s)#", text) is not None


def shifted(lines: list[str], by: int) -> list[str]:
    """Lines moved ``by`` columns, blank ones left alone and none beyond the margin."""
    moved = []
    for line in lines:
        bare = line.lstrip(" ")
        moved.append(" " * max(0, len(line) - len(bare) + by) + bare if bare.strip() else line)
    return moved
