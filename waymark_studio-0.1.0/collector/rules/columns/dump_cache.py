"""Cache of parsed dumps between runs of the program, by their content, in a file of the project's cache.

Safe to delete at any time: what is missing, damaged or of another version is read from the dumps
again. Nothing in it is ever executed, and every number is checked before it is used.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
import zlib
from pathlib import Path
from typing import Self

import numpy as np

from collector.host.own_database import connect, is_own, mark_own
from collector.rules.columns.node_columns import ABSENT, NodeTable

VERSION = 1
_BATCH = 500
_WAIT_S = 0.5
_NUMBER = np.dtype("<i4")
_FAULTS = (sqlite3.Error, OSError)
_log = logging.getLogger(__name__)


class DumpCache:
    """The open cache at ``path``, which is created if it does not exist; close it, or use it as a context.

    When the file cannot be used nothing is kept, and nothing fails. For one thread at a time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting = 0
        self._db: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = _opened(self._path)
        except _FAULTS as error:
            _log.info("rules are tried without a cache: %s", error)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what was put in and close the file."""
        if self._db is not None:
            self._flush()
        if self._db is not None:
            self._db.close()
            self._db = None

    def get(self, key: str) -> tuple[NodeTable, list[str]] | None:
        """The sheet of the dump whose SHA-256 is ``key`` and the values its numbers count in."""
        if self._db is None:
            return None
        try:
            row = self._db.execute("SELECT sheet FROM sheets WHERE key = ?", [key]).fetchone()
        except _FAULTS as error:
            self._give_up(error)
            return None
        return unpacked(row[0]) if row is not None and isinstance(row[0], bytes) else None

    def put(self, key: str, table: NodeTable, values: list[str]) -> None:
        if self._db is None:
            return
        try:
            self._db.execute("INSERT OR REPLACE INTO sheets VALUES (?, ?)", [key, packed(table, values)])
        except _FAULTS as error:
            self._give_up(error)
            return
        self._waiting += 1
        if self._waiting >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        self._waiting = 0
        try:
            if self._db is not None:
                self._db.commit()
        except _FAULTS as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        _log.info("the cache of rules is left alone from here on: %s", error)
        if self._db is not None:
            self._db.close()
            self._db = None


def packed(table: NodeTable, values: list[str]) -> bytes:
    """A sheet and its values as bytes that :func:`unpacked` reads."""
    head = json.dumps([list(table.names), values, table.plain, len(table.parents)]).encode()
    body = b"".join(
        (head, b"\n", table.parents.astype(_NUMBER).tobytes(), table.numbers.astype(_NUMBER).tobytes())
    )
    return zlib.crc32(body).to_bytes(4, "little") + body


def unpacked(data: bytes) -> tuple[NodeTable, list[str]] | None:
    """The table that :func:`packed` wrote; None when the bytes are anything else."""
    body = data[4:]
    if zlib.crc32(body) != int.from_bytes(data[:4], "little"):
        return None
    head, _break, numbers = body.partition(b"\n")
    try:
        names, values, plain, count = json.loads(head)
        array = np.frombuffer(numbers, _NUMBER).astype(np.int32).reshape(len(names) + 1, count)
    except (ValueError, TypeError):
        return None
    parents, columns = array[0], array[1:]
    if (parents >= np.arange(count)).any() or (array < ABSENT).any() or (columns >= len(values)).any():
        return None
    return NodeTable(tuple(names), columns, parents, bool(plain)), values


def _opened(path: Path) -> sqlite3.Connection:
    """The database at ``path``; a damaged or foreign one, or one of another version, is replaced."""
    with contextlib.suppress(sqlite3.DatabaseError):
        connection = connect(path, _WAIT_S, any_thread=True)
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == VERSION and is_own(connection, path):
                connection.execute("SELECT key, sheet FROM sheets LIMIT 1").fetchone()
                return connection
        except sqlite3.Error:
            connection.close()
            raise
        connection.close()
    for stray in (path, Path(f"{path}-journal")):
        stray.unlink(missing_ok=True)
    return _made(path)


def _made(path: Path) -> sqlite3.Connection:
    connection = connect(path, _WAIT_S, any_thread=True)
    try:
        with connection:
            connection.execute("BEGIN")
            connection.execute("CREATE TABLE sheets (key TEXT PRIMARY KEY, sheet BLOB) WITHOUT ROWID")
            mark_own(connection, path)
            connection.execute(f"PRAGMA user_version = {VERSION}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection
