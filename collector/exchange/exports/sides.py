"""Divide what is exported into train, validation and test: no trajectory and no screen is on two sides.

Trajectories that show the same picture belong together, and so do all of a task or an app when it is divided
by these. Else each screen is written on the first side that shows it alone, and left out of the others. The
digests of the pictures lie in a database in a temporary file, so that memory does not grow with the project.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.screens_elsewhere import ONCE, TOGETHER, ScreensElsewhere, screen_digest
from collector.exchange.format import TRAJECTORIES, Format
from collector.host.own_database import connect
from collector.model.cancellation import check_cancelled
from collector.model.dataset.split import TRAIN, Split, sides_of
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.store.trajectory.reader import open_trajectory

_UNEVEN = 0.1
"""A side that differs by more from its share, of the whole, is worth a word."""
_SCREENS_NAMED = 3
SPLIT_CODES = ("split", "split-uneven")
"""Codes of the findings on how a split comes out."""


def divided(
    part: ExportedPart, split: Split, log: ExchangeLog, chosen: Format, shared_screens: str = TOGETHER
) -> dict[str, ExportedPart]:
    """The part of each side, in the order of the split.

    Trajectories that cannot be read are left out, with a finding. With ``shared_screens`` as
    :data:`~collector.exchange.exports.screens_elsewhere.ONCE` they do not hold trajectories together.
    Raises UserError when it cannot be divided.
    """
    if TRAJECTORIES not in chosen.holds:
        groups = {task.id: _group_of_task(task, split) for task in part.tasks}
        sides = sides_of(split, Counter(groups.values()))
        return {
            side: part.side((), [task for task, group in groups.items() if sides[group] == side])
            for side in split.shares
        }
    with _Groups() as groups_of:
        _read(part, split, groups_of, log)
        return _sides(part, split, groups_of, log, chosen, ties=shared_screens != ONCE)


class _Groups:
    """The trajectories with their groups, and the groups that share a screen, in a temporary database."""

    def __enter__(self) -> Self:
        self._file = tempfile.TemporaryDirectory(prefix="waymark-split-")
        self._db = connect(Path(self._file.name) / "screens.sqlite", 5)
        self._db.executescript(
            "PRAGMA journal_mode = OFF;"
            "CREATE TABLE groups (id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
            "CREATE TABLE folders (name TEXT, id INTEGER);"
            "CREATE TABLE screens (digest BLOB, id INTEGER, folder INTEGER, step INTEGER,"
            " PRIMARY KEY (digest, id)) WITHOUT ROWID;"
        )
        return self

    def __exit__(self, *details: object) -> None:
        self._db.close()
        self._file.cleanup()

    def add(self, folder: str, group: str, screens: Iterator[tuple[bytes, int]]) -> None:
        """A trajectory of a group, and its screens: their digests and the numbers of their steps."""
        self._db.execute("INSERT OR IGNORE INTO groups (name) VALUES (?)", (group,))
        (number,) = self._db.execute("SELECT id FROM groups WHERE name = ?", (group,)).fetchone()
        place = self._db.execute("INSERT INTO folders VALUES (?, ?)", (folder, number)).lastrowid
        rows = ((digest, number, place, step) for digest, step in screens)
        self._db.executemany("INSERT OR IGNORE INTO screens VALUES (?, ?, ?, ?)", rows)

    def joined(self) -> dict[int, int]:
        """Each group -> the first of those that it shares a screen with, on any way."""
        first = {number: number for number in self.names()}

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
        return dict(self._db.execute("SELECT id, name FROM groups ORDER BY id"))

    def sizes(self) -> dict[int, int]:
        """Trajectories of each group."""
        return dict(self._db.execute("SELECT id, count(*) FROM folders GROUP BY id"))

    def folders(self) -> Iterator[tuple[str, int]]:
        return self._db.execute("SELECT name, id FROM folders ORDER BY rowid")

    def most_shared(self) -> list[tuple[int, str, int]]:
        """The screens that most groups have: in how many they are, and a folder and a step that shows it."""
        sql = (
            "SELECT s.many, f.name, s.step FROM (SELECT count(*) AS many, min(folder) AS folder, step"
            " FROM screens GROUP BY digest HAVING many > 1 ORDER BY many DESC, folder, step LIMIT ?) s"
            " JOIN folders f ON f.rowid = s.folder"
        )
        return list(self._db.execute(sql, (_SCREENS_NAMED,)))

    def elsewhere(self, side_of: Mapping[int, int]) -> Iterator[tuple[int, bytes]]:
        """Each screen that an earlier side shows, with the number of the side that leaves it out."""
        self._db.execute("CREATE TEMP TABLE sides (id INTEGER PRIMARY KEY, side INTEGER)")
        self._db.executemany("INSERT INTO sides VALUES (?, ?)", side_of.items())
        return self._db.execute(
            "SELECT DISTINCT b.side, a.digest FROM screens a JOIN sides b ON a.id = b.id JOIN"
            " (SELECT digest, min(side) AS first FROM screens JOIN sides USING (id) GROUP BY digest) c"
            " ON a.digest = c.digest WHERE b.side > c.first"
        )


def _read(part: ExportedPart, split: Split, groups: _Groups, log: ExchangeLog) -> None:
    tasks = {task.id: task for task in part.project.tasks}
    for folder in part.folders():
        check_cancelled()
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
        groups.add(name, group, ((screen_digest(stored, step), step.index + 1) for step in shown))
    log.where = ""


def _sides(
    part: ExportedPart, split: Split, groups: _Groups, log: ExchangeLog, chosen: Format, *, ties: bool
) -> dict[str, ExportedPart]:
    names, own = groups.names(), groups.sizes()
    joined = groups.joined() if ties else {number: number for number in names}
    sizes: Counter[str] = Counter()
    for number, first in joined.items():
        sizes[names[first]] += own[number]
    try:
        side_of = sides_of(split, sizes)
    except UserError as error:
        if len(names) < len(split.shares):
            raise
        why = _("no screen may be on two sides: {screens}", screens=_ties(part, groups, len(names)))
        to_do = _("Export a selection without it, or do not split it")
        if chosen.divides:
            to_do = _("Write shared screens once, export a selection without them, or do not split it")
        raise ExchangeError(error.what, why, to_do) from error
    folders: dict[str, list[str]] = {side: [] for side in split.shares}
    for folder, number in groups.folders():
        folders[side_of[names[joined[number]]]].append(folder)
    log.where = ""
    _note(part, split, groups, log, {side: len(chosen) for side, chosen in folders.items()}, sizes)
    lonely = [task.id for task in part.tasks] if part.is_whole else []
    with_trajectories = {task.id for side in folders.values() for task in part.side(side, ()).tasks}
    rest = [task for task in lonely if task not in with_trajectories]
    screens: dict[str, ScreensElsewhere] = {}
    if not ties:
        order = list(split.shares)
        numbers = {number: order.index(side_of[name]) for number, name in names.items()}
        digests: dict[str, list[bytes]] = {}
        for side, digest in groups.elsewhere(numbers):
            digests.setdefault(order[side], []).append(digest)
        screens = {side: ScreensElsewhere(found) for side, found in digests.items()}
    return {
        side: part.side(chosen, rest if side == TRAIN else (), screens.get(side))
        for side, chosen in folders.items()
    }


def _note(
    part: ExportedPart, split: Split, groups: _Groups, log: ExchangeLog, held: Mapping[str, int],
    sizes: Mapping[str, int],
) -> None:  # fmt: skip
    """Say how many trajectories each side has, and where that is far from its share, what ties them."""
    total = sum(held.values())
    counts = ", ".join(
        _("{side} {count} ({wanted} asked for)", side=side, count=count,
          wanted=round(split.shares[side] * total))
        for side, count in held.items()
    )  # fmt: skip
    log.add("split", _("Trajectories by side: {counts}", counts=counts), severity=NOTE)
    off = max(abs(count - split.shares[side] * total) for side, count in held.items())
    if off <= max(1, _UNEVEN * total):
        return
    largest = max(sizes.values())
    if len(sizes) < len(groups.names()):
        text = _(
            "The sides are uneven: {count} of {total} trajectories hang together by the screens that they "
            "share, and no screen is on two sides: {screens}",
            count=largest, total=total, screens=_ties(part, groups, len(groups.names())),
        )  # fmt: skip
    else:
        text = _(
            "The sides are uneven: {count} of {total} trajectories are in one group, which is not divided",
            count=largest, total=total,
        )  # fmt: skip
    log.add("split-uneven", text, severity=NOTE)


def _ties(part: ExportedPart, groups: _Groups, total: int) -> str:
    """The screens that most groups share, for a person."""
    shown = []
    for count, folder, number in groups.most_shared():
        steps = open_trajectory(part.project.folder / folder).steps
        step = next(each for each in steps if each.index + 1 == number)
        app = step.state.package or _("a screen")
        name = folder.removeprefix("trajectories/")
        text = _(
            "{app} is in {count} of {total} groups (as step {step} of {name})",
            app=app, count=count, total=total, step=number, name=name,
        )  # fmt: skip
        shown.append(text)
    return "; ".join(shown)


def _group_of_task(task: Task, split: Split) -> str:
    return split.group_of(task=task.id, app=task.package or task.app, started="", trajectory="")
