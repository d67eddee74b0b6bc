"""A place for a worker: a thread that hands it cells, restarts its phone, and replaces it when it is lost."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from collector.model.episode import Outcome
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.cycle.steering.control import ControlCommand, Pause, ShowScreens, StopEpisode
from collector.run.events import ControlChanged, EpisodeBegan, EpisodeEnded, RunEvent, WorkerChanged
from collector.run.runner.cell_queue import EVERYONE, Backoff, CellQueue, QueuedCell
from collector.run.runner.fail_fast import FailFast
from collector.run.runner.run_summary import RunResults
from collector.run.workers.worker import EpisodeJob, EpisodeResult, Executor, Worker, WorkerLost

OPENINGS = 3
"""Times that a worker is opened before its place is given up."""
_FAULTS_BEFORE_RESTART = 2
"""Faults in a row that may come from the phone, after which it is restarted without a proof."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SlotParts:
    """What the places of a run share."""

    executor: Executor
    queue: CellQueue
    results: RunResults
    publish: Callable[[RunEvent], None]
    job: Callable[[QueuedCell], EpisodeJob]
    lost_episode: Callable[[QueuedCell, str, str], Outcome]
    """End the episode of a lost worker, given its trajectory and why; the outcome its file then has."""
    disk_problem: Callable[[], str]
    """Why nothing can be run now; it pauses the run then."""
    is_paused: Callable[[], bool]
    retries: int
    backoff: Backoff
    fail_fast: FailFast


