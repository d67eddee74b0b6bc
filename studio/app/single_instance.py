"""One window a person: a later start hands its wish to the first and leaves.

The same local socket runs commands by id, one JSON object a line:
``{"run": "view.record", "arguments": {}}`` is answered by ``{"ok": true}`` or ``{"error": "..."}``.
``{"ask": "state"}`` is answered with what the window shows; see :mod:`studio.app.window_inspector`.
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
Wish = dict[str, object]


def socket_name(state: Path | None = None) -> str:
    """Name of the socket of this person and settings home, or of the one with another state folder."""
    try:
        person = getpass.getuser()
    except (OSError, KeyError, ImportError):
        person = ""
    seed = f"{person}|{state or state_folder()}"
    return f"waymark-studio-{hashlib.sha256(seed.encode()).hexdigest()[:16]}"


def send(wishes: list[Wish], timeout_ms: int = _WAIT_MS) -> list[Wish] | None:
    """Hand wishes to a running studio; its answers, or None when none runs. Blocks, before any window."""
    socket = QLocalSocket()
    socket.connectToServer(socket_name())
    if not socket.waitForConnected(200):
        return None
    answers: list[Wish] = []
    for wish in wishes:
        socket.write(json.dumps(wish).encode() + b"\n")
        socket.flush()
        while not socket.canReadLine():
            if not socket.waitForReadyRead(timeout_ms):
                return answers
        answers.append(json.loads(bytes(socket.readLine().data())))
    socket.disconnectFromServer()
    return answers


class InstanceServer(QObject):
    """Listens for later starts; ``answer(wish)`` runs on the GUI thread and returns what is said back."""

    def __init__(
        self, answer: Callable[[Wish], object], parent: QObject | None = None, *, name: str = ""
    ) -> None:
        """``name`` is the socket's when it is not that of the window."""
        super().__init__(parent)
        self._answer = answer
        self._name = name or socket_name()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)

    def listen(self) -> bool:
        """Whether the socket is ours; a file left by a killed studio is taken over."""
        if self._server.listen(self._name):
            return True
        QLocalServer.removeServer(self._name)
        return self._server.listen(self._name)

    def close(self) -> None:
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

    def _reply(self, line: bytes) -> Wish:
        try:
            wish = json.loads(line)
        except ValueError:
            return {"error": "not JSON"}
        if not isinstance(wish, dict):
            return {"error": "not an object"}
        try:
            result = self._answer(wish)
        except UserError as error:
            return {"error": str(error)}
        except Exception:  # noqa: BLE001 - a bug in a handler must not silence the asker
            _log.exception("a wish failed: %r", line[:200])
            return {"error": "failed; see the log"}
        return {"ok": True, "result": result if isinstance(result, _PLAIN) else None}
