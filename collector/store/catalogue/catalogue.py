"""The search catalogue of a project: an index of its files, to list and search them at once.

The files are the truth: the database may be deleted at any time and is made again. A
refresh reads only trajectories whose files changed since the last one, see
:mod:`collector.store.catalogue.catalogue_scan`.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import count, islice
from typing import Any, Self

from collector.host.parallel import map_in_order, pays_off
from collector.host.private_files import make_private_folder
from collector.model.essential_state import PROPOSED, STATUSES, EssentialState
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import FINISHED, GOLDEN, IMPORTED, RUN
from collector.store.catalogue import query
from collector.store.catalogue.catalogue_database import (
    COLUMNS,
    MAX_INTEGER,
    TASK_COLUMNS,
    insert,
    open_database,
    sql_value,
)
from collector.store.catalogue.catalogue_reader import CatalogueEntry, read_entry
from collector.store.catalogue.catalogue_row import (
    REVIEW_COLUMNS,
    STATE_COLUMNS,
    CatalogueRow,
    ReviewRow,
    ReviewState,
    items,
    review_row,
    review_state,
    row_from_columns,
    shown_problem,
)
from collector.store.catalogue.catalogue_scan import CatalogueScan, ChangedTrajectory
from collector.store.catalogue.facts_table import CatalogueFacts
from collector.store.catalogue.health_rows import HealthRows
from collector.store.catalogue.open_subjects import (
    OPEN_COLUMNS,
    OpenTrajectory,
    StateCounts,
    read_open_trajectories,
    read_state_counts,
)
from collector.store.catalogue.staleness_columns import CatalogueStaleness
from collector.store.catalogue.votes_table import CatalogueVotes, read_catalogue_votes
from collector.store.files.errors import WriteFailed
from collector.store.files.findings import recorded_problem
from collector.store.project.project import Project

_BATCH = 500
_MOST_PROBLEMS = 200
"""So many golden trajectories with problems are listed from the index."""
_OF_TRAJECTORIES = ("votes", "open_subjects", "touches")
"""Tables with a row for some trajectories, by the key of theirs."""
_TASKS_DIGEST = "tasks digest"
_INSERT_TASK = f"INSERT INTO tasks VALUES ({', '.join('?' * len(TASK_COLUMNS))})"  # noqa: S608 - constants
Progress = Callable[[int, int], None]
"""Called with the number of trajectories read so far, and to read in all; may raise to stop."""


@dataclass(frozen=True, slots=True)
class CatalogueSummary:
    """What a list of tasks shows of their trajectories, read from the indexes alone."""

    golden: dict[str, int]
    """Task id -> number of golden trajectories, see :meth:`Catalogue.golden_counts`."""
    kinds: dict[str, int]
    """``golden`` and ``run`` -> trajectories of people and of agents, finished or not."""
    newest: dict[str, str]
    """Task id -> when its newest trajectory began or, if that is not known, was imported; ISO 8601."""
    troubled: dict[str, str]
    """Task id -> the first problem of its newest golden trajectory that has one."""
    reviews: dict[str, str]
    """Task id -> the review status of its golden trajectories; left out when they differ."""
    runs: dict[str, int]
    """Task id -> number of runs of agents."""
    findings: tuple[Finding, ...]
    """What golden trajectories say of their states, as the check of the project says it."""


_COUNTS = f"kind = '{GOLDEN}' AND status IN ('{FINISHED}', '{IMPORTED}')"
"""What :attr:`TrajectoryHeader.is_golden` asks of a header."""
_ROW = ", ".join([*(f"t.{field.name}" for field in fields(CatalogueRow)), "t.problem_message"])


@dataclass(frozen=True, slots=True)
class GoldenVerdict:
    """What judges said of a golden trajectory and its essential states."""

    version: str
    """Digest of the rules that judged it last; empty when none did."""
    reached: frozenset[str]
    """States that these rules saw."""
    seen: frozenset[str]
    """States that any judge saw."""
    missed: frozenset[str]
    """States that any judge did not see."""


class Catalogue:
    """The open catalogue of a project; close it, or use it as a context. Belongs to one thread."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._path = project.paths.catalogue
        try:
            if project.is_read_only:  # the catalogue lies in a folder of the person
                make_private_folder(self._path.parent)
            self._path.parent.mkdir(exist_ok=True)
            self._db = open_database(self._path, is_private=project.is_read_only)
        except (OSError, sqlite3.Error) as error:
            raise WriteFailed(
                _("The search catalogue cannot be opened"),
                str(error),
                _("Check that {folder} can be written to", folder=self._path.parent),
            ) from error
        self._facts = CatalogueFacts(self._db)
        self._searched = "trajectories"
        """The table that queries search."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    def rebuild(self, progress: Progress | None = None) -> None:
        """Empty the catalogue and read all files again."""
        with self._db:
            for table in (*_OF_TRAJECTORIES, "trajectories", "task_folders", "tasks", "words", "notes"):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above
            self._facts.clear()
        self.refresh(progress)

    def refresh(self, progress: Progress | None = None) -> int:
        """Bring the catalogue up to date; returns how many trajectories were read.

        In a large project an old trajectory whose file was overwritten in place may be noticed only some
        refreshes later.
        """
        scan = CatalogueScan(self._project.folder, self._db)
        result = scan.run()
        changed = result.changed
        with self._db:
            self._forget(result.gone)
            if changed or result.gone:  # how many golden trajectories a task has is counted again
                self._db.execute("DELETE FROM notes WHERE name = ?", (_TASKS_DIGEST,))
        given = (f"{self._project.folder}{os.sep}",)
        entries: Iterator[CatalogueEntry] = map(reader_in(*given), changed)
        if pays_off(len(changed)):
            entries = map_in_order(reader_in, given, changed, reader_in(*given))
        for start in range(0, len(changed), _BATCH):
            some = changed[start : start + _BATCH]
            self._put(some, list(islice(entries, len(some))))
            if progress:
                progress(min(start + _BATCH, len(changed)), len(changed))
        with self._db:  # behind the rows: another program would take a noted folder for a read one
            scan.note()
        self.refresh_tasks()
        return len(changed)

    def refresh_tasks(self) -> None:
        """Update the tasks alone, when no trajectory changed."""
        rows = [
            (
                place,
                task.id,
                task.app,
                task.package,
                task.level,
                task.category,
                task.type,
                task.language,
                task.app_category,
                int(task.human_validation),
                *_states_of(task, self._project.states),
            )
            for place, task in enumerate(self._project.tasks)
        ]
        digest = hashlib.sha256(repr(rows).encode(errors="replace")).hexdigest()
        noted = self._db.execute("SELECT value FROM notes WHERE name = ?", (_TASKS_DIGEST,)).fetchone()
        if noted == (digest,):
            return
        golden = self.golden_counts()
        counted = [(*map(sql_value, row), golden.get(row[1], 0)) for row in rows]
        with self._db:
            self._db.execute("DELETE FROM tasks")
            self._db.executemany(_INSERT_TASK, counted)
            self._db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (_TASKS_DIGEST, digest))

    def mask(self, folders: Iterable[str], masked: Callable[[Mapping[str, Any]], dict[str, Any]]) -> None:
        """From now on search and list trajectories with other columns, as ``masked`` gives them for each.

        Only this object sees them, and only queries: the files and the numbers stay as they are.
        """
        names = list(folders)
        if not names:
            return
        self._db.execute("CREATE TEMP TABLE masked AS SELECT * FROM trajectories LIMIT 0")
        for name in names:
            where = (name.rpartition("/")[0], name)
            sql = "INSERT INTO masked SELECT * FROM trajectories WHERE parent = ? AND folder = ?"
            self._db.execute(sql, where)
        rows = self._db.execute("SELECT * FROM masked").fetchall()
        for values in rows:
            changed = masked(dict(zip(COLUMNS, values, strict=True)))
            columns = ", ".join(f"{column} = ?" for column in changed)
            sql = f"UPDATE masked SET {columns} WHERE key = ?"  # noqa: S608 - names of columns
            self._db.execute(sql, (*changed.values(), values[0]))
        self._db.execute(
            "CREATE TEMP VIEW searched AS SELECT * FROM trajectories"
            " WHERE key NOT IN (SELECT key FROM masked) UNION ALL SELECT * FROM masked"
        )
        self._db.commit()
        self._searched = "searched"

    def folders(self, text: str = "") -> list[str]:
        """Folders of the trajectories that fit a query, relative to the project, by task and name."""
        where, values = _where(text)
        sql = f"SELECT t.folder FROM {self._searched} t LEFT JOIN tasks k ON k.id = t.task {where}"  # noqa: S608 - no text of people in it
        return sorted(
            (folder for (folder,) in self._db.execute(sql, values)), key=lambda name: name.split("/")
        )

    def find(self, text: str = "", *, limit: int | None = None, offset: int = 0) -> list[CatalogueRow]:
        """Trajectories that fit a query of :mod:`collector.store.catalogue.query`, newest first."""
        where, values = _where(text)
        sql = f"SELECT {_ROW} FROM {self._searched} t LEFT JOIN tasks k ON k.id = t.task {where}"  # noqa: S608 - no text of people in it
        # Walking the index by date costs a jump a row, which pays only when the first rows are taken.
        order = "+t.added" if where else "t.added"
        rows = self._db.execute(
            f"{sql} ORDER BY {order} DESC, t.folder LIMIT ? OFFSET ?",
            [*values, -1 if limit is None else min(limit, MAX_INTEGER), offset],
        )
        return list(map(row_from_columns, rows))

    def review_rows(self, text: str = "") -> list[ReviewRow]:
        """How far the reviews are of the trajectories that fit a query, by task and name."""
        where, values = _where(text)
        columns = ", ".join(f"t.{name}" for name in REVIEW_COLUMNS)
        sql = f"SELECT {columns} FROM {self._searched} t LEFT JOIN tasks k ON k.id = t.task {where}"  # noqa: S608 - constants
        return list(map(review_row, self._db.execute(f"{sql} ORDER BY t.parent, t.folder", values)))

    def review_states(self, text: str = "") -> list[tuple[ReviewState, int]]:
        """How far the reviews are of the trajectories that fit a query, and of how many they are so far."""
        where, values = _where(text)
        columns = ", ".join(f"t.{name}" for name in STATE_COLUMNS)
        sql = f"SELECT {columns}, count(*) FROM {self._searched} t LEFT JOIN tasks k ON k.id = t.task {where}"  # noqa: S608 - constants
        rows = self._db.execute(f"{sql} GROUP BY {columns}", values)
        return [(review_state(row[:-1]), row[-1]) for row in rows]

    def count(self, text: str = "") -> int:
        """How many trajectories fit a query."""
        where, values = _where(text)
        sql = f"SELECT count(*) FROM {self._searched} t LEFT JOIN tasks k ON k.id = t.task {where}"  # noqa: S608 - no text of people in it
        return int(self._db.execute(sql, values).fetchone()[0])

    def facts(self) -> CatalogueFacts:
        """The facts of all runs, for numbers."""
        return self._facts

    def votes(self) -> Iterator[CatalogueVotes]:
        """The votes of judges on all trajectories, by task and name."""
        return read_catalogue_votes(self._db, self._project.folder)

    def open_trajectories(self) -> dict[str, OpenTrajectory]:
        """Folder -> its subjects that people have not decided, of trajectories that have some."""
        return read_open_trajectories(self._db)

    def state_counts(self) -> dict[tuple[str, str], StateCounts]:
        """Task and essential state -> in how many trajectories the state was reached."""
        return read_state_counts(self._db)

    def health_rows(self) -> HealthRows:
        """The rows that the health of the project is told from."""
        return HealthRows(self._db, _COUNTS)

    def staleness(self) -> CatalogueStaleness:
        """What made the runs, and which of it is another now."""
        return CatalogueStaleness(self._db)

    def keys(self, text: str = "") -> list[int]:
        """The keys of the trajectories that fit a query."""
        where, values = _where(text)
        sql = f"SELECT t.key FROM {self._searched} t LEFT JOIN tasks k ON k.id = t.task {where}"  # noqa: S608 - no text of people in it
        return [key for (key,) in self._db.execute(sql, values)]

    def rows_of(self, keys: Sequence[int]) -> dict[int, CatalogueRow]:
        """Key -> the row of a list, of the trajectories with these keys; keys that are gone are left out."""
        rows: dict[int, CatalogueRow] = {}
        for start in range(0, len(keys), _BATCH):
            some = keys[start : start + _BATCH]
            sql = (
                f"SELECT t.key, {_ROW} FROM {self._searched} t LEFT JOIN tasks k ON k.id = t.task"  # noqa: S608 - constants
                f" WHERE t.key IN ({', '.join('?' * len(some))})"
            )
            for key, *columns in self._db.execute(sql, list(map(int, some))):
                rows[key] = row_from_columns(tuple(columns))
        return rows

    def folders_of(self, keys: Sequence[int]) -> dict[int, str]:
        """Key -> folder of the trajectory, relative to the project; keys that are gone are left out."""
        folders: dict[int, str] = {}
        for start in range(0, len(keys), _BATCH):
            some = keys[start : start + _BATCH]
            sql = f"SELECT key, folder FROM trajectories WHERE key IN ({', '.join('?' * len(some))})"  # noqa: S608 - question marks
            folders |= dict(self._db.execute(sql, list(map(int, some))).fetchall())
        return folders

    def golden_actions(self) -> dict[str, list[int]]:
        """Task id -> actions on the phone of each golden trajectory that counts."""
        actions: dict[str, list[int]] = {}
        sql = f"SELECT task, actions FROM trajectories WHERE {_COUNTS}"  # noqa: S608 - constants
        for task, count_ in self._db.execute(sql):
            actions.setdefault(task, []).append(count_)
        return actions

    def statuses(self) -> dict[str, int]:
        """Status -> number of trajectories."""
        sql = "SELECT status, count(*) FROM trajectories GROUP BY status"
        return dict(self._db.execute(sql).fetchall())

    def golden_counts(self) -> dict[str, int]:
        """Task id -> number of its golden trajectories, those still recorded or cut short left out.

        One that was cut short does not show the task done, so the task still wants another.
        """
        sql = f"SELECT task, count(*) FROM trajectories WHERE {_COUNTS} GROUP BY task"  # noqa: S608 - constants
        return dict(self._db.execute(sql).fetchall())

    def golden_verdicts(self) -> dict[str, list[GoldenVerdict]]:
        """Task id -> what judges said of each of its golden trajectories that count."""
        sql = f"SELECT task, rules_version, rules_reached, reached, missed FROM trajectories WHERE {_COUNTS}"  # noqa: S608 - constants
        verdicts: dict[str, list[GoldenVerdict]] = {}
        for task, version, *lists in self._db.execute(sql):
            verdicts.setdefault(task, []).append(GoldenVerdict(version, *map(frozenset, map(items, lists))))
        return verdicts

    def golden_of_tasks(self) -> dict[str, int]:
        """Count the golden trajectories of each task of the project, as of the last refresh."""
        return dict(self._db.execute("SELECT id, golden FROM tasks").fetchall())

    def summary(self) -> CatalogueSummary:
        """Figures for every task at once, from the indexes alone."""
        kinds = "SELECT kind, count(*) FROM trajectories GROUP BY kind"
        newest = "SELECT task, max(added) FROM trajectories GROUP BY task"
        # SQLite takes the bare column from the row that holds the maximum.
        troubled = """
            SELECT task, problem, problem_message, max(added) FROM trajectories
            WHERE problems > 0 AND kind = 'golden' GROUP BY task"""
        # Damaged files count among the problems of a row; the check says which they are.
        goldens = f"""
            SELECT folder, problem, problem_message, problems FROM trajectories
            WHERE problems > 0 AND kind = 'golden' ORDER BY folder LIMIT {_MOST_PROBLEMS}"""  # noqa: S608 - a constant
        reviews = f"""
            SELECT task, max(review) FROM trajectories WHERE {_COUNTS} GROUP BY task
            HAVING min(review) = max(review) AND max(review) != ''"""  # noqa: S608 - constants
        # Summed and not searched for: the index by task has the kinds too, so no row is read.
        runs = f"""
            SELECT task, sum(kind = '{RUN}') AS runs FROM trajectories GROUP BY task
            HAVING runs > 0"""  # noqa: S608 - a constant
        return CatalogueSummary(
            self.golden_counts(),
            dict(self._db.execute(kinds).fetchall()),
            dict(self._db.execute(newest).fetchall()),
            {
                task: shown_problem(problem, message or "")
                for task, problem, message, _at in self._db.execute(troubled)
            },
            dict(self._db.execute(reviews).fetchall()),
            dict(self._db.execute(runs).fetchall()),
            tuple(
                recorded_problem(folder, shown_problem(problem, message or ""), count)
                for folder, problem, message, count in self._db.execute(goldens)
            ),
        )

    def _forget(self, names: Iterable[str]) -> None:
        for name in names:
            where = (name.rpartition("/")[0], name)
            sql = "SELECT key FROM trajectories WHERE parent = ? AND folder = ?"
            for row in self._db.execute(sql, where).fetchall():
                self._db.execute("DELETE FROM words WHERE rowid = ?", row)
                for table in _OF_TRAJECTORIES:
                    self._db.execute(f"DELETE FROM {table} WHERE key = ?", row)  # noqa: S608 - constants
                self._db.execute("DELETE FROM trajectories WHERE key = ?", row)
                self._facts.forget(row[0])

    def _put(self, changed: Sequence[ChangedTrajectory], read: Iterable[CatalogueEntry]) -> None:
        """Replace the rows of trajectories by what was read of them."""
        with self._db:
            # From here on no other program writes: it may be reading the same trajectories.
            self._db.execute("BEGIN IMMEDIATE")
            self._forget(trajectory.name for trajectory in changed)
            last = self._db.execute("SELECT max(key) FROM trajectories").fetchone()[0] or 0
            rows, texts, keyed = [], [], list(zip(count(last + 1), changed, read, strict=False))
            for key, trajectory, entry in keyed:
                columns = entry.columns | {
                    "key": key,
                    "parent": trajectory.name.rpartition("/")[0],
                    "folder": trajectory.name,
                    "stamp": trajectory.stamp,
                    "folder_ns": trajectory.folder_ns,
                    "inside_ns": trajectory.inside_ns,
                }
                rows.append(tuple({**COLUMNS, **columns}.values()))
                texts.append((key, query.spaced(entry.words)))
            insert(self._db, "trajectories", COLUMNS, rows)
            insert(self._db, "words", ("rowid", "text"), texts)
            self._facts.put((key, entry.episode, entry.verdicts) for key, _trajectory, entry in keyed)
            votes = [(key, entry.votes) for key, _trajectory, entry in keyed if entry.votes is not None]
            insert(self._db, "votes", ("key", "votes"), votes)
            opened = [(key, *entry.opened) for key, _trajectory, entry in keyed if entry.opened]
            insert(self._db, "open_subjects", ("key", *OPEN_COLUMNS), opened)
            touches = [(key, entry.touches.text) for key, _trajectory, entry in keyed if entry.touches]
            insert(self._db, "touches", ("key", "touches"), touches)


def reader_in(root: str) -> Callable[[ChangedTrajectory], CatalogueEntry]:
    """What reads trajectories below ``root``, a path that ends with a separator."""

    def read(trajectory: ChangedTrajectory) -> CatalogueEntry:
        has_inside = trajectory.inside_ns != 0
        return read_entry(f"{root}{trajectory.name}", inside=has_inside, events=trajectory.has_events)

    return read


def _states_of(task: Task, states: Mapping[str, EssentialState]) -> tuple[int, str]:
    """How many essential states a task has, and the least advanced status among them."""
    own = [name for name, state in states.items() if state.task == task.id]
    ids = dict.fromkeys([*task.essential_states, *own])
    statuses = [states[name].status if name in states else PROPOSED for name in ids]
    stages = [STATUSES.index(status) if status in STATUSES else 0 for status in statuses]
    return len(ids), STATUSES[min(stages)] if stages else ""


def _where(text: str) -> tuple[str, list[object]]:
    clauses = query.clauses(text)
    if not clauses:
        return "", []
    return "WHERE " + " AND ".join(clause.sql for clause in clauses), [
        value for clause in clauses for value in clause.values
    ]
