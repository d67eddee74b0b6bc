"""Convert between offsets in a text and positions of Qt, which counts UTF-16 units and a line end as one."""

from __future__ import annotations

import re
from bisect import bisect_right

_LINE_END = re.compile("\r\n|\n|\r|\u2029")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class QtPositions:
    """Converts both ways for one text; offsets beyond its ends count as its ends."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._plain = "\r" not in text and _ASTRAL.search(text) is None
        starts, qt_starts, at = [0], [0], 0
        if not self._plain:
            for match in _LINE_END.finditer(text):
                line = text[starts[-1] : match.start()]
                at += units(line) + 1
                starts.append(match.end())
                qt_starts.append(at)
        self._starts, self._qt_starts = starts, qt_starts

    def to_qt(self, offset: int) -> int:
        """The Qt position of a character."""
        offset = min(max(0, offset), len(self._text))
        if self._plain:
            return offset
        line = bisect_right(self._starts, offset) - 1
        rest = self._text[self._starts[line] : offset]
        return self._qt_starts[line] + units(rest.rstrip("\r\n") if rest.endswith("\r") else rest)

    def to_text(self, position: int) -> int:
        """The character at a Qt position, also for a position inside a surrogate pair."""
        if self._plain:
            return min(max(0, position), len(self._text))
        line = max(0, bisect_right(self._qt_starts, position) - 1)
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self._text)
        left = position - self._qt_starts[line]
        for place in range(start, end):
            if left <= 0 or self._text[place] in "\r\n\u2029":
                return place
            left -= units(self._text[place])
        return end


def units(text: str) -> int:
    """Number of UTF-16 units of a text."""
    return len(text) if text.isascii() else len(text) + len(_ASTRAL.findall(text))
