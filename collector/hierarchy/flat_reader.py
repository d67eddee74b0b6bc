"""Read the attributes of all nodes of a dump into lists, without building a tree."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, cycle
from xml.parsers import expat

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.fast_reader import DECLARATION, PRINTABLE, references_are_valid, value_of
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.tree_builder import MAX_ATTRIBUTES, MAX_NODES, MAX_VALUE
from collector.hierarchy.uniform_dump import read_uniform, values_of_run

_MAX_BYTES = 1_000_000
"""Larger dumps go through :func:`parse_tree`, which has limits of its own."""
_MAX_DEPTH = 900


@dataclass(frozen=True, eq=False)
class FlatNodes:
    """The nodes of one dump in document order."""

    parents: list[int]
    """The order of each node's parent, -1 for roots."""
    mixed: list[list[str]] = field(default_factory=list)
    """The attributes of each, as name, value, ...; empty when all have those of ``names``."""
    names: tuple[str, ...] = ()
    values: list[str] = field(default_factory=list)
    """The values of the first node, then those of the second, of nodes that all have ``names``."""
    runs: tuple[int, ...] = ()
    """How many of ``names`` each value stands for: more than one are as they are written, for
    :func:`~collector.hierarchy.uniform_dump.values_of_run`. Empty where each has a value of its own."""
    plain: bool = True
    """Whether ElementTree reads the same nodes in the same order below one ``<hierarchy>``. Names with a
    colon, which ElementTree changes, are not looked at."""

    @cached_property
    def rows(self) -> list[list[str]]:
        """The attributes of each node, as name, value, ..."""
        if not self.names:
            return self.mixed
        width = len(self.names)
        values = expanded(self.values, self.runs)
        nodes = (values[at : at + width] for at in range(0, len(values), width))
        return [list(chain.from_iterable(zip(self.names, node, strict=True))) for node in nodes]


class _OtherFormError(Exception):
    """The dump is not in the form ``uiautomator`` writes."""


def read_flat(xml: bytes) -> FlatNodes:
    """Return the nodes of a dump, without any when it cannot be read. Never raises.

    The attributes are those :func:`parse_tree` gives. A dump in uiautomator's form is split at its quotes, or
    goes through expat alone.
    """
    return _read_uniform(xml) or _read_plain(xml) or _read_by_tree(xml)


def _read_uniform(xml: bytes) -> FlatNodes | None:
    if len(xml) > _MAX_BYTES or xml.translate(None, PRINTABLE):
        return None
    try:
        text = xml.decode()
    except UnicodeDecodeError:
        return None
    declaration = DECLARATION.match(text)
    dump = read_uniform(text[declaration.end() :] if declaration is not None else text, _MAX_DEPTH)
    if dump is None or "\ufffe" in text or "\uffff" in text:
        return None
    values, runs = dump.values, dump.runs
    if len(text) > MAX_VALUE and max(map(len, values)) > MAX_VALUE:
        return None
    if "&" in text:
        if not references_are_valid(text):
            return None
        values, runs = list(map(value_of, expanded(values, runs))), ()
    elif _has_break(text) and _has_break("".join(values)):
        values, runs = list(map(value_of, expanded(values, runs))), ()
    return FlatNodes(dump.parents, names=dump.names, values=values, runs=runs)


def expanded(values: Sequence[str], runs: Sequence[int]) -> list[str]:
    """Values of which each stands for as many attributes as ``runs`` says, one for each."""
    if not runs:
        return list(values)
    pairs = zip(values, cycle(runs))
    return list(
        chain.from_iterable([value] if width == 1 else values_of_run(value) for value, width in pairs)
    )


def _has_break(text: str) -> bool:
    """Whether there is a character that XML reads as a space in a value."""
    return "\n" in text or "\t" in text or "\r" in text


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
    return FlatNodes(parents, rows)


def _read_by_tree(xml: bytes) -> FlatNodes:
    try:
        nodes = parse_tree(xml).nodes if xml else ()
    except HierarchyError:
        nodes = ()
    rows = [list(chain.from_iterable(node.attributes.items())) for node in nodes]
    return FlatNodes([node.parent.order if node.parent else -1 for node in nodes], rows, plain=False)
