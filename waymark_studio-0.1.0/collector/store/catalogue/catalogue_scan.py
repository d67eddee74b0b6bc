"""Find the trajectories of a project that changed since the catalogue read them, with few system calls.

A trajectory is read again when its *stamp* differs: time and size of its header, its steps, its events and
each file of annotations and judgements. Asking for the stamps of 100,000 trajectories takes longer than a
person waits for a list. So a large project is asked for less: a task's folder is listed again only when its
time changed, and a stamp is taken only when the trajectory's own folder, or its folder of annotations or
judgements, changed (every file that is replaced, added or removed there does that, and so does a writer
that opens it), while it is recorded, for the newest trajectories, and for a slice of the others that moves
on with every scan. What is overlooked for a while is a file of an old trajectory that another program
overwrote in place.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from collector.store.files import layout
from collector.store.files.links import folders_in

SMALL = 10_000
"""Up to this many trajectories every stamp is taken at every scan."""
NEWEST = 1_000
"""So many of the newest trajectories of a large project are always asked for their stamp."""
SLICE = 2_500
"""So many others at every scan, in turn."""
RACY_NS = 2_000_000_000
"""A folder that changed so shortly ago may change again within the resolution of its time."""
_CURSOR = "scan cursor"
_BETWEEN = "//"
"""Separates folders in a list; no path has it."""
_YOUNG, _GONE = -1, -2
"""In place of a folder's time: it may change again unnoticed; there is none."""
_FILES = (layout.HEADER, layout.STEPS, layout.EVENTS)
_FOLDERS = (layout.ANNOTATIONS, layout.JUDGEMENTS)
_TIME = attrgetter("st_mtime_ns")


@dataclass(frozen=True, slots=True)
class ChangedTrajectory:
    """A trajectory to read again. Times are in nanoseconds, or negative when they cannot be relied on."""

    name: str
    """Its folder, relative to the project, with forward slashes."""
    stamp: str
    folder_ns: int
    """Time of the folder."""
    inside_ns: int
    """Sum of the times of its folders of annotations and judgements; 0 when it has none."""
    has_events: bool


@dataclass(frozen=True, slots=True)
class _Noted:
    """What the catalogue knows of a trajectory's files."""

    stamp: str
    folder_ns: int
    inside_ns: int


@dataclass(slots=True)
class ScanResult:
    """What a scan found; the catalogue is not changed by it."""

    changed: list[ChangedTrajectory] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    touched: list[tuple[int, int, str, str]] = field(default_factory=list)
    """New times, parent and folder of trajectories whose stamp is as it was."""
    task_folders: dict[str, int] = field(default_factory=dict)
    cursor: int = 0


