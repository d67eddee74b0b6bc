"""The phone's video, by each way there is: its first picture, its frames, and how soon it shows a touch."""

from __future__ import annotations

import statistics
import time

from collector.device.errors import CallCancelled, DeviceError
from collector.device.input.input_sinks import ScrcpyInput
from collector.device.video.scrcpy_source import ScrcpySource
from collector.device.video.screenrecord_source import ScreenrecordSource
from collector.device_check.gestures import place
from collector.device_check.settings_app import HOME, open_settings_app, show_settings
from collector.device_check.step import CheckStep, CheckStepRun
from collector.device_check.test_screen import shown_test_screen
from collector.device_check.watched_video import WatchedVideo, plan_scrcpy, scrcpy_jars, watched
from collector.model.i18n import _
from collector.model.phone.touch import TouchAction

_TOUCHES = 5
_SHOWN_S = 1.0
_REST_S, _HELD_S = 0.3, 0.15
_FOLLOWS_S = 3.0
_SWIPES = 3
_SWIPE_MS = 300


class VideoStep(CheckStep):
    """Tries every scrcpy server of this computer until one works, and then ``screenrecord``."""

    id = "video"
    limit_s = 45.0

    @property
    def title(self) -> str:
        return _("Video")

    def run(self, run: CheckStepRun) -> None:
        open_settings_app(run)
        plan_scrcpy(run)
        _try_scrcpy(run)
        run.progress("screenrecord")
        try:
            with watched(ScreenrecordSource(run.device)) as video:
                _measure(run, "screenrecord", video)
        except CallCancelled:
            raise
        except DeviceError as error:
            run.lacks("pictures.screenrecord", str(error))


def _try_scrcpy(run: CheckStepRun) -> None:
    why = _("No scrcpy server was found on this computer")
    lines: list[str] = []
    tried: list[str] = []
    for jar in scrcpy_jars(run):
        run.progress(_("scrcpy {version}", version=jar.version))
        tried.append(str(jar.version))
        source = ScrcpySource(run.device, jar)
        source.server_lines.subscribe(lines.append)
        try:
            with watched(source) as video:
                _measure(run, "scrcpy", video)
                _touch(run, source, video)
                break
        except CallCancelled:
            raise
        except DeviceError as error:
            why = str(error)
    else:
        run.lacks("pictures.scrcpy", why)
    run.observe("scrcpy", "\n".join(lines))
    run.measure("scrcpy_versions", ", ".join(tried))


def _measure(run: CheckStepRun, name: str, video: WatchedVideo) -> None:
    """First picture, and frames a second while the settings scroll up and down."""
    run.measure(f"{name}.first_picture", video.first_ms, "ms")
    size = run.display.size
    before, began = video.frames, time.monotonic()
    for swipe in range(_SWIPES):
        ends = (size.height * 3 // 4, size.height // 3)
        start, end = ends if swipe % 2 == 0 else ends[::-1]
        middle = size.width // 2
        run.device.shell(["input", "swipe", *map(str, (middle, start, middle, end, _SWIPE_MS))])
    seconds = time.monotonic() - began
    run.measure(f"{name}.fps", (video.frames - before) / seconds, "1/s")
    if video.frames == before and not _follows(run, video):
        run.lacks(f"pictures.{name}", _("{name} shows one picture, and none that follows", name=name))
    else:
        run.works(f"pictures.{name}")


def _follows(run: CheckStepRun, video: WatchedVideo) -> bool:
    """Whether a picture follows when another app is shown: a phone that refuses swipes shows none of them."""
    before = video.newest
    run.device.shell(HOME)
    seen = video.wait_change(before, _FOLLOWS_S)
    show_settings(run)
    return seen


def _touch(run: CheckStepRun, source: ScrcpySource, video: WatchedVideo) -> None:
    """How long it takes until a touch is seen: on the test screen, or by what a finger drags."""
    sink = ScrcpyInput(source)
    try:
        with shown_test_screen(run) as screen:
            taken = _tapped(run, sink, video) if screen is not None else []
        taken = taken or _dragged(run, sink, video)
    finally:
        sink.close()
    if taken:
        run.measure("touch_to_picture", statistics.median(taken), "ms")
        run.works("input.scrcpy")
    else:
        run.lacks("input.scrcpy", _("A finger that drags through scrcpy moves nothing on the screen"))


def _tapped(run: CheckStepRun, sink: ScrcpyInput, video: WatchedVideo) -> list[float]:
    """Milliseconds from a finger that comes down to the picture of the other color, of each that is seen."""
    taken = []
    for _touch in range(_TOUCHES):
        run.wait(0)  # whether the step goes on
        video.wait_rest(_REST_S, _SHOWN_S)
        at, before, began = place(run, 0.5, 0.5), video.newest, time.perf_counter()
        sink.touch(TouchAction.DOWN, 0, at)
        if video.wait_change(before, _SHOWN_S):
            taken.append((time.perf_counter() - began) * 1000)
        sink.touch(TouchAction.UP, 0, at)
    return taken


def _dragged(run: CheckStepRun, sink: ScrcpyInput, video: WatchedVideo) -> list[float]:
    """Milliseconds until a finger that drags is seen to drag, of each that is."""
    taken = []
    goes_down = _SWIPES % 2 == 1  # to where the swipes came from: at its end a list does not move
    for _touch in range(_TOUCHES):
        run.wait(0)  # whether the step goes on
        video.wait_rest(_REST_S, _SHOWN_S)
        start, end = place(run, 0.5, 0.5), place(run, 0.5, 0.7 if goes_down else 0.3)
        before, began = video.newest, time.perf_counter()
        sink.touch(TouchAction.DOWN, 0, start)
        sink.touch(TouchAction.MOVE, 0, place(run, 0.5, 0.6 if goes_down else 0.4))  # begins to drag
        sink.touch(TouchAction.MOVE, 0, end)
        if video.wait_change(before, _SHOWN_S):
            taken.append((time.perf_counter() - began) * 1000)
        run.wait(_HELD_S)  # so that the list is not flung
        sink.touch(TouchAction.UP, 0, end)
        goes_down = not goes_down
    return taken
