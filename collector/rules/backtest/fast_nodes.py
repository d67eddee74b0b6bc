"""The nodes of a dump as bare lists, without a tree: what a back-test reads of thousands of dumps.

A dump of the plain form, which ``uiautomator`` writes, goes through expat alone; any other is parsed
as a tree, repairs and all, and taken from there. Either way the attributes are those of the tree.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from itertools import chain
from xml.parsers import expat

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree

_LARGEST = 1_000_000
"""Bytes; larger dumps go the long way, where there are limits."""
_DEEPEST = 900


@dataclass(frozen=True, slots=True, eq=False)
class LightTree:
    """``rows`` are the attributes of each node, in document order, as name, value, name, value, ..."""

    rows: list[list[str]]
    parents: list[int]
    """The order of each node's parent, -1 for roots."""
    plain: bool = True
    """Whether ElementTree reads the same nodes, in the same order, below one ``<hierarchy>``; what it makes
    of names with a colon is another thing."""


class _OtherFormError(Exception):
    """The dump is not of the plain form."""


def read_light(xml: bytes) -> LightTree:
    """The nodes of a dump; none when it cannot be read. Never raises."""
    return _read_plain(xml) or _read_any(xml)


def _read_plain(xml: bytes) -> LightTree | None:
    if len(xml) > _LARGEST or b"<!DOCTYPE" in xml:
        return None
    rows: list[list[str]] = []
    parents: list[int] = []
    opened: list[int] = []

    def start(tag: str, attributes: list[str]) -> None:
        if tag == "node" and opened and len(opened) < _DEEPEST:
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
    return LightTree(rows, parents)


def _read_any(xml: bytes) -> LightTree:
    try:
        nodes = parse_tree(xml).nodes if xml else ()
    except HierarchyError:
        nodes = ()
    rows = [list(chain.from_iterable(node.attributes.items())) for node in nodes]
    return LightTree(rows, [node.parent.order if node.parent else -1 for node in nodes], plain=False)
