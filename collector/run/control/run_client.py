"""Watch and steer a run that another process of this computer makes."""

from __future__ import annotations

import contextlib
import logging
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from collector.host.sockets import connect, is_trusted_listener
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.control.requests import (
    RunRequest,
    SteerWorker,
    request_to_line,
)
from collector.run.control.run_server import PRESENT, PROTOCOL
from collector.run.control.runner_file import NoRunner, RunnerAddress, find_runner
from collector.run.control.wire import LineReader, encode
from collector.run.cycle.steering.control import ControlCommand
from collector.run.events import RunEnded, RunEvent, from_line
from collector.store.files.layout import ProjectPaths

_CONNECT_S = 5.0
_POLL_S = 0.05
_FAREWELL_S = 0.2
_ANSWER_S = 10.0
_log = logging.getLogger(__name__)


class RunClient:
    """A connection to a runner, until :meth:`close`. Thread-safe; use it as a context.

    Events come by :meth:`events` on the caller's thread, or by :meth:`listen` on a thread of the client.
    Requests return at once with a future: its result is None once the runner took the request, and a
    UserError when it refused or is gone.
    """

    def __init__(self, address: RunnerAddress, *, pictures: bool = True) -> None:
        """Connect. Raises NoRunner."""
        self.address = address
        self.ended: RunEnded | None = None
        """How the run ended; None while it goes on, and when its process died."""
        self._pending: dict[int, Future[None]] = {}
        self._lock = threading.Lock()
        self._number = 0
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._listener: threading.Thread | None = None
        self._is_closed = False
        self._connection = _connected(address)
        self._reader = LineReader(self._connection)
        self._greet(pictures=pictures)
        self._sender = threading.Thread(target=self._send_lines, name="run client out", daemon=True)
        self._sender.start()

    @classmethod
    def attach(
        cls, paths: ProjectPaths, experiment: str, *, pictures: bool = True, patience_s: float = 0.0
    ) -> RunClient:
        """Connect to the runner of an experiment; wait ``patience_s`` for one that is just starting.

        Raises NoRunner.
        """
        end = time.monotonic() + patience_s
        while True:
            address = find_runner(paths, experiment)
            # One that holds the file listens in a moment.
            if address is not None and (address.port or not address.is_here):
                return cls(address, pictures=pictures)
            if time.monotonic() >= end and (address is None or time.monotonic() >= end + _CONNECT_S):
                raise NoRunner(
                    _("The experiment {name} is not being run", name=experiment),
                    "",
                    _("Start it with: waymark run {name}", name=experiment),
                )
            time.sleep(_POLL_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def events(self) -> Iterator[RunEvent]:
        """Yield the events that show the present, then each as it happens, until the run ends or is lost.

        ``RunBegan`` comes first, and again when this client was too slow: forget what was shown before.
        """
        try:
            while (line := self._next_line()) is not None:
                event = self._event_in(line)
                if event is not None:
                    yield event
        finally:
            self._lose_pending()

    def present(self) -> list[RunEvent]:
        """The events that show how the run stands now. For the first call; more come by :meth:`events`."""
        events = []
        while (line := self._next_line()) is not None and PRESENT not in line:
            event = self._event_in(line)
            if event is not None:
                events.append(event)
        return events

    def listen(self, on_event: Callable[[RunEvent], None], on_end: Callable[[], None] = lambda: None) -> None:
        """Call ``on_event`` with each of :meth:`events`, and ``on_end`` after the last, on a thread."""

        def run() -> None:
            for event in self.events():
                on_event(event)
            on_end()

        self._listener = threading.Thread(target=run, name="run client in", daemon=True)
        self._listener.start()

    def send(self, worker: str, command: ControlCommand) -> Future[None]:
        """Hand a command to the episode that a worker runs."""
        return self.request(SteerWorker(worker, command))

    def request(self, request: RunRequest) -> Future[None]:
        """Ask the runner for something. Its answer is read with the events."""
        future: Future[None] = Future()
        with self._lock:
            if self._is_closed:
                future.set_exception(self._lost())
                return future
            self._number += 1
            self._pending[self._number] = future
            line = {**request_to_line(request), "number": self._number}
        self._outgoing.put(encode(line))
        return future

    def close(self) -> None:
        """Leave the run to itself; it goes on. May be called twice, but not by a listener."""
        with self._lock:
            self._is_closed = True
        self._outgoing.put(None)
        self._sender.join(_FAREWELL_S)  # what was asked for just now is still sent
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._sender.join()
        if self._listener is not None:
            self._listener.join()
        self._connection.close()
        self._lose_pending()

    def _greet(self, *, pictures: bool) -> None:
        try:
            self._connection.sendall(encode({"token": self.address.token, "pictures": pictures}))
            welcome = self._reader.read()
        except (OSError, ValueError) as error:
            self._connection.close()
            raise _unreachable(self.address, str(error)) from error
        if welcome is None or welcome.get("protocol") != PROTOCOL:
            self._connection.close()
            raise _unreachable(
                self.address,
                _("it is of another version of Waymark Studio") if welcome else _("it closed the connection"),
            )
        self._connection.settimeout(None)

    def _next_line(self) -> dict[str, Any] | None:
        try:
            return self._reader.read()
        except (OSError, ValueError) as error:
            if not self._is_closed:
                _log.info("the runner of %s is lost: %s", self.address.experiment, error)
            return None

    def _event_in(self, line: dict[str, Any]) -> RunEvent | None:
        """The event of a line; None for any other line, and for an event that is not understood."""
        if "kind" not in line:
            self._take_reply(line)
            return None
        try:
            event = from_line(line)
        except (TypeError, ValueError) as error:
            _log.info("an event was left out: %s", error)
            return None
        if isinstance(event, RunEnded):
            self.ended = event
        return event

    def _take_reply(self, line: dict[str, Any]) -> None:
        with self._lock:
            future = self._pending.pop(line.get("reply"), None)  # type: ignore[arg-type]
        if future is None:
            return
        if refused := str(line.get("refused") or ""):
            future.set_exception(UserError(refused.removesuffix(".")))
        else:
            future.set_result(None)

    def _send_lines(self) -> None:
        while (line := self._outgoing.get()) is not None:
            try:
                self._connection.sendall(line)
            except OSError:
                # The reading side sees the end too, and tells those who wait for an answer.
                return

    def _lose_pending(self) -> None:
        with self._lock:
            self._is_closed = True
            pending, self._pending = list(self._pending.values()), {}
        for future in pending:
            future.set_exception(self._lost())

    def _lost(self) -> NoRunner:
        return NoRunner(_("The experiment {name} is not being run any more", name=self.address.experiment))


def send_request(paths: ProjectPaths, experiment: str, request: RunRequest) -> None:
    """Ask the runner of an experiment for something, and wait until it took the request.

    Raises NoRunner, and the UserError with which it refused.
    """
    with RunClient.attach(paths, experiment, pictures=False) as client:
        answer = client.request(request)
        client.listen(lambda _event: None)
        answer.result(timeout=_ANSWER_S)


def _connected(address: RunnerAddress) -> socket.socket:
    if not address.is_here:
        raise NoRunner(
            _("The experiment {name} is run on another computer", name=address.experiment),
            address.process,
            _("Watch it there"),
        )
    if not is_trusted_listener(address.port):
        raise _unreachable(address, _("another account of this computer listens in its place"))
    try:
        return connect(address.port, _CONNECT_S)
    except OSError as error:
        raise _unreachable(address, error.strerror or str(error)) from error


def _unreachable(address: RunnerAddress, why: str) -> NoRunner:
    return NoRunner(
        _("The runner of {name} does not answer", name=address.experiment),
        f"{address.process}: {why}",
        _("Try again"),
    )
