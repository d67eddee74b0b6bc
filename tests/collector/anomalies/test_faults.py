"""Faults of the phone while a dialog is open, through real adb: each ends in a clear state and sentence."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from collector.anomalies import events as kinds
from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.dialogs.answer_button import answer_node
from collector.anomalies.dialogs.dialog_monitor import DialogMonitor
from collector.anomalies.events import AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.journal import UndoJournal
from collector.anomalies.model import Anomaly
from collector.device.errors import GONE
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.hierarchy.parse import parse_tree
from collector.model.phone.touch import TouchAction
from collector.virtual.device import VirtualDevice
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")


@pytest.fixture
def phone() -> Iterator[VirtualDevice]:
    with virtual_device("shop", "settings", "companion") as device:
        AdbServer().connect(device.address)
        device.phone.launch("com.waymark.shop")
        yield device
        device.faults.clear()
        AdbServer().disconnect(device.address)


@pytest.fixture
def injector(phone: VirtualDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Injector]:
    monkeypatch.setattr("collector.anomalies.dialogs.dialog_monitor.AWAY_S", 0.1)
    device = AdbDevice(phone.address)
    opened = Injector(device, journal=lambda found_device: UndoJournal(found_device.serial, tmp_path))
    yield opened
    opened.close()


def dialog() -> Anomaly:
    anomaly = builtin_library().get("battery_low_double_en")
    assert anomaly is not None
    return anomaly


@contextmanager
def silent_log(phone: VirtualDevice) -> Iterator[None]:
    """The phone's log says nothing and is given up soon; while it answers, a loaded machine may be slow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("collector.anomalies.dialogs.companion.LOG_TIMEOUT_S", 0.5)
        phone.faults.set("silent-logcat")
        yield
        phone.faults.clear()


def press(phone: VirtualDevice, injection: InjectedAnomaly, answer: str) -> None:
    """A hand on the phone itself: adb may be away."""
    node = answer_node(parse_tree(phone.phone.hierarchy_xml()), injection.anomaly, answer)
    assert node is not None
    assert node.bounds is not None
    for action in (TouchAction.DOWN, TouchAction.UP):
        phone.phone.touch(action, 0, node.bounds.center.x, node.bounds.center.y, on_panel=True)


def test_a_log_that_stalls_is_told_and_its_answer_heard_later(
    phone: VirtualDevice, injector: Injector
) -> None:
    events: list[AnomalyEvent] = []
    injector.events.subscribe(events.append)
    injection = injector.fire(InjectionRequest(dialog()))
    with silent_log(phone):
        injector.look()
        assert injection.stage is InjectionStage.OPEN
        assert events[-1].kind == kinds.STALLED
        assert "did not answer within" in events[-1].reason
        press(phone, injection, "deny")
    injector.look()
    assert (injection.stage, injection.answer) == (InjectionStage.ANSWERED, "deny")


def test_a_log_that_stays_silent_ends_unclear(phone: VirtualDevice, injector: Injector) -> None:
    injection = injector.fire(InjectionRequest(dialog()))
    with silent_log(phone):
        press(phone, injection, "deny")
        while not injection.is_over:
            injector.look()
    assert injection.stage is InjectionStage.UNCLEAR
    assert injector.pending == ()


def test_a_phone_that_goes_between_inject_and_answer_is_found_again(
    phone: VirtualDevice, injector: Injector
) -> None:
    lost: queue.Queue[object] = queue.Queue()
    events: queue.Queue[AnomalyEvent] = queue.Queue()
    injection = injector.fire(InjectionRequest(dialog()))
    injector.events.subscribe(events.put)
    watch = DialogMonitor(injector, look_every_s=0.05)
    watch.lost.subscribe(lost.put)
    watch.start()
    watch.wake()
    try:
        AdbServer().disconnect(phone.address)
        assert isinstance(lost.get(timeout=30), GONE)
        press(phone, injection, "accept")
        AdbServer().connect(phone.address)
        heard = [events.get(timeout=30).kind for _number in range(2)]
    finally:
        watch.close()
    assert heard == [kinds.ANSWERED, kinds.FOLLOWED]
    assert injection.answer == "accept"
