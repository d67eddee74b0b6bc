"""Every native change of our library on the virtual phone: made, and gone after the program was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.injected_anomaly import InjectionStage
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.journal import UndoJournal, phone_key
from collector.anomalies.model import NATIVE, Anomaly
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.virtual.apps import make_apps
from collector.virtual.apps.stand_in import stand_ins
from tests.helpers.phone_state import phone_state
from tests.helpers.shell_device import ShellDevice, injector_on, shell_device
from tests.helpers.virtual import read_line, virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")

APP = "com.waymark.anywhere"
NATIVES = [anomaly for anomaly in builtin_library().anomalies if anomaly.kind == NATIVE]
KILLED = [anomaly for anomaly in NATIVES if anomaly.id in ("wifi_off", "app_crash", "keyboard_changed")]
"""A setting, an app and a service: what undoes them after a kill is the journal that undoes all others."""
FIRE = """import sys
from collector.cli.main import main
print("firing", flush=True)
sys.exit(main(["anomaly", "fire", *sys.argv[1:], "--undo-after", "600"]))
"""


def phone_apps() -> tuple[object, ...]:
    return (*make_apps(("companion",)), *stand_ins([APP]))


@pytest.fixture
def device() -> Iterator[ShellDevice]:
    with shell_device(apps=phone_apps()) as phone:
        phone.shell(f"am start -n {APP}/.MainActivity")
        yield phone


@pytest.mark.parametrize("anomaly", NATIVES, ids=lambda anomaly: anomaly.id)
def test_it_is_made_and_the_phone_is_as_before_once_it_is_taken_back(
    device: ShellDevice, tmp_path: Path, anomaly: Anomaly
) -> None:
    before = phone_state(device, APP)
    with injector_on(device, tmp_path) as injector:
        injected = injector.fire(InjectionRequest(anomaly, APP))
        assert injected.stage is InjectionStage.ACTIVE
        assert not injected.was_so
        assert phone_state(device, APP) != before or device.shell(f"ps -A | grep {APP}").text.count(" T ")
    with injector_on(device, tmp_path) as after:
        (taken,) = after.undo_all(kept=False)
        assert taken.problem == ""
        assert after.pending == ()
    assert phone_state(device, APP) == before


@pytest.fixture(scope="module")
def connected() -> Iterator[AdbDevice]:
    with virtual_device(apps=phone_apps()) as phone:
        AdbServer().connect(phone.address)
        yield AdbDevice(phone.address)
        AdbServer().disconnect(phone.address)


@pytest.mark.parametrize("anomaly", KILLED, ids=lambda anomaly: anomaly.id)
@pytest.mark.fault("F34")
def test_after_a_kill_the_next_connection_restores_the_phone(
    connected: AdbDevice, tmp_path: Path, anomaly: Anomaly
) -> None:
    connected.shell(f"input keyevent 3; am start -n {APP}/.MainActivity")
    before = phone_state(connected, APP)
    words = [anomaly.id, "--device", connected.serial, "--package", APP]
    environment = os.environ | {"WAYMARK_HOME": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", FIRE, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
    )
    try:
        assert read_line(process) == b"firing\n"
        line = read_line(process).decode()
        assert "is injected" in line, line
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    folder = tmp_path / "state" / "anomalies"
    injector = Injector(connected, journal=lambda phone: UndoJournal(phone_key(phone), folder))
    (taken,) = injector.undo_all(kept=False)
    injector.close()
    assert taken.problem == ""
    assert phone_state(connected, APP) == before
