"""The anomalies of the trajectory on show, as its events tell them: read off the disk, or as noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.trajectory import Step
from collector.store.interruptions import EVENT, Interruption, anomalies_in
from collector.store.layout import EVENTS
from collector.store.trajectory_files import read_lines
from studio.bridge import Job, JobRunner

_Line = Mapping[str, Any]


class TrajectoryAnomalies(QObject):
    """Follows one trajectory. Reading runs in the store's executor."""

    changed = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._folder: Path | None = None
        self._lines: list[_Line] = []
        self._steps: Sequence[Step] = ()
        self.found: tuple[Interruption, ...] = ()

    def open(self, folder: Path | None) -> None:
        """Follow another trajectory; None follows nothing."""
        self._folder, self._lines = folder, []
        self._renew()
        if folder is None:
            return

        def work(_job: Job) -> tuple[Path, list[_Line]]:
            lines = read_lines(folder / EVENTS).lines
            return folder, [line for line in lines if line.get("kind") == EVENT]

        self._runner.run(work, success=self._took, serial=True)

    @Slot(object)
    def _took(self, result: tuple[Path, list[_Line]]) -> None:
        folder, lines = result
        if folder == self._folder:
            # What was noted while the file was read may stand in it already.
            self._lines = [*lines, *(line for line in self._lines if line not in lines)]
            self._renew()

    def note(self, line: _Line) -> None:
        """A line was added just now."""
        if self._folder is not None and line.get("kind") == EVENT:
            self._lines.append(line)
            self._renew()

    def follow(self, steps: Sequence[Step]) -> None:
        """The steps are these now."""
        self._steps = steps
        self._renew()

    def _renew(self) -> None:
        found = anomalies_in(self._lines, self._steps)
        if found != self.found:
            self.found = found
            self.changed.emit()
