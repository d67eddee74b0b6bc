"""Find the trajectories of a project that changed since the catalogue read them, with few system calls.

A trajectory is read again when its *stamp* differs: time and size of its header, its steps and its folder
of annotations. Asking for three stamps of each of 100,000 trajectories takes longer than a person waits for
a list. So a large project is asked for less: a task's folder is listed again only when its time changed,
and a stamp is taken only when the trajectory's own folder changed (every file that is replaced, added or
removed in it does that, and so does a writer that opens it), while it is recorded, when it has annotations,
for the newest trajectories, and for a slice of the others that moves on with every scan. What is overlooked
for a while is a file of an old trajectory that another program overwrote in place.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from collector.store import layout
from collector.store.links import folders_in

SMALL = 10_000
"""Up to this many trajectories every stamp is taken at every scan."""
NEWEST = 1_000
"""So many of the newest trajectories of a large project are always asked for their stamp."""
SLICE = 5_000
"""So many others at every scan, in turn."""
RACY_NS = 2_000_000_000
"""A folder that changed so shortly ago may change again within the resolution of its time."""
_CURSOR = "scan cursor"


@dataclass(frozen=True, slots=True)
class ChangedTrajectory:
    """A trajectory to read again."""

    name: str
    """Its folder, relative to the project, with forward slashes."""
    stamp: str
    folder_ns: int
    """Time of the folder; 0 when it is too young to be relied on."""
    inside: bool
    """Whether it can change without its folder: it has annotations."""


@dataclass(slots=True)
class ScanResult:
    """What a scan found; the catalogue is not changed by it."""

    changed: list[ChangedTrajectory] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    touched: list[tuple[int, str]] = field(default_factory=list)
    """New folder times of trajectories whose stamp is as it was."""
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

    def run(self) -> ScanResult:
        """Find what is new, changed and gone."""
        known: dict[str, list[tuple[str, int, int, int]]] = {}
        rows = self._database.execute(
            "SELECT folder, key, folder_ns, inside OR status = 'recording' FROM trajectories"
        ).fetchall()
        for row in rows:
            known.setdefault(row[0].rpartition("/")[0], []).append(row)
        always = self._always(len(rows))
        times = dict(self._database.execute("SELECT name, folder_ns FROM task_folders").fetchall())
        for name in self._task_folders():
            self._scan_task(name, known.pop(name, []), times.get(name, 0), always)
        self._result.gone += [row[0] for lost in known.values() for row in lost]
        return self._result

    def note(self) -> None:
        """Keep in the database what this scan learned beside the changes, for the next scan."""
        result = self._result
        self._database.executemany("UPDATE trajectories SET folder_ns = ? WHERE folder = ?", result.touched)
        self._database.execute("DELETE FROM task_folders")
        self._database.executemany("INSERT INTO task_folders VALUES (?, ?)", result.task_folders.items())
        self._database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (_CURSOR, str(result.cursor)))

    def _always(self, count: int) -> set[int] | None:
        """Keys of the rows whose stamp is taken in any case; None for all."""
        if count <= SMALL:
            return None
        newest = "SELECT key FROM trajectories ORDER BY started DESC, folder LIMIT ?"
        turn = "SELECT key FROM trajectories WHERE key > ? ORDER BY key LIMIT ?"
        noted = self._database.execute("SELECT value FROM notes WHERE name = ?", (_CURSOR,)).fetchone()
        slice_ = [key for (key,) in self._database.execute(turn, (int(noted[0]) if noted else 0, SLICE))]
        self._result.cursor = slice_[-1] if len(slice_) == SLICE else 0
        return {*slice_, *(key for (key,) in self._database.execute(newest, (NEWEST,)))}

    def _task_folders(self) -> list[str]:
        return sorted(self._folders(layout.TRAJECTORIES))

    def _folders(self, place: str) -> set[str]:
        """The folders in a folder, each relative to the project, with forward slashes."""
        paths = folders_in(self._folder / place, self._folder)
        return {f"{place}/{path.rpartition(os.sep)[2]}" for path in paths}

    def _scan_task(
        self, task: str, rows: list[tuple[str, int, int, int]], noted_ns: int, always: set[int] | None
    ) -> None:
        time_ns = self._time_of(self._root + task)
        new: Iterable[str] = ()
        whole = True
        if not time_ns or time_ns != noted_ns:
            there = self._folders(task)
            self._result.gone += [row[0] for row in rows if row[0] not in there]
            rows = [row for row in rows if row[0] in there]
            new = sorted(there.difference(row[0] for row in rows))
        for name in new:
            # A folder without a header is no trajectory yet, and its task's folder does not change
            # when it becomes one.
            whole &= self._compare(name, None)
        whole &= self._scan_known(rows, always)
        self._result.task_folders[task] = time_ns if whole else 0

    def _scan_known(self, rows: list[tuple[str, int, int, int]], always: set[int] | None) -> bool:
        """Compare trajectories of the catalogue with their folders; False when one lost its header."""
        whole = True
        root, stat = self._root, os.stat
        for name, key, folder_ns, look_inside in rows:
            try:
                same = stat(root + name).st_mtime_ns == folder_ns
            except OSError:
                same = False
            if not same or look_inside or always is None or key in always:
                whole &= self._compare(name, folder_ns)
        return whole

    def _compare(self, name: str, noted_ns: int | None) -> bool:
        """Take the stamp of one trajectory and note what is different; False when it is no trajectory."""
        path = self._root + name
        folder_ns = self._time_of(path)  # before its files, so that a later change is seen next time
        stamp, annotated = _stamp(path)
        if not stamp:
            if noted_ns is not None:
                self._result.gone.append(name)
            return False
        if noted_ns is None or stamp != self._noted_stamp(name):
            self._result.changed.append(ChangedTrajectory(name, stamp, folder_ns, annotated))
        elif folder_ns != noted_ns:
            self._result.touched.append((folder_ns, name))
        return True

    def _noted_stamp(self, name: str) -> str:
        row = self._database.execute("SELECT stamp FROM trajectories WHERE folder = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def _time_of(self, path: str) -> int:
        """When a folder changed, in nanoseconds; 0 when it is gone, or young enough to change unnoticed."""
        try:
            time_ns = os.stat(path).st_mtime_ns  # noqa: PTH116 - many of them
        except OSError:
            return 0
        return time_ns if time_ns < self._now - RACY_NS else 0


def _stamp(path: str) -> tuple[str, bool]:
    """The stamp of a trajectory, empty without a header, and whether it was annotated or judged."""
    parts = []
    for name in (layout.HEADER, layout.STEPS, layout.ANNOTATIONS, layout.JUDGEMENTS):
        try:
            status = os.stat(f"{path}{os.sep}{name}")  # noqa: PTH116 - many of them
            parts.append(f"{status.st_mtime_ns}:{status.st_size}")
        except OSError:
            parts.append("-")
    return ("" if parts[0] == "-" else " ".join(parts)), (parts[2], parts[3]) != ("-", "-")
