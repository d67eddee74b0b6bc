"""The SQLite database behind the catalogue: its tables, and a new one for one that cannot be used."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

SCHEMA = 5
_TABLES = f"""
BEGIN;
CREATE TABLE trajectories (
    key INTEGER PRIMARY KEY, folder TEXT UNIQUE, stamp TEXT, folder_ns INTEGER DEFAULT 0,
    inside INTEGER DEFAULT 0, id TEXT, task TEXT, kind TEXT, who TEXT, status TEXT, agent TEXT,
    condition TEXT, started TEXT, duration_ms INTEGER, steps INTEGER, problems INTEGER, problem TEXT,
    problem_message TEXT, review TEXT);
CREATE INDEX by_started ON trajectories (started DESC, folder);
CREATE INDEX by_task ON trajectories (task, kind, status, started);
CREATE INDEX by_kind ON trajectories (kind);
CREATE INDEX by_trouble ON trajectories (task, started) WHERE problems > 0;
CREATE INDEX by_status ON trajectories (status, started DESC);
CREATE TABLE task_folders (name TEXT PRIMARY KEY, folder_ns INTEGER);
CREATE TABLE tasks (
    place INTEGER PRIMARY KEY, id TEXT UNIQUE, app TEXT, package TEXT, level TEXT, category TEXT,
    golden INTEGER);
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT);
CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE task_words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
PRAGMA user_version = {SCHEMA};
COMMIT;
"""
MAX_INTEGER = 2**63 - 1
"""The largest number SQLite knows."""


def open_database(path: Path) -> sqlite3.Connection:
    """The database at ``path``; a damaged one, or one of another schema, is created again."""
    for _attempt in range(2):
        connection = sqlite3.connect(path)
        try:
            # A cache needs no durability; a damaged one is found below and made again.
            connection.execute("PRAGMA synchronous = OFF")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == SCHEMA:
                connection.execute("SELECT count(*) FROM tasks").fetchone()
                return connection
            if version == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                return _with_tables(connection)
        except sqlite3.DatabaseError:
            pass
        connection.close()
        for stray in (path, Path(f"{path}-journal")):
            stray.unlink(missing_ok=True)
    return _with_tables(sqlite3.connect(path))


def _with_tables(connection: sqlite3.Connection) -> sqlite3.Connection:
    with contextlib.closing(connection.cursor()) as cursor:
        cursor.executescript(_TABLES)
    return connection


def sql_value(value: object) -> object:
    """A value that SQLite can hold, so that one damaged trajectory does not hide the others."""
    if isinstance(value, int):
        return max(-MAX_INTEGER, min(value, MAX_INTEGER))
    return value.encode(errors="replace").decode() if isinstance(value, str) else value
