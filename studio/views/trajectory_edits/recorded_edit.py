"""Show what steps that were recorded into a finished trajectory came to, once they are on the disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from collector.model.trajectory import Step, TrajectoryHeader
from studio.views.services import WindowServices
from studio.views.stored_screens import StateThumbnails
from studio.views.trajectory_edits.plan_strips import strips_of
from studio.widgets.trajectory_edits.edit_dialogs import EditPlanDialog

if TYPE_CHECKING:  # what replays and judges takes its time to load, and the start does not wait
    from collector.recording.edits.edit_plan import EditPlan


@dataclass(frozen=True, slots=True)
class _Before:
    """A trajectory when the first of its steps was to be recorded anew."""

    folder: Path
    steps: tuple[Step, ...]
    index: int
    """The step that is replaced, or before which others come."""


class RecordedEdit(QObject):
    """Remembers the steps from before, and shows them beside those from after."""

    def __init__(self, services: WindowServices, window: QWidget) -> None:
        super().__init__(window)
        self._services, self._window = services, window
        self._before: _Before | None = None
        self._is_made = False

    def begin(self, folder: Path, steps: tuple[Step, ...], index: int) -> None:
        """Steps are going to be recorded at ``index``."""
        self._before, self._is_made = _Before(folder, steps, index), False

    def end(self, folder: Path) -> int:
        """The recording is closed: the step at which its trajectory is shown again."""
        before = self._before
        self._is_made = before is not None and before.folder == folder
        return before.index if before is not None and self._is_made else 0

    def show(self, header: TrajectoryHeader, folder: Path, steps: tuple[Step, ...]) -> None:
        """Show the steps before and after, where this trajectory is opened again and has others now."""
        before = self._before
        if before is None or not self._is_made or before.folder != folder:
            return
        self._before = None
        if [_key(step) for step in before.steps] == [_key(step) for step in steps]:
            return
        thumbnails = StateThumbnails(self._services.tasks)
        thumbnails.follow({str(folder): folder})
        title = _("What was recorded at step {number}", number=before.index + 1)
        dialog = EditPlanDialog(title, _("Close"), thumbnails.cache, self._window.window())
        thumbnails.setParent(dialog)
        dialog.no.hide()
        dialog.show_plan(strips_of(_plan(header, folder, before.steps, steps)), [])
        dialog.open()


def _plan(
    header: TrajectoryHeader, folder: Path, before: tuple[Step, ...], after: tuple[Step, ...]
) -> EditPlan:
    from collector.recording.edits.edit_plan import EditedStep, EditedTrajectory, EditPlan, StepFate

    def side(steps: tuple[Step, ...], others: tuple[Step, ...], fate: StepFate) -> EditedTrajectory:
        known = {_key(step) for step in others}
        fates = (StepFate.STAYS if _key(step) in known else fate for step in steps)
        shown = tuple(EditedStep(step, folder, each) for step, each in zip(steps, fates, strict=True))
        return EditedTrajectory(header.id, header.task_id, shown)

    return EditPlan("", (side(before, after, StepFate.GOES),), (side(after, before, StepFate.COMES),))


def _key(step: Step) -> tuple[object, ...]:
    """What tells a step from others of its trajectory, wherever it moves."""
    return step.state.screenshot, step.state.tree, step.t_ms, step.action
