"""Read dumps in exactly the form uiautomator writes, indented or not, with attributes parsed on demand.

A mirror parses a dump whenever the screen rests and then looks at a few of its nodes. NumPy checks
well-formedness for all quotes at once. The structure and the corners of all rectangles are read at
once; everything else of a node is read on first access. Any unusual form is refused, for expat to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar, overload

import numpy as np
import numpy.typing as npt

from collector.hierarchy.tree_builder import MAX_ATTRIBUTES, MAX_DEPTH, MAX_NODES, MAX_VALUE
from collector.model.geometry import Rect
from collector.model.tree import Node

_T = TypeVar("_T")
_QUOTE, _LESS, _EQUALS, _SPACE = b'"<= '
_AFTER_VALUE = np.zeros(256, np.bool_)
_AFTER_VALUE[list(b" />")] = True
PRINTABLE = bytes(range(32, 256)) + b"\t\n\r"
"""The bytes that XML allows."""
_WORD = 8
_LONG_TAG = 4000
"""Characters of a tag that is not searched for one attribute after another."""
_KEEP = np.array([(1 << 8 * length) - 1 for length in range(_WORD + 1)], "<u8")
"""Mask of the bytes that belong to a name, by its length, within the eight bytes it begins."""
_MOST_NAMES = 60
"""Attributes of a node that one expression is made for."""
_CORNERS = r"\[-?\d{1,9},-?\d{1,9}\]\[-?\d{1,9},-?\d{1,9}\]"
_ANYTHING = r'[^"<]*'
_BOUNDS = re.compile(r' bounds="\[(-?\d{1,9},-?\d{1,9}\]\[-?\d{1,9},-?\d{1,9})\]"', re.ASCII)
DECLARATION = re.compile(
    r"""<\?xml version=(['"])1\.0\1(?: encoding=(['"])(?i:UTF-8)\2)?"""
    r"""(?: standalone=(['"])(?:yes|no)\3)? ?\?>[ \t\r\n]*"""
)
_PAIR = re.compile(r' ([A-Za-z_][A-Za-z0-9_.-]*)="([^"]*)"')
_OPENING = re.compile(rf"(?:node|hierarchy)(?:{_PAIR.pattern})* ?/?>\s*")
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));")
_NOT_LITERAL = re.compile(r"[&<>\"'\s]")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_BREAKS = str.maketrans("\t\n\r", "   ")


class LazyAttributes(Mapping[str, str]):
    """The attributes of one element, parsed from its tag on first access."""

    __slots__ = ("_text", "_values")

    def __init__(self, text: str) -> None:
        self._text = text
        self._values: dict[str, str] | None = None

    def _read(self) -> dict[str, str]:
        values = self._values = {name: value_of(text) for name, text in _PAIR.findall(self._text)}
        return values

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LazyAttributes):
            return super().__eq__(other)
        if self._text == other._text:  # most nodes of two dumps of one screen, told without reading them
            return True
        return self._known() == other._known()

    __hash__ = None  # type: ignore[assignment]

    def _known(self) -> dict[str, str]:
        return self._read() if self._values is None else self._values

    def __getitem__(self, name: str) -> str:
        return self._known()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())

    def __contains__(self, name: object) -> bool:
        return name in self._known()

    @overload
    def get(self, name: str, /) -> str | None: ...
    @overload
    def get(self, name: str, /, default: str | _T) -> str | _T: ...

    def get(self, name: str, /, default: object = None) -> object:
        values = self._values
        if values is not None:
            return values.get(name, default)
        return self._find(name, default)

    def _find(self, name: str, default: object) -> object:
        """Find one attribute alone, so that a scan over all nodes does not parse all their attributes."""
        if len(self._text) > _LONG_TAG:
            return self._read().get(name, default)
        sign = f' {name}="'
        at = self._text.find(sign)
        if at < 0:
            return default
        start = at + len(sign)
        value = self._text[start : self._text.index('"', start)]
        if "&" in value or not value.isprintable():
            return self._read()[name]
        return value

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, eq=False)
class FastDump:
    """The tags and rectangles all nodes of a dump share."""

    texts: list[str]
    """The tag of each node as written, by its order."""
    is_literal: bool = False
    """Whether every value is written as it is, without a reference or a break of the line."""

    @cached_property
    def boxes(self) -> npt.NDArray[np.int64]:
        """Left, top, right, bottom of every node, shape (n, 4)."""
        return _boxes(_BOUNDS.findall("".join(self.texts)))

    def orders_with(self, name: str, value: str) -> list[int]:
        """Return the orders of nodes with this attribute; ``value`` must need no XML escape.

        Values hold no quotes, so a match cannot lie inside another value.
        """
        mark = f' {name}="{value}"'
        return [order for order, text in enumerate(self.texts) if mark in text]


