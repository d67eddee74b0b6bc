"""Edit a stored trajectory from the window, through its one writer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.trajectory import Step, Trajectory, TrajectoryHeader
from collector.store.trajectory.reader import StoredTrajectory
from collector.store.trajectory.writer import TrajectoryWriter
from studio.bridge.jobs import Job, JobQueue, JobRunner

WriterChange = Callable[[TrajectoryWriter], object]
_State = tuple[tuple[Step, ...], str, str]


class TrajectoryEditor(QObject):
    """Reading takes no lock; the writer is opened by the first change and kept until :meth:`close`.

    GUI thread only; the work runs in order in the store's serial executor.
    """

    steps_changed = Signal(object)
    """The current steps."""
    failed = Signal(object)

    def __init__(
        self, runner: JobRunner, stored: StoredTrajectory, who: str = "", parent: QObject | None = None
    ) -> None:
        """``who`` makes the edits."""
        super().__init__(parent)
        self._runner = runner
        self._stored = stored
        self._who = who
        self._writer: TrajectoryWriter | None = None
        self.steps: tuple[Step, ...] = stored.steps
        self.undo_title = ""
        self.redo_title = ""

    @property
    def folder(self) -> Path:
        return self._stored.folder

    @property
    def header(self) -> TrajectoryHeader:
        return self._stored.header

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence for each thing that could not be read."""
        return self._stored.problems

    def delete(self, *indexes: int) -> None:
        self._change(lambda writer: writer.delete(*indexes))

    def undo(self) -> None:
        """Take the newest edit of the steps back, with what the rules said of them since."""

        def change(writer: TrajectoryWriter) -> None:
            # Loaded by the first undo: what judges takes its time to load.
            from collector.recording.edits.edit_history import undo_steps

            undo_steps(writer)

        self._change(change)

    def redo(self) -> None:
        self._change(lambda writer: writer.redo())

    def reword(self, index: int, *, description: str = "", note: str | None = None,
               intention: str | None = None, continues: bool = False) -> None:  # fmt: skip
        """Set the given texts of a step; with ``continues`` as one undo with the edit just before."""
        given = {"description": description or None, "note": note, "intention": intention}
        words = {name: text for name, text in given.items() if text is not None}
        self._change(lambda writer: writer.reword(index, continues=continues, **words))

    def take_over(self, header: TrajectoryHeader, steps: tuple[Step, ...]) -> None:
        """Show what another program wrote meanwhile; ``steps_changed`` follows."""
        self._stored = replace(self._stored, trajectory=Trajectory(header, steps))
        self.steps = steps
        self.steps_changed.emit(steps)

    def close(self) -> None:
        """Release the folder, after the requested edits are done."""

        def work(_job: Job) -> None:
            if self._writer is not None:
                self._writer.close()
                self._writer = None

        self._runner.run(work, queue=JobQueue.STORE)

    def _change(self, change: WriterChange) -> None:
        def work(_job: Job) -> _State:
            if self._writer is None:
                self._writer = TrajectoryWriter.open(self.folder, take_over=True, who=self._who)
            writer = self._writer
            change(writer)
            return writer.steps, writer.undo_title, writer.redo_title

        self._runner.run(work, success=self._changed, failure=self._failed, queue=JobQueue.STORE, saves=True)

    @Slot(object)
    def _changed(self, state: _State) -> None:
        self.steps, self.undo_title, self.redo_title = state
        self.steps_changed.emit(self.steps)

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self.failed.emit(error)
