"""D-GARA's own library, unmodified, on the virtual phone: the table at the end of a test run.

Each of its anomalies fires through real adb, shows its own words, is answered by each of its buttons,
and what follows that answer runs. Apps the virtual phone has not are stood in for.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from collector.anomalies import events as kinds
from collector.anomalies.dialogs.answer_button import answer_node
from collector.anomalies.dialogs.dialog_monitor import wait_until_over
from collector.anomalies.events import AnomalyEvent
from collector.anomalies.injected_anomaly import InjectionStage
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.journal import UndoJournal
from collector.anomalies.model import Anomaly, AnomalyLibrary
from collector.anomalies.reader import read_library
from collector.anomalies.trust.trust import CommandGate
from collector.device.device_info import read_foreground
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Size
from collector.model.tree import Tree
from collector.virtual.apps import make_apps
from collector.virtual.apps.stand_in import stand_ins
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")

PATH = Path(__file__).resolve().parents[4] / "shared" / "data" / "d-gara" / "interference_library.yaml"
COMPANION = "com.example.adbsmarttest"
SETTINGS = "com.android.settings"
APPS = (
    "com.waymark.anywhere",
    "tv.danmaku.bili",
    "tv.danmaku.bili/com.bilibili.teenagersmode.ui.TeenagersModeActivity",
    "tv.danmaku.bili/com.bilibili.vip.web.VipWebActivity",
    "com.jingdong.app.mall",
    "com.sina.weibo",
    "com.autonavi.minimap",
    "com.google.android.apps.maps",
    "ctrip.android.view",
    "com.ctrip",
)
LEADS_TO = {
    "WIFI_SETTINGS": SETTINGS,
    "BATTERY_SAVER_SETTINGS": SETTINGS,
    "APPLICATION_DETAILS_SETTINGS": SETTINGS,
    "ProgressActivity": COMPANION,
    "market://": "com.android.vending",
    "tv.danmaku.bili": "tv.danmaku.bili",
}
"""Words of a follow-up's command, and the package it brings to the front."""


@cache
def library() -> AnomalyLibrary:
    return read_library(PATH.read_text("utf-8")) if PATH.exists() else AnomalyLibrary()


CASES = [
    pytest.param(anomaly, answer.name, id=f"{anomaly.id}-{answer.name}")
    for anomaly in library().anomalies
    for answer in anomaly.answers
]


@pytest.fixture(scope="module")
def device() -> Iterator[AdbDevice]:
    apps = (*make_apps(("companion",)), *stand_ins(APPS))
    # As large as D-GARA's phones: its swipes say where in pixels.
    with virtual_device(apps=apps, size=Size(1080, 2400), density=420) as phone:
        AdbServer().connect(phone.address)
        yield AdbDevice(phone.address)
        AdbServer().disconnect(phone.address)


@pytest.fixture
def injector(device: AdbDevice, tmp_path: Path) -> Iterator[Injector]:
    trusted = CommandGate(lambda _command: True)
    injector_rig = Injector(device, journal=lambda phone: UndoJournal(phone.serial, tmp_path), gate=trusted)
    yield injector_rig
    injector_rig.undo_all()
    injector_rig.close()


def shown(device: AdbDevice) -> Tree:
    return parse_tree(device.exec_out("uiautomator dump /dev/tty"))


def app_of_recording(anomaly: Anomaly) -> str:
    """The app it stops, else one of no account."""
    stopped = [
        command.text.split()[-1] for command in anomaly.commands if command.text.startswith("am force-stop")
    ]
    return stopped[0] if stopped else "com.waymark.anywhere"


@pytest.mark.skipif(not PATH.exists(), reason="needs ../shared/data")
@pytest.mark.parametrize(("anomaly", "answer"), CASES)
def test_each_fires_is_answered_and_followed_up(
    device: AdbDevice,
    injector: Injector,
    anomaly: Anomaly,
    answer: str,
    record_property: pytest.FixtureRequest,
) -> None:
    app = app_of_recording(anomaly)
    # A progress page that a follow-up opened would lie below the next dialog.
    device.shell(f"am force-stop {COMPANION}; am start -n {app}/.MainActivity")
    events: list[AnomalyEvent] = []
    injector.events.subscribe(events.append)

    injected = injector.fire(InjectionRequest(anomaly))
    words = [node.text for node in shown(device) if node.package == COMPANION]
    assert {anomaly.value("param_title"), anomaly.value("param_message")} <= set(words)
    button = answer_node(shown(device), anomaly, answer)
    assert button is not None
    assert button.bounds is not None
    assert button.text == next(each.button for each in anomaly.answers if each.name == answer)
    device.shell(["input", "tap", str(button.bounds.center.x), str(button.bounds.center.y)])

    assert wait_until_over(injector, injected, 30, threading.Event())
    assert (injected.stage, injected.answer) == (InjectionStage.ANSWERED, answer)
    assert {event.kind for event in events} == {kinds.INJECTED, kinds.ANSWERED, kinds.FOLLOWED}
    followed = [event for event in events if event.kind == kinds.FOLLOWED]
    messages = [check_followed(device, event, app) for event in followed]
    row = (anomaly.id, f"{answer}: {button.text}", "; ".join(messages))
    record_property("D-GARA's library on the virtual phone", row)  # type: ignore[operator]


def check_followed(device: AdbDevice, event: AnomalyEvent, app: str) -> str:
    """That a follow-up did what it says; in words for the table."""
    if not event.command:
        assert event.message
        return f"log: {event.message}"
    front = read_foreground(device).package
    if event.command.startswith("am force-stop"):
        assert not device.shell(["pidof", app]).text.strip()
        return f"stopped {app}"
    if event.command.startswith("input keyevent 4"):
        assert front != app
        return "went back"
    package = next(package for words, package in LEADS_TO.items() if words in event.command)
    assert front == package
    return f"opened {front}"


@pytest.mark.skipif(not PATH.exists(), reason="needs ../shared/data")
def test_the_whole_library_is_tried() -> None:
    assert len(library().anomalies) == 21
    assert len(CASES) == sum(anomaly.buttons for anomaly in library().anomalies) == 35
