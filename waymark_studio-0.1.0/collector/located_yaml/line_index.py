"""Line and column of a character in a text."""

from __future__ import annotations

import re
from bisect import bisect_right

from collector.located_yaml.diagnostics import Place

_BREAK = re.compile(r"\r\n?|\n")


class LineIndex:
    """Where the lines of a text begin, counted as editors count them.

    YAML also breaks lines at rarer characters (such as U+2028), which editors do not.
    """

    def __init__(self, text: str) -> None:
        mark = text.startswith("\ufeff")
        self._starts = [int(mark), *(match.end() for match in _BREAK.finditer(text))]

    def place(self, start: int, end: int) -> Place:
        """The place of characters ``start`` to ``end``; a byte order mark is no column."""
        line = max(1, bisect_right(self._starts, start))
        return Place(start, end, line, start - self._starts[line - 1] + 1)
