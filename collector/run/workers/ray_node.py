"""The side of a Ray worker that runs on another machine. This module does not import Ray.

Nothing but frozen values, bytes and texts goes over the network: an exception of the worker is said in words.
"""

from __future__ import annotations

import platform
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from collector import __version__
from collector.model.episode import Outcome
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.steering.control import ControlCommand
from collector.run.events import RunEvent
from collector.run.phones.provider import PhoneProvider
from collector.run.workers.local_worker import LocalWorker
from collector.run.workers.project_files import PersonConsent, ProjectCopy

Fetch = Callable[[Any], bytes]
"""Gets the bytes that a reference stands for."""


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """What has to be the same on all machines, and where a worker runs."""

    host: str
    waymark: str
    python: str


@dataclass(frozen=True, slots=True)
class SentBundle:
    """A bundle of the project: its name, its version, and a reference to its bytes."""

    name: str
    digest: str
    reference: Any


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a request, and the events meanwhile."""

    events: tuple[RunEvent, ...] = ()
    problem: tuple[str, str, str] | None = None
    """What, why and what to do of a UserError."""


@dataclass(frozen=True, slots=True)
class EpisodePart:
    """A part of an episode on its way to the head: events, and at the end the result with its files."""

    events: tuple[RunEvent, ...] = ()
    result: EpisodeResult | None = None
    files: bytes = field(default=b"", repr=False)
    """The trajectory, packed; empty when none was begun."""


class NodeWorker:
    """A worker on a phone of the machine it runs on. Ray calls its methods, several at a time."""

    def __init__(self, name: str, number: int, phones: PhoneProvider, fetch: Fetch) -> None:
        self._worker = LocalWorker(name, number, phones)
        self._fetch = fetch
        self._events: queue.SimpleQueue[RunEvent | None] = queue.SimpleQueue()
        self._project: ProjectCopy | None = None

    def facts(self) -> NodeFacts:
        """Says who runs here."""
        return own_facts()

    def open(self) -> Reply:
        """Take a phone."""
        return self._ask(lambda: self._worker.open(self._events.put))

    def restart(self) -> Reply:
        """Restart the phone."""
        return self._ask(self._worker.restart)

    def control(self, command: ControlCommand) -> None:
        """Hand a command to the running episode."""
        self._worker.control(command)

    def close(self) -> None:
        """End the episode that runs, give the phone back, and delete the copy of the project."""
        self._worker.close()
        if self._project is not None:
            self._project.delete()
            self._project = None

    def run(
        self, job: EpisodeJob, bundles: Sequence[SentBundle], consent: PersonConsent
    ) -> Iterator[EpisodePart]:
        """Run an episode in the own copy of the project, and yield its events as they come."""
        result: list[EpisodePart] = []
        thread = threading.Thread(
            target=lambda: result.append(self._run(job, bundles, consent)), name="ray episode", daemon=True
        )
        thread.start()
        while (event := self._events.get()) is not None:
            yield EpisodePart(self._with_waiting(event))
        thread.join()
        yield result[0]

    def _run(self, job: EpisodeJob, bundles: Sequence[SentBundle], consent: PersonConsent) -> EpisodePart:
        try:
            project = self._filled(bundles, consent)
            result = self._worker.run(replace(job, project=project.folder))
            files = project.take_run(job.cell.task, result.trajectory) if result.trajectory else b""
            return EpisodePart(result=result, files=files)
        except (UserError, OSError) as error:
            return EpisodePart(result=EpisodeResult(job.cell, "", Outcome(infrastructure=_on_host(error))))
        except Exception as error:  # noqa: BLE001 - said at the head, which tries again elsewhere
            what = f"{type(error).__name__}: {error}"
            return EpisodePart(result=EpisodeResult(job.cell, "", Outcome(infrastructure=_on_host(what))))
        finally:
            self._events.put(None)

    def _filled(self, bundles: Sequence[SentBundle], consent: PersonConsent) -> ProjectCopy:
        """The copy of the project with these bundles in it; those it has already are not fetched."""
        if self._project is None:
            self._project = ProjectCopy()
        for bundle in bundles:
            if self._project.lacks(bundle.name, bundle.digest):
                self._project.put(bundle.name, bundle.digest, self._fetch(bundle.reference))
        self._project.agree(consent)
        return self._project

    def _with_waiting(self, first: RunEvent) -> tuple[RunEvent, ...]:
        """An event and those that wait behind it; the end of the episode stays in the queue."""
        events = [first]
        while True:
            try:
                event = self._events.get_nowait()
            except queue.Empty:
                return tuple(events)
            if event is None:
                self._events.put(None)
                return tuple(events)
            events.append(event)

    def _ask(self, do: Callable[[], None]) -> Reply:
        problem = None
        try:
            do()
        except UserError as error:
            problem = error.what, error.why, error.to_do
        except Exception as error:  # noqa: BLE001 - an exception of a third party may not be readable at the head
            problem = f"{type(error).__name__}: {error}", "", ""
        events: list[RunEvent] = []
        while True:
            try:
                event = self._events.get_nowait()
            except queue.Empty:
                return Reply(tuple(events), problem)
            if event is not None:
                events.append(event)


def own_facts() -> NodeFacts:
    """The facts of this machine."""
    return NodeFacts(platform.node(), __version__, platform.python_version())


def _on_host(why: object) -> str:
    return _("On {host}: {why}", host=platform.node(), why=why)
