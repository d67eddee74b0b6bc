"""A later start reaches the first window, and nonsense on the socket is answered, not feared."""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import json
import socket
import stat
import tempfile
import threading
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from collector.host.user_folders import runtime_folder, state_folder
from collector.model.errors import UserError
from studio.app import single_instance as instance


@pytest.fixture
def server(qapp):
    seen = []

    def answer(wish):
        seen.append(wish)
        if wish.get("run") == "bad":
            raise UserError("No")
        return "done"

    server = instance.InstanceServer(answer)
    assert server.listen()
    server.seen = seen
    yield server
    server.close()


def ask(line, qtbot):
    client = QLocalSocket()
    client.connectToServer(instance.socket_name())
    assert client.waitForConnected(1000)
    client.write(line)
    qtbot.waitUntil(client.canReadLine)
    answer = json.loads(bytes(client.readLine().data()))
    client.abort()
    return answer


def test_a_wish_is_answered(server, qtbot):
    assert ask(b'{"raise": true}\n', qtbot) == {"ok": True, "result": "done"}
    assert server.seen == [{"raise": True}]


def test_what_a_person_can_mend_is_said_back(server, qtbot):
    assert ask(b'{"run": "bad"}\n', qtbot) == {"error": "No"}


def test_without_a_first_window_there_is_no_answer(qapp):
    assert instance.send([{"raise": True}]) is None


@pytest.mark.parametrize("line", [b"{{{\n", b"[1]\n", b"\xff\n"])
def test_nonsense_is_answered_with_an_error(server, qtbot, line):
    assert "error" in ask(line, qtbot)


def test_the_socket_lies_in_a_folder_of_this_account_alone(server):
    place = Path(instance.socket_name())
    assert place.exists()
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert place.parent == runtime_folder()
    assert not Path(tempfile.gettempdir(), old_name()).exists()


def old_name():
    """What older versions connected to: anybody can make it, in the folder that all accounts share."""
    seed = f"{getpass.getuser()}|{state_folder()}"
    return f"waymark-studio-{hashlib.sha256(seed.encode()).hexdigest()[:16]}"


def test_a_listener_with_the_predictable_name_is_not_asked(qapp):
    stranger = QLocalServer()
    assert stranger.listen(old_name())
    try:
        assert instance.send([{"run": "project.open", "arguments": {"path": "/home/me/secret"}}]) is None
        assert not stranger.hasPendingConnections()
    finally:
        stranger.close()


def test_a_process_of_another_account_gets_no_answer(server, qtbot, monkeypatch):
    monkeypatch.setattr(instance, "is_of_this_account", lambda _descriptor: False)
    client = QLocalSocket()
    client.connectToServer(instance.socket_name())
    assert client.waitForConnected(1000)
    client.write(b'{"raise": true}\n')
    qtbot.waitUntil(lambda: client.state() == QLocalSocket.LocalSocketState.UnconnectedState)
    assert server.seen == []
    assert instance.send([{"raise": True}]) is None


@pytest.mark.parametrize("answer", [b"", b"{{{\n", b"[1]\n", b"\xff\xfe\n", b"[" * 60_000 + b"\n"])
def test_a_window_without_an_answer_that_can_be_read_is_an_error(qapp, answer):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(instance.socket_name())
    listener.listen()

    def serve():
        connection, _address = listener.accept()
        with connection, contextlib.suppress(ConnectionError):
            connection.recv(1000)
            connection.sendall(answer)
            connection.recv(1000)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with pytest.raises(UserError, match=r"window that is open does not answer"):
            instance.send([{"raise": True}], timeout_ms=200)
    finally:
        thread.join()
        listener.close()
        Path(instance.socket_name()).unlink()
