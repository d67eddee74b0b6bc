"""The session of the Record workspace: the task, the trajectory and the step that a person works on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.task import Task
from collector.model.trajectory import FINISHED, RECORDING, Step, TrajectoryHeader
from collector.recorder.recorder import Recorder
from collector.store.tasks.recording_queue import next_task
from collector.store.trajectory.reader import StoredTrajectory
from studio.bridge import JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.recording import Recording
from studio.bridge.review.work_selection import WorkSelection
from studio.bridge.trajectories.project_trajectories import ProjectTrajectories
from studio.bridge.trajectories.trajectory_editor import TrajectoryEditor
from studio.bridge.trajectories.trajectory_follower import TrajectoryFollower
from studio.settings import Settings
from studio.views.edited_place import EditedPlace

_COMPLETE = (FINISHED, "imported")
"""Statuses of trajectories that cannot be resumed."""


@dataclass(frozen=True, slots=True)
class PhoneSessionState:
    """What is in hand on one phone: the task, the stored trajectory with its undo, and the step on show."""

    task_id: str
    editor: TrajectoryEditor | None = None
    current: int | None = None
    """The step on show; None for the live phone, however many steps follow meanwhile."""


@dataclass(frozen=True, slots=True)
class RecordSessionState:
    """What is in hand on the phone in front, and on the other phones of the window by their serials."""

    front: PhoneSessionState
    others: Mapping[str, PhoneSessionState]


class RecordSession(QObject):
    """One selection for queue, step list, timeline, screen and tree. GUI thread only.

    The trajectory is the one being recorded, whose last slot is the live phone, or a stored one. Each phone
    has a task, a trajectory and a step of its own: they come to the front with it.
    """

    task_changed = Signal(str)
    """Id of the task that was chosen to be recorded; empty for none."""
    trajectory_changed = Signal()
    """Another trajectory is open, or none."""
    steps_changed = Signal()
    current_changed = Signal(int)
    """The current slot; ``len(steps)`` is the live phone."""
    failed = Signal(object)
    """The error of an edit that did not reach the disk."""
    events_followed = Signal()
    """The program that writes the stored trajectory on show has added events."""

    def __init__(
        self,
        runner: JobRunner,
        project_library: ProjectLibrary,
        selection: WorkSelection,
        trajectories: ProjectTrajectories,
        recording: Recording,
        settings: Settings,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner, self._project_library, self._settings = runner, project_library, settings
        self._selection = selection
        self.recording = recording
        self.task_id = ""
        """The task chosen to be recorded; empty for none."""
        self.editor: TrajectoryEditor | None = None
        """The stored trajectory that is open; None while recording and when nothing is open."""
        self.left_at: int | None = None
        """The step that was on show when the trajectory that is being moved or copied was closed for it."""
        self._follower: TrajectoryFollower | None = None
        self._serial = recording.front.serial
        self._others: dict[str, PhoneSessionState] = {}
        self.steps: tuple[Step, ...] = ()
        self.current = 0
        recording.front_changed.connect(self._phone_changed)
        recording.begun.connect(self._recording_begun)
        recording.steps_changed.connect(self._set_steps)
        recording.finished.connect(self._recording_finished)
        selection.task_chosen.connect(self._task_chosen_elsewhere)
        trajectories.leaving.connect(self._trajectory_leaving)
        self.trajectory_changed.connect(self._tell_state)
        self.current_changed.connect(self._tell_state)

    # -- task ------------------------------------------------------------------
    @property
    def task(self) -> Task | None:
        """The task of the open trajectory; without one, the chosen task."""
        snapshot = self._project_library.snapshot
        task_id = self.header.task_id if self.header is not None else self.task_id
        return snapshot.task(task_id) if snapshot is not None else None

    @property
    def author(self) -> str:
        """Who records and annotates, from the settings."""
        return str(self._settings["recording.author"])

    def choose_task(self, task_id: str) -> None:
        """Choose the task to record in every workspace; close a stored trajectory of another task."""
        if task_id == self.task_id:
            return
        self.task_id = task_id
        if self.header is not None and self.header.task_id != task_id:
            self.close()
        self._selection.choose_task(task_id)
        self.task_changed.emit(task_id)

    def choose_first_task(self) -> None:
        """Start over with the project that was opened: close the trajectory, choose the first task to do."""
        self._forget_others()
        self.close()
        self.task_id = ""
        self.choose_next_task("")
        if not self.task_id:
            self.task_changed.emit("")

    def choose_next_task(self, after: str) -> None:
        """Choose the next task to do below task ``after``; keep the chosen one when all are done."""
        if task_id := self._next_task(after, self._serial):
            self.choose_task(task_id)

    def choose_next_task_of(self, serial: str, after: str) -> None:
        """Choose the next task to do on a phone, which need not be in front."""
        if serial == self._serial:
            self.choose_next_task(after)
        elif task_id := self._next_task(after, serial):
            before = self._others.get(serial)
            if before is None or before.editor is None:
                self._others[serial] = PhoneSessionState(task_id)

    def _next_task(self, after: str, serial: str) -> str:
        """Id of the next task to do on a phone; empty for none. What other phones record counts as done."""
        snapshot = self._project_library.snapshot
        if snapshot is None:
            return ""
        golden = Counter(snapshot.golden)
        golden.update(
            other.header.task_id
            for other in self.recording.active
            if other.serial != serial and other.header is not None
        )
        task = next_task(snapshot.tasks, golden, after)
        return task.id if task is not None else ""

    @Slot(str)
    def _task_chosen_elsewhere(self, task_id: str) -> None:
        if task_id and not self.recording.is_active:
            self.choose_task(task_id)

    # -- trajectory --------------------------------------------------------------
    @property
    def trajectory(self) -> Recording | TrajectoryEditor | None:
        """What is open: the stored trajectory, the recording that runs, or None."""
        if self.editor is not None:
            return self.editor
        return self.recording if self.recording.folder is not None else None

    @property
    def edits(self) -> Recorder | TrajectoryEditor | None:
        """The one that writes changes of steps; None while nothing can be changed."""
        return self.editor if self.editor is not None else self.recording.recorder

    @property
    def edited_place(self) -> EditedPlace | None:
        """The step that edits act on: of the stored trajectory, or of the recording that runs."""
        recorder = self.recording.recorder if self.editor is None else None
        if self.folder is None or self.step is None or (self.editor is None and recorder is None):
            return None
        return EditedPlace(self.folder, self.current, len(self.steps), recorder)

    def stored_place(self) -> EditedPlace | None:
        """The step that is shown of the stored trajectory."""
        return self.edited_place if self.editor is not None else None

    @property
    def header(self) -> TrajectoryHeader | None:
        return self.trajectory.header if self.trajectory is not None else None

    @property
    def folder(self) -> Path | None:
        return self.trajectory.folder if self.trajectory is not None else None

    @property
    def is_resumable(self) -> bool:
        """Whether a stored recording is open that was never finished."""
        header = self.header
        return self.editor is not None and header is not None and header.status not in _COMPLETE

    def open(self, stored: StoredTrajectory) -> None:
        """Open a stored trajectory at its first step."""
        self._drop_editor()
        self._edit_with(TrajectoryEditor(self._runner, stored, self.author, self), 0)

    def _edit_with(self, editor: TrajectoryEditor, current: int) -> None:
        self.editor = editor
        editor.steps_changed.connect(self._set_steps)
        editor.failed.connect(self.failed)
        self._show(editor.steps, current)
        if editor.header.status == RECORDING:
            self._follow(editor)

    def _follow(self, editor: TrajectoryEditor) -> None:
        """Show what is added to a trajectory that another program may be writing."""
        follower = TrajectoryFollower(self._runner, editor.folder, editor.steps, editor.header, self)
        follower.steps_changed.connect(self._steps_followed)
        follower.header_changed.connect(self._header_followed)
        follower.events_changed.connect(self.events_followed)
        self._follower = follower

    @Slot(object)
    def _steps_followed(self, steps: tuple[Step, ...]) -> None:
        """Show new steps; who looks at the last one goes on to the newest."""
        at_last = self.current == self._last_slot
        if self.editor is not None:
            self.editor.take_over(self.editor.header, steps)
        if at_last:
            self.go(self._last_slot)

    @Slot(object)
    def _header_followed(self, header: TrajectoryHeader) -> None:
        if self.editor is not None:
            self.editor.take_over(header, self.editor.steps)
            self._show(self.editor.steps, self.current)

    def _stop_following(self) -> None:
        follower, self._follower = self._follower, None
        if follower is not None:
            follower.stop()
            follower.deleteLater()

    def keep_state(self) -> RecordSessionState:
        """Give the stored trajectories away, and what is chosen, to the session of the next window."""
        others, self._others = self._others, {}
        return RecordSessionState(self._put_aside(), others)

    def take_state(self, state: RecordSessionState) -> None:
        """Go on where the session before was: with its trajectories, or with the recordings that run."""
        self._others = dict(state.others)
        self._take_up(state.front)

    @Slot()
    def _phone_changed(self) -> None:
        """Go on with what is in hand on the phone that came to the front."""
        before, self._serial = self._serial, self.recording.front.serial
        task_id = self.task_id
        self._others[before] = self._put_aside()
        self._take_up(self._others.pop(self._serial, PhoneSessionState(task_id)))

    def forget_phone(self, serial: str) -> None:
        """Close what is in hand on a phone that left the window."""
        left = self._others.pop(serial, None)
        if left is not None and left.editor is not None:
            left.editor.close()

    def _forget_others(self) -> None:
        for serial in tuple(self._others):
            self.forget_phone(serial)

    def _put_aside(self) -> PhoneSessionState:
        self._stop_following()
        editor, self.editor = self.editor, None
        if editor is not None:
            editor.steps_changed.disconnect(self._set_steps)
            editor.failed.disconnect(self.failed)
            editor.setParent(None)
        is_live = editor is None and self.current >= len(self.steps)
        return PhoneSessionState(self.task_id, editor, None if is_live else self.current)

    def _take_up(self, state: PhoneSessionState) -> None:
        if state.task_id:
            self.choose_task(state.task_id)
        if state.editor is not None:
            state.editor.setParent(self)
            self._edit_with(state.editor, state.current or 0)
        elif self.recording.folder is not None:
            steps = self.recording.steps
            self._show(steps, len(steps) if state.current is None else state.current)
        else:
            self._show((), 0)

    @Slot(object)
    def _trajectory_leaving(self, folder: Path) -> None:
        """Close the stored trajectory before it is moved, also where it is in hand on another phone."""
        for serial, state in tuple(self._others.items()):
            if state.editor is not None and state.editor.folder == folder:
                self.forget_phone(serial)
        self.left_at = None
        if self.editor is not None and self.editor.folder == folder:
            at = self.current
            self.close()
            self.left_at = at

    def close_all(self) -> None:
        """Close the stored trajectories of all phones: the window closes."""
        self._forget_others()
        self.close()

    def close(self) -> None:
        """Close the stored trajectory: the live phone, or the recording that runs, is shown again."""
        if self.editor is not None:
            self._drop_editor()
            self._show_recording()

    def _drop_editor(self) -> None:
        self._stop_following()
        if self.editor is not None:
            self.editor.close()
            self.editor.deleteLater()
            self.editor = None

    def _show_recording(self) -> None:
        self._show(self.recording.steps, len(self.recording.steps))

    def _show(self, steps: tuple[Step, ...], current: int) -> None:
        self.steps, self.current = steps, current
        folder = self.editor.folder if self.editor is not None else None
        self._selection.stepped_folder = folder
        self._selection.front_folder = folder or self._selection.front_folder
        if self.header is not None:
            self.choose_task(self.header.task_id)
        self.trajectory_changed.emit()
        self.steps_changed.emit()
        self.current_changed.emit(current)

    @Slot()
    def _recording_begun(self) -> None:
        self._drop_editor()
        self._show_recording()

    @Slot(object)
    def _recording_finished(self, _folder: Path) -> None:
        if self.editor is None:
            self._show_recording()

    @Slot(object)
    def _set_steps(self, steps: tuple[Step, ...]) -> None:
        if self.editor is not None and self.sender() is self.recording:
            return
        at_end, before = self.is_live, self.current
        self.steps = steps
        self.current = self._last_slot if at_end else max(0, min(before, self._last_slot))
        self.steps_changed.emit()
        if self.current != before or not at_end:
            self.current_changed.emit(self.current)

    # -- current step --------------------------------------------------------------
    @property
    def step(self) -> Step | None:
        """The current step; None on the live slot."""
        return self.steps[self.current] if 0 <= self.current < len(self.steps) else None

    @property
    def is_live(self) -> bool:
        """Whether the live phone is shown and not a step."""
        return self.editor is None and self.step is None

    @property
    def _last_slot(self) -> int:
        """A stored trajectory has no live slot after its steps."""
        return len(self.steps) - (self.editor is not None)

    def go(self, slot: int) -> None:
        """Make a slot current; a number out of range goes to the nearest slot."""
        slot = max(0, min(slot, self._last_slot))
        if slot != self.current:
            self.current = slot
            self.current_changed.emit(slot)

    @Slot()
    def _tell_state(self) -> None:
        """Let other workspaces follow the step that is shown."""
        if self.header is not None and self.step is not None:
            self._selection.choose_state(self.header.id, self.current)

    def go_live(self) -> None:
        """Go to the live phone; a stored trajectory stays where it is."""
        if self.editor is None:
            self.go(len(self.steps))
