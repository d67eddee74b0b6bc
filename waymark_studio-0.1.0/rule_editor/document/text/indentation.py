"""Indentation of YAML by levels: what Enter, Backspace, Tab and Shift+Tab do. Columns count from 0."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

DEFAULT_STEP = 2
_DASHES = re.compile(r"(?:- +)+")
_OPENS = re.compile(r"(?:^|\s)\S.*:(?:\s+[|>][+-]?\d?)?(?:\s+#.*)?$")
"""The end of a line whose value follows in deeper lines: a key without a value, or with a block scalar."""


def indent_of(line: str) -> int:
    """The number of spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))


def step_of(lines: Sequence[str]) -> int:
    """The spaces of one level: the most frequent increase between two lines, 2 when none is deeper."""
    indents = [indent_of(line) for line in lines if line.strip()]
    steps = Counter(deeper - indent for indent, deeper in pairwise(indents) if deeper > indent)
    return steps.most_common(1)[0][0] if steps else DEFAULT_STEP


def level_below(lines: Sequence[str], column: int) -> int:
    """The column of the level around ``column``; ``lines`` are the lines before the one that is dedented.

    A level begins where an enclosing key or list item begins, so that what is dedented lines up with it.
    """
    for line in reversed(lines):
        indent = indent_of(line)
        content = line[indent:]
        if not content or content.startswith("#") or indent >= column:
            continue
        if content.startswith("- ") and (within := _content_column(line)) < column:
            return within
        return indent
    return max(0, (column - 1) // DEFAULT_STEP * DEFAULT_STEP)


def indent_after(line: str, following: Sequence[str], step: int) -> int:
    """The indentation of a line that is begun behind ``line``: its level, or one more when it opens one.

    ``following`` are the lines behind it; the children that are already there decide how deep one more is.
    """
    indent, content = indent_of(line), _content_column(line)
    if not line.strip() or line.lstrip(" ").startswith("#"):
        return indent
    if not _OPENS.search(line):
        return content
    below = next((below for below in following if below.strip()), "")
    child = indent_of(below)
    return (
        child if child > content or (child == content and below[child:].startswith("- ")) else content + step
    )


def indented(lines: Sequence[str], step: int) -> list[str]:
    """The lines one level deeper; blank lines stay."""
    return [" " * step + line if line.strip() else line for line in lines]


def dedented(lines: Sequence[str], step: int) -> list[str]:
    """The lines one level less deep; they stay aligned to each other, and blank lines stay."""
    indents = [indent_of(line) for line in lines if line.strip()]
    by = min([step, *indents]) if indents else 0
    return [line[by:] if line.strip() else line for line in lines]


def _content_column(line: str) -> int:
    """The column of what stands behind the indentation and the dashes of a line."""
    indent = indent_of(line)
    dashes = _DASHES.match(line, indent)
    return dashes.end() if dashes else indent
