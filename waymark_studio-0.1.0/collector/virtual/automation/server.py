"""One run of the server: it listens on a port of the phone until its shell ends."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from collector.virtual.automation.http import HttpRequest, encode_response
from collector.virtual.automation.http_server import HttpServer
from collector.virtual.automation.objects import ObjectService
from collector.virtual.automation.rpc import Method, answer
from collector.virtual.automation.service import DeviceService
from collector.virtual.shell.process import Process

_PORT = 9008
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
    respond = _responder(device.methods() | objects.methods())
    try:
        return HttpServer(listener, process.interruption, respond, "virtual automation").run()
    finally:
        device.close()


def _port(words: Sequence[str]) -> int:
    parser = _Words(add_help=False)
    parser.add_argument("-p", "--port", type=int, default=_PORT)
    port: int = parser.parse_known_args(words)[0].port
    if not 1 <= port <= 65535:
        raise ValueError(f"port must be 1-65535, got {port}")
    return port


def _responder(methods: dict[str, Method]) -> Callable[[HttpRequest], bytes]:
    def respond(request: HttpRequest) -> bytes:
        if request.path == "/ping":
            return encode_response(200, "text/plain", b"pong", closes=request.closes)
        if request.path == "/jsonrpc/0" and request.method == "POST":
            body = answer(request.body, methods)
            return encode_response(200, "application/json", body, closes=request.closes)
        return encode_response(404, "text/plain", b"404 Not Found", closes=request.closes)

    return respond
