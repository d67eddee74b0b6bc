"""The search catalogue of a project: an index of its files, to list and search them at once.

The files are the truth: the database may be deleted at any time and is made again. A
refresh reads only trajectories whose files changed since the last one.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import GOLDEN
from collector.store import layout, query
from collector.store.errors import WriteFailed
from collector.store.project import Project
from collector.store.reader import StoredTrajectory, open_trajectory
from collector.store.recover import RECOVERED
from collector.store.writer import RECORDING

SCHEMA = 3
_BATCH = 500
_MOST = 2**63 - 1  # the largest number SQLite knows
Progress = Callable[[int], None]
"""Called with the number of trajectories read so far; may raise to stop."""


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """What a list shows of a trajectory."""

    folder: str
    """Relative to the project, with forward slashes."""
    id: str
    task: str
    kind: str
    who: str
    status: str
    agent: str
    condition: str
    started: str
    duration_ms: int
    steps: int
    problems: int
    problem: str
    """The first problem, in a sentence."""

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CatalogueSummary:
    """What a list of tasks shows of their trajectories, read from the indexes alone."""

    golden: dict[str, int]
    """Task id -> number of golden trajectories, see :meth:`Catalogue.golden_counts`."""
    kinds: dict[str, int]
    """``golden`` and ``run`` -> trajectories of the project."""
    newest: dict[str, str]
    """Task id -> when its newest trajectory began, ISO 8601."""
    troubled: dict[str, str]
    """Task id -> the first problem of its newest trajectory that has one."""
    reviews: dict[str, str]
    """Task id -> the review status of its golden trajectories; left out when they differ."""


_COUNTS = f"kind = '{GOLDEN}' AND status NOT IN ('{RECORDING}', '{RECOVERED}')"
_ROW = ", ".join(f"t.{field.name}" for field in fields(CatalogueRow))


class Catalogue:
    """The open catalogue of a project; close it, or use it as a context. Belongs to one thread."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._path = project.paths.catalogue
        try:
            self._path.parent.mkdir(exist_ok=True)
            self._db = _opened(self._path)
        except (OSError, sqlite3.Error) as error:
            raise WriteFailed(
                _("The search catalogue cannot be opened"),
                str(error),
                _("Check that {folder} can be written to", folder=self._path.parent),
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.conn.close()

    def rebuild(self, progress: Progress | None = None) -> None:
        """Empty the catalogue and read all files again."""
        with self._db.conn:
            for table in ("trajectories", "tasks", "words", "task_words"):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above
        self.refresh(progress)

    def refresh(self, progress: Progress | None = None) -> int:
        """Bring the catalogue up to date; returns how many trajectories were read."""
        known = dict(self._db.execute("SELECT folder, stamp FROM trajectories").fetchall())
        changed: list[tuple[Path, str]] = []
        for folder in self._project.trajectory_folders():
            name, stamp = self._name(folder), _stamp(folder)
            if known.pop(name, None) != stamp:
                changed.append((folder, stamp))
        with self._db.conn:
            self._forget(known)
        for start in range(0, len(changed), _BATCH):
            with self._db.conn:
                for folder, stamp in changed[start : start + _BATCH]:
                    self._put(folder, stamp)
            if progress:
                progress(min(start + _BATCH, len(changed)))
        self.refresh_tasks()
        return len(changed)

    def refresh_tasks(self) -> None:
        """Update the tasks alone, when no trajectory changed."""
        with self._db.conn:
            self._put_tasks()

    def find(self, text: str = "", *, limit: int | None = None, offset: int = 0) -> list[CatalogueRow]:
        """Trajectories that fit a query of :mod:`collector.store.query`, newest first."""
        where, values = _where(text)
        sql = f"SELECT {_ROW} FROM trajectories t LEFT JOIN tasks k ON k.id = t.task {where}"  # noqa: S608 - no text of people in it
        # Walking the index by date costs a jump a row, which pays only when the first rows are taken.
        order = "+t.started" if where else "t.started"
        rows = self._db.execute(
            f"{sql} ORDER BY {order} DESC, t.folder LIMIT ? OFFSET ?",
            [*values, -1 if limit is None else min(limit, _MOST), offset],
        )
        return [CatalogueRow(*row) for row in rows]

    def count(self, text: str = "") -> int:
        """How many trajectories fit a query."""
        where, values = _where(text)
        sql = f"SELECT count(*) FROM trajectories t LEFT JOIN tasks k ON k.id = t.task {where}"  # noqa: S608 - no text of people in it
        return int(self._db.execute(sql, values).fetchone()[0])

    def golden_counts(self) -> dict[str, int]:
        """Task id -> number of its golden trajectories, those still recorded or cut short left out.

        One that was cut short does not show the task done, so the task still wants another.
        """
        sql = f"SELECT task, count(*) FROM trajectories WHERE {_COUNTS} GROUP BY task"  # noqa: S608 - constants
        return dict(self._db.execute(sql).fetchall())

    def summary(self) -> CatalogueSummary:
        """Figures for every task at once, from the indexes alone."""
        kinds = "SELECT kind, count(*) FROM trajectories GROUP BY kind"
        newest = "SELECT task, max(started) FROM trajectories GROUP BY task"
        # SQLite takes the bare column from the row that holds the maximum.
        troubled = "SELECT task, problem, max(started) FROM trajectories WHERE problems > 0 GROUP BY task"
        reviews = f"""
            SELECT task, max(review) FROM trajectories WHERE {_COUNTS} GROUP BY task
            HAVING min(review) = max(review) AND max(review) != ''"""  # noqa: S608 - constants
        return CatalogueSummary(
            self.golden_counts(),
            dict(self._db.execute(kinds).fetchall()),
            dict(self._db.execute(newest).fetchall()),
            {task: problem for task, problem, _at in self._db.execute(troubled)},
            dict(self._db.execute(reviews).fetchall()),
        )

    def find_tasks(self, text: str) -> list[str]:
        """Ids of the tasks that match the words ``text``, or that have a trajectory that does."""
        words = query.full_text(text)
        if not words:
            return [row[0] for row in self._db.execute("SELECT id FROM tasks ORDER BY place")]
        sql = """
            SELECT id FROM tasks WHERE place IN (SELECT rowid FROM task_words WHERE task_words MATCH :words)
            OR id IN (SELECT task FROM trajectories
                WHERE key IN (SELECT rowid FROM words WHERE words MATCH :words))
            ORDER BY place"""
        return [row[0] for row in self._db.execute(sql, {"words": words})]

    def _name(self, folder: Path) -> str:
        return folder.relative_to(self._project.folder).as_posix()

    def _forget(self, names: dict[str, str]) -> None:
        for name in names:
            self._db.execute(
                "DELETE FROM words WHERE rowid = (SELECT key FROM trajectories WHERE folder = ?)", [name]
            )
            self._db.execute("DELETE FROM trajectories WHERE folder = ?", [name])

    def _put(self, folder: Path, stamp: str) -> None:
        name = self._name(folder)
        self._forget({name: ""})
        row, words = _row_of(folder)
        row, words = {key: _fitting(value) for key, value in row.items()}, str(_fitting(words))
        key = self._db["trajectories"].insert({"folder": name, "stamp": stamp, **row}).last_pk
        self._db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", [key, query.spaced(words)])

    def _put_tasks(self) -> None:
        golden = self.golden_counts()
        self._db.execute("DELETE FROM tasks")
        self._db.execute("DELETE FROM task_words")
        for place, task in enumerate(self._project.tasks):
            self._db.execute(
                "INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?)",
                [place, task.id, task.app, task.package, task.level, task.category, golden.get(task.id, 0)],
            )
            self._db.execute(
                "INSERT INTO task_words (rowid, text) VALUES (?, ?)", [place, query.spaced(_task_words(task))]
            )


def _opened(path: Path) -> Any:
    """The database at ``path``; a damaged one, or one of another schema, is created again."""
    for _attempt in range(2):
        connection = sqlite3.connect(path)
        try:
            # A cache needs no durability; a damaged one is found below and made again.
            connection.execute("PRAGMA synchronous = OFF")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == SCHEMA:
                connection.execute("SELECT count(*) FROM tasks").fetchone()
                return _database(connection)
            if version == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                return _created(connection)
        except sqlite3.DatabaseError:
            pass
        connection.close()
        for stray in (path, Path(f"{path}-journal")):
            stray.unlink(missing_ok=True)
    return _created(sqlite3.connect(path))


def _created(connection: sqlite3.Connection) -> Any:
    with contextlib.closing(connection.cursor()) as cursor:
        cursor.executescript(
            f"""
            BEGIN;
            CREATE TABLE trajectories (
                key INTEGER PRIMARY KEY, folder TEXT UNIQUE, stamp TEXT, id TEXT, task TEXT, kind TEXT,
                who TEXT, status TEXT, agent TEXT, condition TEXT, started TEXT, duration_ms INTEGER,
                steps INTEGER, problems INTEGER, problem TEXT, review TEXT);
            CREATE INDEX by_started ON trajectories (started DESC, folder);
            CREATE INDEX by_task ON trajectories (task, kind, status, started);
            CREATE INDEX by_kind ON trajectories (kind);
            CREATE INDEX by_trouble ON trajectories (task, started) WHERE problems > 0;
            CREATE INDEX by_status ON trajectories (status, started DESC);
            CREATE TABLE tasks (
                place INTEGER PRIMARY KEY, id TEXT UNIQUE, app TEXT, package TEXT, level TEXT, category TEXT,
                golden INTEGER);
            CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
            CREATE VIRTUAL TABLE task_words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
            PRAGMA user_version = {SCHEMA};
            COMMIT;
            """
        )
    return _database(connection)


def _database(connection: sqlite3.Connection) -> Any:
    import sqlite_utils  # here: it takes a tenth of a second, and the window starts without a project

    return sqlite_utils.Database(connection)


def _fitting(value: object) -> object:
    """A value that SQLite can hold, so that one damaged trajectory does not hide the others."""
    if isinstance(value, int):
        return max(-_MOST, min(value, _MOST))
    return value.encode(errors="replace").decode() if isinstance(value, str) else value


def _where(text: str) -> tuple[str, list[object]]:
    clauses = query.clauses(text)
    if not clauses:
        return "", []
    return "WHERE " + " AND ".join(clause.sql for clause in clauses), [
        value for clause in clauses for value in clause.values
    ]


def _stamp(folder: Path) -> str:
    parts = []
    for name in (layout.HEADER, layout.STEPS, layout.ANNOTATIONS):
        try:
            stat = (folder / name).stat()
            parts.append(f"{stat.st_mtime_ns}:{stat.st_size}")
        except OSError:
            parts.append("-")
    return " ".join(parts)


def _row_of(folder: Path) -> tuple[dict[str, object], str]:
    """The columns of a trajectory, and the text that a search looks at."""
    try:
        stored = open_trajectory(folder)
    except UserError as error:
        row: dict[str, object] = dict.fromkeys(("kind", "who", "agent", "condition", "started", "review"), "")
        row |= {
            "id": folder.name,
            "task": folder.parent.name,
            "status": "damaged",
            "duration_ms": 0,
            "steps": 0,
        }
        return {**row, "problems": 1, "problem": str(error)}, folder.name
    header = stored.header
    problems = [*stored.problems, *(step.state.problem for step in stored.steps if step.state.problem)]
    words = [header.id, header.task_id, header.instruction, header.who, header.note]
    words += [text for step in stored.steps for text in (step.description, step.note, step.intention)]
    return {
        "id": header.id,
        "task": header.task_id,
        "kind": header.kind,
        "who": header.who,
        "status": header.status,
        "agent": header.agent,
        "condition": header.condition,
        "started": header.started,
        "duration_ms": header.duration_ms,
        "steps": len(stored.steps),
        "problems": len(problems),
        "problem": problems[0] if problems else "",
        "review": _review(stored),
    }, "\n".join(word for word in words if word)


def _review(stored: StoredTrajectory) -> str:
    """The review status that all reviewers agree on; empty otherwise."""
    statuses = {
        str(annotation["review"]) for annotation in stored.annotations().values() if annotation.get("review")
    }
    return statuses.pop() if len(statuses) == 1 else ""


def _task_words(task: Task) -> str:
    return "\n".join(
        (task.id, task.instruction, task.app, task.package, task.category, task.note, *task.essential_states)
    )
