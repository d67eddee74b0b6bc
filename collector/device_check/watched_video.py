"""Watch the phone's video for a while: when its first picture came, how many follow, and what changes."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from collector.anomalies.journal import UndoCheck
from collector.device.errors import ScrcpyFailed
from collector.device.frame import Frame
from collector.device.input.input_sinks import ScrcpyInput, ShellInput
from collector.device.protocols import FrameSource, InputSink
from collector.device.video.scrcpy_server_jar import ScrcpyServerJar, usable_server_jars
from collector.device.video.scrcpy_source import ScrcpySource
from collector.device.video.screenrecord_source import ScreenrecordSource
from collector.device_check.changes import other_than
from collector.device_check.step import CheckStepRun
from collector.model.i18n import _
from collector.recorder.settle import MAP_SIZE, Luma, share_changed

_FOLDER = "/data/local/tmp"
_MOST_JARS = 3


class WatchedVideo:
    """The frames of one source from its start. Any thread may read it."""

    def __init__(self, source: FrameSource) -> None:
        self.source = source
        self.first_ms = 0.0
        self.frames = 0
        self._changed = threading.Condition()
        self._newest: Luma | None = None

    def start(self) -> None:
        """Start the source and note when its first picture came. Raises DeviceError."""
        began = time.monotonic()
        self.source.start(self._took, lambda _error: None)
        self.first_ms = (time.monotonic() - began) * 1000

    @property
    def newest(self) -> Luma | None:
        """The newest frame as a small map of brightness."""
        return self._newest

    def wait_change(self, before: Luma | None, seconds: float) -> bool:
        """Wait until the picture differs from ``before``; False when it does not."""
        end = time.monotonic() + seconds
        with self._changed:
            while not self._differs(before):
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
        return True

    def wait_rest(self, quiet_s: float, most_s: float) -> bool:
        """Wait until the picture has not changed for so long; False when it does not rest."""
        end = time.monotonic() + most_s
        while time.monotonic() < end:
            if not self.wait_change(self._newest, quiet_s):
                return True
        return False

    def _differs(self, before: Luma | None) -> bool:
        newest = self._newest
        return newest is not None and (before is None or share_changed(before, newest) > 0)

    def _took(self, frame: Frame) -> None:
        with self._changed:
            self.frames += 1
            self._newest = frame.luma(MAP_SIZE)
            self._changed.notify_all()


def scrcpy_jars(run: CheckStepRun) -> list[ScrcpyServerJar]:
    """The scrcpy servers of this computer, the preferred first; of the phone's own when it is virtual."""
    return list(usable_server_jars(run.jar, virtual=run.info.is_virtual))[:_MOST_JARS]


def plan_scrcpy(run: CheckStepRun) -> None:
    """Plan what a server of scrcpy leaves: its file where there was none, and a screen that stays on."""
    stays = run.device.shell("settings get global stay_on_while_plugged_in").text.strip()
    if stays.isdecimal():
        undo = f"settings put global stay_on_while_plugged_in {stays}"
        lasts = UndoCheck("settings get global stay_on_while_plugged_in", other_than(stays))
        run.changes.plan(_("whether the screen stays on"), undo, lasts=lasts)
    there = run.device.shell(["ls", _FOLDER]).text.split()
    for jar in scrcpy_jars(run):
        name = f"waymark-scrcpy-{jar.version}.jar"
        if name not in there:
            run.changes.plan(_("a server of scrcpy"), f"rm -f {_FOLDER}/{name}")


@contextlib.contextmanager
def watched(source: FrameSource) -> Iterator[WatchedVideo]:
    """Watch a source until the end of the block. Raises DeviceError when it gives no picture."""
    video = WatchedVideo(source)
    video.start()
    try:
        yield video
    finally:
        source.close()


@contextlib.contextmanager
def best_video(run: CheckStepRun) -> Iterator[tuple[WatchedVideo, InputSink]]:
    """The best video of the phone, and the input that belongs to it. Raises DeviceError."""
    plan_scrcpy(run)
    with contextlib.ExitStack() as cleanup:
        yield _opened(run, cleanup)


def _opened(run: CheckStepRun, cleanup: contextlib.ExitStack) -> tuple[WatchedVideo, InputSink]:
    for jar in scrcpy_jars(run):
        source = ScrcpySource(run.device, jar)
        with contextlib.suppress(ScrcpyFailed):
            video = cleanup.enter_context(watched(source))
            return video, cleanup.enter_context(contextlib.closing(ScrcpyInput(source)))
    return cleanup.enter_context(watched(ScreenrecordSource(run.device))), ShellInput(run.device)
