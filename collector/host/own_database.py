"""SQLite databases that are caches: only those that this account made itself are read.

A cache lies in a project's folder, and may have come with it. A foreign one could say what the files do not
say, or have a view without an end in place of a table. So each cache holds a mark over its place and its
schema, made with a secret of the account; one without it is made anew.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import hmac
import secrets
import sqlite3
from pathlib import Path

from collector.host import file_moves
from collector.host.private_files import make_private_file, make_private_folder
from collector.host.user_folders import state_folder

_SECRET = "caches.key"  # noqa: S105 - the name of a file
_BYTES = 32
_TABLE = "made_here"


def connect(path: Path, seconds: float, *, any_thread: bool = False) -> sqlite3.Connection:
    """Open a cache, waiting for other programs at most ``seconds``. Raises sqlite3.Error.

    A cache needs no durability: one that a crash damaged is found by :func:`is_own`, and made anew.
    """
    connection = sqlite3.connect(path, timeout=seconds, check_same_thread=not any_thread)
    with contextlib.suppress(sqlite3.DatabaseError):
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA synchronous = OFF")
    return connection


def temporary() -> sqlite3.Connection:
    """A database in a temporary file, which goes with the connection; for any one thread at a time."""
    return sqlite3.connect("", isolation_level=None, check_same_thread=False)


def is_own(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether this account made the cache at ``path``, and its tables are as they were made.

    Nothing but the list of tables is read before that is known. Raises sqlite3.Error for a damaged file.
    """
    schema = _schema(connection)
    if ("table", f"CREATE TABLE {_TABLE} (mark TEXT)") not in schema:
        return False
    found = connection.execute(f"SELECT mark FROM {_TABLE}").fetchone()  # noqa: S608 - a constant
    return found is not None and hmac.compare_digest(str(found[0]), _mark(path, schema))


def mark_own(connection: sqlite3.Connection, path: Path) -> None:
    """Mark a cache as made by this account, once all its tables are there. Does not commit."""
    connection.execute(f"CREATE TABLE {_TABLE} (mark TEXT)")
    connection.execute(f"INSERT INTO {_TABLE} VALUES (?)", [_mark(path, _schema(connection))])  # noqa: S608


def kept_tables(connection: sqlite3.Connection) -> list[str]:
    """The names of the tables, quoted for a statement, without the one that holds the mark."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != ?", [_TABLE])
    return ['"' + str(name).replace('"', '""') + '"' for (name,) in rows]


def _schema(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    rows = connection.execute("SELECT type, coalesce(sql, name) FROM sqlite_master ORDER BY 1, 2")
    return [(str(kind), str(sql)) for kind, sql in rows]


def _mark(path: Path, schema: list[tuple[str, str]]) -> str:
    place = str(path.resolve()).encode(errors="surrogateescape")
    return hmac.new(_secret(), place + repr(schema).encode(), hashlib.sha256).hexdigest()


def _secret() -> bytes:
    """The secret of this account. Where none can be kept it is one of this process: caches are made anew."""
    return _kept_secret(state_folder() / _SECRET)


@functools.cache
def _kept_secret(path: Path) -> bytes:
    made = secrets.token_bytes(_BYTES)
    with contextlib.suppress(OSError):
        if path.exists() and len(known := path.read_bytes()) == _BYTES:
            return known
        make_private_folder(path.parent)
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        make_private_file(part)
        part.write_bytes(made)
        file_moves.replace(part, path)
    return made
