"""Run an experiment: the missing cells, on all workers, until each has its outcome or is given up."""

from __future__ import annotations

import contextlib
import functools
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from collector.model.episode import Outcome
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.control.requests import PauseRun, ResumeRun, RunRequest, SteerWorker, StopRun
from collector.run.control.run_log import RunLog
from collector.run.control.run_server import RunServer
from collector.run.control.runner_file import RunnerFile
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.cycle.steering.control import ControlCommand, Pause, Resume, ShowScreens
from collector.run.events import EpisodeEnded, RunBegan, RunChanged, RunEnded, RunEvent
from collector.run.experiment.model import Cell, Experiment
from collector.run.recomputation.current_fingerprints import current_fingerprints
from collector.run.runner.agent_preflight import preflight_problem
from collector.run.runner.cell_queue import Backoff, CellQueue, QueuedCell
from collector.run.runner.disk_guard import DiskGuard
from collector.run.runner.episode_judges import EpisodeJudges
from collector.run.runner.fail_fast import FIRST_CELLS, NEVER, FailFast
from collector.run.runner.run_feed import RunFeed
from collector.run.runner.run_plan import RunPlan, make_plan
from collector.run.runner.run_summary import FAILED, FINISHED, STOPPED, RunResults, RunSummary
from collector.run.runner.stored_episodes import (
    StoredEpisode,
    end_dead_episodes,
    end_lost_episode,
    read_episodes,
)
from collector.run.runner.worker_slot import SlotParts, WorkerSlot
from collector.run.workers.worker import EpisodeJob, Executor
from collector.store.catalogue.catalogue import Progress
from collector.store.files.errors import StoreError
from collector.store.files.names import folder_name
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import delete_trajectory

