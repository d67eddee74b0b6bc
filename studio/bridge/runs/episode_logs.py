"""Read the log of an episode behind the window, also while another process writes it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.comparison.steps.app_changes import AppChange, app_changes
from collector.model.trajectory import Step, TrajectoryHeader
from collector.run.results.episode_log import LogLine, stored_log
from collector.store.files.errors import Damaged
from collector.store.trajectory.codec import Line
from collector.store.trajectory.reader import read_first_app_data
from collector.store.trajectory.trajectory_tail import TailNews, TailState, TrajectoryTail
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers

_PAUSE_MS = 120
"""Changes that arrive together are read once."""


class _Reading:
    """A trajectory that is read again and again: what was read so far."""

    def __init__(self, folder: Path) -> None:
        self._tail = TrajectoryTail(folder)
        self._header: TrajectoryHeader | None = None
        self._steps: list[Step] = []
        self._events: list[Line] = []

    def look(self) -> list[LogLine] | None:
        """The log as it is now; None when there is no trajectory. On a worker's thread."""
        news = self._tail.poll()
        if news.state is TailState.GONE:
            return None
        self._take(news)
        if self._header is None:
            return None
        return stored_log(self._header, self._steps, self._events, self._changes())

    def _changes(self) -> list[AppChange]:
        try:
            return list(app_changes(read_first_app_data(self._tail.folder), self._steps))
        except Damaged:  # the check of the project says it
            return []

    def _take(self, news: TailNews) -> None:
        if news.is_rewritten:
            self._steps, self._events = [], []
        self._steps += news.steps
        self._events += news.events
        self._header = news.header or self._header


class EpisodeLogs(QObject):
    """Reads one log at a time. GUI thread only."""

    read = Signal(object)
    """The list of :class:`~collector.run.results.episode_log.LogLine`; None when nothing is stored here."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self._folder: Path | None = None
        self._reading: _Reading | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._look)

    def follow(self, folder: Path | None) -> None:
        """Read the log of the trajectory in a folder; None for no log."""
        if folder != self._folder:
            self._folder = folder
            self._reading = _Reading(folder) if folder is not None else None
            self._answers.forget()
        if folder is not None:
            self._look()

    def look_again(self) -> None:
        """Something was written."""
        if self._reading is not None and not self._pause.isActive():
            self._pause.start()

    def close(self) -> None:
        """Read no more."""
        self._pause.stop()
        self.follow(None)

    @Slot()
    def _look(self) -> None:
        reading = self._reading
        if reading is None:
            return

        def work(_job: Job) -> tuple[_Reading, list[LogLine] | None]:
            return reading, reading.look()

        self._answers.ask("log", work, self._deliver)

    def _deliver(self, answer: tuple[_Reading, list[LogLine] | None]) -> None:
        reading, lines = answer
        if reading is self._reading:
            self.read.emit(lines)
