"""Read dumps in exactly the form uiautomator writes, indented or not, with attributes parsed on demand.

A mirror parses a dump whenever the screen rests and then looks at a few of its nodes; a judge asks most
dumps for a node that they do not have. So a dump whose nodes all have the same attributes is seen to be
well-formed, and its nodes are made when somebody looks at the first of them. Of others NumPy checks all
quotes at once. The attributes of a node are read on first access. Any unusual form is refused, for expat to
read.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, overload
from weakref import ReferenceType, ref

import numpy as np
import numpy.typing as npt

from collector.hierarchy.tree_builder import MAX_ATTRIBUTES, MAX_DEPTH, MAX_NODES, MAX_VALUE, rotation_of
from collector.hierarchy.uniform_dump import read_uniform
from collector.model.geometry import Rect
from collector.model.tree import Node, Tree

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
_CORNERS = r"\[-?\d{1,9},-?\d{1,9}\]\[-?\d{1,9},-?\d{1,9}\]"
_ALL_CORNERS = re.compile(rf"{_CORNERS}(?: {_CORNERS})*", re.ASCII)
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
_QUOTED = re.compile(r"""="[^"<]*"|='([^'<]*)'""")
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

    text: str
    """The dump from ``<hierarchy>`` on."""

    @cached_property
    def texts(self) -> list[str]:
        """The tag of each node as written, by its order."""
        return [chunk for chunk in self.text.split("<") if chunk.startswith("node ")]

    @cached_property
    def is_literal(self) -> bool:
        """Whether every value is written as it is, without a reference or a break of the line."""
        return not any(sign in self.text for sign in "&\t\n\r")

    @cached_property
    def boxes(self) -> npt.NDArray[np.int64]:
        """Left, top, right, bottom of every node, shape (n, 4)."""
        return _boxes(_BOUNDS.findall("".join(self.texts)))

    def orders_with(self, name: str, value: str) -> list[int]:
        """Return the orders of nodes with this attribute; ``value`` must need no XML escape.

        Values hold no quotes, so a match cannot lie inside another value.
        """
        mark = f' {name}="{value}"'
        if mark not in self.text:
            return []
        return [order for order, text in enumerate(self.texts) if mark in text]


class FastTree(Tree):
    """A tree that makes its nodes when somebody looks at the first of them. Thread-safe."""

    __slots__ = ("dump", "parents")
    dump: FastDump
    parents: list[int]
    """The order of each node's parent, -1 for roots."""

    @classmethod
    def of(
        cls, dump: FastDump, parents: list[int], attributes: Mapping[str, str], source: str,
        repairs: Sequence[str],
    ) -> FastTree:  # fmt: skip
        """The tree of a dump, without its nodes so far."""
        tree = cls.__new__(cls)
        slots = {
            "dump": dump, "parents": parents, "rotation": rotation_of(attributes), "source": source,
            "repairs": tuple(repairs), "attributes": attributes,
        }  # fmt: skip
        for name, value in slots.items():
            object.__setattr__(tree, name, value)
        return tree

    def __len__(self) -> int:
        parents: list[int] | None = getattr(self, "parents", None)
        return len(parents if parents is not None else self.nodes)

    def __getattr__(self, name: str) -> object:
        """Fill an empty slot; Python calls this for no other."""
        if name != "nodes":
            raise AttributeError(name)
        with _making:
            try:
                return _NODES.__get__(self)  # another thread has just made them
            except AttributeError:
                nodes = _made_nodes(self.dump, self.parents)
                object.__setattr__(self, name, nodes)
                return nodes


_NODES = Tree.__dict__["nodes"]
_making = threading.Lock()


def nodes_with(tree: Tree | None, name: str, value: str) -> list[Node] | None:
    """The nodes with an attribute of exactly this value; None where that has to be looked up in each."""
    dump: FastDump | None = getattr(tree, "dump", None)
    if tree is None or dump is None or not dump.is_literal or _NOT_LITERAL.search(value):
        return None
    return [tree.nodes[order] for order in dump.orders_with(name, value)]


class FastNode(Node):
    """A node that reads its attributes and rectangle from the dump on first access.

    It does not keep its parent: a tree that nobody has any more is gone at once, with its dump, and does not
    wait for a collection of cycles. A window drops thousands, of 100 MB.
    """

    __slots__ = ("__weakref__", "_above", "dump")

    def __init__(
        self, dump: FastDump, order: int, parent: Node | None, depth: int, root_position: int
    ) -> None:
        self.dump = dump
        self.order = order
        self._above: ReferenceType[Node] | Node | None = None if parent is None else ref(parent)
        self.children = ()
        self.depth = depth
        self.root_position = root_position

    @property
    def parent(self) -> Node | None:  # type: ignore[override]  # a value all the same
        above = self._above
        if not isinstance(above, ReferenceType):
            return above
        return above() or self._parent_read_again()

    def _parent_read_again(self) -> Node:
        """The parent of a node whose tree is gone: read again, with this node among its children.

        From now on the node keeps it, and all above.
        """
        tree = read_fast(self.dump.text.encode(), self.dump.text)
        assert tree is not None
        node = tree.nodes[self.order]
        parent = node.parent
        assert parent is not None
        parent.children = tuple(self if child is node else child for child in parent.children)
        self._above = kept = parent
        while isinstance(kept, FastNode) and (above := kept.parent) is not None:
            kept._above = above
            kept = above
        return parent

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