_POLL_S = 0.1
_DISK_EVERY_S = 2.0
_NEEDLESS_OPENING_S = 5.0
STOP_S = 30.0
"""A worker that does not end its episode for so long is closed."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunnerOptions:
    """How a run is made; what it is made of says the experiment."""

    hold_ms: int = 0
    """Wait before each action, so that people who watch see where it will be."""
    again: str = ""
    """Run these finished cells again, one of ``episode.AGAIN``; their episodes go to the trash."""
    backoff: Backoff = field(default_factory=Backoff)
    fail_fast: str = FIRST_CELLS
    """When the same fault again and again ends the run, see :class:`FailFast`; but for NEVER each agent is
    started once before the first cell."""
    silent_s: float = 1200.0
    """A worker whose episode says nothing for so long is replaced."""
    free_bytes: Callable[[], int] | None = field(default=None, compare=False)
    """Free bytes of the disk; None asks the system."""


class ExperimentRunner:
    """Runs one experiment of a project. :meth:`run` blocks; the other methods may be called meanwhile.

    The truth is in the trajectories: a cell is finished when an episode of it has an outcome that is no
    fault. So a runner that is killed loses at most the episodes it was running, and another one goes on.
    """

    def __init__(
        self, project: Project, experiment: Experiment, cells: Sequence[Cell], executor: Executor,
        options: RunnerOptions | None = None, *,
        listener: Callable[[RunEvent], None] = lambda _event: None, progress: Progress | None = None,
    ) -> None:  # fmt: skip
        """``cells`` are those of the matrix.

        ``listener`` is called with each event, on any thread, one at a time.
        """
        self._project, self._experiment = project, experiment
        self._cells, self._executor = tuple(cells), executor
        self._options = options or RunnerOptions()
        self._listener, self._progress = listener, progress
        self._disk = DiskGuard(project.folder, executor.count, self._options.free_bytes)
        self._slots: tuple[WorkerSlot, ...] = ()
        self._queue = CellQueue(())
        self._results = RunResults(self._cells)
        self._feed: RunFeed | None = None
        self._plan = RunPlan(self._cells, {})
        self._steering = threading.Lock()
        self._pauses: dict[str, str] = {}
        """Who wants a pause, person or disk -> why."""
        self._shows_screens = False
        self._is_stop_asked = False
        self._is_stopping = False
        self._fail_fast = FailFast(self._options.fail_fast)
        self._judges = EpisodeJudges(project, experiment.judges)
        self._tasks = {cell.id: cell.task for cell in self._cells}
        self._phones_known = functools.cache(executor.phones_known)
        """Asked once: connected phones take their time to answer."""

    def plan(self) -> RunPlan:
        """What there is to run, from what is stored; changes nothing. Raises StoreError."""
        plan = self._planned(read_episodes(self._project, self._experiment.name, self._progress))
        return plan.again(self._options.again)

    def run(self) -> RunSummary:
        """Run what is missing. Raises RunnerActive, and StoreError when the project takes no run."""
        self._project.require_writable()
        paths, name = self._project.paths, self._experiment.name
        began = time.monotonic()
        held = RunnerFile.hold(paths, name)
        with contextlib.ExitStack() as stack:
            stack.callback(held.release)
            known = self._known_plan()
            log = RunLog(paths.run_log(name))
            stack.callback(log.close)
            server = RunServer(name, self.request, self._show_screens, log.ended_episodes)
            stack.callback(server.close)
            self._feed = RunFeed(log, server, self._listener, paths.runner_output(name))
            held.publish(server.port, server.token)
            missing = known.again(self._options.again).missing
            stack.callback(self._judges.end, cancel=True)
            problem = self._preflight(missing) or self._judges.problem()
            self._plan = known if problem else self._begin_again(known)
            self._count_finished()
            for stored in self._plan.finished.values():
                self._judges.add(stored.folder)
            before, again = len(self._plan.finished), self._plan.repeated
            self._feed.publish(RunBegan(experiment=name, total=len(self._cells), done=before, again=again))
            how, reason = STOPPED, ""
            try:
                how, reason = (FAILED, problem) if problem else self._run_missing()
            finally:
                self._end_slots()
                judge_problems = self._judges.end(cancel=how != FINISHED)
                self._feed.publish(RunEnded(how=how, reason=reason))
            return RunSummary(
                name, how, reason, len(self._cells), self._results.finished, before,
                self._results.not_run(), self._results.counts(), self._results.faults,
                time.monotonic() - began, self._judges.judged, tuple(judge_problems),
            )  # fmt: skip

    # -- steering ------------------------------------------------------------
    def stop(self) -> None:
        """End the run soon: running episodes end without an outcome. Safe in a handler of a signal."""
        self._is_stop_asked = True

    def pause_all(self, reason: str = "", who: str = "person") -> None:
        """Pause all episodes before their next action, and begin none."""
        with self._steering:
            is_first = not self._pauses
            self._pauses[who] = reason
            if is_first:
                self._queue.pause()
                self._control_all(Pause())
            self._publish(RunChanged(state="paused", reason=reason))

    def resume_all(self, who: str = "person") -> None:
        """Go on. While the disk is full, the run stays paused."""
        with self._steering:
            if self._pauses.pop(who, None) is None and who != "person":
                return
            if self._pauses:
                self._publish(RunChanged(state="paused", reason=next(iter(self._pauses.values()))))
                return
            self._queue.resume()
            self._control_all(Resume())
            self._publish(RunChanged(state="running"))

    def control(self, worker: str, command: ControlCommand) -> None:
        """Hand a command to the episode of a worker. Raises UserError for a worker that there is not."""
        slot = next((slot for slot in self._slots if slot.worker_name == worker), None)
        if slot is None:
            known = ", ".join(slot.worker_name for slot in self._slots if slot.worker_name)
            raise UserError(
                _("The run has no worker {name}", name=worker), "", _("Workers: {known}", known=known)
            )
        slot.control(command)

    def request(self, request: RunRequest) -> None:
        """Do what a watcher asks for. Raises UserError."""
        match request:
            case SteerWorker(worker, command):
                self.control(worker, command)
            case PauseRun():
                self.pause_all()
            case ResumeRun():
                self.resume_all()
            case StopRun():
                self.stop()

    # -- planning ------------------------------------------------------------
    def _planned(self, episodes: Sequence[StoredEpisode]) -> RunPlan:
        project = EpisodeProject.load(self._project.folder)
        fingerprints = current_fingerprints(project, self._experiment, self._cells)
        return make_plan(self._cells, fingerprints, episodes, self._phones_known)

    def _known_plan(self) -> RunPlan:
        """The plan with everything that is finished, once what dead runners left is ended."""
        stored = read_episodes(self._project, self._experiment.name, self._progress)
        return self._planned(end_dead_episodes(self._project, stored))

    def _begin_again(self, known: RunPlan) -> RunPlan:
        """The plan of the run, once what it repeats is in the trash: not before its agents can be started."""
        plan = known.again(self._options.again)
        for cell in plan.repeated:
            delete_trajectory(self._project, known.finished[cell].folder)
        return plan

    def _count_finished(self) -> None:
        """Count what earlier runs finished among the results of this one."""
        for cell in self._plan.cells:
            stored = self._plan.finished.get(cell.id)
            if stored is not None and stored.outcome is not None:
                self._results.finish(cell, stored.outcome)

    def _job(self, queued: QueuedCell) -> EpisodeJob:
        attempt = self._plan.attempts.get(queued.cell.id, 0) + queued.faults
        return EpisodeJob(self._project.folder, self._experiment, queued.cell, attempt, self._options.hold_ms)

    # -- running -------------------------------------------------------------
    def _run_missing(self) -> tuple[str, str]:
        """Run the missing cells; how the run ends, and why."""
        missing = self._plan.missing
        if not missing:
            return FINISHED, ""
        options = self._options
        queue = CellQueue(missing, options.backoff)
        parts = SlotParts(
            self._executor, queue, self._results, self._publish, self._job, self._end_lost,
            self._check_disk, lambda: bool(self._pauses), self._experiment.retries, options.backoff,
            self._fail_fast,
        )  # fmt: skip
        count = min(self._executor.count, len(missing))
        self._take_slots(queue, [WorkerSlot(number, parts) for number in range(count)])
        self._check_disk()
        for slot in self._slots:
            slot.start()
        self._watch()
        if self._fail_fast.reason:
            return FAILED, self._fail_fast.reason
        if self._is_stopping:
            return STOPPED, ""
        if self._queue.left:
            return FAILED, next((slot.problem for slot in self._slots if slot.problem), "")
        return FINISHED, ""

    def _take_slots(self, queue: CellQueue, slots: Sequence[WorkerSlot]) -> None:
        """Steer these from now on, as people asked while agents were tried and there were none yet."""
        with self._steering:
            self._queue, self._slots = queue, tuple(slots)
            if self._pauses:
                queue.pause()
            self._control_all(ShowScreens(self._shows_screens))

    def _preflight(self, missing: Sequence[Cell]) -> str:
        """Why an agent that is needed cannot work on this computer; empty when all can."""
        if self._options.fail_fast == NEVER or not self._executor.is_here:
            return ""
        needed = {cell.agent for cell in missing}
        entries = [entry for entry in self._experiment.agents if entry.id in needed]
        return preflight_problem(self._project, entries)

    def _watch(self) -> None:
        """Wait for the end, and look after disk, silent workers and the wish to stop meanwhile."""
        next_check = time.monotonic() + _DISK_EVERY_S
        deadline, is_abandoned = 0.0, False
        while any(slot.is_alive for slot in self._slots):
            for slot in self._slots:
                slot.join(_POLL_S / len(self._slots))
            now = time.monotonic()
            if (self._is_stop_asked or self._fail_fast.reason) and not self._is_stopping:
                self._begin_stop()
                deadline = now + STOP_S
            if self._is_stopping and now > deadline:
                if is_abandoned:  # a thread of this process that nothing can end
                    return
                self._abandon(self._slots)
                deadline, is_abandoned = now + STOP_S, True
            if now >= next_check and not self._is_stopping:
                next_check = now + _DISK_EVERY_S
                self._check_disk()
                self._abandon([slot for slot in self._slots if slot.silent_s() > self._options.silent_s])
            if self._is_stopping or not self._queue.left:
                # A worker that waits for a machine or a phone has nothing to run any more.
                self._abandon([slot for slot in self._slots if slot.opening_s() > _NEEDLESS_OPENING_S])

    def _begin_stop(self) -> None:
        self._is_stopping = True
        self._publish(RunChanged(state="stopping", reason=self._fail_fast.reason))
        self._queue.stop()
        for slot in self._slots:
            slot.stop()

    def _abandon(self, slots: Sequence[WorkerSlot]) -> None:
        for slot in slots:
            if slot.is_alive:
                _log.info("%s does not answer and is closed", slot.worker_name)
                slot.abandon()

    def _end_slots(self) -> None:
        """End the threads, whatever happened."""
        self._queue.stop()
        for slot in self._slots:
            if slot.is_alive:
                slot.stop()
        for slot in self._slots:
            slot.join(STOP_S)
        self._executor.close()

    def _check_disk(self) -> str:
        """Pause while the disk is nearly full, and go on once it is not. Returns the problem."""
        problem = self._disk.problem()
        if problem and "disk" not in self._pauses:
            self.pause_all(problem, "disk")
        elif not problem and "disk" in self._pauses:
            self.resume_all("disk")
        return problem

    def _end_lost(self, queued: QueuedCell, trajectory: str, why: str) -> Outcome:
        """End the episode of a worker that was lost; one that had its outcome already keeps it."""
        try:
            stored = end_lost_episode(self._project, queued.cell.task, trajectory, why)
        except StoreError as error:  # it is ended when the run is resumed
            _log.info("the episode %s was not ended: %s", trajectory, error)
            stored = None
        return stored or Outcome(infrastructure=why)

    def _show_screens(self, wanted: bool) -> None:
        with self._steering:
            self._shows_screens = wanted
            self._control_all(ShowScreens(wanted))

    def _control_all(self, command: ControlCommand) -> None:
        for slot in self._slots:
            slot.control(command)

    def _publish(self, event: RunEvent) -> None:
        if isinstance(event, EpisodeEnded) and not event.infrastructure:
            of_task = self._project.paths.trajectories_of(self._tasks[event.cell])
            self._judges.add(of_task / folder_name(event.trajectory))
        if self._feed is not None:
            self._feed.publish(event)
