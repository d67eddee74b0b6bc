"""Touches and keys sent to the phone, each proved by what changes on the screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from collector.device.errors import CallCancelled, DeviceError
from collector.device.input.input_sinks import ShellInput
from collector.device.input.unattended_input import open_unattended_input
from collector.device.protocols import InputSink
from collector.device.video.screencap_source import take_screenshot
from collector.device_check.gestures import BACK, pinch, swipe, tap
from collector.device_check.result_names import ability_name
from collector.device_check.settings_app import HOME, ROW, open_settings_app
from collector.device_check.step import CheckStep, CheckStepRun
from collector.device_check.watched_video import plan_scrcpy
from collector.model.i18n import _
from collector.recorder.settle import MAP_SIZE, Luma, share_changed

_CHANGES_S = 2.0
_LITTLE = 0.02
"""Share of the screen that a tap that only lights up may change."""
_LONG_S = 0.8
_UP, _DOWN = (0.7, 0.35), (0.35, 0.7)
"""Swipes, by the heights at which they begin and end."""


class InputStep(CheckStep):
    """Taps, presses long, swipes, pinches and presses keys in the settings app."""

    id = "input"
    essential = ("input.tap",)
    limit_s = 40.0

    @property
    def title(self) -> str:
        return _("Touches and keys")

    def run(self, run: CheckStepRun) -> None:
        plan_scrcpy(run)
        open_settings_app(run)
        command = ShellInput(run.device, lambda: run.display.size)
        why = _("The phone's `input` command changes nothing on the screen")
        _try(run, "input.command", why, lambda: _swiped(run, command, _UP, _DOWN))
        sink = open_unattended_input(run.device, run.jar, virtual=run.info.is_virtual)
        try:
            run.measure("input_way", sink.name)
            self._gestures(run, sink)
        finally:
            sink.close()

    def _gestures(self, run: CheckStepRun, sink: InputSink) -> None:
        tried = (
            ("input.swipe", _("A swipe does not scroll the settings"), _swiped_back),
            ("input.tap", _("A tap opens no page of the settings"), _tapped),
            ("input.key", _("The key Back does not leave a page"), _went_back),
        )
        for ability, why, attempt in tried:
            _try(run, ability, why, partial(attempt, run, sink))
        _try(run, "input.long_press", _("A long press is refused"), lambda: _pressed_long(run, sink))
        if sink.max_pointers > 1:
            _try(run, "input.pinch", _("Two fingers are refused"), lambda: _pinched(run, sink))
        else:
            run.lacks("input.pinch", _("Two fingers at once need a scrcpy server of version 2.1 or later"))


def _try(run: CheckStepRun, ability: str, why: str, attempt: Callable[[], bool]) -> None:
    run.progress(ability_name(ability))
    try:
        done = attempt()
    except CallCancelled:
        raise
    except DeviceError as error:
        run.observe(ability, str(error))
        run.lacks(ability, str(error))
        return
    if done:
        run.works(ability)
    else:
        run.lacks(ability, why)


def _picture(run: CheckStepRun) -> Luma:
    return take_screenshot(run.device, run.cancel).luma(MAP_SIZE)


def _changes(run: CheckStepRun, act: Callable[[], None]) -> bool:
    """Whether the screen becomes another one after ``act``."""
    before = _picture(run)
    act()
    return run.wait_until(lambda: share_changed(before, _picture(run)) > _LITTLE, _CHANGES_S)


def _swiped(run: CheckStepRun, sink: InputSink, *ways: tuple[float, float]) -> bool:
    """Whether the list scrolls in one of the ways: at its end it does not go on."""
    return any(_changes(run, partial(swipe, run, sink, *way)) for way in ways)


def _swiped_back(run: CheckStepRun, sink: InputSink) -> bool:
    return _swiped(run, sink, _DOWN, _UP)


def _tapped(run: CheckStepRun, sink: InputSink) -> bool:
    run.wait(0.5)  # a list that still scrolls takes a touch for a stop
    return _changes(run, lambda: tap(run, sink, *ROW))


def _went_back(run: CheckStepRun, sink: InputSink) -> bool:
    return _changes(run, lambda: sink.key(BACK))


def _pressed_long(run: CheckStepRun, sink: InputSink) -> bool:
    """On the home screen, where it opens a menu or nothing: a refusal alone is seen."""
    run.device.shell(HOME)
    tap(run, sink, 0.5, 0.5, _LONG_S)
    sink.key(BACK)
    return True


def _pinched(run: CheckStepRun, sink: InputSink) -> bool:
    """On the home screen: a refusal alone is seen."""
    pinch(run, sink)
    sink.key(BACK)
    return True
