"""Read the attributes of all nodes of a dump into lists, without building a tree."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from itertools import chain
from xml.parsers import expat

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.tree_builder import MAX_ATTRIBUTES, MAX_NODES, MAX_VALUE

_MAX_BYTES = 1_000_000
"""Larger dumps go through :func:`parse_tree`, which has limits of its own."""
_MAX_DEPTH = 900


@dataclass(frozen=True, slots=True, eq=False)
class FlatNodes:
    """The nodes of one dump in document order. A row is the attributes of one, as name, value, ..."""

    rows: list[list[str]]
    parents: list[int]
    """The order of each node's parent, -1 for roots."""
    plain: bool = True
    """Whether ElementTree reads the same nodes in the same order below one ``<hierarchy>``. Names with a
    colon, which ElementTree changes, are not looked at."""


class _OtherFormError(Exception):
    """The dump is not in the form ``uiautomator`` writes."""


def read_flat(xml: bytes) -> FlatNodes:
    """Return the nodes of a dump, without any when it cannot be read. Never raises.

    The attributes are those :func:`parse_tree` gives. A dump in uiautomator's form goes through expat alone.
    """
    return _read_plain(xml) or _read_by_tree(xml)


def _read_plain(xml: bytes) -> FlatNodes | None:
    if len(xml) > _MAX_BYTES or b"<!DOCTYPE" in xml:
        return None
    rows: list[list[str]] = []
    parents: list[int] = []
    opened: list[int] = []
    is_large = len(xml) > MAX_VALUE

    def start(tag: str, attributes: list[str]) -> None:
        if tag == "node" and opened and len(opened) < _MAX_DEPTH:
            if len(rows) >= MAX_NODES or len(attributes) > 2 * MAX_ATTRIBUTES:
                raise _OtherFormError
            if is_large and max(map(len, attributes), default=0) > MAX_VALUE:
                raise _OtherFormError
            parents.append(opened[-1])
            opened.append(len(rows))
            rows.append(attributes)
        elif tag == "hierarchy" and not opened:
            opened.append(-1)
        else:
            raise _OtherFormError

    reader = expat.ParserCreate("utf-8")
    reader.ordered_attributes = True
    reader.StartElementHandler = start
    reader.EndElementHandler = lambda _tag: opened.pop()
    try:
        xml.decode()
        reader.Parse(xml.removeprefix(codecs.BOM_UTF8), True)
    except (UnicodeDecodeError, expat.ExpatError, _OtherFormError):
        return None
    return FlatNodes(rows, parents)


def _read_by_tree(xml: bytes) -> FlatNodes:
    try:
        nodes = parse_tree(xml).nodes if xml else ()
    except HierarchyError:
        nodes = ()
    rows = [list(chain.from_iterable(node.attributes.items())) for node in nodes]
    return FlatNodes(rows, [node.parent.order if node.parent else -1 for node in nodes], plain=False)
