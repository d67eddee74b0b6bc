"""One window for each person: a later start sends its requests to the running window and exits.

The same local socket runs commands by id. Each line is one JSON object:
``{"run": "view.record", "arguments": {}}`` is answered by ``{"ok": true}`` or ``{"error": "..."}``.
``{"ask": "state"}`` is answered with the state of the window; see :mod:`studio.app.window_inspector`.

The socket lies in a folder of this account alone, and each side looks at whose process the other is.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from collector.host.sockets import is_of_this_account
from collector.host.user_folders import runtime_folder, state_folder, user_name
from collector.model.errors import UserError
from collector.model.i18n import _

_log = logging.getLogger(__name__)
_WAIT_MS = 3000
_CONNECT_MS = 200
_LONGEST_LINE = 65536
_PLAIN = (str, int, float, bool, dict, list)
WindowRequest = dict[str, object]
"""One JSON object of the socket: a request, or the answer to it."""


def socket_name(state: Path | None = None) -> str:
    """The path of the socket of this account and state folder, or the name of a pipe on Windows.

    Raises OSError when there is no folder for it.
    """
    folder = (state or state_folder()).absolute()
    digest = hashlib.sha256(f"{user_name()}|{folder}".encode(errors="surrogateescape")).hexdigest()[:16]
    if sys.platform == "win32":
        return f"waymark-studio-{digest}"
    return str(runtime_folder() / f"window-{digest}")


def send(requests: list[WindowRequest], timeout_ms: int = _WAIT_MS) -> list[WindowRequest] | None:
    """Send requests to a running studio and return its answers; None when none runs. Blocks.

    Raises UserError when the one that runs does not answer, or its answer cannot be read.
    """
    socket = QLocalSocket()
    try:
        socket.connectToServer(socket_name())
    except OSError:
        return None
    if not socket.waitForConnected(_CONNECT_MS) or not _is_own(socket):
        return None
    answers: list[WindowRequest] = []
    for request in requests:
        socket.write(json.dumps(request).encode() + b"\n")
        socket.flush()
        while not socket.canReadLine():
            if not socket.waitForReadyRead(timeout_ms):
                raise _no_answer()
        answers.append(_read_answer(bytes(socket.readLine(_LONGEST_LINE).data())))
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
        self._name = name
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)

    def listen(self) -> bool:
        """Listen, and return whether it worked; the socket file of a killed studio is replaced."""
        try:
            name = self._name or socket_name()
        except OSError as error:
            _log.info("there is no folder for the socket: %s", error)
            return False
        if self._server.listen(name):
            return True
        QLocalServer.removeServer(name)
        return self._server.listen(name)

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    @Slot()
    def _connected(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            if not _is_own(socket):
                socket.abort()
                socket.deleteLater()
                continue
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
        except (ValueError, RecursionError):
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


def _is_own(socket: QLocalSocket) -> bool:
    """Whether a process of this account is at the other end of a connected socket."""
    return is_of_this_account(int(socket.socketDescriptor()))


def _read_answer(line: bytes) -> WindowRequest:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise _no_answer() from None
    if not isinstance(answer, dict):
        raise _no_answer()
    return answer


def _no_answer() -> UserError:
    return UserError(
        _("The window that is open does not answer"), "",
        _("Close it, or end its process, and start the studio again"),
    )  # fmt: skip
