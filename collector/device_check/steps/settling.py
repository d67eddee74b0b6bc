"""How long the screen moves after something was done."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from collector.device.errors import CaptureFailed
from collector.device_check.gestures import BACK, swipe, tap
from collector.device_check.settings_app import ROW, open_settings_app
from collector.device_check.step import CheckStep, CheckStepRun, StepSkipped
from collector.device_check.watched_video import WatchedVideo, best_video
from collector.model.i18n import _
from collector.recorder.settle import SettleDetector

_QUIET_MS, _CAP_MS = 400, 6000
_LOOK_S = 0.02
_FLING_S = 0.01


class SettlingStep(CheckStep):
    """Flings the list of the settings, opens a page and leaves it, and watches until the screen rests."""

    id = "settling"
    limit_s = 40.0

    @property
    def title(self) -> str:
        return _("Settling of the screen")

    def run(self, run: CheckStepRun) -> None:
        open_settings_app(run)
        try:
            with best_video(run) as (video, sink):
                acts = (
                    partial(swipe, run, sink, 0.75, 0.25, _FLING_S),
                    partial(swipe, run, sink, 0.25, 0.75, _FLING_S),
                    partial(tap, run, sink, *ROW),
                    partial(sink.key, BACK),
                )
                taken = [_settled(run, video, act) for act in acts]
        except CaptureFailed as error:
            raise StepSkipped(_("The phone gives no video to watch"), str(error)) from error
        run.measure("settle", max(milliseconds for milliseconds, _in_time in taken), "ms")
        if all(in_time for _milliseconds, in_time in taken):
            run.works("settling.rests")
        else:
            run.lacks(
                "settling.rests", _("The screen never rests: switch off what moves, such as a live picture")
            )


def _settled(run: CheckStepRun, video: WatchedVideo, act: Callable[[], None]) -> tuple[int, bool]:
    """Milliseconds until the screen rested after an act, and whether it did in time."""
    detector = SettleDetector(_QUIET_MS, _CAP_MS)
    act()
    detector.begin(time.monotonic_ns())
    while True:
        newest = video.newest
        if newest is not None:
            detector.feed(newest, time.monotonic_ns())
        result = detector.result(time.monotonic_ns())
        if result is not None:
            return result.settle_ms, result.in_time
        run.wait(_LOOK_S)
