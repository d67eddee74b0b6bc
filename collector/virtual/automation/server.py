"""One run of the server: it listens on a port of the phone until its shell ends."""

from __future__ import annotations

import argparse
import contextlib
import logging
import threading
from collections.abc import Sequence

from collector.virtual.automation.http import HttpError, HttpRequest, RequestReader, encode_response
from collector.virtual.automation.objects import ObjectService
from collector.virtual.automation.rpc import Method, answer
from collector.virtual.automation.service import DeviceService
from collector.virtual.daemon.sockets import Listener
from collector.virtual.daemon.stream import Channel
from collector.virtual.shell.process import Process

_log = logging.getLogger(__name__)

_PORT = 9008
_KILLED = 137
_TAKEN = (
    "java.lang.IllegalStateException: UiAutomationService "
    "android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5deffd5already registered!\n"
    "\tat android.os.Parcel.createExceptionOrNull(Parcel.java:3061)\n"
)


class _Words(argparse.ArgumentParser):
    """Collect command-line errors instead of exiting the process."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise ValueError(message)


def run_server(process: Process, name: str) -> int:
    """Run the main class; ``name`` is the product's. Return the exit status when it is stopped."""
    try:
        port = _port(process.arguments)
    except ValueError as error:
        process.line(f"Invalid arguments: {error}")
        return 1
    machine = process.machine
    if "automation-taken" in machine.faults:
        process.out(_TAKEN)
        return 1
    try:
        listener = machine.sockets.listen(f"tcp:{port}")
    except OSError:
        process.line("java.net.BindException: bind failed: EADDRINUSE (Address already in use)")
        return 1
    process.line("[server] INFO: [UiAutomator2Server] Starting Server")
    device = DeviceService(machine.phone, name, machine.faults, process.interruption.wait)
    objects = ObjectService(machine.phone, process.interruption.wait)
    return _Server(listener, process, device.methods() | objects.methods()).run()


def _port(words: Sequence[str]) -> int:
    parser = _Words(add_help=False)
    parser.add_argument("-p", "--port", type=int, default=_PORT)
    port: int = parser.parse_known_args(words)[0].port
    if not 1 <= port <= 65535:
        raise ValueError(f"port must be 1-65535, got {port}")
    return port


class _Server:
    """Accept connections and serve each on its own thread."""

    def __init__(self, listener: Listener, process: Process, methods: dict[str, Method]) -> None:
        self._listener = listener
        self._stop = process.interruption
        self._methods = methods
        self._lock = threading.Lock()
        self._channels: set[Channel] = set()

    def run(self) -> int:
        self._stop.on_set(self._listener.close)
        try:
            while (channel := self._listener.accept()) is not None:
                with self._lock:
                    self._channels.add(channel)
                threading.Thread(
                    target=self._answer_requests, args=(channel,), name="virtual automation", daemon=True
                ).start()
        finally:
            self._listener.close()
            with self._lock:
                channels = list(self._channels)
            for channel in channels:
                channel.close()
        return _KILLED

    def _answer_requests(self, channel: Channel) -> None:
        reader = RequestReader(channel)
        try:
            while (request := reader.next()) is not None:
                channel.write(self._respond(request))
                if request.closes:
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

    def _respond(self, request: HttpRequest) -> bytes:
        if request.path == "/ping":
            return encode_response(200, "text/plain", b"pong", closes=request.closes)
        if request.path == "/jsonrpc/0" and request.method == "POST":
            body = answer(request.body, self._methods)
            return encode_response(200, "application/json", body, closes=request.closes)
        return encode_response(404, "text/plain", b"404 Not Found", closes=request.closes)