class WorkerSlot:
    """Runs cells on one worker after another, from :meth:`start` until no cell is left."""

    def __init__(self, number: int, parts: SlotParts) -> None:
        self.number = number
        self.problem = ""
        """Why the place was given up, in a sentence."""
        self._parts = parts
        self._worker: Worker | None = None
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._shows_screens = False
        self._trajectory = ""
        self._faults = 0
        self._busy_since = 0.0
        self._opening_since = 0.0
        self._is_held = False
        self._is_cancelled = False
        """Whether a person stopped the running episode."""
        self._thread = threading.Thread(target=self._run, name=f"run slot {number}", daemon=True)

    # -- from any thread -----------------------------------------------------
    @property
    def worker_name(self) -> str:
        """Name of its worker; empty when it has none."""
        worker = self._worker
        return worker.name if worker is not None else ""

    @property
    def is_alive(self) -> bool:
        """Whether it may run more cells."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Open a worker and begin, on a thread."""
        self._thread.start()

    def control(self, command: ControlCommand) -> None:
        """Hand a command to the worker's episode."""
        with self._lock:
            if isinstance(command, ShowScreens):
                self._shows_screens = command.wanted
            self._is_cancelled |= isinstance(command, StopEpisode)
            worker = self._worker
        if worker is not None:
            with contextlib.suppress(WorkerLost):
                worker.control(command)

    def stop(self) -> None:
        """End the episode that runs, without an outcome, and take no other cell."""
        self._stopped.set()
        self.control(StopEpisode(with_run=True))

    def abandon(self) -> None:
        """Close the worker although it may be busy; its episode is ended by a fault."""
        worker = self._worker
        if worker is not None:
            worker.close()

    def silent_s(self) -> float:
        """Seconds for which the running episode has said nothing; 0 between episodes and while it is held."""
        since = self._busy_since
        return time.monotonic() - since if since and not self._is_held else 0.0

    def opening_s(self) -> float:
        """Seconds for which it has been waiting for its worker to open; 0 at other times."""
        since = self._opening_since
        return time.monotonic() - since if since else 0.0

    def join(self, timeout: float | None = None) -> None:
        """Wait for the thread."""
        self._thread.join(timeout)

    # -- on its thread -------------------------------------------------------
    def _run(self) -> None:
        try:
            while not self._stopped.is_set() and self._parts.queue.left:
                if self._worker is None and not self._open():
                    return
                queued = self._parts.queue.take()
                if queued is None:
                    return
                self._run_cell(queued)
        finally:
            self._close("closed")

    def _open(self) -> bool:
        """Open a worker; False when the place is given up."""
        for attempt in range(1, OPENINGS + 1):
            name = ""
            try:
                worker = self._parts.executor.worker(self.number)
                name = worker.name
                self._change(name, "starting")
                with self._lock:
                    self._worker = worker
                self._opening_since = time.monotonic()
                try:
                    worker.open(self._take_event)
                finally:
                    self._opening_since = 0.0
                worker.control(ShowScreens(self._shows_screens))
            except UserError as error:
                self._close("gone", str(error))
                self._change(name or _("worker {number}", number=self.number + 1), "gone", str(error))
                self.problem = str(error)
                if attempt == OPENINGS or not self._parts.queue.left:
                    return False
                if self._stopped.wait(self._parts.backoff.seconds(attempt)):
                    return False
            else:
                self._faults = 0
                return True
        return False

    def _run_cell(self, queued: QueuedCell) -> None:
        worker = self._worker
        assert worker is not None
        self._trajectory = ""
        self._busy_since, self._is_held, self._is_cancelled = time.monotonic(), False, False
        if self._stopped.is_set():  # just now: a command without an episode has no effect
            self._parts.queue.skip(queued)
            return
        try:
            result = worker.run(self._parts.job(queued))
        except WorkerLost as error:
            result = self._lost(queued, str(error))
        except UserError as error:
            result = EpisodeResult(queued.cell, self._trajectory, Outcome(infrastructure=str(error)))
        except Exception as error:  # noqa: BLE001 - one episode must not end the run
            # A fault of ours: said like one of the infrastructure, for no agent may answer for it.
            _log.exception("the worker failed on %s", queued.cell.id)
            what = _("The worker failed: {type}: {why}", type=type(error).__name__, why=error)
            result = self._lost(queued, what)
        finally:
            self._busy_since = 0.0
        self._settle(queued, result, worker.name)
        if not result.outcome.infrastructure:
            self._faults = 0
        elif result.phone_is_suspect and not self._is_cancelled:
            self._faults += 1
        if self._worker is not None and not self._stopped.is_set():
            self._renew(result)

    def _lost(self, queued: QueuedCell, why: str) -> EpisodeResult:
        self._close("gone", why)
        outcome = self._parts.lost_episode(queued, self._trajectory, why)
        return EpisodeResult(queued.cell, self._trajectory, outcome, phone_is_usable=False)

    def _settle(self, queued: QueuedCell, result: EpisodeResult, worker: str) -> None:
        """Note an outcome, or say what becomes of a cell that has none."""
        parts, outcome, cell = self._parts, result.outcome, queued.cell
        settle: Callable[[QueuedCell], None] = parts.queue.finish
        will_retry = False
        if not outcome.infrastructure:
            parts.results.finish(cell, outcome)
            parts.fail_fast.note_outcome(cell.agent)
        elif self._stopped.is_set() or self._is_cancelled:
            parts.results.give_up(cell, outcome.infrastructure)
            settle = parts.queue.skip
        elif parts.disk_problem():
            parts.results.note_fault()
            settle, will_retry = parts.queue.put_back, True
        else:
            parts.results.note_fault()
            parts.fail_fast.note_fault(cell.agent, outcome.infrastructure)
            if parts.fail_fast.reason:
                parts.queue.stop()  # nobody takes another cell until the runner sees it
            will_retry = (
                queued.faults < parts.retries and result.may_help_to_retry and not parts.fail_fast.reason
            )
            whose = EVERYONE if result.phone_is_suspect else cell.agent
            settle = partial(parts.queue.retry if will_retry else parts.queue.give_up, whose=whose)
            if not will_retry:
                parts.results.give_up(cell, outcome.infrastructure)
        parts.publish(
            EpisodeEnded(
                worker=worker, cell=cell.id, trajectory=result.trajectory, status=outcome.status,
                reason=outcome.reason, early_stop=outcome.early_stop,
                infrastructure=outcome.infrastructure, stopped=outcome.stopped,
                will_retry=will_retry, steps=result.steps, seconds=round(result.seconds, 3),
                cost=outcome.usage.cost or 0.0,
            )
        )  # fmt: skip
        settle(queued)

    def _renew(self, result: EpisodeResult) -> None:
        """Restart the phone when the episode left it unusable; when that fails, let the worker go."""
        worker = self._worker
        assert worker is not None
        if result.phone_is_usable and self._faults < _FAULTS_BEFORE_RESTART:
            return
        self._faults = 0
        self._change(worker.name, "restarting", result.outcome.infrastructure)
        try:
            worker.restart()
        except UserError as error:
            self._close("gone", str(error))

    def _close(self, state: str, problem: str = "") -> None:
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is None:
            return
        try:
            worker.close()
        except UserError as error:
            _log.info("%s was not closed: %s", worker.name, error)
        self._change(worker.name, state, problem)

    def _change(self, name: str, state: str, problem: str = "") -> None:
        self._parts.publish(WorkerChanged(worker=name, state=state, problem=problem))

    def _take_event(self, event: RunEvent) -> None:
        """Pass an event of the worker on; the end of an episode is said by :meth:`_settle`."""
        if self._busy_since:
            self._busy_since = time.monotonic()
        if isinstance(event, EpisodeEnded):
            return
        if isinstance(event, EpisodeBegan):
            self._trajectory = event.trajectory
            self._repeat_commands()
        elif isinstance(event, ControlChanged):
            self._is_held = event.state in ("paused", "taken_over")
        self._parts.publish(event)

    def _repeat_commands(self) -> None:
        """Hand over what was asked for in the moment before the episode began."""
        if self._stopped.is_set():
            self.control(StopEpisode(with_run=True))
        elif self._parts.is_paused():
            self.control(Pause())
