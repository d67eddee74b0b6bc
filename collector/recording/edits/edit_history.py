"""The named history of a trajectory: who edited what and when; it is on the disk, so that undo survives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.recording.edits.edit_plan import EditedStep, EditedTrajectory, EditPlan, StepFate
from collector.recording.edits.trajectory_edit import MadeEdit, forget_verdicts, judge_anew
from collector.recording.edits.whole_edit import (
    MadeOf,
    made_of,
    redo_whole_edit,
    undo_whole_edit,
    undone_edit_of,
)
from collector.recording.edits.whole_edit_plan import plan_of_whole_edit
from collector.store.project.project import Project
from collector.store.trajectory.achieved_states import screens_of
from collector.store.trajectory.edit_journal import EDIT, REDO, JournalEdit, UndoableEdit
from collector.store.trajectory.read_only_runs import is_sealed, require_editable
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.trajectory_files import StepFiles, read_steps
from collector.store.trajectory.undone_steps import steps_around
from collector.store.trajectory.writer import TrajectoryWriter


@dataclass(frozen=True, slots=True)
class NamedEdit:
    """An edit of a trajectory."""

    title: str
    """As in ``delete step 7``."""
    who: str = ""
    """Empty where nobody said, as in journals of before."""
    time: str = ""
    """ISO 8601, UTC; empty in journals of before."""
    is_undone: bool = False
    seq: int = 0
    """Number in the journal of the steps; 0 for an edit that made trajectories of others."""


def history_of(project: Project, folder: Path) -> tuple[NamedEdit, ...]:
    """The edits of a trajectory in the order in which they were made. Raises UserError."""
    made, undone = made_of(read_header(folder)), undone_edit_of(project, folder)
    entries = [_of_record(made)] if made is not None else []
    entries += _of_journal(read_steps(folder))
    return (*entries, *([_of_record(undone, is_undone=True)] if undone is not None else []))


def titles_of(project: Project, folder: Path) -> tuple[str, str]:
    """What :func:`undo` and :func:`redo` would do; empty for nothing. Raises UserError."""
    header, history = read_header(folder), read_steps(folder).history
    newest, made = history.newest(is_sealed=is_sealed(header)), made_of(header)
    undo_title = newest.title if newest is not None else made.title if made is not None else ""
    undone = undone_edit_of(project, folder) if not history.redoable else None
    redo_title = history.redoable[-1].title if history.redoable else undone.title if undone else ""
    return undo_title, redo_title


def undo(project: Project, folder: Path, who: str, only: int | None = None) -> MadeEdit:
    """Take the newest edit back: of the steps, else the one that made the trajectory. Raises UserError.

    With ``only``, a :attr:`MadeEdit.seq`, no other edit than that is taken back.
    """
    project.require_writable()
    header = read_header(folder)
    require_editable(header)
    with TrajectoryWriter.open(folder, take_over=True, who=who) as writer:
        newest = read_steps(folder).history.newest(is_sealed=is_sealed(header))
        seq = _required(header.id, newest, only)
        title = undo_steps(writer)
    if title:
        return MadeEdit(title, (folder,), seq)
    made = made_of(header)
    if made is None:
        why = (
            _("no edit of {id} can be taken back", id=header.id)
            if read_steps(folder).changes
            else _("{id} was never edited", id=header.id)
        )
        raise UserError(_("There is nothing to undo"), why)
    return undo_whole_edit(project, made, who)


def _required(trajectory_id: str, next_one: UndoableEdit | None, only: int | None) -> int:
    """The number of the edit that is to be moved. Raises UserError when it is another than ``only``."""
    seq = next_one.seq if next_one is not None else 0
    if only is None or only == seq:
        return seq
    raise UserError(
        _("{id} was edited since", id=trajectory_id),
        _("{title} comes first", title=next_one.title) if next_one is not None else "",
        _("Its history has all edits: *Edits of the trajectory...*, or `waymark trajectory history`"),
    )


def undo_steps(writer: TrajectoryWriter) -> str:
    """Take the newest edit of steps back, with what the rules said of them since. Returns its title."""
    files = read_steps(writer.folder)
    newest = files.history.newest(is_sealed=is_sealed(writer.header))
    title = writer.undo()
    if title and newest is not None:
        made = [
            change
            for change in files.changes
            if newest.seq == (change.target if change.kind == REDO else change.seq)
        ]
        forget_verdicts(writer.folder, made[-1].time if made else "")
    return title


def redo(project: Project, folder: Path, who: str, only: int | None = None) -> MadeEdit:
    """Make the edit again that was undone last. Raises UserError.

    With ``only``, a :attr:`MadeEdit.seq`, no other edit than that is made again.
    """
    project.require_writable()
    header = read_header(folder)
    require_editable(header)
    with TrajectoryWriter.open(folder, take_over=True, who=who) as writer:
        redoable = read_steps(folder).history.redoable
        seq = _required(header.id, redoable[-1] if redoable else None, only)
        title = writer.redo()
    if title:
        judge_anew([folder])
        return MadeEdit(title, (folder,), seq)
    undone = undone_edit_of(project, folder)
    if undone is None:
        raise UserError(_("There is nothing to redo"), _("nothing of {id} was undone", id=header.id))
    return redo_whole_edit(project, undone, who)


def plan_of_entry(project: Project, folder: Path, number: int) -> EditPlan:
    """The steps before and after an edit, by its number from 1 in :func:`history_of`. Raises UserError."""
    entries = history_of(project, folder)
    if not 0 < number <= len(entries):
        raise UserError(
            _("There is no edit {number}", number=number), "",
            _("`waymark trajectory history` lists them"),
        )  # fmt: skip
    entry = entries[number - 1]
    header = read_header(folder)
    if not entry.seq:
        record = undone_edit_of(project, folder) if entry.is_undone else made_of(header)
        assert record is not None  # the entry is of it
        return plan_of_whole_edit(project, record)
    before, after = steps_around(read_steps(folder), entry.seq)
    was, now = set(_names(before)), set(_names(after))
    shown = [
        EditedTrajectory(
            header.id, header.task_id,
            tuple(
                EditedStep(step, folder, StepFate.STAYS if name in others else fate)
                for step, name in zip(steps, _names(steps), strict=True)
            ),
        )
        for steps, others, fate in ((before, now, StepFate.GOES), (after, was, StepFate.COMES))
    ]  # fmt: skip
    return EditPlan(entry.title, (shown[0],), (shown[1],))


def _names(steps: Sequence[Step]) -> list[object]:
    """What tells steps apart whatever their number and their words are."""
    return [(screen, step.action, step.t_ms) for step, screen in zip(steps, screens_of(steps), strict=True)]


def _of_record(record: MadeOf, *, is_undone: bool = False) -> NamedEdit:
    return NamedEdit(record.title, record.who, record.time, is_undone)


def _of_journal(files: StepFiles) -> Iterator[NamedEdit]:
    """The edits of the steps; typing that went on is one edit."""
    done = {edit.seq for edit in files.history.undoable}
    changes = [change for change in files.changes if change.kind == EDIT]
    continued = {change.target for change in changes if change.target != change.seq}
    for change in changes:
        if change.seq not in continued:
            yield _of_change(change, is_undone=change.seq not in done)


def _of_change(change: JournalEdit, *, is_undone: bool) -> NamedEdit:
    return NamedEdit(change.title, change.who, change.time, is_undone, change.seq)
