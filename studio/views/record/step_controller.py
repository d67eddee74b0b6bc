"""Commands that move between steps and change them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.recorder.recorder import Recorder
from studio.bridge.trajectories.trajectory_editor import TrajectoryEditor
from studio.bridge.while_alive import while_alive
from studio.views.record.session import RecordSession
from studio.views.record.side_panel import DETAILS, STEPS, RecordSidePanel
from studio.views.services import WindowServices
from studio.views.trajectory_edits.edit_menu import CHANGE_TRAJECTORY, DELETE_STEPS
from studio.views.trajectory_edits.recorded_edit import RecordedEdit
from studio.views.trajectory_edits.refused_edit import say_refused
from studio.views.undo_source import UndoNote, UndoSource

STEP_MENU = (
    ("step.rerecord", "step.insert", "step.insert-from", "step.rerecord-rest", "step.replace-state"),
    ("step.caption", "step.note", "record.mark-state"),
    ("step.hide",),
    DELETE_STEPS,
    CHANGE_TRAJECTORY,
    ("trajectory.rename", "trajectory.duplicate", "trajectory.delete", "record.close-trajectory"),
)
"""The context menu of steps: ids of commands, in groups."""


class StepController(QObject):
    """Handles the commands that act on steps, and the edits made in the side panel."""

    def __init__(
        self, session: RecordSession, side: RecordSidePanel, services: WindowServices, edits: RecordedEdit
    ) -> None:
        """``edits`` shows what was recorded into a finished trajectory."""
        super().__init__(side)
        self._session, self._side, self._services = session, side, services
        self._edits = edits
        self._once_running: Callable[[], object] = _nothing
        """What follows once the recording that was asked for runs."""
        services.recording.begun.connect(self._begun)
        for command, handler in (
            ("step.rerecord", self.rerecord),
            ("step.cancel-rerecord", self.cancel_rerecord),
            ("step.insert", self.insert),
            ("step.stop-insert", self.stop_insert),
            ("step.rerecord-rest", self.rerecord_rest),
            ("step.caption", self.edit_caption),
            ("step.note", self.edit_note),
            ("step.previous", lambda: session.go(session.current - 1)),
            ("step.next", lambda: session.go(session.current + 1)),
            ("step.first", lambda: session.go(0)),
            ("step.last", lambda: session.go(len(session.steps) - 1)),
            ("mirror.go-live", session.go_live),
        ):
            services.commander.handle(command, handler)
        side.reworded.connect(self.reword)
        side.steps.delete_requested.connect(self.delete_at)
        side.steps.rerecord_requested.connect(self.rerecord_at)

    def _edit(self, change: Callable[[Recorder | TrajectoryEditor], object]) -> None:
        """Apply a change where the open trajectory is written; do nothing when it cannot be changed."""
        if self._session.edits is not None:
            change(self._session.edits)

    @property
    def history(self) -> UndoSource | None:
        """The edits of the open trajectory; None while nothing is open."""
        trajectory = self._session.trajectory
        if trajectory is None:
            return None
        note = None
        if self._session.editor is None and self._services.recording.undoes_step:
            note = UndoNote(
                _("The phone did not move. Bring it to where the steps end now before you go on"),
                _("Bring the phone there"),
                "record.bring-phone",
            )
        return UndoSource(trajectory.undo_title, trajectory.redo_title, self.undo, self.redo, note)

    def undo(self) -> None:
        self._edit(lambda edits: edits.undo())

    def redo(self) -> None:
        self._edit(lambda edits: edits.redo())

    @Slot(int)
    def delete_at(self, index: int) -> None:
        """Delete a step: of the recording at once, of a stored trajectory once the person has seen it."""
        recorder = self._services.recording.recorder
        if self._session.editor is None and recorder is not None:
            recorder.delete(index)
        else:
            self._session.go(index)
            self._services.run_command("step.delete")

    # -- record again --------------------------------------------------------------
    def rerecord(self) -> None:
        """Record the current step again."""
        if self._session.step is not None:
            self.rerecord_at(self._session.current)

    @Slot(int)
    def rerecord_at(self, index: int) -> None:
        """Let the next action replace a step; the person brings the phone to the state before it."""
        self._begin_edit(index)
        self._go_on(lambda recorder: recorder.rerecord(index), partial(self._say_rerecord, index))

    def _say_rerecord(self, index: int) -> None:
        self._services.toasts.show(
            "info",
            _("Your next action takes the place of step {number}", number=index + 1),
            _("Bring the phone to the state before it; pause while you do"),
            action=_("Cancel"),
            act=self.cancel_rerecord,
            for_now=True,
        )

    def insert(self) -> None:
        """Let the next actions come before the current step, until the person says that it is enough."""
        index = self._session.current
        self._begin_edit(index)
        self._go_on(lambda recorder: recorder.insert(index), partial(self._say_insert, index))

    def _say_insert(self, index: int) -> None:
        self._services.toasts.show(
            "info",
            _("Your next actions come before step {number}", number=index + 1),
            _("Bring the phone to the state before it, then stop inserting"),
            action=_("Bring the phone there"),
            act=partial(self._services.run_command, "record.bring-phone"),
            for_now=True,
        )

    def _begin_edit(self, index: int) -> None:
        """Remember a stored trajectory as it is, to show it beside what becomes of it."""
        session = self._session
        if session.editor is not None:
            self._edits.begin(session.editor.folder, session.steps, index)

    def stop_insert(self) -> None:
        """Let the next action go to the end again; a trajectory that was finished is closed as it is now."""
        recording = self._services.recording
        if recording.is_mending:
            recording.stop()
        else:
            self.cancel_rerecord()

    def rerecord_rest(self) -> None:
        """Delete the current step and all after it, and bring the phone to where they began."""
        index = self._session.current
        bring = partial(self._services.run_command, "record.bring-phone")
        self._go_on(lambda recorder: recorder.drop_rest(index), bring)

    @Slot()
    def _begun(self) -> None:
        then, self._once_running = self._once_running, _nothing
        then()

    def _go_on(self, where: Callable[[Recorder], None], then: Callable[[], object]) -> None:
        """Let the recorder of the phone in use go on at the step that ``where`` chooses, then call ``then``.

        Raises UserError.
        """
        session, recording = self._session, self._services.recording
        phone, folder = self._services.devices.current, session.folder
        if phone is None or folder is None or not phone.is_live:
            raise UserError(_("A step is recorded again on a phone"), _("none is there"), _("Connect one"))
        phone.require_free()
        if recording.recorder is not None:
            where(recording.recorder)
            session.go_live()
            then()
        else:
            refused = while_alive(self, partial(self._refused, folder, session.current))
            self._once_running = then
            session.close()
            recording.resume_existing(folder, phone, where, refused)

    def _refused(self, folder: Path, step: int, error: Exception) -> None:
        """Show the trajectory again, and say why its steps stay as they are."""
        self._once_running = _nothing

        def show(shown: Path) -> None:
            self._services.run_command("record.open-trajectory", folder=str(shown), step=str(step))

        show(folder)
        say_refused(self._services, error, folder, show)

    def cancel_rerecord(self) -> None:
        """Let the next action go to the end again."""
        recorder = self._services.recording.recorder
        if recorder is not None:
            recorder.cancel_rerecord()

    # -- texts -----------------------------------------------------------------------
    def edit_caption(self) -> None:
        """Put the keyboard focus into the caption of the current step."""
        self._side.tabs.set_current(STEPS)
        self._side.steps.edit_caption(self._session.current)

    def edit_note(self) -> None:
        """Put the keyboard focus where the intention and the note are written."""
        self._side.tabs.set_current(DETAILS)
        self._side.details.focus_texts()

    @Slot(int, dict, bool)
    def reword(self, index: int, texts: dict[str, str], continues: bool) -> None:
        """Change the ``description``, ``note`` or ``intention`` of a step; see StepDetails.reworded."""
        if 0 <= index < len(self._session.steps):
            self._edit(lambda edits: edits.reword(index, continues=continues, **texts))


def _nothing() -> None:
    """Nothing follows."""
