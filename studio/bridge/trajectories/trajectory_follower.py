"""Follow a trajectory that another program writes, and tell the window what is new."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.model.trajectory import Step, TrajectoryHeader
from collector.store.files import lock
from collector.store.trajectory.growing_trajectory import GrowingTrajectory
from collector.store.trajectory.trajectory_tail import TailNews, TailState
from studio.bridge.jobs import Job, JobRunner

LOOK_EVERY_MS = 300


class TrajectoryFollower(QObject):
    """Looks for new steps and events until the trajectory ends or :meth:`stop`. GUI thread only.

    The disk is read behind the window, one look after another.
    """

    steps_changed = Signal(object)
    """All steps as they are now; emitted when there are others than before."""
    events_changed = Signal()
    """``events.jsonl`` has other lines than before."""
    header_changed = Signal(object)
    """The header as it is now."""
    ended = Signal()
    """Nothing more is written: it is complete, or its program died, or it was moved away."""

    def __init__(
        self, runner: JobRunner, folder: Path, steps: tuple[Step, ...], header: TrajectoryHeader,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        """``steps`` and ``header`` are those on show."""
        super().__init__(parent)
        self._runner = runner
        self._folder = folder
        self._growing: GrowingTrajectory | None = None
        """None until it was read for the first time."""
        self._steps, self._header = steps, header
        self._begun = False
        """Whether what there was at the beginning has been told."""
        self._stopped = False
        self._timer = QTimer(self, singleShot=True, interval=LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)
        self._look()

    @property
    def folder(self) -> Path:
        """The trajectory that is followed."""
        return self._folder

    @property
    def is_following(self) -> bool:
        """Whether something may still come."""
        return not self._stopped

    def stop(self) -> None:
        """Look no more."""
        self._stopped = True
        self._timer.stop()

    @Slot()
    def _look(self) -> None:
        known, folder = self._growing, self._folder

        def work(_job: Job) -> tuple[GrowingTrajectory, TailNews]:
            growing = known or GrowingTrajectory(folder)
            news = growing.poll()
            # What this program writes itself, as when a person edits an old recording, is known already.
            own = news.state is TailState.WRITING and lock.is_own(folder)
            return growing, replace(news, state=TailState.ENDED) if own else news

        self._runner.run(work, success=self._take, failure=self._give_up)

    @Slot(object)
    def _take(self, read: tuple[GrowingTrajectory, TailNews]) -> None:
        if self._stopped:
            return
        self._growing, news = read
        steps = self._growing.stored.steps
        if news.header is not None and news.header != self._header:
            self._header = news.header
            self.header_changed.emit(news.header)
        if steps != self._steps:
            self._steps = steps
            self.steps_changed.emit(steps)
        if self._begun and (news.events or news.is_rewritten):
            self.events_changed.emit()
        self._begun = True
        if self._stopped:  # somebody closed the trajectory when it was told
            return
        if news.state is TailState.WRITING:
            self._timer.start()
        else:
            self._end()

    @Slot(object)
    def _give_up(self, _error: Exception) -> None:
        """Files that cannot be read were reported when the trajectory was opened."""
        self._end()

    def _end(self) -> None:
        if not self._stopped:
            self.stop()
            self.ended.emit()
