"""What an edit that made trajectories of others came to: their steps, wherever they are now."""

from __future__ import annotations

from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.recording.edits.edit_plan import EditedStep, EditedTrajectory, EditPlan, StepFate
from collector.recording.edits.whole_edit import SPLIT, MadeFolder, MadeOf, places_of
from collector.store.project.project import Project
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.trajectory_files import read_steps
from collector.store.trajectory.undone_steps import steps_before_edits


def plan_of_whole_edit(project: Project, record: MadeOf) -> EditPlan:
    """The steps before and after a split or a join, done or undone.

    What the edit made is as it made it, without later edits. Raises UserError when a source is nowhere.
    """
    sources, made = places_of(project, record)
    before: list[EditedTrajectory] = []
    after, notes = [], []
    for source, folder in zip(record.sources, sources, strict=True):
        if folder is None:
            raise UserError(
                _("The steps before {title} cannot be shown", title=record.title),
                _("{id} is not in the trash any more, or was changed", id=source.id),
            )
        # Of what is joined, the end of the first one goes.
        goes = record.number if record.what != SPLIT and not before else None
        before.append(_shown(folder, source, goes, StepFate.GOES))
    for part, folder in zip(record.made, made, strict=True):
        if folder is None:
            notes.append(_("{id} is neither in the project nor in the trash", id=part.id))
            continue
        is_second = record.what == SPLIT and part is not record.made[0]
        comes = None if is_second else record.number - (record.what == SPLIT)
        after.append(_shown(folder, part, comes, StepFate.COMES))
    return EditPlan(record.title, tuple(before), tuple(after), tuple(notes))


def _shown(folder: Path, it: MadeFolder, start: int | None, fate: StepFate) -> EditedTrajectory:
    """A trajectory of the edit; its steps from ``start`` on have ``fate``."""
    steps = steps_before_edits(read_steps(folder))
    return EditedTrajectory(
        it.id, read_header(folder).task_id,
        tuple(
            EditedStep(step, folder, StepFate.STAYS if start is None or at < start else fate)
            for at, step in enumerate(steps)
        ),
    )  # fmt: skip