def nodes_with(nodes: Sequence[Node], name: str, value: str) -> list[Node] | None:
    """The nodes with an attribute of exactly this value; None where that has to be looked up in each."""
    first = nodes[0] if nodes else None
    if not isinstance(first, FastNode) or not first.dump.is_literal or _NOT_LITERAL.search(value):
        return None
    return [nodes[order] for order in first.dump.orders_with(name, value)]


class FastNode(Node):
    """A node that reads its attributes and rectangle from the dump on first access."""

    __slots__ = ("dump",)

    def __init__(
        self, dump: FastDump, order: int, parent: Node | None, depth: int, root_position: int
    ) -> None:
        self.dump = dump
        self.order = order
        self.parent = parent
        self.children = ()
        self.depth = depth
        self.root_position = root_position

    def __getattr__(self, name: str) -> object:
        """Fill an empty slot; Python calls this for no other."""
        if name == "attributes":
            self.attributes = LazyAttributes(self.dump.texts[self.order])
            return self.attributes
        if name == "bounds":
            self.bounds = Rect(*self.dump.boxes[self.order].tolist())
            return self.bounds
        raise AttributeError(name)


def value_of(text: str) -> str:
    """The value of an attribute that is written ``text``."""
    if "&" in text or not text.isprintable():
        return _REFERENCE.sub(_dereference, text.replace("\r\n", "\n").translate(_BREAKS))
    return text


