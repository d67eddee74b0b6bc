"""The text of a YAML file that holds one list, in pieces: an edit writes only its own entries anew.

Such files are ``tasks.yaml``, with its list under ``tasks``, and ``rules/states.yaml``, with ``states``.

Reading a large file as YAML takes seconds; cutting it at the lines that begin an entry takes milliseconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LISTS = {
    key: re.compile(rf"^{key}[ \t]*:[ \t]*(?:#[^\r\n]*)?\r?$", re.MULTILINE) for key in ("tasks", "states")
}
_CONTENT = re.compile(r"^([ ]*)(?![ \r\n#])", re.MULTILINE)
_OTHER_BREAKS = re.compile("\r(?!\n)|[\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class EntryLines:
    """The lines of one entry. The text is exact and ends with a line break."""

    gap: str
    """Blank lines and comments before the entry that do not belong to it."""
    text: str
    """The comment directly above the entry, and its lines."""


@dataclass(frozen=True, slots=True)
class ListText:
    """A file in pieces; joined, they are the file."""

    head: str
    """The lines up to the key of the list, with it."""
    entries: tuple[EntryLines, ...]
    tail: str
    """Comments, blank lines and other keys behind the last entry."""
    indent: int
    """Column of the dash that begins an entry."""

    def joined(self) -> str:
        """The text of the file."""
        pieces = [self.head]
        for entry in self.entries:
            pieces += (entry.gap, entry.text)
        return "".join([*pieces, self.tail])

    @property
    def newline(self) -> str:
        return "\r\n" if self.head.endswith("\r\n") else "\n"


def split(text: str, key: str) -> ListText | None:
    """Cut a file with a list under ``key`` (``tasks`` or ``states``) into its entries.

    None for a file of another shape, as with all entries in one line. The result is right when the file is
    YAML and has as many values as entries: every entry of a block sequence begins a line at its column, so
    with equal numbers no other line can have been taken for one.
    """
    if _OTHER_BREAKS.search(text):
        return None
    if not text.endswith("\n"):
        text += "\n"
    lists = _LISTS[key].findall(text)
    at = _LISTS[key].search(text)
    if at is None or len(lists) != 1:
        return None
    body = at.end() + 1
    first = _CONTENT.search(text, body)
    if first is None or text[first.end() : first.end() + 1] != "-":
        return None
    indent = len(first.group(1))
    end = _end_of_list(text, first.start(), indent)
    dash = re.compile(rf"^ {{{indent}}}-(?=\s)", re.MULTILINE)
    starts = [match.start() for match in dash.finditer(text, body, end)]
    bounds = [body]
    pieces: list[tuple[str, str]] = []
    for start, following in zip(starts, [*starts[1:], end], strict=True):
        lead = _own_comment(text, bounds[-1], start)
        stop = _end_of_entry(text, start, following, indent)
        pieces.append((text[bounds[-1] : lead], text[lead:stop]))
        bounds.append(stop)
    return ListText(text[:body], tuple(EntryLines(*piece) for piece in pieces), text[bounds[-1] :], indent)


def _end_of_list(text: str, start: int, indent: int) -> int:
    """Where the first line begins that belongs to no entry."""
    for match in re.compile(rf"^ {{0,{indent}}}(?![ \r\n#])", re.MULTILINE).finditer(text, start):
        is_entry = match.end() - match.start() == indent and text[match.end() : match.end() + 1] == "-"
        if not is_entry or text[match.end() + 1 : match.end() + 2] not in (" ", "\t", "\r", "\n"):
            return match.start()
    return len(text)


def _own_comment(text: str, floor: int, start: int) -> int:
    """Where the run of comment lines directly above a line begins, but not before ``floor``."""
    lead = start
    while lead > floor:
        line = text.rfind("\n", floor, lead - 1) + 1 or floor
        if not text[line:lead].lstrip(" ").startswith("#"):
            break
        lead = line
    return lead


def _end_of_entry(text: str, start: int, following: int, indent: int) -> int:
    """Behind the last line of an entry that is indented deeper than its dash."""
    end = following
    while True:
        line = text.rfind("\n", start, end - 1) + 1
        if line <= start:
            return end
        content = text[line:end].lstrip(" ")
        depth = end - line - len(content)
        if depth > indent and content.strip():
            return end
        end = line
