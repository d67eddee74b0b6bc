"""Remove what the caches of a project know of a trajectory, so that no byte of it is left in their files."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from collector.host.own_database import connect, kept_tables
from collector.model.i18n import _
from collector.store.catalogue.catalogue_database import open_database
from collector.store.files.errors import WriteFailed
from collector.store.files.layout import ProjectPaths, project_around

_PATIENCE_S = 30.0
"""So long a program waits for others that use a cache."""


def purge_caches(folder: Path) -> None:
    """Forget the trajectory in ``folder`` in the caches of its project, which read it again later.

    Raises WriteFailed while another program keeps a cache for too long.
    """
    project = project_around(folder)
    if project is None:
        return
    paths, place = ProjectPaths(project), folder.resolve().relative_to(project.resolve()).as_posix()
    _purge(paths.catalogue, open_database, lambda database: _forget_row(database, place))
    _purge(paths.dump_cache, _connect, _forget_all)
    _purge(paths.answer_cache, _connect, _forget_all)


def purge_project_caches(project: Path) -> None:
    """Empty the caches of a project, which are made again. Raises WriteFailed as :func:`purge_caches`."""
    paths = ProjectPaths(project)
    _purge(paths.catalogue, open_database, _forget_all_rows)
    for cache in (paths.dump_cache, paths.answer_cache):
        _purge(cache, _connect, _forget_all)


def _purge(
    path: Path, opened: Callable[[Path], sqlite3.Connection], forget: Callable[[sqlite3.Connection], None]
) -> None:
    if not path.exists():
        return
    try:
        with contextlib.closing(opened(path)) as database:
            database.execute("PRAGMA secure_delete = ON")
            with database:
                forget(database)
            database.execute("VACUUM")  # earlier versions of the rows are in free pages
    except sqlite3.Error as error:
        raise WriteFailed(
            _("{name} may still hold what was redacted", name=path.name),
            str(error),
            _("Close other programs that use the project, and delete the file: it is made again"),
        ) from error


def _connect(path: Path) -> sqlite3.Connection:
    return connect(path, _PATIENCE_S)


def _forget_row(database: sqlite3.Connection, place: str) -> None:
    """Remove the row of one trajectory, and its words from the index, which keeps those of deleted rows."""
    parent = place.rpartition("/")[0]
    keys = database.execute("SELECT key FROM trajectories WHERE parent = ? AND folder = ?", (parent, place))
    for key in keys.fetchall():
        database.execute("DELETE FROM words WHERE rowid = ?", key)
        for table in ("trajectories", "episodes", "verdicts"):
            database.execute(f"DELETE FROM {table} WHERE key = ?", key)  # noqa: S608 - names from the line above
    database.execute("DELETE FROM task_folders WHERE name = ?", (parent,))  # the task is listed again
    database.execute("INSERT INTO words (words) VALUES ('optimize')")


def _forget_all_rows(database: sqlite3.Connection) -> None:
    for table in ("trajectories", "episodes", "verdicts", "words", "task_folders"):
        database.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above
    database.execute("INSERT INTO words (words) VALUES ('optimize')")


def _forget_all(database: sqlite3.Connection) -> None:
    """Empty a cache that is made again from the files."""
    for name in kept_tables(database):
        database.execute(f"DELETE FROM {name}")  # noqa: S608 - a quoted name
