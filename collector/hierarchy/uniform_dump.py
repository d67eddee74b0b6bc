"""Split a dump whose nodes all have the same attributes at its quotes, and see that it is well-formed.

Nearly every dump of uiautomator is one. What lies between two values is then one of a few texts, so a few
comparisons of whole columns of them prove the form, and no attribute is looked at by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from collector.hierarchy.tree_builder import MAX_ATTRIBUTES, MAX_NODES

_NAME = r"[A-Za-z_][A-Za-z0-9_.-]*"
_HIERARCHY = re.compile(rf'<hierarchy((?: {_NAME}="[^"<]*")+) ?>\s*')
_HIERARCHY_NAME = re.compile(rf' ({_NAME})="')
_FIRST = re.compile(rf"<node ({_NAME})=")
_NEXT = re.compile(rf" ({_NAME})=")
_LONGEST_BOUNDARY = 10_000
_BOUNDARY = re.compile(rf" ?(/?)>\s*((?:</node>\s*)*)(?:<node ({_NAME})=|</hierarchy>\s*)")


_Boundary = tuple[bool, int, str]
"""Of what stands behind a node: whether it stays open, how many close (-1 when it cannot be read), and the
first attribute of the next node, empty at the end of the dump."""


@dataclass(frozen=True, slots=True, eq=False)
class UniformDump:
    """The nodes of a dump in document order."""

    names: tuple[str, ...]
    """The attributes of every node."""
    values: list[str]
    """The values of the first node, then those of the second, as they are written."""
    parents: list[int]
    """The order of each node's parent, -1 for roots."""


def read_uniform(text: str, most_deep: int) -> UniformDump | None:
    """The nodes of a dump below one ``<hierarchy>``; None for any other form, or for deeper nodes.

    The characters and references in values are for the caller to check.
    """
    opening = _HIERARCHY.match(text)
    if opening is None:
        return None
    own = _HIERARCHY_NAME.findall(opening[1])
    pieces = text[opening.end() :].split('"')
    marks, values = pieces[::2], pieces[1::2]
    first = _FIRST.fullmatch(marks[0])
    if first is None or len(marks) != len(values) + 1 or len(set(own)) != len(own):
        return None
    width = next((at for at in range(1, len(marks)) if ">" in marks[at]), 0)
    if not width:
        return None
    count, rest = divmod(len(values), width)
    names = [first[1], *(found[1] for mark in marks[1:width] if (found := _NEXT.fullmatch(mark)))]
    is_small = count <= MAX_NODES and width <= MAX_ATTRIBUTES
    if rest or not is_small or len(names) != width or len(set(names)) != width:
        return None
    for at in range(1, width):
        if marks[at::width].count(marks[at]) != count:
            return None
    boundaries = marks[width::width]
    known = {mark: _boundary(mark) for mark in set(boundaries)}
    parents = _parents(boundaries, known, first[1], most_deep)
    if (
        parents is None
        or text.count("<", opening.end()) != count + sum(known[mark][1] for mark in boundaries) + 1
    ):
        return None  # the second: a < inside a value
    return UniformDump(tuple(names), values, parents)


def _parents(
    boundaries: list[str], known: Mapping[str, _Boundary], name: str, most_deep: int
) -> list[int] | None:
    """The parent of each node, by what stands behind each; None when the nodes do not close well.

    ``name`` is the first attribute of every node.
    """
    parents: list[int] = []
    opened = [-1]
    last = len(boundaries) - 1
    for order, mark in enumerate(boundaries):
        is_open, closed, following = known[mark]
        parents.append(opened[-1])
        if is_open:
            opened.append(order)
        if not -1 < closed < len(opened) <= most_deep or following != ("" if order == last else name):
            return None
        if closed:
            del opened[-closed:]
    return parents if len(opened) == 1 else None


@lru_cache(maxsize=1024)
def _boundary(mark: str) -> _Boundary:
    """Read what stands behind a node's last value."""
    found = _BOUNDARY.fullmatch(mark) if len(mark) < _LONGEST_BOUNDARY else None
    if found is None:
        return False, -1, ""
    return not found[1], found[2].count("</node>"), found[3] or ""
