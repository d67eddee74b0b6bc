"""Workers without phones: they ask agents the steps of golden trajectories."""

from __future__ import annotations

import platform
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from collector.agents.agent import AgentUnavailable
from collector.model.errors import UserError
from collector.model.task import Task
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.steering.control import ControlCommand
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.events import RunEvent, WorkerChanged
from collector.run.experiment.estimate import OFFLINE_WORKERS
from collector.run.offline.golden_questions import GoldenQuestions
from collector.run.offline.offline_episode import run_offline_episode
from collector.run.phones.phone_facts import PhoneFacts
from collector.run.workers.local_worker import worker_name
from collector.run.workers.running_episode import RunningEpisode
from collector.run.workers.worker_agents import WorkerAgents, faulty
from collector.store.project.project import Project

_MOST_KEPT = 32
"""So many golden trajectories are kept as questions: every agent is asked one before the next is begun."""


class KnownQuestions:
    """The questions of the golden trajectories that were asked last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], tuple[Task, threading.Lock, list[GoldenQuestions]]]
        self._kept = OrderedDict()

    def of(self, project: Project, task: Task, golden: str) -> GoldenQuestions:
        """Read a golden trajectory, unless that was done. Raises UserError."""
        key = task.id, golden
        with self._lock:
            if key not in self._kept or self._kept[key][0] != task:
                self._kept[key] = task, threading.Lock(), []
            self._kept.move_to_end(key)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
            _task, reading, read = self._kept[key]
        with reading:  # two workers that need the same one read it once
            if not read:
                read.append(GoldenQuestions.of(project, task, golden))
            return read[0]


class OfflineWorker:
    """A :class:`~collector.run.workers.worker.Worker` that has no phone."""

    def __init__(self, name: str, questions: KnownQuestions) -> None:
        self.name = name
        self._questions = questions
        self._emit: Callable[[RunEvent], None] = lambda _event: None
        self._episode = RunningEpisode()
        self._agents = WorkerAgents()

    def open(self, emit: Callable[[RunEvent], None]) -> None:
        """Say that it is ready: nothing has to be."""
        self._emit = emit
        emit(WorkerChanged(worker=self.name, state="ready", host=platform.node()))

    def run(self, job: EpisodeJob) -> EpisodeResult:
        """Run an offline episode. Faults are in the outcome."""
        result = self._episode.run(lambda control: self._run(job, control))
        if result.outcome.infrastructure:
            self._agents.close()  # a program or a connection that failed is begun anew
        return result

    def _run(self, job: EpisodeJob, control: EpisodeControl) -> EpisodeResult:
        try:
            agent = self._agents.of(job)
        except UserError as error:
            may_help = isinstance(error, AgentUnavailable)
            return faulty(job, str(error), phone_is_suspect=False, may_help_to_retry=may_help)
        return run_offline_episode(job, agent, self._emit, control, self._questions.of, worker=self.name)

    def control(self, command: ControlCommand) -> None:
        self._episode.control(command)

    def restart(self) -> None:
        """Nothing to restart."""

    def close(self) -> None:
        """End the episode that runs, and the agents."""
        self._episode.close(self._agents.close)


@dataclass(slots=True)
class OfflineExecutor:
    """An :class:`~collector.run.workers.worker.Executor` whose workers are threads of this process.

    They wait for models nearly all of their time: as many requests are in flight as there are workers.
    """

    count: int = OFFLINE_WORKERS
    is_here: bool = True
    _questions: KnownQuestions = field(default_factory=KnownQuestions)

    def phones_known(self) -> tuple[PhoneFacts, ...]:
        """None: it has no phones."""
        return ()

    def worker(self, number: int) -> OfflineWorker:
        return OfflineWorker(worker_name(number), self._questions)

    def close(self) -> None:
        """Nothing to end."""
