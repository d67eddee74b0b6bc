"""The uiautomator2 server on a phone: put there, started, asked over HTTP, and stopped again.

The jar is the Python package's; what is said to it is said here, because the package's own calls
wait for minutes and cannot be given up.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import importlib.util
import io
import json
import socket
import time
from pathlib import Path, PurePosixPath
from typing import Any

from collector.device.adb_device import AdbDevice
from collector.device.errors import AutomationTaken, CallCancelled, CommandFailed, DumpFailed
from collector.device.protocols import Cancel
from collector.model.i18n import _

_JAR = PurePosixPath("/data/local/tmp/u2.jar")
_START = f"CLASSPATH={_JAR} app_process / com.wetest.uia2.Main 2>&1"
_SERVICE = "tcp:9008"
_PUSH_TIMEOUT = 60.0
_START_TIMEOUT = 30.0
_PING_TIMEOUT = 5.0
_LOOK_AGAIN = 0.1
_STOP_LOOKS = 20


def find_jar() -> Path | None:
    """The package's server; None where the ``fast-tree`` extra is not installed."""
    spec = importlib.util.find_spec("uiautomator2")
    places = spec.submodule_search_locations if spec else None
    jar = Path(next(iter(places)), "assets", "u2.jar") if places else None
    return jar if jar is not None and jar.is_file() else None


class Uiautomator2Link:
    """One server, ours or one that ran already. Every call ends: by its answer, an error or ``cancel``."""

    def __init__(self, device: AdbDevice) -> None:
        self._device = device
        self._shell: socket.socket | None = None

    def open(self, cancel: Cancel) -> None:
        """Find the server running or start it; raises DeviceError with the server's own words."""
        if self._answers(cancel):
            return
        self._put(cancel)
        self._shell = self._device.open(f"exec:{_START}")
        said = bytearray()
        end = time.monotonic() + _START_TIMEOUT
        while not self._answers(cancel):
            ended = self._hear(said)
            if cancel.is_set():
                raise CallCancelled("uiautomator2")
            if ended or time.monotonic() > end:
                raise _refusal(said.decode("utf-8", "replace"))

    def call(self, method: str, parameters: list[object], *, timeout: float, cancel: Cancel) -> Any:
        """The result of a JSON-RPC call; raises CommandFailed when there is no server or it says no."""
        asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        answer = self._request("POST", "/jsonrpc/0", json.dumps(asked).encode(), timeout, cancel)
        try:
            document = json.loads(answer)
        except ValueError as error:
            raise CommandFailed(_("uiautomator2 gave no answer that can be read"), str(error)) from error
        if not isinstance(document, dict) or "result" not in document:
            raise CommandFailed(_("uiautomator2 refused the call {name}", name=method), _complaint(document))
        return document["result"]

    def close(self, cancel: Cancel) -> None:
        """Stop the server if it is ours, and see that it is gone: the automation is free then."""
        shell, self._shell = self._shell, None
        if shell is None:
            return
        shell.close()
        for _look in range(_STOP_LOOKS):
            if not self._answers(cancel) or cancel.wait(_LOOK_AGAIN):
                return

    def _answers(self, cancel: Cancel) -> bool:
        try:
            return self._request("GET", "/ping", b"", _PING_TIMEOUT, cancel) == b"pong"
        except CommandFailed:
            return False

    def _put(self, cancel: Cancel) -> None:
        jar = find_jar()
        if jar is None:
            raise DumpFailed(
                _("uiautomator2 is not installed on this computer"),
                "",
                _("Install it with: pip install waymark-studio[fast-tree]"),
            )
        data = jar.read_bytes()
        there = self._device.shell(("toybox", "md5sum", str(_JAR)), cancel=cancel).text
        if hashlib.md5(data, usedforsecurity=False).hexdigest() not in there:
            self._device.push(data, _JAR, timeout=_PUSH_TIMEOUT)

    def _hear(self, said: bytearray) -> bool:
        """Take what the server prints; whether it ended."""
        assert self._shell is not None
        self._shell.settimeout(_LOOK_AGAIN)
        with contextlib.suppress(TimeoutError):
            data = self._shell.recv(4096)
            said += data
            return not data
        return False

    def _request(self, method: str, path: str, body: bytes, timeout: float, cancel: Cancel) -> bytes:
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: \r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        raw = self._device.exchange(_SERVICE, head.encode() + body, timeout=timeout, cancel=cancel)
        try:
            response = http.client.HTTPResponse(_Heard(raw))  # type: ignore[arg-type]
            response.begin()
            content = response.read()
        except (http.client.HTTPException, OSError, ValueError) as error:
            raise CommandFailed(_("uiautomator2 gave no answer that can be read"), str(error)) from error
        if response.status != http.HTTPStatus.OK:
            raise CommandFailed(_("uiautomator2 refused a request"), f"{response.status} {response.reason}")
        return content


class _Heard:
    """An answer that has come whole, for the library that wants to read it from a socket."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._data)


def _refusal(said: str) -> DumpFailed:
    if "already registered" in said:
        return AutomationTaken(said.strip()[:200])
    return DumpFailed(
        _("uiautomator2 does not start on this phone"),
        said.strip()[-200:],
        _("The slower uiautomator dump takes its place"),
    )


def _complaint(document: object) -> str:
    error = document.get("error") if isinstance(document, dict) else None
    return str(error.get("message", "")) if isinstance(error, dict) else ""