class CatalogueScan:
    """One comparison of the folders of a project with its catalogue."""

    def __init__(self, folder: Path, database: sqlite3.Connection) -> None:
        self._folder = folder
        self._root = f"{folder}{os.sep}"
        self._database = database
        self._now = time.time_ns()
        self._result = ScanResult()
        self._noted: dict[str, dict[str, _Noted]] = {}
        """Parent -> folder -> what is known of the trajectories whose stamp is taken in any case."""
        self._inside: dict[str, dict[str, int]] = {}
        """Parent -> folder -> time of what is inside the folders of trajectories."""

    def run(self) -> ScanResult:
        """Find what is new, changed and gone."""
        self._read_noted()
        lists = "SELECT parent, group_concat(folder, ?), group_concat(folder_ns) FROM trajectories GROUP BY 1"
        known = {
            parent: (folders.split(_BETWEEN), list(map(int, times.split(","))))
            for parent, folders, times in self._database.execute(lists, (_BETWEEN,))
        }
        times = dict(self._database.execute("SELECT name, folder_ns FROM task_folders").fetchall())
        for name in self._task_folders():
            folders, noted = known.pop(name, ([], []))
            self._scan_task(name, folders, noted, times.get(name, 0))
        self._result.gone += [folder for folders, _times in known.values() for folder in folders]
        return self._result

    def note(self) -> None:
        """Keep in the database what this scan learned beside the changes, for the next scan."""
        result = self._result
        sql = "UPDATE trajectories SET folder_ns = ?, inside_ns = ? WHERE parent = ? AND folder = ?"
        self._database.executemany(sql, result.touched)
        self._database.execute("DELETE FROM task_folders")
        self._database.executemany("INSERT INTO task_folders VALUES (?, ?)", result.task_folders.items())
        self._database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (_CURSOR, str(result.cursor)))

    def _read_noted(self) -> None:
        """Choose the trajectories whose stamp is taken in any case: all of a small project."""
        count = self._database.execute("SELECT count(*) FROM trajectories").fetchone()[0]
        if count <= SMALL:
            self._note("1")
            return
        self._note("status = 'recording'")
        self._note("key IN (SELECT key FROM trajectories ORDER BY added DESC, folder LIMIT ?)", NEWEST)
        cursor = self._database.execute("SELECT value FROM notes WHERE name = ?", (_CURSOR,)).fetchone()
        turn = "SELECT key FROM trajectories WHERE key > ? ORDER BY key LIMIT ?"
        keys = self._database.execute(turn, (int(cursor[0]) if cursor else 0, SLICE)).fetchall()
        if keys:
            self._note("key BETWEEN ? AND ?", keys[0][0], keys[-1][0])
            self._result.cursor = keys[-1][0] if len(keys) == SLICE else 0
        inside = "SELECT parent, folder, inside_ns FROM trajectories WHERE inside_ns != 0"
        for parent, folder, inside_ns in self._database.execute(inside):
            self._inside.setdefault(parent, {})[folder] = inside_ns

    def _note(self, where: str, *values: int) -> None:
        sql = f"SELECT parent, folder, stamp, folder_ns, inside_ns FROM trajectories WHERE {where}"  # noqa: S608 - constants
        for parent, folder, *noted in self._database.execute(sql, values):
            self._noted.setdefault(parent, {})[folder] = _Noted(*noted)

    def _task_folders(self) -> list[str]:
        return sorted(self._folders(layout.TRAJECTORIES))

    def _folders(self, place: str) -> set[str]:
        """The folders in a folder, each relative to the project, with forward slashes."""
        paths = folders_in(self._folder / place, self._folder)
        return {f"{place}/{path.rpartition(os.sep)[2]}" for path in paths}

    def _scan_task(self, task: str, folders: list[str], noted: list[int], listed_ns: int) -> None:
        time_ns = self._time_of(self._root + task)
        new: Iterable[str] = ()
        if time_ns < 0 or time_ns != listed_ns:
            there = self._folders(task)
            known = set(folders)
            gone = known - there
            self._result.gone += gone
            pairs = [(name, ns) for name, ns in zip(folders, noted, strict=True) if name not in gone]
            folders, noted = [name for name, _ns in pairs], [ns for _name, ns in pairs]
            new = sorted(there - known)
        # A folder without a header is no trajectory yet, and its task's folder does not change when it
        # becomes one: then the task is listed again.
        whole = True
        for name in new:
            whole &= self._compare(task, name, None)
        whole &= self._scan_known(task, folders, noted)
        self._result.task_folders[task] = time_ns if whole and time_ns > 0 else 0

    def _scan_known(self, task: str, folders: list[str], noted: list[int]) -> bool:
        """Compare trajectories of the catalogue with their folders; False when one lost its header."""
        always, inside = self._noted.get(task, {}), self._inside.get(task, {})
        known = set(folders)
        ask = known.intersection(always)
        times = self._times_of(folders)
        if times != noted:
            ask.update(name for name, was, now in zip(folders, noted, times, strict=True) if was != now)
        ask.update(
            name
            for name, was in inside.items()
            if name in known and name not in ask and was != self._inside_time_of(self._root + name)
        )
        whole = True
        for name in sorted(ask):
            whole &= self._compare(task, name, self._noted_of(task, name))
        return whole

    def _times_of(self, folders: list[str]) -> list[int]:
        """The times of folders as the system has them; negative for one that is gone."""
        root, stat = self._root, os.stat
        try:
            return list(map(_TIME, map(stat, map(root.__add__, folders))))
        except OSError:
            return [self._time_of(root + name) for name in folders]

    def _noted_of(self, task: str, name: str) -> _Noted:
        noted = self._noted.get(task, {}).get(name)
        if noted is None:
            sql = "SELECT stamp, folder_ns, inside_ns FROM trajectories WHERE parent = ? AND folder = ?"
            noted = _Noted(*self._database.execute(sql, (task, name)).fetchone())
        return noted

    def _compare(self, task: str, name: str, noted: _Noted | None) -> bool:
        """Take the stamp of one trajectory and note what is different; False when it is no trajectory."""
        path = self._root + name
        # Before its files, so that a later change is seen next time.
        folder_ns, inside_ns = self._time_of(path), self._inside_time_of(path)
        stamp = _stamp(path, has_inside=inside_ns != 0)
        if not stamp:
            if noted is not None:
                self._result.gone.append(name)
            return False
        if noted is None or stamp != noted.stamp:
            has_events = stamp.split(" ", 3)[2] != "-"
            changed = ChangedTrajectory(name, stamp, folder_ns, inside_ns, has_events)
            self._result.changed.append(changed)
        elif (folder_ns, inside_ns) != (noted.folder_ns, noted.inside_ns):
            self._result.touched.append((folder_ns, inside_ns, task, name))
        return True

    def _time_of(self, path: str) -> int:
        """When a folder changed, in nanoseconds; negative when it is gone, or may change unnoticed."""
        try:
            time_ns = os.stat(path).st_mtime_ns  # noqa: PTH116 - many of them
        except OSError:
            return _GONE
        return time_ns if time_ns < self._now - RACY_NS else _YOUNG

    def _inside_time_of(self, path: str) -> int:
        """The sum of the times of the folders in a trajectory's; 0 when there are none."""
        times = [self._time_of(f"{path}{os.sep}{name}") for name in _FOLDERS]
        there = [time_ns for time_ns in times if time_ns != _GONE]
        return _YOUNG if _YOUNG in there else sum(there)


def _stamp(path: str, *, has_inside: bool) -> str:
    """The stamp of a trajectory; empty without a header."""
    parts = []
    for name in _FILES:
        try:
            status = os.stat(f"{path}{os.sep}{name}")  # noqa: PTH116 - many of them
            parts.append(f"{status.st_mtime_ns}:{status.st_size}")
        except OSError:
            if not parts:
                return ""
            parts.append("-")
    if has_inside:
        parts += [part for name in _FOLDERS for part in _stamps_in(f"{path}{os.sep}{name}")]
    return " ".join(parts)


def _stamps_in(folder: str) -> list[str]:
    """The stamps of the files in a folder, with their names."""
    try:
        with os.scandir(folder) as entries:
            stats = sorted((entry.name, entry.stat(follow_symlinks=False)) for entry in entries)
    except OSError:
        return []
    return [f"{name}:{status.st_mtime_ns}:{status.st_size}" for name, status in stats]
