"""A worker in this process: one phone, and the agents that act on it."""

from __future__ import annotations

import contextlib
import logging
import platform
from collections.abc import Callable
from dataclasses import dataclass

from collector.agents.agent import AgentUnavailable
from collector.device.health.phone_health import check_phone
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.replay.phone import ReplayPhone, opened_phone
from collector.run.cycle.episode import run_episode
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.steering.control import ControlCommand
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.events import RunEvent, WorkerChanged
from collector.run.phones.phone_facts import PhoneFacts
from collector.run.phones.provider import PhoneProvider, RunPhone
from collector.run.workers.running_episode import RunningEpisode
from collector.run.workers.worker_agents import WorkerAgents, faulty

_log = logging.getLogger(__name__)


class LocalWorker:
    """A :class:`~collector.run.workers.worker.Worker` on a phone of a provider."""

    def __init__(self, name: str, number: int, phones: PhoneProvider) -> None:
        self.name = name
        self._number, self._phones = number, phones
        self._emit: Callable[[RunEvent], None] = lambda _event: None
        self._episode = RunningEpisode()
        self._phone: RunPhone | None = None
        self._opened = contextlib.ExitStack()
        self._connection: ReplayPhone | None = None
        self._agents = WorkerAgents()
        self._is_doubtful = False
        """Whether the last episode was ended by a fault: the phone is looked at before the next."""

    def open(self, emit: Callable[[RunEvent], None]) -> None:
        """Take a phone of the provider. Raises UserError."""
        self._emit = emit
        with self._episode.busy:
            self._phone = self._phones.acquire(self._number)
            self._connect(self._phone)

    def run(self, job: EpisodeJob) -> EpisodeResult:
        """Run an episode. Faults are in the outcome."""
        result = self._episode.run(lambda control: self._run(job, control))
        self._is_doubtful = bool(result.outcome.infrastructure)
        if self._is_doubtful:
            self._agents.close()  # a program or a connection that failed is begun anew
        return result

    def control(self, command: ControlCommand) -> None:
        self._episode.control(command)

    def restart(self) -> None:
        """Restart the phone. Raises UserError."""
        with self._episode.busy:
            assert self._phone is not None
            self._disconnect()
            self._phone.restart()
            self._connect(self._phone)

    def close(self) -> None:
        """End the episode that runs, and give the phone back; of a stuck one it is left to the system."""
        if not self._episode.close(self._give_back):
            _log.warning("%s is still busy and keeps its phone", self.name)

    def _give_back(self) -> None:
        self._agents.close()
        self._disconnect()
        phone, self._phone = self._phone, None
        if phone is not None:
            phone.release()

    def _run(self, job: EpisodeJob, control: EpisodeControl) -> EpisodeResult:
        if self._connection is None:
            return faulty(job, _("The phone is not connected"), phone_is_usable=False)
        if self._is_doubtful:
            health = check_phone(self._connection.device)
            if not health.is_usable:
                return faulty(job, health.problem, phone_is_usable=False)
        try:
            agent = self._agents.of(job)
        except UserError as error:
            may_help = isinstance(error, AgentUnavailable)
            return faulty(job, str(error), phone_is_suspect=False, may_help_to_retry=may_help)
        return run_episode(job, self._connection, agent, self._emit, control, worker=self.name)

    def _connect(self, phone: RunPhone) -> None:
        self._connection = self._opened.enter_context(opened_phone(phone.device))
        self._is_doubtful = False
        self._emit(
            WorkerChanged(
                worker=self.name, state="ready", phone=phone.name, serial=phone.device.serial,
                host=platform.node(),
            )
        )  # fmt: skip

    def _disconnect(self) -> None:
        self._connection = None
        try:
            self._opened.close()
        except UserError as error:  # a phone that is gone
            _log.info("%s could not be disconnected: %s", self.name, error)


@dataclass(slots=True)
class LocalExecutor:
    """An :class:`~collector.run.workers.worker.Executor` whose workers are threads of this process."""

    phones: PhoneProvider
    count: int
    is_here: bool = True

    def phones_known(self) -> tuple[PhoneFacts, ...]:
        return self.phones.known()

    def worker(self, number: int) -> LocalWorker:
        return LocalWorker(worker_name(number), number, self.phones)

    def close(self) -> None:
        """Nothing to end: the workers gave their phones back."""


def worker_name(number: int) -> str:
    """The name of the worker in the place ``number``, in events and requests."""
    return f"worker-{number + 1}"
