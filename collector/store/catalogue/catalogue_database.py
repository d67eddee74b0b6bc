"""The SQLite database behind the catalogue: its tables, and a new one for one that cannot be used."""

from __future__ import annotations

import importlib
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from collector.host.own_database import connect, is_own, mark_own
from collector.host.private_files import make_private_file
from collector.store.catalogue.episode_facts import EpisodeFacts, VerdictFacts, record_of
from collector.store.catalogue.open_subjects import OPEN_COLUMNS
from collector.store.files import lock
from collector.store.files.layout import CATALOGUE_LOCK_NAME

SCHEMA = 29
"""Raise it when a column or a fact is read or computed otherwise."""
_RECORDS = zlib.crc32(repr([record_of(EpisodeFacts), record_of(VerdictFacts)]).encode()) & 0xFFFF
VERSION = SCHEMA << 16 | _RECORDS
"""What the database says of itself: records of other fields are never read."""
_TRAJECTORIES = {
    # Where it is, and by what a change of its files is noticed.
    "key": int, "parent": str, "folder": str, "stamp": str, "folder_ns": int, "inside_ns": int,
    "id": str, "task": str, "kind": str, "who": str, "status": str, "started": str, "added": str,
    "duration_ms": int,
    "steps": int, "actions": int, "problems": int, "problem": str, "problem_message": str, "review": str,
    # Of a run.
    "experiment": str, "cell": str, "agent": str, "model": str, "prompt": str, "condition": str,
    "modality": str, "buttons": int, "variation": str, "language": str, "goal_style": str, "start": str,
    "offline": str,
    "seed": int,
    "repeat": int, "attempt": int, "outcome": str, "reason": str, "claimed": str, "early_stop": int,
    "infrastructure": str, "stopped": int,
    "tokens": int, "cost": float, "currency": str, "time_ms": int,
    "met": int, "helped": int, "loop_length": int, "malformed": int, "hallucinated": int, "covered": int,
    "orders_seen": int, "misled": int,
    # Lists, see collector.store.catalogue.catalogue_row.listed.
    "anomalies": str, "verdicts": str, "reached": str, "missed": str, "labelled": str, "reasons": str,
    "disputed": int,
    # Of the reviews of people: status and person, when a hold or a skip was given and whose it is, tags.
    "reviews": str, "holds": str, "skips": str, "tags": str, "unsettled": int, "automatic": int,
    # What the judge by rules said last.
    "rules_version": str, "rules_reached": str,
    # What made a run, a list of part=digest, and the parts that are others now, see staleness_columns.
    "fingerprint": str, "stale": str,
}  # fmt: skip
_NUMBERS_ONLY_OF_RUNS = (
    "buttons", "seed", "repeat", "attempt", "tokens", "cost", "time_ms",
    "met", "helped", "loop_length", "malformed", "hallucinated", "covered",
    "orders_seen", "misled",
)  # fmt: skip
COLUMNS: Mapping[str, str | int | None] = {
    name: None if name in _NUMBERS_ONLY_OF_RUNS else "" if kind is str else 0
    for name, kind in _TRAJECTORIES.items()
}
"""Column of a trajectory -> its value when it is not known."""
_TASKS = {
    "place": int, "id": str, "app": str, "package": str, "level": str, "category": str, "type": str,
    "language": str, "app_category": str, "human": int,
    "states": int, "state_status": str, "golden": int,
}  # fmt: skip
TASK_COLUMNS = tuple(_TASKS)
_FULL_TEXT = "fts5 (text, tokenize = 'unicode61 remove_diacritics 2')"
_TROUBLE = "CREATE INDEX by_trouble ON trajectories (task, added) WHERE problems > 0 AND kind = 'golden'"
_INSIDE = "CREATE INDEX by_inside ON trajectories (folder) WHERE inside_ns != 0"
_CELLS = "CREATE INDEX by_cell ON trajectories (experiment, cell) WHERE experiment != ''"
_VERDICTS = "CREATE INDEX by_trajectory ON verdicts (key)"
"""Without it each trajectory that is read again looks through the verdicts of all."""
_PRIMARY = 0xFF
"""The bits of an error code that say what it is; the others say more of it."""
PATIENCE_S = 30.0
"""So long a program waits for another one that writes."""
MAX_INTEGER = 2**63 - 1
"""The largest number SQLite knows."""


