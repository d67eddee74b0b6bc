"""The anomalies of the open trajectory, read from its events file and from events as they are recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.trajectory import Step
from collector.store.files.layout import EVENTS
from collector.store.trajectory.interruptions import EVENT, Interruption, anomalies_in
from collector.store.trajectory.trajectory_files import read_lines
from studio.bridge import Job, JobRunner
from studio.bridge.jobs import JobQueue

_Line = Mapping[str, Any]


class TrajectoryAnomalies(QObject):
    """Follows one trajectory. Its file is read in the serial executor of ``runner``."""

    changed = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._folder: Path | None = None
        self._lines: list[_Line] = []
        self._steps: Sequence[Step] = ()
        self.interruptions: tuple[Interruption, ...] = ()

    def open(self, folder: Path | None) -> None:
        """Follow another trajectory; None follows nothing."""
        self._folder, self._lines = folder, []
        self._update()
        if folder is None:
            return

        def work(_job: Job) -> tuple[Path, list[_Line]]:
            lines = read_lines(folder / EVENTS).lines
            return folder, [line for line in lines if line.get("kind") == EVENT]

        self._runner.run(work, success=self._read, queue=JobQueue.STORE)

    @Slot(object)
    def _read(self, result: tuple[Path, list[_Line]]) -> None:
        folder, lines = result
        if folder == self._folder:
            # A line noted while the file was read may be in the file, too.
            self._lines = [*lines, *(line for line in self._lines if line not in lines)]
            self._update()

    def note(self, line: _Line) -> None:
        """Add a line that was written just now."""
        if self._folder is not None and line.get("kind") == EVENT:
            self._lines.append(line)
            self._update()

    def follow(self, steps: Sequence[Step]) -> None:
        """Assign the anomalies to the steps as they are now."""
        self._steps = steps
        self._update()

    def _update(self) -> None:
        interruptions = anomalies_in(self._lines, self._steps)
        if interruptions != self.interruptions:
            self.interruptions = interruptions
            self.changed.emit()
