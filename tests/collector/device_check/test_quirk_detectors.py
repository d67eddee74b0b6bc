"""After each step the quirks are found that a phone has, and none on a phone without any."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import pytest

from collector.device.device_info import read_device_info, read_display
from collector.device.errors import DeviceError
from collector.device.trees import uiautomator_source
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device_check.quirks import DETECTORS, quirks_at
from collector.device_check.results import Ability
from collector.device_check.step import CheckStepRun
from collector.device_check.steps.all_steps import STEPS
from collector.model.phone.quirks import QUIRKS
from collector.virtual.device import VirtualDevice
from collector.virtual.shell.commands import screen
from tests.helpers.shell_device import ShellDevice
from tests.helpers.virtual import profile

_STATE = (
    "settings list system; settings list secure; settings list global; pm list packages; "
    "appops get com.android.shell; ls /data/local/tmp"
)
SERVER_SAYS = {
    "encoder-limit": "[server] INFO: Retrying with -m1280...",
    "no-encoder": "[server] ERROR: ... Failed to initialize video/avc, error 0xfffffffe",
    "clipboard-refused": "NoSuchMethodException: android.content.IClipboard$Stub$Proxy.setPrimaryClip",
}
"""What scrcpy's server says on such a phone; tests of the virtual phone's video prove that it does."""


@contextlib.contextmanager
def _phone(*quirks: str) -> Iterator[ShellDevice]:
    """A virtual phone in this process, with all its programs."""
    with contextlib.closing(VirtualDevice(profile("launcher").with_quirks(quirks))) as device:
        yield ShellDevice(device.phone, device.machine)


def _run(device, **observed: str) -> CheckStepRun:
    """A step that has ended, with what the steps before it keep."""
    run = CheckStepRun(
        device, threading.Event(), None, read_device_info(device), read_display(device),
        say=lambda _text: None, observed=dict(observed),
    )  # fmt: skip
    run.observe("getprop", device.shell("getprop").text)
    run.observe("getevent", device.shell("getevent -lp").text)
    try:
        UiautomatorSource(device, tries=2).snapshot(run.cancel)
    except DeviceError as error:
        run.observe("uiautomator.error", str(error))
    run.abilities.append(Ability("pictures.screencap", works=False))
    return run


def _found(run: CheckStepRun) -> list[str]:
    return [quirk for step in STEPS for quirk in quirks_at(step.id, run)]


def test_each_quirk_is_looked_for_after_a_step_there_is():
    assert DETECTORS.keys() == QUIRKS.keys()
    assert {step for step, _detector in DETECTORS.values()} <= {step.id for step in STEPS}


def test_a_phone_without_quirks_shows_none():
    with _phone() as device:
        run = _run(device, **{"screencap.ms": "400", "scrcpy": "[server] INFO: Device: Pixel"})
        assert _found(run) == []


@pytest.mark.parametrize("quirk", QUIRKS)
def test_a_quirk_is_found_and_no_other(quirk, monkeypatch):
    monkeypatch.setattr(screen, "_SLOW_CAPTURE_SECONDS", 0.0)
    monkeypatch.setattr(uiautomator_source, "RETRY_AFTER_S", 0.0)
    observed = {"scrcpy": SERVER_SAYS[quirk]} if quirk in SERVER_SAYS else {}
    if quirk == "slow-screenshots":
        observed["screencap.ms"] = "1650"
    with _phone(quirk) as device:
        assert _found(_run(device, **observed)) == [quirk]


def test_the_detectors_leave_the_phone_as_it_was():
    with _phone() as device:
        before = device.shell(_STATE).text
        _found(_run(device))
        assert device.shell(_STATE).text == before
