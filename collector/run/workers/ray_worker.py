"""Workers on other machines, through Ray: the same episodes, brought home as finished trajectories."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.text.step_place import step_place
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.steering.control import ControlCommand, StopEpisode
from collector.run.events import RunEvent
from collector.run.phones.phone_facts import PhoneFacts
from collector.run.phones.provider import PhoneProvider
from collector.run.workers.file_bundle import FileBundle, unpack
from collector.run.workers.local_worker import worker_name
from collector.run.workers.project_files import BASE, PersonConsent, ProjectBundles
from collector.run.workers.ray_cluster import PHONE_RESOURCE, RayCluster, fetch
from collector.run.workers.ray_node import EpisodePart, NodeWorker, Reply, SentBundle, own_facts
from collector.run.workers.worker import WorkerLost
from collector.store.project.arrived_runs import add_arrived_run
from collector.store.project.project import Project

_PLACE_SECONDS = 60.0
"""How long a worker waits for a machine with a free phone."""
_CLOSE_SECONDS = 20.0
_POLL_S = 0.2
_THREADS = 4
"""Requests that a worker answers at the same time: an episode, a command, the end."""
_log = logging.getLogger(__name__)


class RayWorker:
    """A :class:`~collector.run.workers.worker.Worker` on a machine of the cluster."""

    def __init__(self, name: str, number: int, executor: RayExecutor) -> None:
        """For :class:`RayExecutor` alone."""
        self.name = name
        self.host = ""
        """Name of its machine; empty before it has one."""
        self._number, self._executor = number, executor
        self._ray = executor.cluster.ray
        self._emit: Callable[[RunEvent], None] = lambda _event: None
        self._actor: Any = None
        self._closed = threading.Event()

    def open(self, emit: Callable[[RunEvent], None]) -> None:
        """Find a machine with a free phone, and take it there. Raises UserError, as WorkerLost."""
        self._emit = emit
        self._actor = self._executor.begin_actor(self.name, self._number)
        facts = self._answer(self._actor.facts.remote(), _PLACE_SECONDS)
        self.host = facts.host
        own = own_facts()
        if (facts.waymark, facts.python) != (own.waymark, own.python):
            raise UserError(
                _("{host} has another version of Waymark or Python", host=facts.host),
                _("Waymark {theirs} on Python {their_python} there, {ours} on {our_python} here",
                  theirs=facts.waymark, their_python=facts.python, ours=own.waymark, our_python=own.python),
                _("Install the same versions on all machines"),
            )  # fmt: skip
        self._take(self._answer(self._actor.open.remote()))

    def run(self, job: EpisodeJob) -> EpisodeResult:
        """Run an episode there, and store its trajectory in the project here. Raises WorkerLost."""
        began = time.monotonic()
        bundles, consent = self._executor.bundles(job)
        here = replace(job, project=Path())  # nothing there may depend on a path of this machine
        part = EpisodePart()
        try:
            stream = self._actor.run.options(num_returns="streaming").remote(here, bundles, consent)
            for reference in stream:
                part = self._ray.get(reference)
                for event in part.events:
                    self._emit(event)
        except self._ray.exceptions.RayError as error:
            raise self._lost(error) from error
        if part.result is None:
            raise self._lost(RuntimeError(_("its answer ended in the middle")))
        return replace(self._stored(job, part), seconds=round(time.monotonic() - began, 3))

    def control(self, command: ControlCommand) -> None:
        """Send a command on its way; one to a machine that died is lost with it."""
        actor = self._actor
        if actor is not None:
            actor.control.remote(command)

    def restart(self) -> None:
        """Restart the phone there. Raises UserError, as WorkerLost."""
        self._take(self._answer(self._actor.restart.remote()))

    def close(self) -> None:
        """Stop the episode, and end the worker; by force when it does not end within seconds."""
        self._closed.set()
        actor, self._actor = self._actor, None
        if actor is None:
            return
        actor.control.remote(StopEpisode(with_run=True))
        ready, _waiting = self._ray.wait([actor.close.remote()], timeout=_CLOSE_SECONDS)
        if not ready:
            _log.info("%s on %s does not end and is ended", self.name, self.host)
        self._ray.kill(actor)

    def _stored(self, job: EpisodeJob, part: EpisodePart) -> EpisodeResult:
        assert part.result is not None
        if not part.files:
            return part.result
        try:
            header = add_arrived_run(Project.open(job.project), unpack(part.files))
        except UserError as error:
            # A full disk here is no fault of the agent, nor of the phone there.
            outcome = replace(part.result.outcome, status="", infrastructure=str(error))
            return replace(part.result, trajectory="", outcome=outcome)
        return replace(part.result, trajectory=header.id)

    def _answer(self, reference: Any, seconds: float | None = None) -> Any:
        """Wait for an answer, at most ``seconds``. Raises WorkerLost, and UserError for no free phone."""
        end = None if seconds is None else time.monotonic() + seconds
        while not self._closed.is_set():
            ready, _waiting = self._ray.wait([reference], timeout=_POLL_S)
            if ready:
                try:
                    return self._ray.get(reference)
                except self._ray.exceptions.RayError as error:
                    raise self._lost(error) from error
            if end is not None and time.monotonic() > end:
                raise UserError(
                    _("No machine of the Ray cluster has a free phone"),
                    _("it has {count} phones in all, and none came free within {seconds} s",
                      count=self._executor.cluster.phones, seconds=round(seconds or 0)),
                    _("Start Ray on more machines, or use fewer workers"),
                )  # fmt: skip
        raise WorkerLost(_("The worker {name} was closed", name=self.name))

    def _take(self, reply: Reply) -> None:
        for event in reply.events:
            self._emit(event)
        if reply.problem is not None:
            raise UserError(*reply.problem)

    def _lost(self, error: Exception) -> WorkerLost:
        _log.info("%s on %s was lost: %s", self.name, self.host, error)
        lines = [line for line in str(error).strip().splitlines() if line.strip()]
        host = self.host or _("another machine")
        return WorkerLost(
            _("The worker {name} on {host} was lost", name=self.name, host=host),
            _shortened(lines[0] if lines else type(error).__name__),
        )


@dataclass(frozen=True, slots=True)
class RayOptions:
    """Which cluster, and how many workers in it."""

    address: str = "auto"
    """``auto``, ``HOST:PORT``, or ``local`` for a cluster of this computer alone."""
    workers: int = 0
    """0: one for each phone of the cluster."""


class RayExecutor:
    """An :class:`~collector.run.workers.worker.Executor` whose workers are actors of a Ray cluster."""

    is_here = False

    def __init__(self, project: Path, phones: PhoneProvider, options: RayOptions) -> None:
        """Connect to the cluster. ``phones`` is opened on the machine of each worker. Raises UserError."""
        self._phones = phones
        self._bundles = ProjectBundles(project)
        self._sent: dict[str, SentBundle] = {}
        self._packing = threading.Lock()
        self.cluster = RayCluster(options.address, options.workers or phones.count)
        there = self.cluster.phones
        if not there:
            self.cluster.close()
            raise UserError(
                _("The Ray cluster has no phones"),
                _("none of its machines declares the resource {name}", name=PHONE_RESOURCE),
                _('Start Ray on each with: ray start --address=HEAD:6379 --resources=\'{{"{name}": 2}}\'',
                  name=PHONE_RESOURCE),
            )  # fmt: skip
        self.count = min(options.workers or there, there)

    def phones_known(self) -> tuple[PhoneFacts, ...]:
        return self._phones.known()

    def worker(self, number: int) -> RayWorker:
        return RayWorker(worker_name(number), number, self)

    def close(self) -> None:
        """Leave the cluster."""
        self.cluster.close()

    def begin_actor(self, name: str, number: int) -> Any:
        """Ask the cluster for a machine with a free phone; returns before there is one."""
        ray = self.cluster.ray
        actor = ray.remote(NodeWorker).options(
            num_cpus=0, resources={PHONE_RESOURCE: 1}, max_restarts=0, max_concurrency=_THREADS
        )
        return actor.remote(name, number, self._phones, fetch)

    def bundles(self, job: EpisodeJob) -> tuple[list[SentBundle], PersonConsent]:
        """What the job needs of the project as it is now, in the object store, and what was agreed to."""
        with self._packing:
            task, (start, _step) = job.cell.task, step_place(job.cell.start) or ("", 0)
            of_task = self._bundles.task(task, start)
            bundles = [self._put(BASE, self._bundles.base()), self._put(task, of_task)]
            return bundles, self._bundles.consent()

    def _put(self, name: str, bundle: FileBundle) -> SentBundle:
        known = self._sent.get(name)
        if known is None or known.digest != bundle.digest:
            # In a list, for a reference by itself would be fetched for each episode.
            reference = [self.cluster.ray.put(bundle.data)]
            known = self._sent[name] = SentBundle(name, bundle.digest, reference)
        return known


def _shortened(line: str) -> str:
    return line if len(line) <= 300 else line[:299] + "…"
