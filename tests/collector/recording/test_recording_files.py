"""A recording is closed with what its phone says of the apps, and without a phone that is silent."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from collector.device.errors import CallCancelled
from collector.device.transport.shell_result import ShellResult
from collector.recording.recording_files import close_recording
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.recorder_rig import BUY, RecorderRig


class Phone:
    """Says one version, or nothing until the call is cancelled."""

    def __init__(self, *, is_silent: bool) -> None:
        self.is_silent, self.asked = is_silent, 0

    def shell(self, _line: str, *, cancel: threading.Event | None = None, **_more: Any) -> ShellResult:
        self.asked += 1
        if self.is_silent:
            assert cancel is not None, "nobody could end this"
            assert cancel.wait(20)
            raise CallCancelled
        return ShellResult(b"    versionName=4.2\n", b"", 0)


@pytest.mark.fault("F32")
@pytest.mark.parametrize("is_silent", [False, True])
def test_a_silent_phone_does_not_keep_a_window_that_closes(tmp_path: Path, is_silent: bool) -> None:
    rig, phone, hurry = RecorderRig(tmp_path), Phone(is_silent=is_silent), threading.Event()
    rig.screen(10, BUY)
    rig.tap()
    rig.steps()
    threading.Timer(0.05, hurry.set).start()
    judge = SimpleNamespace(close=lambda: None)
    folder = close_recording(rig.recorder, judge, rig.writer, phone, None, hurry)  # type: ignore[arg-type]
    stored = open_trajectory(folder)
    assert len(stored.steps) == 1
    assert phone.asked == 1
    assert list(stored.header.apps.values()) == ([] if is_silent else ["4.2"])


def test_nothing_is_left_of_a_recording_without_a_step_unless_it_says_something(tmp_path: Path) -> None:
    judge = SimpleNamespace(close=lambda: None)
    for name in ("empty", "undone", "injected"):
        rig = RecorderRig(tmp_path / name)
        rig.screen(10, BUY)
        if name == "undone":
            rig.tap()
            rig.steps()
            rig.recorder.undo()
        if name == "injected":
            rig.recorder.note_event("injection", None, {"anomaly": "call"})
        folder = close_recording(rig.recorder, judge, rig.writer, None)  # type: ignore[arg-type]
        assert folder.exists() == (name != "empty"), name
