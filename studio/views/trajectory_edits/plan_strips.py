"""What an edit comes to, as film strips and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.model.i18n import _
from collector.model.message import in_language
from studio.widgets.trajectory_edits.edit_strips import COMES, EditStrip, StripStep

if TYPE_CHECKING:  # what replays and judges takes its time to load, and the start does not wait
    from collector.recording.edits.edit_plan import EditedStep, EditedTrajectory, EditPlan

_NEW = "new"
"""Stands for a trajectory in the keys of pictures that no file holds yet."""


def notes_of(plan: EditPlan) -> list[str]:
    """What stands on the steps, and what an edit does to it, in the person's language."""
    return [in_language(note) for note in plan.notes]


def last_that_comes(plan: EditPlan) -> int:
    """The index of the last step that an edit takes from another trajectory, in that trajectory."""
    return max(
        step.step.index for trajectory in plan.after for step in trajectory.steps if step.fate == COMES
    )


def strips_of(plan: EditPlan) -> list[EditStrip]:
    """The trajectories before and after, in this order."""
    return [
        EditStrip(f"{title}: {trajectory.id} ({trajectory.task_id})", _steps(trajectory))
        for title, side in ((_("Before the edit"), plan.before), (_("After the edit"), plan.after))
        for trajectory in side
    ]


def _steps(trajectory: EditedTrajectory) -> tuple[StripStep, ...]:
    return tuple(
        StripStep(number, step.caption, picture_key(step), str(step.fate))
        for number, step in enumerate(trajectory.steps, start=1)
    )


def picture_key(step: EditedStep) -> tuple[str, str] | None:
    """Key of a thumbnail: where the picture is, and its name."""
    if step.picture:
        return _NEW, str(step.step.index)
    return (str(step.folder), step.step.state.screenshot) if step.step.state.screenshot else None
