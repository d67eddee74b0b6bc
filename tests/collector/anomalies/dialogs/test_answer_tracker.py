"""What our companion app shows is followed to its end, with how each dialog ended; and D-GARA's app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.anomalies import events as kinds
from collector.anomalies.errors import DialogInFront, PermissionMissing, Unsuitable
from collector.anomalies.events import AnomalyEvent
from collector.anomalies.injected_anomaly import InjectionStage
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.model import Anomaly
from collector.anomalies.reader import read_library
from collector.device.errors import DeviceTimeout
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.companion.activities import NOTIFICATIONS, OVERLAY
from collector.model.companion.contract import VERSION_PATH
from collector.virtual.apps.companion.adb_smart_test import AdbSmartTestApp
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.phone_time import SimulatedTime
from tests.helpers.shell_device import ShellDevice, injector_on
from tests.helpers.virtual import profile

RATING = "RatingActivity"
TEXTS = "param_accept_log_event: YES, param_deny_log_event: NO, param_accept_btn_text: Rate"


@pytest.fixture
def device() -> Iterator[ShellDevice]:
    phone = Phone(profile("shop", "settings", "companion"), SimulatedTime())
    device = ShellDevice(phone)
    phone.launch("com.waymark.shop")
    yield device
    device.close()
    phone.close()


@pytest.fixture
def injector(device: ShellDevice, tmp_path: Path) -> Iterator[Injector]:
    with injector_on(device, tmp_path) as opened:
        yield opened


@pytest.fixture
def events(injector: Injector) -> list[AnomalyEvent]:
    events: list[AnomalyEvent] = []
    injector.events.subscribe(events.append)
    return events


def anomaly(activity: str, params: str = TEXTS, more: str = "") -> Anomaly:
    library = read_library(f"- {{id: a, target_activity: {activity}, params: {{{params}}}{more}}}\n")
    assert library.diagnostics == ()
    return library.anomalies[0]


def answer_queries(device: ShellDevice) -> list[str]:
    return [line for line in device.ran if "content query" in line and not line.endswith(VERSION_PATH)]


@pytest.mark.parametrize(
    ("leave", "how"),
    [("input keyevent 4", "back"), ("input tap 360 120", "outside"), ("", "timeout")],
)
def test_how_a_dialog_was_left_is_told(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent], leave: str, how: str
) -> None:
    params = f"{TEXTS}, param_outside: {{type: flag, value: true}}"
    params += ", param_timeout_seconds: {type: integer, value: 5}"
    injection = injector.fire(InjectionRequest(anomaly(RATING, params)))
    if leave:
        device.shell(leave)
    else:
        device.phone.pass_time(6)
    injector.look()
    assert (injection.stage, injection.answer, injection.how) == (InjectionStage.DISMISSED, "dismiss", how)
    assert (events[-1].how, events[-1].as_line()["how"]) == (how, how)


def test_a_button_tells_what_was_given_with_it(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    injection = injector.fire(InjectionRequest(anomaly(RATING)))
    tree = device.shell("uiautomator dump /dev/tty").text
    assert "rating_star_4" in tree
    device.press_view("rating_star_4")
    device.press(injection, "accept")
    injector.look()
    assert (injection.stage, injection.how) == (InjectionStage.ANSWERED, "touch")
    assert (events[-1].button, events[-1].event, events[-1].given) == ("Rate", "YES", "4")


def test_a_dialog_that_comes_back_is_one_injection_until_all_is_over(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    params = f"{TEXTS}, param_returns: {{type: integer, value: 2}}"
    follow = ", follow_up: {deny: [{type: log, message: refused}], accept: [{type: log, message: rated}]}"
    injection = injector.fire(InjectionRequest(anomaly(RATING, params, follow)))
    device.shell("input keyevent 4")
    injector.look()
    assert injection.stage is InjectionStage.OPEN
    device.phone.pass_time(4)
    device.press(injection, "deny")
    injector.look()
    injector.look()
    assert injection.stage is InjectionStage.OPEN
    device.phone.pass_time(4)
    device.press(injection, "accept")
    injector.look()
    assert injection.is_over
    assert [(event.kind, event.answer, event.how) for event in events if event.kind != kinds.FOLLOWED] == [
        (kinds.INJECTED, "", ""),
        (kinds.CONTINUED, "dismiss", "back"),
        (kinds.CONTINUED, "deny", "touch"),
        (kinds.ANSWERED, "accept", "touch"),
    ]
    assert [event.message for event in events if event.kind == kinds.FOLLOWED] == ["refused", "rated"]
    assert injector.pending == ()


def test_a_chain_is_one_injection_and_follow_ups_know_the_events_of_its_links(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    chain = '[{"activity": "LowBatteryActivity", "parameters": {"param_log_event": "END"}}]'
    follow = ", post_actions: {'EVENT:END': [{type: log, message: ended}]}"
    chosen = anomaly(RATING, f"{TEXTS}, param_chain: '{chain}'", follow)
    injection = injector.fire(InjectionRequest(chosen))
    device.press(injection, "accept")
    injector.look()
    assert (injection.stage, events[-1].kind) == (InjectionStage.OPEN, kinds.CONTINUED)
    device.press_view("ok_button")
    injector.look()
    assert (injection.stage, injection.event) == (InjectionStage.ANSWERED, "END")
    assert events[-1].message == "ended"


def test_what_was_to_come_back_and_did_not_is_unclear(device: ShellDevice, injector: Injector) -> None:
    params = f"{TEXTS}, param_returns: {{type: integer, value: 2}}"
    injection = injector.fire(InjectionRequest(anomaly(RATING, params)))
    device.shell("input keyevent 4")
    injector.look()
    device.shell(f"am force-stop {COMPANION_PACKAGE}")
    for _look in range(16):
        injector.look()
    assert injection.stage is InjectionStage.UNCLEAR
    assert len(answer_queries(device)) == 3
    assert injector.pending == ()


def test_a_toast_is_over_at_once(injector: Injector, events: list[AnomalyEvent]) -> None:
    injection = injector.fire(InjectionRequest(anomaly("ToastReceiver", "param_message: Saved")))
    assert injection.command.startswith("am broadcast --include-stopped-packages -n ")
    injector.look()
    assert (injection.stage, events[-1].how) == (InjectionStage.DISMISSED, "shown")


def test_a_notification_is_followed_while_it_is_in_the_shade(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    injection = injector.fire(InjectionRequest(anomaly("NotificationReceiver")))
    device.phone.pass_time(60)
    injector.look()
    assert injection.stage is InjectionStage.OPEN
    with pytest.raises(DialogInFront, match="still on the phone"):
        injector.fire(InjectionRequest(anomaly(RATING)))
    device.phone.expand_shade(True)
    device.press(injection, "deny")
    injector.look()
    assert (injection.stage, events[-1].event, events[-1].how) == (InjectionStage.ANSWERED, "NO", "touch")


def test_an_overlay_asks_for_its_permission_in_words(device: ShellDevice, injector: Injector) -> None:
    chosen = anomaly("OverlayReceiver")
    with pytest.raises(PermissionMissing, match="waymark device companion allow overlay") as caught:
        injector.fire(InjectionRequest(chosen))
    assert caught.value.permission == OVERLAY
    assert injector.pending == ()
    device.shell(f"appops set {COMPANION_PACKAGE} SYSTEM_ALERT_WINDOW allow")
    injection = injector.fire(InjectionRequest(chosen))
    device.press(injection, "accept")
    injector.look()
    assert injection.answer == "accept"


def test_a_notification_asks_for_its_permission_in_words(device: ShellDevice, injector: Injector) -> None:
    device.shell(f"pm revoke {COMPANION_PACKAGE} {NOTIFICATIONS}")
    with pytest.raises(PermissionMissing, match="may not show notifications") as caught:
        injector.fire(InjectionRequest(anomaly("NotificationReceiver")))
    assert caught.value.permission == NOTIFICATIONS


def test_a_log_that_lost_the_answer_is_made_good_by_the_app(device: ShellDevice, injector: Injector) -> None:
    injection = injector.fire(InjectionRequest(anomaly(RATING)))
    injector.look()
    device.press(injection, "deny")
    device.shell("logcat -c")
    injector.look()
    assert (injection.stage, injection.answer, injection.how) == (InjectionStage.ANSWERED, "deny", "touch")


def test_undo_ends_also_what_would_come_back(device: ShellDevice, injector: Injector) -> None:
    params = f"{TEXTS}, param_returns: {{type: integer, value: 2}}"
    injection = injector.fire(InjectionRequest(anomaly(RATING, params)))
    device.shell("input keyevent 4")
    injector.undo(injection.id)
    assert injection.stage is InjectionStage.UNDONE
    assert device.phone.seconds_to_next_timer is None


# -- D-GARA's app -------------------------------------------------------------------
@pytest.fixture
def dgara(device: ShellDevice) -> ShellDevice:
    device.phone.services.packages.install(AdbSmartTestApp())
    return device


def test_d_garas_app_answers_by_its_line(
    dgara: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    chosen = anomaly("LowBatteryActivity", "param_button_text: Go, param_log_event: GO")
    injection = injector.fire(InjectionRequest(chosen))
    dgara.press(injection, "accept")
    injector.look()
    assert (injection.stage, injection.event, injection.how) == (InjectionStage.ANSWERED, "GO", "")
    left = injector.fire(InjectionRequest(chosen))
    dgara.shell("input keyevent 4")
    injector.look()
    assert (left.stage, events[-1].how) == (InjectionStage.DISMISSED, "")
    assert not answer_queries(dgara)


def test_ours_is_known_by_what_its_provider_says_and_not_by_its_number(
    device: ShellDevice, injector: Injector
) -> None:
    renumbered = AdbSmartTestApp()
    renumbered.version = "3.1"
    device.phone.services.packages.install(renumbered)
    injection = injector.fire(
        InjectionRequest(anomaly("LowBatteryActivity", "param_button_text: Go, param_log_event: GO"))
    )
    assert not injection.dialogs, "D-GARA's app says of no dialog how it ended"


@pytest.mark.parametrize(
    ("activity", "params", "why"),
    [
        ("LowBatteryActivity", "param_log_event: GO, param_back: {type: flag, value: no}", "needs version"),
        (RATING, TEXTS, "no activity RatingActivity: it is of version 1.0"),
        ("ToastReceiver", "param_message: x", "no activity ToastReceiver"),
    ],
)
def test_d_garas_app_refuses_what_it_cannot_show(
    dgara: ShellDevice, injector: Injector, activity: str, params: str, why: str
) -> None:
    with pytest.raises(Unsuitable, match=why):
        injector.fire(InjectionRequest(anomaly(activity, params)))
    assert injector.pending == ()


def test_d_garas_app_cannot_say_what_a_cleared_log_held(dgara: ShellDevice, injector: Injector) -> None:
    injection = injector.fire(InjectionRequest(anomaly("LowBatteryActivity", "param_log_event: GO")))
    injector.look()
    dgara.press(injection, "accept")
    dgara.shell("logcat -c")
    injector.look()
    assert injection.stage is InjectionStage.UNCLEAR


def test_an_app_that_does_not_reply_keeps_the_injection_open(device: ShellDevice, injector: Injector) -> None:
    injection = injector.fire(InjectionRequest(anomaly("NotificationReceiver")))
    device.failing["content query"] = DeviceTimeout("content", 8)
    for _look in range(20):
        injector.look()
    assert injection.stage is InjectionStage.OPEN
