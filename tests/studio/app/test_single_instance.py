"""A later start reaches the first window, and nonsense on the socket is answered, not feared."""

from __future__ import annotations

import json

import pytest
from PySide6.QtNetwork import QLocalSocket

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
    socket = QLocalSocket()
    socket.connectToServer(instance.socket_name())
    assert socket.waitForConnected(1000)
    socket.write(line)
    qtbot.waitUntil(socket.canReadLine)
    answer = json.loads(bytes(socket.readLine().data()))
    socket.abort()
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
