"""The nodes of many dumps as columns: one array of value numbers per attribute.

A condition on a thousand states takes a few array operations. Each value is stored once;
a column is put together when it is first needed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, islice

import numpy as np
import numpy.typing as npt

from collector.hierarchy.flat_reader import FlatNodes
from collector.hierarchy.uniform_dump import values_of_run
from collector.rules.evaluation.state_view import WORDS_OF

Numbers = npt.NDArray[np.int32]
Places = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
ABSENT = -1
"""The number for an attribute that a node does not have."""
_BETWEEN = "\x00"
_MOST_RUNS = 4096


class _ValueNumbers(dict[str, int]):
    """Numbers each new value with the next number."""

    def __missing__(self, value: str) -> int:
        number = self[value] = len(self)
        return number


class _FlagNumbers(dict[str, tuple[int, ...]]):
    """The numbers of the values of flags that are written in a row."""

    def __init__(self, values: _ValueNumbers) -> None:
        super().__init__()
        self._of_values = values

    def __missing__(self, run: str) -> tuple[int, ...]:
        if len(self) >= _MOST_RUNS:
            self.clear()
        numbers = self[run] = tuple(map(self._of_values.__getitem__, values_of_run(run)))
        return numbers


@dataclass(frozen=True, slots=True, eq=False)
class NodeTable:
    """The nodes of one dump: ``numbers[i]`` is the column of attribute ``names[i]``."""

    names: tuple[str, ...]
    numbers: Numbers
    parents: Numbers
    plain: bool


class NodeColumns:
    """Trees are numbered from 0 in the order they are added, nodes in the order of their trees."""

    def __init__(self) -> None:
        self._values = _ValueNumbers()
        self._flags = _FlagNumbers(self._values)
        self._in_order: list[str] = []
        self._tables: list[NodeTable] = []
        self._view: NodeColumnsView | None = None

    def __len__(self) -> int:
        return len(self._tables)

    def add(self, tree: FlatNodes) -> NodeTable:
        """Add the nodes of one more dump."""
        names, numbers = self._numbered(tree)
        plain = tree.plain and not any(":" in name for name in names)  # ElementTree expands namespaces
        return self._put(NodeTable(names, numbers, np.array(tree.parents, np.int32), plain))

    def add_table(self, table: NodeTable, values: Sequence[str]) -> NodeTable:
        """Add a table whose numbers index ``values``; :data:`ABSENT` stays."""
        known = np.fromiter(map(self._values.__getitem__, values), np.int32, len(values))
        numbers = np.append(known, np.int32(ABSENT))[table.numbers]
        return self._put(NodeTable(table.names, numbers, table.parents, table.plain))

    def own(self, table: NodeTable) -> tuple[NodeTable, list[str]]:
        """A table with a value list of its own, as :meth:`add_table` takes it."""
        used, numbers = np.unique(table.numbers, return_inverse=True)
        skipped = int(len(used) > 0 and used[0] == ABSENT)
        values = self._listed
        own = numbers.reshape(table.numbers.shape).astype(np.int32) - skipped
        return NodeTable(table.names, own, table.parents, table.plain), [values[at] for at in used[skipped:]]

    @property
    def _listed(self) -> list[str]:
        """All values by number."""
        if len(self._in_order) < len(self._values):
            self._in_order += list(islice(self._values, len(self._in_order), None))
        return self._in_order

    def _put(self, table: NodeTable) -> NodeTable:
        self._tables.append(table)
        self._view = None
        return table

    @property
    def view(self) -> NodeColumnsView:
        """A fixed view of what was added so far."""
        if self._view is None:
            self._view = NodeColumnsView(self._listed[:], self._values, self._tables[:])
        return self._view

    def _numbered(self, tree: FlatNodes) -> tuple[tuple[str, ...], Numbers]:
        if tree.names and tree.runs:
            return tree.names, self._numbered_runs(tree)
        if tree.names:
            numbers = np.fromiter(map(self._values.__getitem__, tree.values), np.int32, len(tree.values))
            return tree.names, np.ascontiguousarray(numbers.reshape(-1, len(tree.names)).T)
        rows = tree.mixed
        if not rows:
            return (), np.zeros((0, 0), np.int32)
        width = len(rows[0])
        if all(len(row) == width for row in rows):
            flat = list(chain.from_iterable(rows))
            pairs = np.fromiter(map(self._values.__getitem__, flat), np.int32, len(flat))
            pairs = pairs.reshape(len(rows), width)
            if (pairs[:, ::2] == pairs[0, ::2]).all():
                return tuple(rows[0][::2]), np.ascontiguousarray(pairs[:, 1::2].T)
        return self._mixed(rows)

    def _numbered_runs(self, tree: FlatNodes) -> Numbers:
        """Of nodes whose flags in a row are one value: many have the same ones."""
        width, count, at = len(tree.runs), len(tree.parents), 0
        numbers = np.empty((len(tree.names), count), np.int32)
        for place, run in enumerate(tree.runs):
            values = tree.values[place::width]
            if run == 1:
                numbers[at] = np.fromiter(map(self._values.__getitem__, values), np.int32, count)
            else:
                known = dict.fromkeys(values)
                rows = np.array([self._flags[value] for value in known], np.int32)
                known = {value: number for number, value in enumerate(known)}
                which = np.fromiter(map(known.__getitem__, values), np.intp, count)
                numbers[at : at + run] = rows[which].T
            at += run
        return numbers

    def _mixed(self, rows: list[list[str]]) -> tuple[tuple[str, ...], Numbers]:
        """Of nodes that do not all have the same attributes."""
        names = tuple(dict.fromkeys(chain.from_iterable(row[::2] for row in rows)))
        numbers = np.full((len(names), len(rows)), ABSENT, np.int32)
        place = {name: at for at, name in enumerate(names)}
        for order, row in enumerate(rows):
            for name, value in zip(row[::2], row[1::2], strict=True):
                numbers[place[name], order] = self._values[value]
        return names, numbers


class NodeColumnsView:
    """Columns that do not change."""

    def __init__(self, values: list[str], numbers: _ValueNumbers, tables: Sequence[NodeTable]) -> None:
        self.values = values
        """Value by number."""
        self._numbers = numbers
        self._tables = tables
        self._columns: dict[str, Numbers] = {}
        self._used: dict[str, Numbers] = {}
        self._keywords: dict[str, Flags] = {}

    @property
    def trees(self) -> int:
        return len(self._tables)

    @cached_property
    def first(self) -> Places:
        """The first node of each tree, and the number of all nodes at the end."""
        return np.array(list(accumulate((len(table.parents) for table in self._tables), initial=0)), np.intp)

    @property
    def nodes(self) -> int:
        return int(self.first[-1])

    @cached_property
    def tree_of(self) -> Numbers:
        """The tree of each node."""
        return np.repeat(np.arange(self.trees, dtype=np.int32), np.diff(self.first))

    @cached_property
    def parent(self) -> Places:
        """The parent of each node, :data:`ABSENT` for roots."""
        local = _joined((table.parents for table in self._tables), np.dtype(np.intp))
        return np.where(local < 0, ABSENT, local + self.first[self.tree_of])

    @cached_property
    def plain(self) -> Flags:
        """Whether each tree is as ElementTree would read it."""
        return np.array([table.plain for table in self._tables], np.bool_)

    def names_in(self, trees: Iterable[int]) -> frozenset[str]:
        """Every attribute that a node of ``trees`` has."""
        names = set[str]()
        for tree in trees:
            table = self._tables[tree]
            new = [at for at, name in enumerate(table.names) if name not in names]
            names.update(table.names[at] for at in new if (table.numbers[at] != ABSENT).any())
        return frozenset(names)

    def number(self, value: str) -> int | None:
        """The number of a value, None when no node has it."""
        number = self._numbers.get(value)
        return number if number is not None and number < len(self.values) else None

    def column(self, name: str) -> Numbers:
        """The value of one attribute of every node, :data:`ABSENT` where there is none."""
        column = self._columns.get(name)
        if column is None:
            pieces = (_of_table(table, name) for table in self._tables)
            column = self._columns[name] = _joined(pieces, np.dtype(np.int32))
        return column

    def used(self, name: str) -> Numbers:
        """The numbers of all values an attribute has anywhere, in order."""
        used = self._used.get(name)
        if used is None:
            column = self.column(name)
            seen = np.zeros(len(self.values) + 1, np.bool_)
            seen[column] = True  # ABSENT marks the last, which is cut off
            used = self._used[name] = np.flatnonzero(seen[:-1]).astype(np.int32)
        return used

    def fitting(self, name: str, fits: Callable[[str], bool]) -> Flags:
        """By number: whether a value that the attribute has somewhere fits; False for :data:`ABSENT`."""
        good = np.zeros(len(self.values) + 1, np.bool_)
        used = self.used(name)
        good[used] = [fits(self.values[number]) for number in used.tolist()]
        return good

    def has_value(self, name: str, nodes: Places, value: str) -> Flags:
        """Whether each of ``nodes`` has exactly this value of an attribute."""
        number = self.number(value)
        if number is None:
            return np.zeros(len(nodes), np.bool_)
        flags: Flags = self.column(name)[nodes] == number
        return flags

    def trees_with(self, nodes: Places) -> Flags:
        """Whether each tree has one of ``nodes``."""
        flags = np.zeros(self.trees, np.bool_)
        flags[self.tree_of[nodes]] = True
        return flags

    def having_keyword(self, keyword: str) -> Flags:
        """Whether a node of each tree has ``keyword`` in its text, id or description, in any case."""
        return self._having(keyword, "", "")

    def having_beginning(self, words: str) -> Flags:
        """As :meth:`having_keyword`, of values that begin with ``words``."""
        return self._having(words, _BETWEEN, "")

    def having_end(self, words: str) -> Flags:
        """As :meth:`having_keyword`, of values that end with ``words``."""
        return self._having(words, "", _BETWEEN)

    def _having(self, words: str, before: str, after: str) -> Flags:
        wanted = words.lower()
        if not wanted or _BETWEEN in wanted:
            return np.full(self.trees, not wanted)
        key = f"{before}{wanted}{after}"
        known = self._keywords.get(key)
        if known is None:
            known = self._keywords[key] = self._words.trees_with(key, len(before), self.trees)
        return known

    @cached_property
    def _words(self) -> _TextIndex:
        columns = [self.column(name).astype(np.int64) for name in WORDS_OF]
        codes = np.concatenate([column * self.trees + self.tree_of for column in columns])
        codes = np.unique(codes[codes >= 0])
        numbers, trees = np.divmod(codes, max(1, self.trees))
        used, starts = np.unique(numbers, return_index=True)
        return _TextIndex([self.values[number].lower() for number in used.tolist()], starts, trees)


class _TextIndex:
    """Lower-cased values in one text, and the trees each is in."""

    def __init__(self, words: list[str], starts: Places, trees: npt.NDArray[np.int64]) -> None:
        self._text = _BETWEEN + "".join(f"{word}{_BETWEEN}" for word in words)
        self._begins = list(accumulate((len(word) + 1 for word in words), initial=1))
        self._starts = [*starts.tolist(), len(trees)]
        self._trees = trees

    def trees_with(self, wanted: str, offset: int, count: int) -> Flags:
        """Of ``count`` trees: those with a word in which ``wanted``, from ``offset`` on, is found."""
        flags = np.zeros(count, np.bool_)
        at = self._text.find(wanted)
        while at >= 0:
            word = bisect_right(self._begins, at + offset) - 1
            flags[self._trees[self._starts[word] : self._starts[word + 1]]] = True
            at = self._text.find(wanted, self._begins[word + 1] - offset)
        return flags


def _of_table(table: NodeTable, name: str) -> Numbers:
    if name in table.names:
        column: Numbers = table.numbers[table.names.index(name)]
        return column
    return np.full(len(table.parents), ABSENT, np.int32)


def _joined(pieces: Iterable[npt.NDArray[np.int32]], kind: np.dtype[np.generic]) -> npt.NDArray[np.int32]:
    listed = list(pieces)
    return np.concatenate(listed).astype(kind) if listed else np.zeros(0, kind)
