"""Notice trajectories that a run or another program records in the open project, and read that again."""

from __future__ import annotations

import os
import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot

from collector.store.files import layout
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.while_alive import while_alive

_EVERY_MS = 2000
_REST = 4
"""The next reading waits so many times as long as the last took: a large project is not read all the time."""


class TrajectoryWatch(QObject):
    """Looks at the folders of tasks and at their newest trajectory. GUI thread only."""

    def __init__(
        self, runner: JobRunner, library: ProjectLibrary, parent: QObject | None = None, *,
        every_ms: int = _EVERY_MS,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._library = runner, library
        self._known: tuple[Path, int] | None = None
        """The folder and what was seen there when the project was read last."""
        self._job: Job | None = None
        self._resting_until = 0.0
        self._timer = QTimer(self, interval=every_ms)
        self._timer.timeout.connect(self._look)
        library.opened.connect(self._follow)
        runner.closing.connect(self._timer.stop)
        self._follow()

    @Slot()
    def _follow(self) -> None:
        self._known = None
        if self._library.project is not None:
            self._timer.start()
            self._look()  # at once: what is added from now on is new
        else:
            self._timer.stop()

    @Slot()
    def _look(self) -> None:
        project = self._library.project
        if project is None or self._job is not None or time.monotonic() < self._resting_until:
            return
        folder = project.paths.trajectories
        self._job = self._runner.run(
            lambda _job: (folder, _signature(folder)), success=self._looked, failure=self._failed
        )
        self._job.stopped.connect(self._ended)

    @Slot(object)
    def _looked(self, seen: tuple[Path, int]) -> None:
        known, self._known = self._known, seen
        project = self._library.project
        is_new = known is not None and known != seen and known[0] == seen[0]
        reading = self._library.refresh() if is_new and project is not None else None
        if reading is None:
            self._ended()
            return
        self._job, began = reading, time.monotonic()

        def rest(_snapshot: object) -> None:
            now = time.monotonic()
            self._resting_until = now + _REST * (now - began)
            self._ended()

        reading.succeeded.connect(while_alive(self, rest))
        reading.failed.connect(self._ended)
        reading.stopped.connect(self._ended)

    @Slot(object)
    def _failed(self, _error: Exception) -> None:
        self._ended()  # the folder is gone, or cannot be read now

    @Slot()
    def _ended(self) -> None:
        self._job = None


def _signature(folder: Path) -> int:
    """A number that changes when a trajectory is added or taken away, or a task's newest one is finished.

    Raises OSError.
    """
    with os.scandir(folder) as tasks:
        times = sorted(
            (task.name, task.stat().st_mtime_ns, _newest_written(Path(task.path)))
            for task in tasks
            if task.is_dir()
        )
    return hash((folder.stat().st_mtime_ns, *times))


def _newest_written(task_folder: Path) -> int:
    """When the header of a task's newest trajectory was written, ns: the others are seldom recorded now."""
    with os.scandir(task_folder) as trajectories:
        newest = max((trajectory.name for trajectory in trajectories), default="")
    try:
        return (task_folder / newest / layout.HEADER).stat().st_mtime_ns
    except OSError:  # it is a file, or gone
        return 0
