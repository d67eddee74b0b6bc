"""Where the keyboard lies is known soon after the picture changed, and not asked while nothing does."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from collector.device.errors import DeviceOffline
from collector.device.input.keyboard_tracker import KeyboardTracker
from collector.device.transport.shell_result import ShellResult
from collector.model.geometry import Rect

_SHOWN = b"""  Window #1 Window{1 u0 InputMethod}:
    Frames: frame=[0,500][360,800]
  mCurrentFocus=Window{2 u0 a.b/a.b.Main}
  mInputShown=true
"""


class _Phone:
    serial = "fake"

    def __init__(self) -> None:
        self.answers: list[bytes | None] = []
        self.asked = threading.Semaphore(0)

    def shell(self, _command, **_options) -> ShellResult:
        answer = self.answers.pop(0) if self.answers else b""
        self.asked.release()
        if answer is None:
            raise DeviceOffline("fake", "gone")
        return ShellResult(answer, b"", 0)


@pytest.fixture
def quick(monkeypatch):
    for name in ("_EVERY", "_BETWEEN", "_REST"):
        monkeypatch.setattr(f"collector.device.input.keyboard_tracker.{name}", 0.001)


def test_it_is_asked_when_the_picture_changes_and_again_after_a_loss(quick):
    phone, motion = _Phone(), SimpleNamespace(changes=1)
    phone.answers = [None, _SHOWN]
    watch = KeyboardTracker(phone, motion)
    watch.start()
    assert phone.asked.acquire(timeout=20)
    assert phone.asked.acquire(timeout=20)
    while not watch.knows:
        pass
    assert watch.frame == Rect(0, 500, 360, 800)
    watch.close()
    assert "device keyboard" not in {thread.name for thread in threading.enumerate()}
    assert not phone.asked.acquire(blocking=False), "nothing changed, nothing is asked"