def _double_quoted(match: re.Match[str]) -> str:
    value: str | None = match[1]
    return match[0] if value is None else '="{}"'.format(value.replace('"', "&quot;"))


def _dereference(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name:
        return _NAMED[name]
    return chr(int(decimal) if decimal else int(hexadecimal, 16))


def read_fast(
    raw: bytes, text: str, source: str | None = None, repairs: Sequence[str] = ()
) -> FastTree | None:
    """Return the tree of a dump; None for any other form.

    ``text`` is ``raw`` decoded as UTF-8. Without ``source`` the dialect is told by the attributes.
    """
    declaration = DECLARATION.match(text)
    if declaration is not None:  # all ASCII: as many bytes as characters
        text, raw = text[declaration.end() :], raw[declaration.end() :]
    if "='" in text:  # uiautomator encloses a value so that has double quotes
        text = _QUOTED.sub(_double_quoted, text)
        raw = text.encode()
    if not text.startswith("<hierarchy ") or text.count("<") > 2 * MAX_NODES + 2:
        return None
    if raw.translate(None, PRINTABLE) or "\ufffe" in text or "\uffff" in text:
        return None  # characters XML forbids
    if "&" in text and not references_are_valid(text):
        return None
    dump = FastDump(text)
    parents = _uniform_parents(text)
    if parents is None:
        parents = _mixed_parents(raw, dump)
    if parents is None:
        return None
    opening, first = text.split("<", 3)[1:3]
    dialect = "uiautomator2" if ' visible-to-user="' in first else "uiautomator"
    return FastTree.of(dump, parents, LazyAttributes(opening), source or dialect, repairs)


def _uniform_parents(text: str) -> list[int] | None:
    """The parent of each node, -1 for roots, where all have a rectangle and the attributes of the first."""
    dump = read_uniform(text, MAX_DEPTH + 1, "bounds")
    if dump is None or len(dump.parents) > MAX_NODES or not dump.names:
        return None
    if len(text) > MAX_VALUE and max(map(len, text.split("<"))) > MAX_VALUE:
        return None
    return dump.parents if _ALL_CORNERS.fullmatch(" ".join(dump.values)) else None


def _mixed_parents(raw: bytes, dump: FastDump) -> list[int] | None:
    """As :func:`_uniform_parents`, where some nodes have other attributes than others."""
    chunks = dump.text.split("<")
    if len(dump.texts) > MAX_NODES or len(chunks) < 4 or chunks[-1].rstrip() != "/hierarchy>":
        return None
    if max(map(len, chunks)) > MAX_VALUE:
        return None
    if not _is_opened_well(chunks[1]) or ' bounds="' in chunks[1]:
        return None
    if not _is_well_formed(raw, chunks) or len(_BOUNDS.findall(dump.text)) != len(dump.texts):
        return None
    return _parents(chunks)


def _boxes(corners: list[str]) -> npt.NDArray[np.int64]:
    """Parse texts like ``0,0][1080,2400`` into an array of shape (n, 4)."""
    numbers = ",".join(corners).replace("][", ",")
    return np.fromstring(numbers, np.int64, sep=",").reshape(len(corners), 4)


def _is_opened_well(chunk: str) -> bool:
    """Whether a tag opens an element, with each attribute once."""
    return bool(_OPENING.fullmatch(chunk)) and not _repeats(chunk) and not chunk.rstrip().endswith("/>")


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


def _parents(chunks: list[str]) -> list[int] | None:
    """The parent of each node of the chunks between ``<hierarchy>`` and its end."""
    parents: list[int] = []
    opened = [-1]
    for chunk in chunks[2:-1]:
        if chunk[-1:] != ">":
            chunk = chunk.rstrip()
        if chunk[:5] == "node ":
            parents.append(opened[-1])
            end = chunk[-2]
            if end == '"':
                opened.append(len(parents) - 1)
                if len(opened) > MAX_DEPTH + 1:
                    return None
            elif end != "/" or not chunk.endswith(('" />', '"/>')):
                return None
        elif chunk == "/node>" and len(opened) > 1:
            opened.pop()
        else:
            return None
    return parents if parents and len(opened) == 1 else None


def _made_nodes(dump: FastDump, parents: list[int]) -> tuple[Node, ...]:
    nodes: list[Node] = []
    children: dict[int, list[Node]] = {-1: []}
    for order, above in enumerate(parents):
        parent = nodes[above] if above >= 0 else None
        siblings = children.setdefault(above, [])
        depth = parent.depth + 1 if parent is not None else 0
        node = FastNode(dump, order, parent, depth, 0 if depth else len(siblings))
        nodes.append(node)
        siblings.append(node)
    for above, below in children.items():
        if above >= 0:
            nodes[above].children = tuple(below)
    return tuple(nodes)
