"""The uiautomator2 server on a phone: push, start, call over HTTP and stop it.

The jar comes from the Python package. The calls are made here, because those of the package wait for minutes
and cannot be cancelled.
"""

from __future__ import annotations

import hashlib
import http.client
import importlib.util
import io
import json
import socket
import time
from pathlib import Path, PurePosixPath
from typing import Any

from collector.device.errors import AutomationTaken, CallCancelled, CommandFailed, DumpFailed
from collector.device.protocols import Cancel
from collector.device.transport.adb_device import AdbDevice
from collector.host.extras import how_to_add
from collector.model.i18n import _

_JAR = PurePosixPath("/data/local/tmp/u2.jar")
_START = f"CLASSPATH={_JAR} app_process / com.wetest.uia2.Main 2>&1"
_SERVICE = "tcp:9008"
_PUSH_TIMEOUT = 60.0
_START_TIMEOUT = 30.0
_PING_TIMEOUT = 5.0
_POLL_S = 0.1
_STOP_CHECKS = 20


def find_jar() -> Path | None:
    """Return the server of the package; None when the ``fast-tree`` extra is not installed."""
    spec = importlib.util.find_spec("uiautomator2")
    places = spec.submodule_search_locations if spec else None
    jar = Path(next(iter(places)), "assets", "u2.jar") if places else None
    return jar if jar is not None and jar.is_file() else None


def require_jar() -> Path:
    """Return the server of the package. Raises DumpFailed when the extra is not installed."""
    jar = find_jar()
    if jar is None:
        raise DumpFailed(_("uiautomator2 is not installed on this computer"), "", how_to_add("fast-tree"))
    return jar


class Uiautomator2Link:
    """One server, started here or already running. Every call ends: by answer, error or ``cancel``."""

    def __init__(self, device: AdbDevice) -> None:
        self._device = device
        self._shell: socket.socket | None = None

    def open(self, cancel: Cancel) -> None:
        """Find a running server or start one; raises DeviceError with the server's output."""
        if self._answers(cancel):
            return
        self._push_jar(cancel)
        self._shell = self._device.open(f"exec:{_START}", cancel=cancel)
        output = bytearray()
        end = time.monotonic() + _START_TIMEOUT
        while not self._answers(cancel):
            ended = self._read_output(output)
            if cancel.is_set():
                raise CallCancelled("uiautomator2")
            if ended or time.monotonic() > end:
                raise _refusal(output.decode("utf-8", "replace"))

    def call(self, method: str, parameters: list[object], *, timeout: float, cancel: Cancel) -> Any:
        """Make a JSON-RPC call; raises CommandFailed when there is no server or it refuses."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        answer = self._request("POST", "/jsonrpc/0", json.dumps(request).encode(), timeout, cancel)
        try:
            document = json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise CommandFailed(_("uiautomator2 gave no answer that can be read"), str(error)) from error
        if not isinstance(document, dict) or "result" not in document:
            raise CommandFailed(_("uiautomator2 refused the call {name}", name=method), _complaint(document))
        return document["result"]

    def close(self, cancel: Cancel) -> None:
        """Stop the server if it was started here, and wait until it has released UiAutomation."""
        shell, self._shell = self._shell, None
        if shell is None:
            return
        shell.close()
        for _check in range(_STOP_CHECKS):
            if not self._answers(cancel) or cancel.wait(_POLL_S):
                return

    def _answers(self, cancel: Cancel) -> bool:
        try:
            return self._request("GET", "/ping", b"", _PING_TIMEOUT, cancel) == b"pong"
        except CommandFailed:
            return False

    def _push_jar(self, cancel: Cancel) -> None:
        data = require_jar().read_bytes()
        checksum = self._device.shell(("toybox", "md5sum", str(_JAR)), cancel=cancel).text
        if hashlib.md5(data, usedforsecurity=False).hexdigest() not in checksum:
            self._device.push(data, _JAR, timeout=_PUSH_TIMEOUT, cancel=cancel)

    def _read_output(self, output: bytearray) -> bool:
        """Append what the server prints to ``output``; return whether it ended."""
        assert self._shell is not None
        self._shell.settimeout(_POLL_S)
        try:
            data = self._shell.recv(4096)
        except TimeoutError:
            return False
        except OSError:  # the phone went away
            return True
        output += data
        return not data

    def _request(self, method: str, path: str, body: bytes, timeout: float, cancel: Cancel) -> bytes:
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: \r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        raw = self._device.exchange(_SERVICE, head.encode() + body, timeout=timeout, cancel=cancel)
        try:
            response = http.client.HTTPResponse(_ReceivedResponse(raw))  # type: ignore[arg-type]
            response.begin()
            content = response.read()
        except (http.client.HTTPException, OSError, ValueError) as error:
            raise CommandFailed(_("uiautomator2 gave no answer that can be read"), str(error)) from error
        if response.status != http.HTTPStatus.OK:
            raise CommandFailed(_("uiautomator2 refused a request"), f"{response.status} {response.reason}")
        return content


class _ReceivedResponse:
    """A complete response, for ``http.client``, which reads from a socket."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._data)


def _refusal(output: str) -> DumpFailed:
    if "already registered" in output:
        return AutomationTaken(output.strip()[:200])
    return DumpFailed(
        _("uiautomator2 does not start on this phone"),
        output.strip()[-200:],
        _("The slower uiautomator dump takes its place"),
    )


def _complaint(document: object) -> str:
    error = document.get("error") if isinstance(document, dict) else None
    return str(error.get("message", "")) if isinstance(error, dict) else ""
