"""The video beside the steps is watched in Review, from the step at the cursor on."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.comparison.alignment.aligned import REFERENCE
from collector.store.trajectory.writer import TrajectoryWriter
from collector.store.video.mkv import MkvWriter
from collector.store.video.recorded_video import VideoPart, close_parts, with_parts
from studio.views.review.video_dialog import VideoDialog
from tests.helpers.video_rig import pictures

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)


def record_video(folder: Path, *, left_out: tuple[tuple[int, int], ...] = ()) -> None:
    """A video of 3 s: a picture each 100 ms, brighter from one to the next, a key frame each half second."""
    units = pictures()
    file = MkvWriter(folder / "video.mkv", b"", units[0][0], 0)
    for number in range(30):
        data, is_key = units[number % len(units)]
        file.write(data, number * 100, is_key=is_key, lasts_ms=100)
    file.close()
    with TrajectoryWriter.open(folder) as writer:
        parts = close_parts(folder, [VideoPart("video.mkv", 0, left_out=left_out)], writer.steps)
        writer.update_header(extra=with_parts(writer.header.extra, parts))


def dialog_of(room) -> VideoDialog:
    room.run("review.video")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, VideoDialog)
    return dialog


def test_it_opens_at_the_step_and_plays_to_the_end(room, monkeypatch) -> None:
    opened: list[Path] = []
    monkeypatch.setattr("studio.views.desktop_toast.open_on_desktop", lambda path: not opened.append(path))
    golden = room.folders["golden"]
    record_video(golden)
    room.open()
    room.session.choose_side(REFERENCE)
    room.session.go(1)
    dialog = dialog_of(room)
    room.until(lambda: dialog.slider.value() == 1000)
    assert [entry.sentence for entry in dialog.chapters.entries][:2] == ["1.", "2."]
    assert dialog.chapters.current.when == "0:01.0"
    assert dialog.time.text() == "0:01.0 / 0:03.0"
    QTest.keyClick(dialog.chapters, Qt.Key.Key_Up)
    room.until(lambda: dialog.slider.value() == 0)
    dialog.slider.setValue(2750)
    room.until(lambda: dialog.time.text().startswith("0:02.7"))
    QTest.mouseClick(dialog.play, Qt.MouseButton.LeftButton)
    assert dialog.play.toolTip() == "Pause"
    room.until(lambda: not dialog.playback.plays)
    assert dialog.slider.value() == 2900
    room.until(lambda: dialog.play.toolTip() == "Play")
    QTest.mouseClick(dialog.outside, Qt.MouseButton.LeftButton)
    assert opened == [golden / "video.mkv"]
    dialog.accept()


def test_a_step_that_was_left_out_is_said_and_a_damaged_file_explained(room) -> None:
    golden = room.folders["golden"]
    record_video(golden, left_out=((1000, 1100),))
    room.open()
    room.session.choose_side(REFERENCE)
    room.session.go(1)
    dialog = dialog_of(room)
    assert room.toasts[-1] == "Step 2 is not in the video"
    room.until(lambda: len(dialog.chapters.entries) > 1)
    assert "not in the video" in dialog.chapters.entries[1].sentence
    dialog.accept()
    (golden / "video.mkv").write_bytes(b"nothing")
    dialog = dialog_of(room)
    room.until(lambda: dialog.problem.isVisible())
    assert "video.mkv cannot be read" in dialog.problem.text()
    assert not dialog.play.isEnabled()
    dialog.accept()
