"""The scrcpy source ends when it is closed, also while it starts."""

from __future__ import annotations

import socket
import threading
from typing import ClassVar

import pytest

from collector.adb.scrcpy.version import ScrcpyVersion
from collector.device.video import scrcpy_source
from collector.device.video.scrcpy_link import ScrcpyLink
from collector.device.video.scrcpy_server_jar import ScrcpyServerJar
from collector.device.video.scrcpy_source import ScrcpySource
from collector.model.errors import UserError


class SilentLink:
    """A server that accepts the session and sends no picture; its sockets end with ``close``."""

    made: ClassVar[list[SilentLink]] = []
    last_error = ""
    version = lines = None

    def __init__(self, *_arguments: object) -> None:
        self.made.append(self)
        self.opened, self.go_on = threading.Event(), threading.Event()
        self.video, self._far_video = socket.socketpair()
        self.control, self._far_control = socket.socketpair()

    def open(self) -> None:
        self.opened.set()
        assert self.go_on.wait(10)

    def close(self) -> None:
        for end in (self._far_video, self._far_control):
            end.close()


@pytest.mark.parametrize("is_open", [True, False], ids=["waiting-for-a-frame", "opening"])
def test_a_source_closed_while_it_starts_ends_at_once(monkeypatch, is_open):
    monkeypatch.setattr(scrcpy_source, "ScrcpyLink", SilentLink)
    monkeypatch.setattr(scrcpy_source, "StreamReader", lambda *_arguments, **_options: None)
    monkeypatch.setattr(scrcpy_source, "_FIRST_FRAME", 60.0)
    source = ScrcpySource(None, None)  # type: ignore[arg-type]
    link = SilentLink.made.pop()
    errors: list[Exception] = []

    def start() -> None:
        try:
            source.start(lambda _frame: None, errors.append)
        except UserError as error:
            errors.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    assert link.opened.wait(10)
    if is_open:
        link.go_on.set()
    source.close()
    link.go_on.set()
    thread.join(10)
    assert not thread.is_alive()
    assert [str(error) for error in errors] == ["The scrcpy server sent no picture"]
    for end in (link.video, link.control):
        end.close()


def test_a_message_thread_that_begins_after_the_end_is_quiet(monkeypatch):
    monkeypatch.setattr(scrcpy_source, "ScrcpyLink", SilentLink)
    source = ScrcpySource(None, None)  # type: ignore[arg-type]
    link = SilentLink.made.pop()
    source.close()
    for end in (link.video, link.control):
        end.close()
    source._listen()


def test_a_link_that_closes_before_its_log_is_read_ends_in_silence():
    """As on a busy computer, when the phone goes away while scrcpy starts."""
    link = ScrcpyLink(None, ScrcpyServerJar(b"", ScrcpyVersion.parse("2.7"), ""))  # type: ignore[arg-type]
    link._shell, far = socket.socketpair()
    far.close()
    link.close()
    link._listen()
    assert link.last_lines == []
