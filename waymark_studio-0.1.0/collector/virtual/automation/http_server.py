"""A server of the phone that answers HTTP on one of its sockets until its process is stopped."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable

from collector.virtual.automation.http import HttpError, HttpRequest, RequestReader, encode_response
from collector.virtual.daemon.sockets import Listener
from collector.virtual.daemon.stream import Channel
from collector.virtual.shell.process_table import KILLED, CancelScope

_log = logging.getLogger(__name__)


class HttpServer:
    """Accept connections and answer each on its own thread. ``respond`` returns the whole response.

    Without ``keep_alive`` a connection is closed after its first response.
    """

    def __init__(
        self,
        listener: Listener,
        stop: CancelScope,
        respond: Callable[[HttpRequest], bytes],
        name: str,
        *,
        keep_alive: bool = True,
    ) -> None:
        self._listener = listener
        self._stop = stop
        self._respond = respond
        self._name = name
        self._keep_alive = keep_alive
        self._lock = threading.Lock()
        self._channels: set[Channel] = set()

    def run(self) -> int:
        """Serve until the process is stopped; return its exit status."""
        self._stop.on_set(self._listener.close)
        try:
            while (channel := self._listener.accept()) is not None:
                with self._lock:
                    self._channels.add(channel)
                threading.Thread(
                    target=self._answer_requests, args=(channel,), name=self._name, daemon=True
                ).start()
        finally:
            self._listener.close()
            with self._lock:
                channels = list(self._channels)
            for channel in channels:
                channel.close()
        return KILLED

    def _answer_requests(self, channel: Channel) -> None:
        reader = RequestReader(channel)
        try:
            while (request := reader.next()) is not None:
                channel.write(self._respond(request))
                if request.closes or not self._keep_alive:
                    break
        except HttpError as error:
            _log.debug("not a client of ours: %s", error)
            with contextlib.suppress(BrokenPipeError):
                channel.write(encode_response(400, "text/plain", str(error).encode(), closes=True))
        except BrokenPipeError:
            _log.debug("the client left")
        finally:
            channel.close()
            with self._lock:
                self._channels.discard(channel)
