"""Split a trajectory at a step, and join two: new trajectories are made, the old ones go to the trash."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import TrajectoryHeader
from collector.recording.edits.edit_plan import (
    EditedStep,
    EditedTrajectory,
    EditPlan,
    StepFate,
    planned,
)
from collector.recording.edits.made_trajectories import TakenPart, require_whole_injections
from collector.recording.edits.seams import seam_note
from collector.recording.edits.taken_steps import device_of
from collector.recording.edits.trajectory_edit import MadeEdit
from collector.recording.edits.whole_edit import JOIN, MADE, SPLIT, NewTrajectory, make_whole_edit
from collector.store.files.names import folder_name
from collector.store.project.finished_recordings import require_unnamed
from collector.store.project.project import Project
from collector.store.trajectory.read_only_runs import require_editable
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory, require_finished
from collector.store.trajectory.reviews.person_reviews import reviewers_of
from collector.store.video.recorded_video import video_parts


@dataclass(frozen=True)
class SplitTrajectory:
    """Split the trajectory in ``folder`` before step ``at``.

    The second part is of the task ``task_id``, by default of the same.
    """

    project: Project
    folder: Path
    who: str
    at: int
    task_id: str = ""

    def plan(self) -> EditPlan:
        stored, first, second = self._parts()
        halves = [(first, (StepFate.STAYS, StepFate.COMES)), (second, (StepFate.STAYS, StepFate.STAYS))]
        after = tuple(_planned(new, fates) for new, fates in halves)
        notes = [_("{id} goes to the trash as it is; undo brings it back", id=stored.header.id)]
        notes += _kept_behind([stored])
        title = _("split at step {number}", number=self.at + 1)
        return EditPlan(title, (planned(stored),), after, tuple(notes))

    def make(self) -> MadeEdit:
        stored, first, second = self._parts()
        return make_whole_edit(self.project, SPLIT, self.at + 1, self.who, [stored], [first, second])

    def _parts(self) -> tuple[StoredTrajectory, NewTrajectory, NewTrajectory]:
        stored, at = _opened(self.project, self.folder), self.at
        count = len(stored.steps)
        last = count - (stored.steps[-1].action is None)
        if not 0 < at < last:
            raise UserError(
                _("The trajectory cannot be split at step {number}", number=at + 1),
                _("both parts need an action"),
                _("Choose a step from 2 to {last}", last=last),
            )
        require_whole_injections(stored, at)
        header, begin = stored.header, stored.steps[at]
        extra = {key: value for key, value in header.extra.items() if key != MADE}
        first = replace(header, id=_free_id(self.project, f"{header.id}-a"), extra=extra)
        of_second = {key: value for key, value in extra.items() if key != "reset"}
        second = replace(
            _of_task(self.project, header, self.task_id), id=_free_id(self.project, f"{header.id}-b"),
            started=begin.wall_time or header.started, extra=of_second,
        )  # fmt: skip
        return (
            stored,
            NewTrajectory(first, (TakenPart(stored, 0, at, ends=True),)),
            NewTrajectory(second, (TakenPart(stored, at, count, shift_ms=-begin.t_ms),)),
        )


@dataclass(frozen=True)
class JoinTrajectories:
    """Join two trajectories: the steps of ``other`` follow those of ``folder``, whose task it gets."""

    project: Project
    folder: Path
    who: str
    other: Path

    def plan(self) -> EditPlan:
        left, right, new = self._parts()
        goes = [step.index for step in left.steps[new.parts[0].stop :]]
        notes = list(seam_note(left, left.steps[-1], right, right.steps[0]))
        if device_of(left.header) != device_of(right.header):
            notes.append(_("They were recorded on different phones"))
        if left.header.task_id != right.header.task_id:
            notes.append(_("It becomes a trajectory of {task}", task=left.header.task_id))
        notes.append(_("Both go to the trash as they are; undo brings them back"))
        notes += _kept_behind([left, right])
        title = _("join {ids}", ids=f"{left.header.id} + {right.header.id}")
        after = (_planned(new, (StepFate.STAYS, StepFate.COMES)),)
        return EditPlan(title, (planned(left, goes=goes), planned(right)), after, tuple(notes))

    def make(self) -> MadeEdit:
        left, right, new = self._parts()
        return make_whole_edit(self.project, JOIN, len(new.parts[0].steps), self.who, [left, right], [new])

    def _parts(self) -> tuple[StoredTrajectory, StoredTrajectory, NewTrajectory]:
        if self.folder == self.other:
            raise UserError(_("A trajectory cannot be joined with itself"), "", _("Choose another one"))
        left, right = _opened(self.project, self.folder), _opened(self.project, self.other)
        if left.steps[-1].action is None:
            stop, shift = len(left.steps) - 1, left.steps[-1].t_ms
        else:
            stop, shift = len(left.steps), left.header.duration_ms
        parts = (TakenPart(left, 0, stop), TakenPart(right, 0, len(right.steps), shift_ms=shift))
        extra = {key: value for key, value in left.header.extra.items() if key != MADE}
        header = replace(
            left.header, id=_free_id(self.project, f"{left.header.id}-j"), extra=extra,
            finished=right.header.finished, apps={**right.header.apps, **left.header.apps},
        )  # fmt: skip
        return left, right, NewTrajectory(header, parts)


def _opened(project: Project, folder: Path) -> StoredTrajectory:
    """A trajectory that may be taken apart. Raises UserError."""
    project.require_writable()
    stored = open_trajectory(folder)
    require_editable(stored.header)
    require_finished(stored.header)
    require_unnamed(project, folder)
    if not stored.trajectory.actions:
        raise UserError(_("{id} has no action", id=stored.header.id), "", _("Choose another one"))
    if stored.problems:
        raise UserError(
            _("{id} cannot be read as a whole", id=stored.header.id), stored.problems[0],
            _("Mend it first: `waymark trajectory verify` says what is wrong"),
        )  # fmt: skip
    return stored


def _of_task(project: Project, header: TrajectoryHeader, task_id: str) -> TrajectoryHeader:
    """The header for a trajectory of another task. Raises UserError for one that the project has not."""
    if task_id in ("", header.task_id):
        return header
    task = project.task(task_id)
    if task is None:
        raise UserError(
            _("The project has no task {id}", id=task_id), "", _("`waymark task list` lists them")
        )
    return replace(header, task_id=task.id, instruction=task.instruction)


def _free_id(project: Project, wanted: str) -> str:
    """``wanted``, or with the first number that makes it the id of no trajectory yet."""
    taken = {folder.name.casefold() for folder in project.trajectory_folders()}
    name, number = folder_name(wanted), 1
    while name.casefold() in taken or os.path.lexists(project.paths.import_folder / name):
        number += 1
        name = folder_name(f"{wanted}{number}")
    return name


def _planned(new: NewTrajectory, fates: Sequence[StepFate]) -> EditedTrajectory:
    """A trajectory that is made: of two parts each has a fate, of one its steps and its end."""
    shown = []
    for number, part in enumerate(new.parts):
        kept = len(part.steps) - part.ends
        shown += [
            EditedStep(step, part.stored.folder, fates[number] if at < kept else fates[-1])
            for at, step in enumerate(part.steps)
        ]
    return EditedTrajectory(new.header.id, new.header.task_id, tuple(shown))


def _kept_behind(sources: Sequence[StoredTrajectory]) -> list[str]:
    """Sentences on what stays with the sources, since it was said or taken of them as a whole."""
    people = sorted({name for source in sources for name in reviewers_of(source.folder)})
    notes = [_("Labels, comments and bookmarks go with their steps; the rules judge what is made")]
    if people:
        notes.append(_("The review of {people} stays with it in the trash", people=", ".join(people)))
    if any(video_parts(source.header) for source in sources):
        notes.append(_("The video stays with it in the trash"))
    return notes
