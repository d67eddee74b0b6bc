"""A window that closes waits for no answer of a silent phone: all it asks of one can be cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from collector.device.device_entry import read_entry
from collector.device.device_tracker import DeviceTracker
from collector.device.session import DeviceSession
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.listed_devices import ListedDevice
from collector.model.task import Task
from studio.bridge.jobs import JobRunner
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.phones.phone_files import PhoneFiles
from studio.bridge.phones.phone_resets import PhoneResets
from tests.helpers.hostile_adb import SERIAL, HostileAdb, held, hostile_adb

SILENT = {name: held() for name in ("host:transport:", "host:connect:", "host:disconnect:")}
QUIT_S = 3.0


@pytest.fixture(scope="module")
def adb() -> Iterator[HostileAdb]:
    with hostile_adb(SILENT) as server:
        yield server


@pytest.fixture
def window(qapp: Any, adb: HostileAdb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The parts of a window that ask a phone, before the first is asked."""
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
    adb.asked.clear()
    server, runner = AdbServer(adb.port), JobRunner()
    phone = PhoneLink(SERIAL, lambda serial: DeviceSession(serial, server=server))
    tracker = DeviceTracker(server)
    note = tmp_path / "note.txt"
    note.write_text("hello")
    yield SimpleNamespace(
        runner=runner, phone=phone, tracker=tracker, files=PhoneFiles(runner), resets=PhoneResets(runner),
        note=note,
    )  # fmt: skip
    for part in (phone, runner):
        part.close()
        part.deleteLater()


def asked_in_a_job(ask: Callable[[Any, threading.Event], object]) -> Callable[[Any], object]:
    return lambda window: window.runner.run(lambda job: ask(window, job.cancel_event))


LISTED = ListedDevice(SERIAL, "device")
TASK = Task("t", "Reset", package="com.example")
ASKING: dict[str, Callable[[Any], object]] = {
    "connect": asked_in_a_job(lambda window, cancel: window.tracker.connect("127.0.0.1:5555", cancel)),
    "disconnect": asked_in_a_job(lambda window, cancel: window.tracker.forget(SERIAL, cancel)),
    "examine": asked_in_a_job(lambda _window, cancel: read_entry(LISTED, cancel)),
    "rotate": asked_in_a_job(lambda window, cancel: window.phone.rotate(cancel)),
    "keyboard": asked_in_a_job(lambda window, cancel: window.phone.is_keyboard_shown(cancel)),
    "apps": asked_in_a_job(lambda window, cancel: window.phone.installed_apps(cancel)),
    "send a file": lambda window: window.files.send(window.phone, [window.note]),
    "reset": lambda window: window.resets.run(None, TASK, [window.phone], "app-data"),
}


@pytest.mark.fault("F32")
@pytest.mark.parametrize("what", ASKING)
def test_a_window_that_closes_does_not_wait_for_a_silent_phone(window, adb, what):
    ASKING[what](window)
    end = time.monotonic() + 20
    while not adb.asked and time.monotonic() < end:
        time.sleep(0.005)
    assert adb.asked, "the phone was asked"
    begun = time.monotonic()
    window.runner.close()
    assert time.monotonic() - begun < QUIT_S


def test_a_reset_that_is_cancelled_lets_the_phone_go(window, adb, qtbot):
    with qtbot.waitSignal(window.resets.ended) as ended:
        ASKING["reset"](window)
        assert window.phone.busy
        window.runner.jobs[0].cancel()
    (end,) = ended.args[0]
    assert str(end.error) == "Cancelled"
    assert not window.phone.busy
