"""Columns of dumps by their content: each dump is read once, however many states share it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from collector.hierarchy.flat_reader import read_flat
from collector.rules.columns.node_columns import NodeColumns, NodeColumnsView, NodeTable


class NodeTableCache(Protocol):
    """A cache of parsed dumps that outlives the program."""

    def get(self, key: str) -> tuple[NodeTable, list[str]] | None:
        """The sheet of a dump and the values its numbers count in."""
        ...

    def put(self, key: str, table: NodeTable, values: list[str]) -> None: ...


class DumpColumns:
    """Columns of dumps named by their SHA-256; the empty name is that of no dump."""

    def __init__(self, cache: NodeTableCache | None = None) -> None:
        self._columns = NodeColumns()
        self._numbers: dict[str, int] = {}
        self._cache = cache
        self._lock = threading.RLock()

    @property
    def view(self) -> NodeColumnsView:
        """The columns of all dumps so far."""
        with self._lock:
            return self._columns.view

    def number_of(self, key: str, read: Callable[[], bytes]) -> int:
        """The tree of the dump called ``key``, which ``read`` gives when it is not known yet."""
        with self._lock:
            number = self._numbers.get(key)
            if number is None:
                number = len(self._columns)
                self._add(key, read)
                self._numbers[key] = number
            return number

    def _add(self, key: str, read: Callable[[], bytes]) -> None:
        cached = self._cache.get(key) if self._cache is not None and key else None
        if cached is not None:
            self._columns.add_table(*cached)
            return
        data = read()
        table = self._columns.add(read_flat(data))
        if self._cache is not None and key and data:  # a missing file may come back
            self._cache.put(key, *self._columns.own(table))
