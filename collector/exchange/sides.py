"""Divide what is exported into train, validation and test: no trajectory and no screen is on two sides.

Trajectories that show the same picture belong together, and so do all of a task or an app when it is divided
by these. The digests of the pictures lie in a database in a temporary file, so that memory does not grow
with the project.
"""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exported_part import ExportedPart
from collector.host.own_database import connect
from collector.model.dataset.split import TRAIN, Split, sides_of
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import Step
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory


def divided(
    part: ExportedPart, split: Split, log: ExchangeLog, *, tasks_alone: bool
) -> dict[str, ExportedPart]:
    """The part of each side, in the order of the split; ``tasks_alone`` for formats without trajectories.

    Trajectories that cannot be read are left out, with a finding. Raises UserError when it cannot be divided.
    """
    if tasks_alone:
        groups = {task.id: _group_of_task(task, split) for task in part.tasks}
        sides = sides_of(split, Counter(groups.values()))
        return {
            side: part.side((), [task for task, group in groups.items() if sides[group] == side])
            for side in split.shares
        }
    with _Groups() as groups_of:
        _read(part, split, groups_of, log)
        return _sides(part, split, groups_of, log)


class _Groups:
    """The trajectories with their groups, and the groups that share a screen, in a temporary database."""

    def __enter__(self) -> Self:
        self._file = tempfile.TemporaryDirectory(prefix="waymark-split-")
        self._db = connect(Path(self._file.name) / "screens.sqlite", 5)
        self._db.executescript(
            "PRAGMA journal_mode = OFF;"
            "CREATE TABLE groups (id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
            "CREATE TABLE folders (name TEXT, id INTEGER);"
            "CREATE TABLE screens (digest BLOB, id INTEGER, PRIMARY KEY (digest, id)) WITHOUT ROWID;"
        )
        return self

    def __exit__(self, *details: object) -> None:
        self._db.close()
        self._file.cleanup()

    def add(self, folder: str, group: str, digests: Iterator[bytes]) -> None:
        """A trajectory of a group, and its screens."""
        self._db.execute("INSERT OR IGNORE INTO groups (name) VALUES (?)", (group,))
        (number,) = self._db.execute("SELECT id FROM groups WHERE name = ?", (group,)).fetchone()
        self._db.execute("INSERT INTO folders VALUES (?, ?)", (folder, number))
        screens = ((digest, number) for digest in digests)
        self._db.executemany("INSERT OR IGNORE INTO screens VALUES (?, ?)", screens)

    def joined(self) -> dict[int, int]:
        """Each group -> the first of those that it shares a screen with, on any way."""
        first = {number: number for (number,) in self._db.execute("SELECT id FROM groups ORDER BY id")}

        def root(number: int) -> int:
            while first[number] != number:
                first[number] = first[first[number]]
                number = first[number]
            return number

        shared = (
            "SELECT a.id, b.first FROM screens a JOIN (SELECT digest, min(id) AS first FROM screens"
            " GROUP BY digest HAVING count(*) > 1) b ON a.digest = b.digest"
        )
        for number, other in self._db.execute(shared):
            one, two = sorted((root(number), root(other)))
            first[two] = one
        return {number: root(number) for number in first}

    def names(self) -> dict[int, str]:
        return dict(self._db.execute("SELECT id, name FROM groups"))

    def sizes(self) -> dict[int, int]:
        """Trajectories of each group."""
        return dict(self._db.execute("SELECT id, count(*) FROM folders GROUP BY id"))

    def folders(self) -> Iterator[tuple[str, int]]:
        return self._db.execute("SELECT name, id FROM folders ORDER BY rowid")

    def most_shared(self) -> int:
        """In how many groups the screen is that most of them have."""
        sql = "SELECT count(*) FROM screens GROUP BY digest ORDER BY count(*) DESC LIMIT 1"
        found = self._db.execute(sql).fetchone()
        return found[0] if found else 0


def _read(part: ExportedPart, split: Split, groups: _Groups, log: ExchangeLog) -> None:
    tasks = {task.id: task for task in part.project.tasks}
    for folder in part.folders():
        log.where = name = part.project.paths.relative(folder)
        try:
            stored = open_trajectory(folder)
        except UserError as error:
            log.add("trajectory-unreadable", _("A trajectory was left out: {why}", why=error))
            continue
        header = stored.header
        task = tasks.get(header.task_id)
        group = split.group_of(
            task=header.task_id,
            app=(task.package or task.app) if task is not None else "",
            started=header.started,
            trajectory=header.id,
        )
        shown = (step for step in stored.steps if step.state.screenshot)
        groups.add(name, group, (_digest(stored, step) for step in shown))


def _digest(stored: StoredTrajectory, step: Step) -> bytes:
    """The digest of a picture, as the step has it, else of its file, else of the name of that."""
    name = step.state.screenshot
    known = step.state.sha256.get(name)
    if not known:
        data = None
        with contextlib.suppress(UserError, OSError):
            data = stored.screenshot(step)
        known = hashlib.sha256(data or f"{stored.folder}/{name}".encode("utf-8", "replace")).hexdigest()
    return known.encode("utf-8", "replace")[:32]


def _sides(part: ExportedPart, split: Split, groups: _Groups, log: ExchangeLog) -> dict[str, ExportedPart]:
    joined, names, own = groups.joined(), groups.names(), groups.sizes()
    sizes: Counter[str] = Counter()
    for number, first in joined.items():
        sizes[names[first]] += own[number]
    try:
        side_of = sides_of(split, sizes)
    except UserError as error:
        if len(names) < len(split.shares):
            raise
        raise ExchangeError(
            error.what,
            _(
                "no screen may be on two sides, and one is in {count} of {total} groups",
                count=groups.most_shared(),
                total=len(names),
            ),
            _("Export a selection without it, or do not split it"),
        ) from error
    folders: dict[str, list[str]] = {side: [] for side in split.shares}
    for folder, number in groups.folders():
        folders[side_of[names[joined[number]]]].append(folder)
    log.where = ""
    counts = ", ".join(f"{side} {len(chosen)}" for side, chosen in folders.items())
    log.add("split", _("Trajectories by side: {counts}", counts=counts), severity=NOTE)
    lonely = [task.id for task in part.tasks] if part.is_whole else []
    with_trajectories = {task.id for side in folders.values() for task in part.side(side, ()).tasks}
    rest = [task for task in lonely if task not in with_trajectories]
    return {side: part.side(chosen, rest if side == TRAIN else ()) for side, chosen in folders.items()}


def _group_of_task(task: Task, split: Split) -> str:
    return split.group_of(task=task.id, app=task.package or task.app, started="", trajectory="")
