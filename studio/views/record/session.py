"""The trajectory on show and its current slot: one cursor for list, timeline, screen and tree."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.trajectory import Step, TrajectoryHeader
from collector.recorder.recorder import Recorder
from collector.store.reader import StoredTrajectory
from studio.bridge import JobRunner
from studio.bridge.recording import Recording
from studio.bridge.trajectory_editor import TrajectoryEditor


class RecordSession(QObject):
    """What is being recorded, whose last slot is the live phone, or a trajectory opened to read and edit.

    Changes go to the recorder or to the editor, whichever holds the one writer.
    """

    changed = Signal()
    """Another trajectory is on show, or none."""
    steps_changed = Signal()
    current_changed = Signal(int)
    """A slot; ``len(steps)`` is the live phone."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, recording: Recording, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self.recording = recording
        self._editor: TrajectoryEditor | None = None
        self._steps: tuple[Step, ...] = ()
        self._current = 0
        recording.begun.connect(self._recording_begun)
        recording.steps_changed.connect(self._steps_are)
        recording.finished.connect(self._recording_over)

    # -- what is known -------------------------------------------------------
    @property
    def editor(self) -> TrajectoryEditor | None:
        """Of an opened trajectory; None while recording or with nothing open."""
        return self._editor

    @property
    def _holder(self) -> Recording | TrajectoryEditor | None:
        if self._editor is not None:
            return self._editor
        return self.recording if self.recording.folder is not None else None

    @property
    def _edits(self) -> Recorder | TrajectoryEditor | None:
        """Where changes go; None while nothing can be changed."""
        return self._editor if self._editor is not None else self.recording.recorder

    @property
    def is_open(self) -> bool:
        """Whether there is a trajectory on show."""
        return self._holder is not None

    @property
    def is_live(self) -> bool:
        """Whether there is a live slot after the steps."""
        return self._editor is None

    @property
    def header(self) -> TrajectoryHeader | None:
        return self._holder.header if self._holder is not None else None

    @property
    def folder(self) -> Path | None:
        return self._holder.folder if self._holder is not None else None

    @property
    def steps(self) -> tuple[Step, ...]:
        return self._steps

    @property
    def current(self) -> int:
        return self._current

    @property
    def step(self) -> Step | None:
        """The current step; None on the live slot."""
        return self._steps[self._current] if 0 <= self._current < len(self._steps) else None

    @property
    def shows_phone(self) -> bool:
        """Whether the screen in the middle is the live one."""
        return self.is_live and self.step is None

    @property
    def undo_title(self) -> str:
        return self._holder.undo_title if self._holder is not None else ""

    @property
    def redo_title(self) -> str:
        return self._holder.redo_title if self._holder is not None else ""

    # -- what is on show -----------------------------------------------------
    def open(self, stored: StoredTrajectory) -> None:
        """Show a trajectory from the disk, from its first step."""
        self._drop_editor()
        editor = self._editor = TrajectoryEditor(self._runner, stored, self)
        editor.steps_changed.connect(self._steps_are)
        editor.failed.connect(self.failed)
        self._steps, self._current = editor.steps, 0
        self.changed.emit()
        self.steps_changed.emit()
        self.current_changed.emit(0)

    def close(self) -> None:
        """Go back to the phone, or to the recording that runs."""
        if self._editor is None:
            return
        self._drop_editor()
        self._show_recording()

    def _drop_editor(self) -> None:
        if self._editor is not None:
            self._editor.close()
            self._editor.deleteLater()
            self._editor = None

    def _show_recording(self) -> None:
        self._steps = self.recording.steps
        self._current = len(self._steps)
        self.changed.emit()
        self.steps_changed.emit()
        self.current_changed.emit(self._current)

    @Slot()
    def _recording_begun(self) -> None:
        self._drop_editor()
        self._show_recording()

    @Slot(object)
    def _recording_over(self, _folder: Path) -> None:
        if self._editor is None:
            self._show_recording()

    @Slot(object)
    def _steps_are(self, steps: tuple[Step, ...]) -> None:
        if self._editor is not None and self.sender() is self.recording:
            return
        at_end = self.shows_phone
        self._steps = steps
        before, last = self._current, len(steps) - (not self.is_live)
        self._current = last if at_end else max(0, min(self._current, last))
        self.steps_changed.emit()
        if self._current != before or not at_end:
            self.current_changed.emit(self._current)

    # -- moving --------------------------------------------------------------
    def go(self, slot: int) -> None:
        """Make a slot current; out of range is the nearest there is."""
        last = len(self._steps) - (not self.is_live)
        slot = max(0, min(slot, last))
        if slot != self._current:
            self._current = slot
            self.current_changed.emit(slot)

    def go_live(self) -> None:
        """To the live phone, where there is one."""
        if self.is_live:
            self.go(len(self._steps))

    # -- changing ------------------------------------------------------------
    def delete(self, *indexes: int) -> None:
        if self._edits is not None:
            self._edits.delete(*indexes)

    def trim(self, start: int, stop: int) -> None:
        if self._edits is not None:
            self._edits.trim(start, stop)

    def undo(self) -> None:
        if self._edits is not None:
            self._edits.undo()

    def redo(self) -> None:
        if self._edits is not None:
            self._edits.redo()

    def reword(self, index: int, **words: str) -> None:
        """``description``, ``note`` or ``intention`` of a step."""
        if self._edits is not None and 0 <= index < len(self._steps):
            self._edits.reword(index, **words)