def open_database(path: Path, *, is_private: bool = False) -> sqlite3.Connection:
    """The database at ``path``; a damaged one, or one of another schema, is created again.

    With ``is_private`` no other account can read the files that are created. Of several programs that find
    none, one makes it while the others wait. Raises Locked.
    """
    lock_file = path.with_name(CATALOGUE_LOCK_NAME)
    if is_private:
        make_private_file(lock_file)
    # Under the lock: SQLite would take the journal of a database that is being created for that of the file
    # that stood there before, and delete it.
    with lock.held_for_a_moment(lock_file):
        known = _opened(path)
    if known is not None:
        return known
    # Before the lock and not at the top: it takes long to load, and most listings find a catalogue.
    _sqlite_utils()
    with lock.held_for_a_moment(lock_file):
        known = _opened(path)
        if known is not None:
            return known
        for stray in (path, Path(f"{path}-journal")):
            stray.unlink(missing_ok=True)
        if is_private:
            make_private_file(path)
        return _with_tables(connect(path, PATIENCE_S), path)


def _opened(path: Path) -> sqlite3.Connection | None:
    """The database at ``path`` if it is whole, of this schema and this account's own.

    Raises sqlite3.OperationalError while another program keeps it for too long: that one is not damaged.
    """
    if not path.exists():
        return None
    connection = connect(path, PATIENCE_S)
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == VERSION and is_own(connection, path):
            connection.execute("SELECT count(*) FROM tasks").fetchone()
            return connection
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & _PRIMARY == sqlite3.SQLITE_BUSY:
            connection.close()
            raise
    connection.close()
    return None


def _sqlite_utils() -> ModuleType:
    """Import sqlite_utils without pandas, which it would import where that is installed: seconds, unused."""
    is_kept_out = "pandas" not in sys.modules
    if is_kept_out:
        sys.modules["pandas"] = None  # type: ignore[assignment] # an import of it fails
    try:
        return importlib.import_module("sqlite_utils")
    finally:
        if is_kept_out:
            del sys.modules["pandas"]


def _with_tables(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """Create the tables in one transaction: a killed program leaves all of them or none."""
    sqlite_utils = _sqlite_utils()
    from sqlite_utils.db import DescIndex

    database = sqlite_utils.Database(connection)
    connection.execute("BEGIN")
    with connection:
        known = {name: value for name, value in COLUMNS.items() if value is not None and name != "key"}
        trajectories = database["trajectories"].create(_TRAJECTORIES, pk="key", defaults=known)
        # A scan reads whole parents from it, in order.
        trajectories.create_index(["parent", "folder", "folder_ns"], "by_place")
        trajectories.create_index([DescIndex("added"), "folder"], "by_added")
        trajectories.create_index(["task", "kind", "status", "added"], "by_task")
        trajectories.create_index(["kind"], "by_kind")
        trajectories.create_index(["status", DescIndex("added")], "by_status")
        connection.execute(_TROUBLE)
        connection.execute(_INSIDE)
        connection.execute(_CELLS)
        database["task_folders"].create({"name": str, "folder_ns": int}, pk="name")
        database["tasks"].create(_TASKS, pk="place").create_index(["id"], unique=True)
        database["notes"].create({"name": str, "value": str}, pk="name")
        # Facts are records of a fixed length, see episode_facts; their texts are codes.
        database["episodes"].create({"key": int, "facts": bytes}, pk="key")
        verdicts = {"key": int, "judge": int, "facts": bytes}
        database["verdicts"].create(verdicts, pk=("judge", "key"))
        connection.execute(_VERDICTS)
        database["votes"].create({"key": int, "votes": str}, pk="key")
        database["open_subjects"].create({"key": int, **OPEN_COLUMNS}, pk="key")
        database["touches"].create({"key": int, "touches": str}, pk="key")
        database["texts"].create({"id": int, "text": str}, pk="id").create_index(["text"], unique=True)
        connection.execute("INSERT INTO texts VALUES (0, '')")
        connection.execute(f"CREATE VIRTUAL TABLE words USING {_FULL_TEXT}")
        mark_own(connection, path)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    return connection


def insert(
    connection: sqlite3.Connection, table: str, columns: Iterable[str], rows: Sequence[tuple[object, ...]]
) -> None:
    """Insert rows with keys of their own, many at once."""
    names = tuple(columns)
    sql = f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"  # noqa: S608 - names of columns
    try:
        connection.executemany(sql, rows)
    except (OverflowError, UnicodeEncodeError):  # values that a damaged file has
        connection.executemany(sql, [tuple(map(sql_value, row)) for row in rows])


def sql_value(value: object) -> object:
    """A value that SQLite can hold, so that one damaged trajectory does not hide the others."""
    if isinstance(value, int):
        return max(-MAX_INTEGER, min(value, MAX_INTEGER))
    return value.encode(errors="replace").decode() if isinstance(value, str) else value
