"""The server of mobilecli, by which mobile-mcp reads and drives a phone: JSON-RPC on an abstract socket.

mobilecli pushes its dex, starts the class ``DeviceServer`` of it in the background and forwards a port.
A request is one HTTP connection. The server ends when nobody asks for ``--idle-timeout-ms``.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
from collections.abc import Mapping
from typing import Any

from collector.virtual.automation.http import HttpRequest, encode_response
from collector.virtual.automation.http_server import HttpServer
from collector.virtual.automation.mobilecli_service import MobilecliError, MobilecliMethod, MobilecliService
from collector.virtual.shell.process import Process

_log = logging.getLogger(__name__)

_SOCKET = "localabstract:mobilecli-server"
_IDLE_OPTION = "--idle-timeout-ms="
_IDLE_MS = 30 * 60 * 1000
_PARSE_ERROR, _INVALID_REQUEST, _NO_METHOD = -32700, -32600, -32601
_BAD_PARAMETERS, _INTERNAL = -32602, -32603
_TAKEN = "Error: UiAutomationService already registered!"


def run_mobilecli_server(process: Process) -> int:
    """Run ``DeviceServer`` until it is stopped or idle; return its exit status."""
    machine = process.machine
    if "automation-taken" in machine.faults:
        process.err(_TAKEN)
        return 1
    try:
        listener = machine.sockets.listen(_SOCKET)
    except OSError:
        process.err("Error: Address already in use")
        return 1
    service = MobilecliService(machine.phone, machine.faults, process.interruption.wait)
    dex = machine.files.read(process.path(process.environment.get("CLASSPATH", "")))
    version = {"dexSha256": hashlib.sha256(dex).hexdigest()}
    methods = service.methods() | {"device.version": lambda _parameters: version}
    responder = _Responder(methods)
    stop = process.interruption
    watchdog = threading.Thread(
        target=responder.wait_idle, args=(_idle_seconds(process.arguments), stop.wait, listener.close),
        name="mobilecli idle", daemon=True,
    )  # fmt: skip
    watchdog.start()
    try:
        server = HttpServer(listener, stop, responder.respond, "virtual mobilecli", keep_alive=False)
        status = server.run()
    finally:
        service.close()
    return 0 if responder.idle else status


def _idle_seconds(words: list[str]) -> float:
    """The timeout in seconds; anything but a positive number of milliseconds is the default."""
    given = [word.removeprefix(_IDLE_OPTION) for word in words if word.startswith(_IDLE_OPTION)]
    milliseconds = int(given[-1]) if given and given[-1].isdecimal() else 0
    return (milliseconds or _IDLE_MS) / 1000


class _Responder:
    """Answers requests, and knows when the last one was."""

    def __init__(self, methods: Mapping[str, MobilecliMethod]) -> None:
        self._methods = methods
        self._lock = threading.Lock()
        self._active = 0
        self._last = time.monotonic()
        self.idle = False
        """Whether the server ended because nobody asked."""

    def wait_idle(self, seconds: float, wait: Any, end: Any) -> None:
        """Call ``end`` when there was no request for ``seconds``; return when the server is stopped."""
        while not wait(min(1.0, seconds)):
            with self._lock:
                self.idle = not self._active and time.monotonic() - self._last >= seconds
            if self.idle:
                end()
                return

    def respond(self, request: HttpRequest) -> bytes:
        """The whole response; 204 without a body for a notification."""
        with self._lock:
            self._active += 1
        try:
            body = _answer(request.body, self._methods)
        finally:
            with self._lock:
                self._last = time.monotonic()
                self._active -= 1
        if body is None:
            return encode_response(204, "application/json", b"", closes=True)
        return encode_response(200, "application/json", json.dumps(body).encode(), closes=True)


def _answer(body: bytes, methods: Mapping[str, MobilecliMethod]) -> dict[str, object] | None:
    """The JSON-RPC response; None for a notification, which has no id."""
    try:
        request = json.loads(body)
    except ValueError as error:
        return _error(None, _PARSE_ERROR, f"Parse error: {error}")
    if not isinstance(request, dict):
        return _error(None, _PARSE_ERROR, "Parse error: not an object")
    response = _called(request, methods)
    return response if "id" in request else None


def _called(request: dict[str, Any], methods: Mapping[str, MobilecliMethod]) -> dict[str, object]:
    number, name, parameters = request.get("id"), request.get("method"), request.get("params")
    if request.get("jsonrpc") != "2.0" or not isinstance(name, str) or not name:
        return _error(number, _INVALID_REQUEST, "Invalid Request")
    if not isinstance(parameters, dict | None):
        return _error(number, _BAD_PARAMETERS, "Invalid params")
    method = methods.get(name)
    if method is None:
        return _error(number, _NO_METHOD, f"Method not found: {name}")
    try:
        result = method(parameters or {})
    except MobilecliError as error:
        return _error(number, error.code, str(error))
    except Exception as error:  # noqa: BLE001 - the server lives on, as on a phone
        _log.exception("a call of mobilecli failed")
        return _error(number, _INTERNAL, f"Internal error: {error}")
    return {"jsonrpc": "2.0", "id": number, "result": result}


def _error(number: object, code: int, message: str) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}
