"""The runs of a project: which go on, the one that is followed, and its start as a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.run.control.requests import RunRequest
from collector.store.files.layout import ProjectPaths
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.runs.run_link import RunLink
from studio.bridge.runs.runner_process import RunnerProcess, start_runner

_LOOK_MS = 1500
_START_MS = 150
"""How often a runner that was just started is asked whether it lives."""


class Attachment(StrEnum):
    """What the window has to do with the run of the experiment that is followed."""

    NONE = "none"
    """Nobody runs it."""
    STARTING = "starting"
    """Its process was started here and does not answer yet."""
    ATTACHED = "attached"


@dataclass(frozen=True, slots=True)
class RunnerFailure:
    """A runner that ended before it answered, or without saying how the run ended."""

    experiment: str
    exit_code: int
    words: str
    """The last lines that it printed."""
    was_attached: bool = False
    """Whether it ran before, and ended without saying how the run ended."""


@dataclass(frozen=True, slots=True)
class _Runners:
    folder: Path
    here: tuple[str, ...]
    elsewhere: tuple[str, ...]


class RunAttachment(QObject):
    """Follows one run at a time. Runs that a terminal or an earlier window started are found, too."""

    arrived = Signal(object)
    """A list of :class:`~collector.run.events.RunEvent`; ``RunBegan`` comes first after each attachment."""
    changed = Signal()
    """:attr:`state` or :attr:`running` changed."""
    ended = Signal(bool)
    """The run ended, with True; or its process is gone without a word, with False."""
    lost = Signal()
    """The runner is gone without a word; ``ended`` or ``start_failed`` follows with what is known of it."""
    start_failed = Signal(object)
    """The :class:`RunnerFailure` of a runner that was started here."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self.state = Attachment.NONE
        self.running: tuple[str, ...] = ()
        """Names of the experiments of the project that are being run on this computer."""
        self.elsewhere: tuple[str, ...] = ()
        """Names of those that are being run on another computer, which nobody can attach to from here."""
        self._folder: Path | None = None
        self._name = ""
        self._is_looking = self._is_in_front = False
        self._started: dict[str, RunnerProcess] = {}
        """Runners that this window started and that were not seen to end yet, by experiment."""
        self._link = RunLink(runner, self)
        self._link.attached.connect(self._attached)
        self._link.arrived.connect(self.arrived)
        self._link.detached.connect(self._detached)
        self._link.refused.connect(self.failed)
        self._link.failed.connect(self.failed)
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(self.look)
        self._starting = QTimer(self, interval=_START_MS)
        self._starting.timeout.connect(self._follow_start)
        self._ending = QTimer(self, interval=_START_MS)
        self._ending.timeout.connect(self._follow_end)
        runner.closing.connect(self._stop_timers)

    @property
    def is_starting(self) -> bool:
        """Whether a runner was started for the experiment that is followed, and does not answer yet."""
        return self.state is Attachment.STARTING

    # -- following -----------------------------------------------------------
    def open(self, folder: Path | None) -> None:
        """Follow the runs of another project."""
        self._leave()
        self._folder, self._name = folder, ""
        self.running = self.elsewhere = ()
        self.changed.emit()
        self.look()

    def follow(self, experiment: str) -> None:
        """Follow the run of another experiment, if there is one."""
        if experiment == self._name:
            return
        self._leave()
        self._name = experiment
        self.changed.emit()
        self.look()

    def _leave(self) -> None:
        self._link.detach()
        self._starting.stop()
        self._ending.stop()
        self.state = Attachment.NONE

    def set_in_front(self, in_front: bool) -> None:
        """Look for runs that others start while the workspace is looked at."""
        self._is_in_front = in_front
        if in_front:
            self.look()
        self._keep_looking()

    def _keep_looking(self) -> None:
        """Look on while the workspace is in front, and until the runs end that no connection tells of."""
        followed = self._name if self.state is Attachment.ATTACHED else ""
        if self._is_in_front or any(name != followed for name in self.running):
            if not self._looking.isActive():
                self._looking.start()
        else:
            self._looking.stop()

    @Slot()
    def look(self) -> None:
        """Ask which experiments are being run."""
        folder = self._folder
        if folder is None or self._is_looking:
            return

        def work(_job: Job) -> _Runners:
            from collector.run.control.runner_file import running_runners

            runners = running_runners(ProjectPaths(folder))
            here = tuple(runner.experiment for runner in runners if runner.is_here)
            elsewhere = tuple(runner.experiment for runner in runners if not runner.is_here)
            return _Runners(folder, here, elsewhere)

        self._forget_ended()
        self._is_looking = True
        self._runner.run(work, success=self._seen, failure=self._not_seen)

    def _not_seen(self, error: Exception) -> None:
        self._is_looking = False
        self.failed.emit(error)

    def _seen(self, runners: _Runners) -> None:
        self._is_looking = False
        if runners.folder != self._folder:
            self.look()
            return
        if (runners.here, runners.elsewhere) != (self.running, self.elsewhere):
            self.running, self.elsewhere = runners.here, runners.elsewhere
            self.changed.emit()
        self._keep_looking()
        if self._name in runners.here and self.state is Attachment.NONE and not self._link.is_attaching:
            self._link.attach(runners.folder, self._name)

    def _forget_ended(self) -> None:
        """Ask the runners that were started here whether they live, which also frees their process ids."""
        for name, process in list(self._started.items()):
            is_awaited = name == self._name and (self._starting.isActive() or self._ending.isActive())
            if process.exit_code is not None and not is_awaited:
                del self._started[name]

    @Slot()
    def _attached(self) -> None:
        self._starting.stop()
        self.state = Attachment.ATTACHED
        if self._name not in self.running:
            self.running = tuple(sorted((*self.running, self._name)))
        self.changed.emit()

    @Slot(bool)
    def _detached(self, has_ended: bool) -> None:
        self.state = Attachment.NONE
        self.running = tuple(name for name in self.running if name != self._name)
        if not has_ended:
            self.lost.emit()
        self.changed.emit()
        if not has_ended and self._name in self._started:
            self._ending.start()
        else:
            self.ended.emit(has_ended)

    # -- steering ------------------------------------------------------------
    def send(self, request: RunRequest) -> None:
        """Ask the runner for something; what comes of it is told by its events."""
        self._link.send(request)

    def start(self, options: Sequence[str] = ()) -> None:
        """Start a runner for the experiment that is followed; ``arrived`` follows, or ``start_failed``.

        ``options`` are those of ``waymark run``.
        """
        folder, name = self._folder, self._name
        if folder is None or not name or self.state is not Attachment.NONE:
            return
        self.state = Attachment.STARTING
        self.changed.emit()

        def work(_job: Job) -> tuple[str, RunnerProcess]:
            return name, start_runner(folder, name, options)

        self._runner.run(work, success=self._process_started, failure=self._not_started)

    def _process_started(self, answer: tuple[str, RunnerProcess]) -> None:
        name, process = answer
        if (before := self._started.get(name)) is not None:
            before.let_go()  # it was killed, and nobody has asked yet how it ended
        self._started[name] = process
        if name == self._name and self.state is Attachment.STARTING:
            self._starting.start()

    def _not_started(self, error: Exception) -> None:
        self.state = Attachment.NONE
        self.changed.emit()
        self.failed.emit(error)

    @Slot()
    def _follow_start(self) -> None:
        """Attach to the runner as soon as it answers; say why when it ends before."""
        process, folder = self._started.get(self._name), self._folder
        if process is None or folder is None or self.state is not Attachment.STARTING:
            self._starting.stop()
            return
        if process.exit_code is None:
            if not self._link.is_attaching:
                self._link.attach(folder, self._name)
            return
        self._starting.stop()
        self._report_failure(self._name)

    @Slot()
    def _follow_end(self) -> None:
        """Say why a runner of this window ended without a word, once its process is gone."""
        process = self._started.get(self._name)
        if process is None or process.exit_code is not None:
            self._ending.stop()
            if process is not None:
                self._report_failure(self._name, was_attached=True)

    def _report_failure(self, name: str, *, was_attached: bool = False) -> None:
        process = self._started.pop(name)
        code = process.exit_code or 0
        self.state = Attachment.NONE
        self.changed.emit()

        def work(_job: Job) -> RunnerFailure:
            return RunnerFailure(name, code, process.last_words, was_attached)

        self._runner.run(work, success=self._failure_read, failure=self.failed.emit)

    def _failure_read(self, failure: RunnerFailure) -> None:
        if failure.exit_code:
            self.start_failed.emit(failure)
        else:
            self.ended.emit(True)  # nothing was left to be run

    @Slot()
    def _stop_timers(self) -> None:
        for timer in (self._looking, self._starting, self._ending):
            timer.stop()

    def close(self) -> None:
        """Leave the runs to themselves: they go on."""
        self._stop_timers()
        self._link.close()
        for process in self._started.values():
            process.let_go()
