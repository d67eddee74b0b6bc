"""Split a dump whose nodes all have the same attributes at its nodes, and see that it is well-formed.

Nearly every dump of uiautomator is one. A pattern made of the attributes of its first node takes all values;
what lies between two nodes is then one of a few texts, so no attribute is looked at by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby

from collector.hierarchy.tree_builder import MAX_NODES

_NAME = r"[A-Za-z_][A-Za-z0-9_.-]*"
_HIERARCHY = re.compile(rf'<hierarchy((?: {_NAME}="[^"<]*")+) ?>\s*', re.ASCII)
_HIERARCHY_NAME = re.compile(rf' ({_NAME})="')
_FIRST = re.compile(rf'<node((?: {_NAME}="[^"]*")+)')
_FIRST_NAME = re.compile(rf' ({_NAME})="[^"]*"')
_FLAGS = frozenset([
    "checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable", "long-clickable",
    "password", "selected", "visible-to-user",
])  # fmt: skip
"""Attributes of few values, which uiautomator writes one after the other."""
_KEPT, _SKIPPED = '([^"]*)', '[^"]*'
_VALUE_OF_RUN = re.compile(r'="([^"]*)"')
_LONGEST_BOUNDARY = 10_000
_MOST_NAMES = 64
"""Attributes of a node: a pattern of more would take long to make."""
_BOUNDARY = re.compile(r" ?(/?)>\s*((?:</node>\s*)*)(</hierarchy>\s*)?", re.ASCII)


_Boundary = tuple[bool, int, bool]
"""Of what stands behind a node: whether it stays open, how many close (-1 when it cannot be read), and
whether the dump ends there."""


@dataclass(frozen=True, slots=True, eq=False)
class UniformDump:
    """The nodes of a dump in document order."""

    names: tuple[str, ...]
    """The attributes of every node, as far as their values are wanted."""
    runs: tuple[int, ...]
    """How many of ``names`` each value stands for: flags in a row are one, with their names."""
    values: list[str]
    """The values of the first node, then those of the second, as they are written."""
    parents: list[int]
    """The order of each node's parent, -1 for roots."""


def read_uniform(text: str, most_deep: int, wanted: str = "") -> UniformDump | None:
    """The nodes of a dump below one ``<hierarchy>``; None for any other form, or for deeper nodes.

    With ``wanted`` only the values of that attribute are kept, which saves a third of the time. The
    characters and references in values are for the caller to check.
    """
    opening = _HIERARCHY.match(text)
    if opening is None:
        return None
    own, nodes = _HIERARCHY_NAME.findall(opening[1]), text[opening.end() :]
    first = _FIRST.match(nodes)
    names = tuple(_FIRST_NAME.findall(first[1])) if first is not None else ()
    width = len(names)
    if not 0 < width <= _MOST_NAMES or len(set(names)) != width or len(set(own)) != len(own):
        return None
    runs = _runs_of(names) if not wanted else ((wanted,),) if wanted in names else ()
    values = _node_of(names, runs).split(nodes)
    width = len(runs)
    boundaries = values[width + 1 :: width + 1]
    del values[:: width + 1]
    if len(boundaries) > MAX_NODES:
        return None
    known = {mark: _boundary(mark) for mark in set(boundaries)}
    parents = _parents(boundaries, known, most_deep)
    closed = sum(known[mark][1] * boundaries.count(mark) for mark in known)
    if parents is None or nodes.count("<") != len(parents) + closed + 1:
        return None  # the second: a < inside a value
    return UniformDump(tuple(chain.from_iterable(runs)), tuple(map(len, runs)), values, parents)


def values_of_run(run: str) -> list[str]:
    """The values of flags that are written one after the other."""
    return _VALUE_OF_RUN.findall(run)


@lru_cache(maxsize=64)
def _runs_of(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Attributes, flags in a row together."""
    groups = [(is_flag, tuple(run)) for is_flag, run in groupby(names, _FLAGS.__contains__)]
    runs = ([run] if is_flag and len(run) > 1 else [(name,) for name in run] for is_flag, run in groups)
    return tuple(chain.from_iterable(runs))


@lru_cache(maxsize=64)
def _node_of(names: tuple[str, ...], runs: tuple[tuple[str, ...], ...]) -> re.Pattern[str]:
    """A node with these attributes, up to its last value; a group for each of ``runs``."""
    alone = {run[0] for run in runs if len(run) == 1}
    before = {run[0]: "(" for run in runs if len(run) > 1}
    behind = {run[-1]: ")" for run in runs if len(run) > 1}
    parts: list[str] = []
    for name in names:
        value = _KEPT if name in alone else _SKIPPED
        parts += before.get(name, ""), f' {re.escape(name)}="{value}"', behind.get(name, "")
    return re.compile("<node" + "".join(parts))


def _parents(boundaries: list[str], known: Mapping[str, _Boundary], most_deep: int) -> list[int] | None:
    """The parent of each node, by what stands behind each; None when the nodes do not close well."""
    parents: list[int] = []
    opened = [-1]
    last = len(boundaries) - 1
    for order, mark in enumerate(boundaries):
        is_open, closed, is_end = known[mark]
        parents.append(opened[-1])
        if is_open:
            opened.append(order)
        if not -1 < closed < len(opened) <= most_deep or is_end != (order == last):
            return None
        if closed:
            del opened[-closed:]
    return parents if len(opened) == 1 else None


@lru_cache(maxsize=1024)
def _boundary(mark: str) -> _Boundary:
    """Read what stands behind a node's last value."""
    found = _BOUNDARY.fullmatch(mark) if len(mark) < _LONGEST_BOUNDARY else None
    if found is None:
        return False, -1, False
    return not found[1], found[2].count("</node>"), found[3] is not None
