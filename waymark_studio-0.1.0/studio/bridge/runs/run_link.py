"""The connection of the window to a runner in another process: its events as Qt signals, in batches."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.model.errors import UserError
from collector.run.control.requests import RunRequest
from collector.run.control.run_client import RunClient
from collector.run.control.runner_file import NoRunner
from collector.run.events import RunBegan, RunEvent, ScreenObserved
from collector.store.files.layout import ProjectPaths
from studio.bridge.event_bridge import Wake
from studio.bridge.jobs import Job, JobRunner

_BATCH_MS = 30
"""Events are handed over at most so often: a run of sixteen phones never floods the window."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A connection that was made for the request with this number."""

    number: int
    client: RunClient | None
    """None when nobody runs the experiment."""


class _Inbox:
    """Events on their way from the thread of a client. Of a worker's pictures only the newest is kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: list[RunEvent] = []
        self._pictured: dict[str, int] = {}

    def put(self, event: RunEvent) -> None:
        with self._lock:
            if isinstance(event, RunBegan):
                self._events, self._pictured = [], {}  # what was before is told anew
            if isinstance(event, ScreenObserved) and event.picture:
                older = self._pictured.get(event.worker)
                if older is not None:
                    known = self._events[older]
                    assert isinstance(known, ScreenObserved)
                    self._events[older] = replace(known, picture=b"")
                self._pictured[event.worker] = len(self._events)
            self._events.append(event)

    def take(self) -> list[RunEvent]:
        with self._lock:
            events, self._events, self._pictured = self._events, [], {}
        return events


class RunLink(QObject):
    """Attaches to one runner at a time. GUI thread only; nothing here waits for the runner."""

    attached = Signal()
    """There is a connection; the events that show the present follow."""
    arrived = Signal(object)
    """A list of :class:`RunEvent` in their order."""
    detached = Signal(bool)
    """The connection ended: with True because the run did, with False because the runner is lost."""
    missing = Signal()
    """There is no runner to attach to."""
    refused = Signal(object)
    """The UserError with which the runner answered a request."""
    failed = Signal(object)

    _answered = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._client: RunClient | None = None
        self._number = 0
        self.is_attaching = False
        """Whether :meth:`attach` waits for its answer."""
        self._inbox = _Inbox()
        self._lock = threading.Lock()
        self._clients: set[RunClient] = set()
        self._is_closed = False
        self._lost = threading.Event()
        self._wake = Wake(self)
        self._wake.rung.connect(self._note_arrival)
        self._batch = QTimer(self, singleShot=True, interval=_BATCH_MS)
        self._batch.timeout.connect(self._hand_over)
        self._answered.connect(self._show_refusal)

    def attach(self, folder: Path, experiment: str, *, patience_s: float = 0.0) -> None:
        """Connect to the runner of an experiment in the project in ``folder``.

        ``attached`` follows, or ``missing`` when nobody runs it after ``patience_s``, or ``failed``.
        """
        self.detach()
        self.is_attaching = True
        number = self._number

        def work(job: Job) -> Attached:
            try:
                client = RunClient.attach(ProjectPaths(folder), experiment, patience_s=patience_s)
            except NoRunner:
                return Attached(number, None)
            with self._lock:
                is_late = self._is_closed or job.cancelled or number != self._number
                if not is_late:
                    self._clients.add(client)
            if is_late:
                client.close()
                return Attached(number, None)
            return Attached(number, client)

        self._runner.run(work, success=self._take, failure=self._not_attached)

    def _not_attached(self, error: Exception) -> None:
        self.is_attaching = False
        self.failed.emit(error)

    def _take(self, answer: Attached) -> None:
        if answer.number != self._number:
            return
        self.is_attaching = False
        if answer.client is None:
            self.missing.emit()
            return
        self._client = answer.client
        self._inbox = inbox = _Inbox()
        self._lost.clear()

        def arrive(event: RunEvent) -> None:
            inbox.put(event)
            self._wake.ring()

        def end() -> None:
            self._lost.set()
            self._wake.ring()

        answer.client.listen(arrive, end)
        self.attached.emit()

    @Slot()
    def _note_arrival(self) -> None:
        if not self._batch.isActive():
            self._batch.start()

    @Slot()
    def _hand_over(self) -> None:
        client = self._client
        if client is None:
            return
        is_lost = self._lost.is_set()  # asked before the last events are taken
        if events := self._inbox.take():
            self.arrived.emit(events)
        if is_lost and client is self._client:
            has_ended = client.ended is not None
            self.detach()
            self.detached.emit(has_ended)

    def send(self, request: RunRequest) -> None:
        """Ask the runner for something; ``refused`` follows when it does not do it."""
        if self._client is not None:
            self._client.request(request).add_done_callback(self._report)

    def _report(self, answer: Future[None]) -> None:
        """On a thread of the client."""
        error = answer.exception()
        if isinstance(error, UserError) and not isinstance(error, NoRunner):
            self._answered.emit(error)

    @Slot(object)
    def _show_refusal(self, error: UserError) -> None:
        self.refused.emit(error)

    def detach(self) -> None:
        """Leave the runner to itself: it goes on."""
        self._number += 1
        self.is_attaching = False
        client, self._client = self._client, None
        if client is not None:
            self._batch.stop()
            self._close(client)

    def _close(self, client: RunClient) -> None:
        with self._lock:
            self._clients.discard(client)
        client.close()

    def close(self) -> None:
        """Detach for good."""
        self.detach()
        with self._lock:
            self._is_closed = True
            clients, self._clients = set(self._clients), set()
        for client in clients:
            client.close()
