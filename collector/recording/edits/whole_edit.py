"""Edits that make trajectories of others: what was made of what, and how that is undone after a restart, too.

What an edit is made of goes to the trash as it is. Each trajectory that it makes says in its header, under
``made``, what it was made of and where that is now. So undo needs nothing but these folders, and gives back
every file as it was; what was undone is found in the trash and can be made again.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.trajectory import TrajectoryHeader
from collector.recording.edits.made_trajectories import TakenPart, lines_of_steps, make_trajectory
from collector.recording.edits.trajectory_edit import MadeEdit, judge_anew
from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.files.errors import StoreError
from collector.store.files.layout import is_trajectory
from collector.store.files.names import inside
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import free_place, require_own, trashed_trajectories
from collector.store.project.trajectory_moves import are_pending, move_trajectories, moving
from collector.store.trajectory import trajectory_files
from collector.store.trajectory.editable_steps import require_unreviewed
from collector.store.trajectory.header_file import now, write_header
from collector.store.trajectory.reader import StoredTrajectory, read_header

MADE = "made"
SPLIT, JOIN = "split", "join"
_TITLES = {SPLIT: N_("split {ids} at step {number}"), JOIN: N_("join {ids}")}


@dataclass(frozen=True, slots=True)
class MadeFolder:
    """A trajectory of an edit: its place in the project and in the trash, and the digest of its steps."""

    place: str
    steps: str
    trash: str = ""

    @property
    def id(self) -> str:
        return self.place.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class MadeOf:
    """What an edit made of what."""

    what: str
    number: int
    who: str
    time: str
    sources: tuple[MadeFolder, ...]
    """Those that went to the trash."""
    made: tuple[MadeFolder, ...]

    @property
    def title(self) -> str:
        """As in ``split 20260412-093015-7f3a at step 5``."""
        ids = " + ".join(source.id for source in self.sources)
        return _(_TITLES.get(self.what, _TITLES[JOIN]), ids=ids, number=self.number)

    def as_dict(self) -> dict[str, Any]:
        """The value of ``made`` in a header."""
        return {
            "what": self.what, "number": self.number, "who": self.who, "time": self.time,
            "sources": [{"place": it.place, "steps": it.steps, "trash": it.trash} for it in self.sources],
            "made": [{"place": it.place, "steps": it.steps} for it in self.made],
        }  # fmt: skip


def made_of(header: TrajectoryHeader) -> MadeOf | None:
    """What a trajectory was made of; None when it was recorded as it is, or its header says it otherwise."""
    value = header.extra.get(MADE)
    if not isinstance(value, Mapping):
        return None
    try:
        return MadeOf(
            str(value["what"]), int(value["number"]), str(value["who"]), str(value["time"]),
            tuple(_folder(item) for item in value["sources"]), tuple(_folder(item) for item in value["made"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _folder(item: Mapping[str, Any]) -> MadeFolder:
    return MadeFolder(str(item["place"]), str(item["steps"]), str(item.get("trash") or ""))


@dataclass(frozen=True)
class NewTrajectory:
    """A trajectory that an edit makes: its header, without what it was made of, and its steps."""

    header: TrajectoryHeader
    parts: tuple[TakenPart, ...]


def make_whole_edit(
    project: Project, what: str, number: int, who: str,
    sources: Sequence[StoredTrajectory], wanted: Sequence[NewTrajectory],
) -> MadeEdit:  # fmt: skip
    """Make trajectories of ``sources``, which go to the trash. Raises UserError; then all is as before."""
    project.require_writable()
    for source in sources:
        require_own(project, source.folder)
    before = [lines_of_steps(source.folder) for source in sources]
    staging = free_place(project.paths.import_folder / wanted[0].header.id)
    try:
        built = [make_trajectory(staging, new.header, new.parts) for new in wanted]
        with moving(project):
            targets = [project.paths.trajectories_of(new.header.task_id) / new.header.id for new in wanted]
            gone = [
                free_place(project.paths.trash_of(it.folder.parent.name) / it.folder.name) for it in sources
            ]
            record = MadeOf(
                what, number, who, now(),
                tuple(
                    MadeFolder(project.paths.relative(source.folder), steps, project.paths.relative(trash))
                    for source, steps, trash in zip(sources, before, gone, strict=True)
                ),
                tuple(
                    MadeFolder(project.paths.relative(target), lines_of_steps(folder))
                    for target, folder in zip(targets, built, strict=True)
                ),
            )  # fmt: skip
            for folder in built:
                _note(folder, record)
            if [lines_of_steps(source.folder) for source in sources] != before:
                raise StoreError(_("The trajectory was changed meanwhile"), "", _("Look at it and try again"))
            moves = [*zip(built, targets, strict=True)]
            moves += [(source.folder, trash) for source, trash in zip(sources, gone, strict=True)]
            move_trajectories(project, moves)
    finally:
        if not are_pending(project):
            shutil.rmtree(staging, ignore_errors=True)
    judge_anew(targets)
    return MadeEdit(record.title, tuple(targets))


def _note(folder: Path, record: MadeOf) -> None:
    header = read_header(folder)
    write_header(Disk(), folder, replace(header, extra={**header.extra, MADE: record.as_dict()}))


def undo_whole_edit(project: Project, record: MadeOf, who: str) -> MadeEdit:
    """Bring back what an edit was made of, and move what it made to the trash.

    Raises UserError when something of it was changed, reviewed by others or moved since.
    """
    with moving(project):
        made = [
            _require_unchanged(project, inside(project.folder, it.place), it, record) for it in record.made
        ]
        for folder in made:
            require_unreviewed(folder, read_header(folder), who)
        moves = []
        for source in record.sources:
            trash = _require_unchanged(project, inside(project.folder, source.trash), source, None)
            moves.append((trash, inside(project.folder, source.place)))
        moves += [(it, free_place(project.paths.trash_of(it.parent.name) / it.name)) for it in made]
        move_trajectories(project, moves)
    return MadeEdit(record.title, tuple(target for _before, target in moves[: len(record.sources)]))


def redo_whole_edit(project: Project, record: MadeOf, who: str) -> MadeEdit:
    """Make an edit again that was undone: what it made comes back from the trash. Raises as the undo does."""
    with moving(project):
        trashed = _in_trash(project, record)
        if len(trashed) != len(record.made):
            raise UserError(_("{title} cannot be done again", title=record.title), _("the trash was emptied"))
        moves = [
            (folder, inside(project.folder, it.place))
            for folder, it in zip(trashed, record.made, strict=True)
        ]
        for source in record.sources:
            folder = _require_unchanged(project, inside(project.folder, source.place), source, None)
            require_unreviewed(folder, read_header(folder), who)
            moves.append((folder, inside(project.folder, source.trash)))
        move_trajectories(project, moves)
    return MadeEdit(record.title, tuple(target for _before, target in moves[: len(record.made)]))


def undone_edit_of(project: Project, folder: Path) -> MadeOf | None:
    """The newest edit that was made of a trajectory and undone; None when there is none to make again."""
    place = project.paths.relative(folder)
    digest = lines_of_steps(folder)
    found = []
    for trashed in trashed_trajectories(project):
        record = _record_in(trashed)
        if record is not None and any(it.place == place and it.steps == digest for it in record.sources):
            found.append(record)
    whole = [record for record in found if len(_in_trash(project, record)) == len(record.made)]
    return max(whole, key=lambda record: record.time, default=None)


def places_of(project: Project, record: MadeOf) -> tuple[list[Path | None], list[Path | None]]:
    """Where the sources of an edit, done or undone, are now, and what it made; None for what is nowhere."""
    sources = [
        next((folder for folder in _both_places(project, it) if _has_steps(folder, it.steps)), None)
        for it in record.sources
    ]
    trashed = {read_header(folder).id: folder for folder in _in_trash(project, record)}
    made = []
    for it in record.made:
        folder = inside(project.folder, it.place)
        made.append(folder if _record_in(folder) == record else trashed.get(it.id))
    return sources, made


def _both_places(project: Project, it: MadeFolder) -> tuple[Path, Path]:
    return inside(project.folder, it.trash), inside(project.folder, it.place)


def _has_steps(folder: Path, digest: str) -> bool:
    return is_trajectory(folder) and lines_of_steps(folder) == digest


def _in_trash(project: Project, record: MadeOf) -> list[Path]:
    """The folders in the trash that the edit made, in its order; those that are not there are left out."""
    by_id: dict[str, Path] = {}
    for trashed in trashed_trajectories(project):
        if _record_in(trashed) == record:
            by_id[read_header(trashed).id] = trashed
    return [by_id[it.id] for it in record.made if it.id in by_id]


def _record_in(folder: Path) -> MadeOf | None:
    try:
        return made_of(read_header(folder))
    except UserError:
        return None


def _require_unchanged(project: Project, folder: Path, wanted: MadeFolder, record: MadeOf | None) -> Path:
    """The folder when it is as the edit left it. Raises UserError."""
    if not is_trajectory(folder):
        raise UserError(
            _("{id} is not where it was", id=wanted.id),
            _("{place} is not there", place=project.paths.relative(folder)),
            _("Bring it back, or restore what you need with `waymark trajectory restore`"),
        )
    changes = trajectory_files.read_lines(folder / layout.EDITS).lines if record is not None else ()
    is_other = record is not None and made_of(read_header(folder)) != record
    if is_other or lines_of_steps(folder) != wanted.steps:
        raise UserError(
            _("{id} was changed since", id=wanted.id),
            _("its steps are others now"),
            _("Undo that first") if changes else _("Restore what you need with `waymark trajectory restore`"),
        )
    return folder
