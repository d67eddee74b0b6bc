"""One window for each person: a later start sends its requests to the running window and exits.

The same local socket runs commands by id. Each line is one JSON object:
``{"run": "view.record", "arguments": {}}`` is answered by ``{"ok": true}`` or ``{"error": "..."}``.
``{"ask": "state"}`` is answered with the state of the window; see :mod:`studio.app.window_inspector`.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from collector.model.errors import UserError
from collector.model.user_folders import state_folder

_log = logging.getLogger(__name__)
_WAIT_MS = 3000
_LONGEST_LINE = 65536
_PLAIN = (str, int, float, bool, dict, list)
WindowRequest = dict[str, object]
"""One JSON object of the socket: a request, or the answer to it."""


def socket_name(state: Path | None = None) -> str:
    """Return the name of the socket of this person and state folder."""
    try:
        person = getpass.getuser()
    except (OSError, KeyError, ImportError):
        person = ""
    seed = f"{person}|{state or state_folder()}"
    return f"waymark-studio-{hashlib.sha256(seed.encode()).hexdigest()[:16]}"


def send(requests: list[WindowRequest], timeout_ms: int = _WAIT_MS) -> list[WindowRequest] | None:
    """Send requests to a running studio and return its answers; None when none runs. Blocks."""
    socket = QLocalSocket()
    socket.connectToServer(socket_name())
    if not socket.waitForConnected(200):
        return None
    answers: list[WindowRequest] = []
    for request in requests:
        socket.write(json.dumps(request).encode() + b"\n")
        socket.flush()
        while not socket.canReadLine():
            if not socket.waitForReadyRead(timeout_ms):
                return answers
        answers.append(json.loads(bytes(socket.readLine().data())))
    socket.disconnectFromServer()
    return answers


class InstanceServer(QObject):
    """Listens for later starts. ``answer(request)`` runs on the GUI thread and returns the result."""

    def __init__(
        self, answer: Callable[[WindowRequest], object], parent: QObject | None = None, *, name: str = ""
    ) -> None:
        """``name`` replaces the name of the socket."""
        super().__init__(parent)
        self._answer = answer
        self._name = name or socket_name()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)

    def listen(self) -> bool:
        """Listen, and return whether it worked; the socket file of a killed studio is replaced."""
        if self._server.listen(self._name):
            return True
        QLocalServer.removeServer(self._name)
        return self._server.listen(self._name)

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    @Slot()
    def _connected(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(self._readable)
            socket.disconnected.connect(socket.deleteLater)

    @Slot()
    def _readable(self) -> None:
        socket = self.sender()
        assert isinstance(socket, QLocalSocket)
        while socket.canReadLine():
            socket.write(json.dumps(self._reply(bytes(socket.readLine().data()))).encode() + b"\n")
            socket.flush()
        if socket.bytesAvailable() > _LONGEST_LINE:
            socket.abort()

    def _reply(self, line: bytes) -> WindowRequest:
        try:
            request = json.loads(line)
        except ValueError:
            return {"error": "not JSON"}
        if not isinstance(request, dict):
            return {"error": "not an object"}
        try:
            result = self._answer(request)
        except UserError as error:
            return {"error": str(error)}
        except Exception:  # noqa: BLE001 - the sender gets an answer even when a handler has a bug
            _log.exception("a request failed: %r", line[:200])
            return {"error": "failed; see the log"}
        return {"ok": True, "result": result if isinstance(result, _PLAIN) else None}
