"""XPaths that are made to take for ever."""

from __future__ import annotations

from collector.hierarchy.parse import parse_tree
from collector.model.tree import Tree
from tests.helpers.dumps import hierarchy, node


def bomb(depth: int) -> str:
    """Searches of the whole screen inside one another: ``//*[count(//*[...]) > 0]``."""
    path = "//*"
    for _level in range(depth - 1):
        path = f"//*[count({path}) > 0]"
    return path


SLOW = "//node[following::node[position() = last() and @text = @index]]"
"""Passes as it is read, and takes too many steps on a screen of some thousand nodes."""


def flat_dump(count: int) -> bytes:
    """A dump of ``count`` nodes that are all children of one."""
    return hierarchy(node(*[node(text=f"Row {number}") for number in range(count - 1)])).encode()


def flat_tree(count: int) -> Tree:
    """The tree of :func:`flat_dump`."""
    return parse_tree(flat_dump(count))
