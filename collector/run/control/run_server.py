"""Tells those who watch a run what happens, and takes what they ask for.

It listens on the loopback interface. A watcher sends the token of the runner's file first, and gets the
events that show the present, then each event as it happens. No watcher ever makes the run wait.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import secrets
import socket
import threading
from collections.abc import Callable, Mapping

from collector.host.sockets import connect, listen
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.control.requests import RunRequest, request_from_line
from collector.run.control.run_snapshot import RunSnapshot, without_picture
from collector.run.control.watcher_queue import EventLine, WatcherQueue
from collector.run.control.wire import LineReader, encode
from collector.run.events import EpisodeEnded, RunEvent, to_line
from collector.store.redaction.secret_text import SecretTexts

PROTOCOL = 1
PRESENT = "present"
"""Key of the line after the events that show the present."""
_POLL_S = 0.2
_GREETING_S = 5.0
_LONGEST_GREETING = 4096
_LONGEST_REQUEST = 1024 * 1024
_SEND_S = 20.0
"""A watcher that takes nothing for so long is let go; it may attach again."""
_FAREWELL_S = 3.0
_MOST_WATCHERS = 64
_log = logging.getLogger(__name__)


class RunServer:
    """Serves one run, from the start to :meth:`close`. Thread-safe.

    ``on_request`` is called on a thread of the server, and what it raises as UserError is the answer.
    ``on_watching`` is called when the first watcher who wants pictures comes, and when the last one left.
    ``ended_before`` gives how each cell of the run ended, by ``Cell.id``: only the newest are kept here.
    """

    def __init__(
        self, experiment: str, on_request: Callable[[RunRequest], None],
        on_watching: Callable[[bool], None] = lambda _watching: None,
        ended_before: Callable[[], Mapping[str, EpisodeEnded]] = dict,
    ) -> None:  # fmt: skip
        self.token = secrets.token_urlsafe(24)
        self._experiment = experiment
        self._on_request = on_request
        self._on_watching, self._ended_before = on_watching, ended_before
        self._lock = threading.Lock()
        self._snapshot = RunSnapshot()
        self._watchers: list[_Watcher] = []
        self._watching = threading.Lock()
        self._was_watched = False
        self._closing = threading.Event()
        self._socket = listen()
        self._socket.settimeout(_POLL_S)
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, name="run server", daemon=True)
        self._thread.start()

    def publish(self, event: RunEvent) -> None:
        """Tell all watchers. Returns at once."""
        line = EventLine(event)
        with self._lock:
            self._snapshot.add(event)
            for watcher in self._watchers:
                watcher.queue.add(line)

    def hide(self, secrets: SecretTexts) -> None:
        """Mask texts in what later watchers are told; those who watch are told the present anew."""
        with self._lock:
            if self._snapshot.hide(secrets):
                for watcher in self._watchers:
                    watcher.queue.begin_anew()

    def close(self) -> None:
        """Let the watchers have what happened so far, for a moment, and end. May be called twice."""
        self._closing.set()
        with contextlib.suppress(OSError):  # wakes the thread that waits for watchers
            connect(self.port, _POLL_S).close()
        self._thread.join()
        self._socket.close()
        with self._lock:
            watchers = list(self._watchers)
        for watcher in watchers:
            watcher.queue.close()
        for watcher in watchers:
            watcher.end(_FAREWELL_S)

    def events_so_far(self, queue: WatcherQueue) -> list[bytes]:
        """The lines that show the present; later events go through ``queue``."""
        # Without the lock, for the log may be long; what ends meanwhile is in the snapshot.
        ended = self._ended_before() if self._snapshot.has_forgotten else {}
        with self._lock:
            events = self._snapshot.events(ended)
            queue.caught_up()
        if not queue.pictures:
            events = [without_picture(event) for event in events]
        return [*(encode(to_line(event)) for event in events), encode({PRESENT: True})]

    def greet(self, reader: LineReader) -> bool | None:
        """Read the greeting of a watcher; whether it wants pictures, or None for a stranger."""
        with contextlib.suppress(OSError, ValueError):
            line = reader.read()
            if line is not None and hmac.compare_digest(
                str(line.get("token")).encode("utf-8", "replace"), self.token.encode()
            ):
                return line.get("pictures") is not False
        return None

    def welcome(self) -> bytes:
        """The first line a watcher gets."""
        return encode({"protocol": PROTOCOL, "experiment": self._experiment})

    def answer(self, line: dict[str, object]) -> bytes:
        """Do what a watcher asks for, and answer with the number of its request."""
        refused = ""
        try:
            self._on_request(request_from_line(line))
        except UserError as error:
            refused = str(error)
        except ValueError as error:
            refused = _("The request was not understood: {why}", why=error)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end the connection
            _log.exception("a request failed: %r", line.get("do"))
            refused = str(error)
        return encode({"reply": line.get("number"), "refused": refused})

    def forget(self, watcher: _Watcher) -> None:
        """A watcher left."""
        with self._lock:
            if watcher in self._watchers:
                self._watchers.remove(watcher)
        self.update_watching()

    def update_watching(self) -> None:
        """Say whether somebody wants pictures, if that changed."""
        with self._watching:
            with self._lock:
                watched = any(watcher.has_greeted and watcher.queue.pictures for watcher in self._watchers)
            if watched == self._was_watched or (self._closing.is_set() and watched):
                return
            self._was_watched = watched
            self._on_watching(watched)

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _address = self._socket.accept()
            except TimeoutError:
                continue
            except OSError as error:
                _log.info("the run server cannot take a watcher: %s", error)
                self._closing.wait(_POLL_S)
                continue
            if self._closing.is_set():
                connection.close()
                return
            with self._lock:
                is_full = len(self._watchers) >= _MOST_WATCHERS
                if not is_full:
                    self._watchers.append(_Watcher(self, connection))
            if is_full:
                connection.close()


class _Watcher:
    """One connection: a thread reads its requests, another one sends."""

    def __init__(self, server: RunServer, connection: socket.socket) -> None:
        self.has_greeted = False
        self.queue = WatcherQueue(server.events_so_far, pictures=True)
        self._server = server
        self._connection = connection
        self._sender = threading.Thread(target=self._send, name="run watcher out", daemon=True)
        self._reader = threading.Thread(target=self._read, name="run watcher in", daemon=True)
        self._reader.start()

    def end(self, seconds: float) -> None:
        """Wait for what is being sent, then close."""
        if self.has_greeted:
            self._sender.join(seconds)
        self._shut()
        self._reader.join()

    def _read(self) -> None:
        reader = LineReader(self._connection, _LONGEST_GREETING)
        self._connection.settimeout(_GREETING_S)
        pictures = self._server.greet(reader)
        if pictures is not None:
            self._connection.settimeout(_SEND_S)
            self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            reader.longest = _LONGEST_REQUEST
            self._serve(reader, pictures=pictures)
        self.queue.close()
        self._shut()
        if self.has_greeted:
            self._sender.join()
        self._connection.close()
        self._server.forget(self)

    def _serve(self, reader: LineReader, *, pictures: bool) -> None:
        self.queue.pictures = pictures
        self.queue.reply(self._server.welcome())
        self.has_greeted = True
        self._sender.start()
        self._server.update_watching()
        while True:
            try:
                line = reader.read()
            except TimeoutError:
                continue
            except (OSError, ValueError) as error:
                _log.debug("a watcher left: %s", error)
                return
            if line is None:
                return
            self.queue.reply(self._server.answer(line))

    def _send(self) -> None:
        try:
            while (data := self.queue.take()) is not None:
                self._connection.sendall(data)
        except OSError as error:
            _log.debug("a watcher takes nothing more: %s", error)
        self._shut()

    def _shut(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