def _dereference(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name:
        return _NAMED[name]
    return chr(int(decimal) if decimal else int(hexadecimal, 16))


def read_fast(raw: bytes, text: str) -> tuple[list[Node], Mapping[str, str]] | None:
    """Return the nodes in document order and the attributes of ``<hierarchy>``; None for any other form.

    ``text`` is ``raw`` decoded as UTF-8.
    """
    declaration = DECLARATION.match(text)
    if declaration is not None:  # all ASCII: as many bytes as characters
        text, raw = text[declaration.end() :], raw[declaration.end() :]
    if not text.startswith("<hierarchy ") or text.count("<") > 2 * MAX_NODES + 2:
        return None
    chunks = text.split("<")
    texts = [chunk for chunk in chunks if chunk.startswith("node ")]
    if len(texts) > MAX_NODES or len(chunks) < 4 or chunks[-1].rstrip() != "/hierarchy>":
        return None
    if max(map(len, chunks)) > MAX_VALUE:
        return None
    if raw.translate(None, PRINTABLE) or "\ufffe" in text or "\uffff" in text:
        return None  # characters XML forbids
    if "&" in text and not references_are_valid(text):
        return None
    if not _is_opened_well(chunks[1]) or ' bounds="' in chunks[1]:
        return None
    if not _is_uniform(text, chunks) and not (
        _is_well_formed(raw, chunks) and len(_BOUNDS.findall(text)) == len(texts)
    ):
        return None
    is_literal = not any(sign in text for sign in "&\t\n\r")
    nodes = _read_nodes(chunks, FastDump(texts, is_literal))
    return None if not nodes else (nodes, LazyAttributes(chunks[1]))


def _boxes(corners: list[str]) -> npt.NDArray[np.int64]:
    """Parse texts like ``0,0][1080,2400`` into an array of shape (n, 4)."""
    numbers = ",".join(corners).replace("][", ",")
    return np.fromstring(numbers, np.int64, sep=",").reshape(len(corners), 4)


def _is_opened_well(chunk: str) -> bool:
    """Whether a tag opens an element, with each attribute once."""
    return bool(_OPENING.fullmatch(chunk)) and not _repeats(chunk) and not chunk.rstrip().endswith("/>")


def _is_uniform(text: str, chunks: list[str]) -> bool:
    """Whether every node has a rectangle, and is written with the attributes of the first one."""
    names = tuple(name for name, _value in _PAIR.findall(chunks[2]))
    if "bounds" not in names or len(names) > _MOST_NAMES or len(set(names)) != len(names):
        return False
    return _uniform_nodes(names).fullmatch(text, len(chunks[1]) + 1) is not None


@lru_cache(maxsize=64)
def _uniform_nodes(names: tuple[str, ...]) -> re.Pattern[str]:
    """What lies between ``<hierarchy>`` and the end of a dump whose nodes all have these attributes."""
    values = {"bounds": _CORNERS}
    attributes = "".join(f' {re.escape(name)}="{values.get(name, _ANYTHING)}"' for name in names)
    return re.compile(rf"(?:<node{attributes} ?/?>\s*|</node>\s*)*</hierarchy>\s*", re.ASCII)


def _is_well_formed(raw: bytes, chunks: list[str]) -> bool:
    data = np.frombuffer(raw, np.uint8)
    quotes = np.flatnonzero(data == _QUOTE)
    if len(quotes) % 2 or not len(quotes):
        return False
    opening, closing = quotes[0::2], quotes[1::2]
    if not (data[opening - 1] == _EQUALS).all() or not _AFTER_VALUE[data[closing + 1]].all():
        return False
    tags = np.flatnonzero(data == _LESS)
    inside = np.searchsorted(quotes, tags)
    if (inside % 2).any():
        return False  # a < inside a value, or a quote that was never closed
    return _attributes_are_uniform(data, opening, closing, tags, inside // 2, chunks)


def references_are_valid(text: str) -> bool:
    """Whether every ``&`` begins a reference to a character that XML allows."""
    references = _REFERENCE.findall(text)
    numbers = (int(decimal) if decimal else int(hexa, 16) for name, decimal, hexa in references if not name)
    return text.count("&") == len(references) and all(
        number in (9, 10, 13)
        or 32 <= number < 0xD800
        or 0xE000 <= number < 0xFFFE
        or 0x10000 <= number < 0x110000
        for number in numbers
    )


def _attributes_are_uniform(
    data: npt.NDArray[np.uint8],
    opening: npt.NDArray[np.int64],
    closing: npt.NDArray[np.int64],
    tags: npt.NDArray[np.int64],
    first_of: npt.NDArray[np.int64],
    chunks: list[str],
) -> bool:
    """Check that nodes with equally many attributes have the same names, and one of each kind in full.

    ``tags`` are the offsets of all ``<``, ``first_of`` the number of attributes before each. Names are
    compared by their first and last eight bytes, each read as one integer.
    """
    words = np.ndarray((len(data) - _WORD + 1,), "<u8", data, strides=(1,))
    counts = np.diff(np.append(first_of, len(opening)))
    counts[0] = 0  # the hierarchy element is checked separately
    starts = np.append(0, closing[:-1] + 2)
    filled = np.flatnonzero(counts)
    starts[first_of[filled]] = tags[filled] + len("<node ")
    if counts.max() > MAX_ATTRIBUTES:
        return False
    for count in np.unique(counts[filled]):
        rows = filled[counts[filled] == count]
        if not _OPENING.fullmatch(chunks[rows[0] + 1]) or _repeats(chunks[rows[0] + 1]):
            return False
        places = first_of[rows][:, None] + np.arange(count)
        begins, ends = starts[places], opening[places] - 1
        lengths = (ends - begins)[0]
        if (ends - begins != lengths).any() or (data[begins - 1] != _SPACE).any():
            return False
        if lengths.min() < 1 or lengths.max() > 2 * _WORD:
            return False
        heads = words[begins] & _KEEP[np.minimum(lengths, _WORD)]
        tails = words[ends[:, lengths > _WORD] - _WORD]
        if (heads != heads[0]).any() or (tails != tails[0]).any():
            return False
    return True


def _repeats(chunk: str) -> bool:
    names = [name for name, _value in _PAIR.findall(chunk)]
    return len(set(names)) != len(names)


def _read_nodes(chunks: list[str], dump: FastDump) -> list[Node] | None:
    """Return the nodes of the chunks between ``<hierarchy>`` and its end; ``dump`` has their contents."""
    nodes: list[Node] = []
    below: list[list[Node]] = [[]]
    siblings = below[0]
    parent: Node | None = None
    depth = 0
    for chunk in chunks[2:-1]:
        if chunk[-1:] != ">":
            chunk = chunk.rstrip()
        if chunk[:5] == "node ":
            node = FastNode(dump, len(nodes), parent, depth, 0 if depth else len(siblings))
            nodes.append(node)
            siblings.append(node)
            end = chunk[-2]
            if end == '"':
                parent, siblings = node, []
                below.append(siblings)
                depth += 1
                if depth > MAX_DEPTH:
                    return None
            elif end != "/" or not chunk.endswith(('" />', '"/>')):
                return None
        elif chunk == "/node>" and parent is not None:
            children = below.pop()
            if children:
                parent.children = tuple(children)
            parent, siblings = parent.parent, below[-1]
            depth -= 1
        else:
            return None
    return nodes if parent is None else None
