"""Anomalies on a virtual phone: shown, answered, dismissed, followed up, undone; and all that fails."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.anomalies import events as kinds
from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.dialogs.dialog_monitor import DialogMonitor
from collector.anomalies.errors import (
    CompanionMissing,
    DangerousCommandDenied,
    DialogInFront,
    PhoneInUse,
    Unsuitable,
    UntrustedCommand,
)
from collector.anomalies.events import AnomalyEvent
from collector.anomalies.injected_anomaly import InjectionStage
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.journal import UndoJournal
from collector.anomalies.model import Anomaly
from collector.anomalies.reader import read_library
from collector.anomalies.trust.trust import CommandGate
from collector.device.errors import DeviceOffline, DeviceTimeout
from collector.hierarchy.parse import parse_tree
from tests.helpers.shell_device import ShellDevice, injector_on, shell_device

SHOP = "com.waymark.shop"
COMPANION = "com.example.adbsmarttest"


def own(anomaly_id: str) -> Anomaly:
    anomaly = builtin_library().get(anomaly_id)
    assert anomaly is not None
    return anomaly


def written(text: str) -> Anomaly:
    """The only anomaly of a library, which is to be in order."""
    library = read_library(f"anomalies:\n{text}")
    assert library.diagnostics == ()
    return library.anomalies[0]


@pytest.fixture
def device() -> Iterator[ShellDevice]:
    with shell_device("shop", "settings", "companion") as phone:
        yield phone


@pytest.fixture
def injector(device: ShellDevice, tmp_path: Path) -> Iterator[Injector]:
    with injector_on(device, tmp_path) as opened:
        yield opened


@pytest.fixture
def events(injector: Injector) -> list[AnomalyEvent]:
    events: list[AnomalyEvent] = []
    injector.events.subscribe(events.append)
    return events


def kinds_of(events: list[AnomalyEvent]) -> list[str]:
    return [event.kind for event in events]


def front(device: ShellDevice) -> str:
    focused = device.phone.focused
    return str(focused) if focused is not None else ""


# -- dialogs ----------------------------------------------------------------------
def test_an_accepted_dialog_runs_what_follows_and_its_step_is_the_current_one(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    steps = iter([3, 3, 5, 5, 5])
    injector.step = lambda: next(steps)
    injection = injector.fire(InjectionRequest(own("battery_low_double_en")))
    assert (injection.stage, injection.package, injection.step) == (InjectionStage.OPEN, SHOP, 3)
    assert injector.look() is injection
    assert injection.stage is InjectionStage.OPEN
    device.press(injection, "accept")
    injector.look()
    assert (injection.stage, injection.answer, injection.event) == (
        InjectionStage.ANSWERED,
        "accept",
        "BATTERY_LOW_ACCEPTED",
    )
    assert "BatterySaver" in front(device)
    assert [(event.kind, event.step) for event in events] == [
        (kinds.INJECTED, 3), (kinds.ANSWERED, 5), (kinds.FOLLOWED, 5),
    ]  # fmt: skip
    assert events[1].button == "Open battery saver"
    assert events[2].command == "am start -a android.settings.BATTERY_SAVER_SETTINGS"
    assert injector.open is None
    assert injector.pending == ()


def test_a_denied_dialog_only_logs_and_the_app_is_in_front_again(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    injection = injector.fire(InjectionRequest(own("battery_low_double_en")))
    device.press(injection, "deny")
    injector.look()
    assert (injection.stage, injection.answer) == (InjectionStage.ANSWERED, "deny")
    assert events[-1].message == "The task goes on"
    assert front(device).startswith(SHOP)


@pytest.mark.parametrize("leave", ["input keyevent 4", f"am force-stop {COMPANION}"])
def test_a_dialog_that_is_left_is_dismissed(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent], leave: str
) -> None:
    injection = injector.fire(InjectionRequest(own("battery_low_double_en")))
    device.shell(leave)
    injector.look()
    assert (injection.stage, injection.answer) == (InjectionStage.DISMISSED, "dismiss")
    assert kinds_of(events) == [kinds.INJECTED, kinds.DISMISSED]
    assert injector.pending == ()


def test_a_dialog_behind_the_home_screen_is_still_open(device: ShellDevice, injector: Injector) -> None:
    injection = injector.fire(InjectionRequest(own("battery_low_single_en")))
    device.shell("input keyevent 3")
    injector.look()
    assert injection.stage is InjectionStage.OPEN


def test_a_rules_own_follow_up_goes_before_the_librarys(device: ShellDevice, injector: Injector) -> None:
    follow = {"accept": "terminate_app"}
    injection = injector.fire(InjectionRequest(own("battery_low_double_en"), follow_up=follow))
    assert device.phone.pid_of(SHOP) is not None
    device.press(injection, "accept")
    injector.look()
    assert device.phone.pid_of(SHOP) is None
    assert "BatterySaver" not in front(device)


@pytest.mark.parametrize("word", ["press_back", "go_home", "restart_app", "redirect_to_settings"])
def test_a_word_of_rules_runs_though_nobody_trusted_it(
    injector: Injector, device: ShellDevice, events: list[AnomalyEvent], word: str
) -> None:
    injection = injector.fire(InjectionRequest(own("battery_low_double_en"), follow_up={"accept": word}))
    device.press(injection, "accept")
    injector.look()
    assert (events[-1].kind, events[-1].reason) == (kinds.FOLLOWED, "")


def test_a_command_of_a_rule_is_refused_until_it_is_trusted(
    injector: Injector, device: ShellDevice, events: list[AnomalyEvent]
) -> None:
    follow = {"accept": "settings put global waymark_x 1"}
    request = InjectionRequest(own("battery_low_double_en"), follow_up=follow)
    assert request.commands[-1:] == list(follow.values())
    device.press(injector.fire(request), "accept")
    injector.look()
    assert events[-1].kind == kinds.FAILED
    injector.gate = CommandGate({*request.commands}.__contains__)
    device.press(injector.fire(request), "accept")
    injector.look()
    assert events[-1].kind == kinds.FOLLOWED
    assert device.shell("settings get global waymark_x").text.strip() == "1"


def test_the_event_of_an_earlier_dialog_answers_no_later_one(device: ShellDevice, injector: Injector) -> None:
    first = injector.fire(InjectionRequest(own("battery_low_double_en")))
    device.press(first, "accept")
    injector.look()
    device.shell(f"am start -n {SHOP}/.MainActivity")
    second = injector.fire(InjectionRequest(own("battery_low_double_en")))
    injector.look()
    assert second.stage is InjectionStage.OPEN


def test_nothing_is_injected_over_a_dialog(device: ShellDevice, injector: Injector) -> None:
    injector.fire(InjectionRequest(own("battery_low_double_en")))
    for anomaly in ("wifi_off", "battery_low_double_en"):
        with pytest.raises(DialogInFront, match="lies on top"):
            injector.fire(InjectionRequest(own(anomaly)))
    assert len(injector.injected) == 1


@pytest.mark.parametrize(
    ("command", "what"),
    [(f"am crash {SHOP}", "app that crashed"), ("cmd waymark emu gsm call 5551234", "A call")],
)
def test_nothing_is_changed_over_a_dialog_of_the_phone(
    device: ShellDevice, injector: Injector, command: str, what: str
) -> None:
    device.shell(command)
    with pytest.raises(DialogInFront, match=what):
        injector.fire(InjectionRequest(own("dark_mode")))
    assert injector.pending == ()


def test_an_undo_closes_an_open_dialog(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    injection = injector.fire(InjectionRequest(own("battery_low_double_en")))
    injector.undo(injection.id)
    assert injection.stage is InjectionStage.UNDONE
    assert front(device).startswith(SHOP)
    assert kinds_of(events) == [kinds.INJECTED, kinds.UNDONE]


def test_values_given_show_on_the_dialog_whatever_is_in_them(device: ShellDevice, injector: Injector) -> None:
    title = """It's $(reboot); "rm -rf /" `id` & 行"""
    injector.fire(InjectionRequest(own("battery_low_single_en"), values={"param_title": title}))
    tree = parse_tree(device.phone.hierarchy_xml())
    assert title in [node.text for node in tree]


def test_a_companion_of_another_version_says_which(device: ShellDevice, injector: Injector) -> None:
    anomaly = written("  - {id: a, target_activity: OverlayActivity, params: {param_title: x}}\n")
    with pytest.raises(Unsuitable, match=r"no activity OverlayActivity: it is of version 2\.0"):
        injector.fire(InjectionRequest(anomaly))
    assert injector.pending == ()


def test_without_the_companion_the_sentence_says_what_to_install(tmp_path: Path) -> None:
    with shell_device("shop") as device, injector_on(device, tmp_path) as injector:
        with pytest.raises(CompanionMissing, match="waymark device companion install"):
            injector.fire(InjectionRequest(own("battery_low_double_en")))
        assert injector.pending == ()


def test_a_log_that_stalls_is_told_once_and_the_answer_is_heard_when_it_is_back(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    injection = injector.fire(InjectionRequest(own("battery_low_double_en")))
    device.failing["^logcat"] = DeviceTimeout("logcat", 4)
    device.press(injection, "accept")
    for _look in range(2):
        injector.look()
    assert injection.stage is InjectionStage.OPEN
    device.failing.clear()
    injector.look()
    assert (injection.stage, injection.answer) == (InjectionStage.ANSWERED, "accept")
    assert kinds_of(events) == [kinds.INJECTED, kinds.STALLED, kinds.ANSWERED, kinds.FOLLOWED]


def test_a_log_that_never_comes_back_leaves_it_unclear(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    injection = injector.fire(InjectionRequest(own("battery_low_double_en")))
    device.failing["^logcat"] = DeviceTimeout("logcat", 4)
    device.press(injection, "deny")
    while not injection.is_over:
        injector.look()
    assert injection.stage is InjectionStage.UNCLEAR
    assert "does not say" in events[-1].reason
    assert injector.pending == ()


def test_a_phone_gone_between_inject_and_answer_is_looked_for_until_it_is_back(
    device: ShellDevice, injector: Injector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collector.anomalies.dialogs.dialog_monitor.AWAY_S", 0.01)
    lost: queue.Queue[object] = queue.Queue()
    events: queue.Queue[AnomalyEvent] = queue.Queue()
    injection = injector.fire(InjectionRequest(own("battery_low_double_en")))
    injector.events.subscribe(events.put)
    watch = DialogMonitor(injector, look_every_s=0.01)
    watch.lost.subscribe(lost.put)
    device.failing["."] = DeviceOffline(device.serial)
    watch.start()
    watch.wake()
    try:
        assert isinstance(lost.get(timeout=30), DeviceOffline)
        assert injection.stage is InjectionStage.OPEN
        device.failing.clear()
        device.press(injection, "accept")
        assert events.get(timeout=30).kind == kinds.ANSWERED
    finally:
        watch.close()
    assert injection.answer == "accept"
    assert lost.empty()


# -- native changes ------------------------------------------------------------------
def test_a_native_change_is_made_checked_and_taken_back(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    before = device.phone.battery
    injection = injector.fire(InjectionRequest(own("battery_level"), values={"level": "7"}))
    assert (device.phone.battery.level, device.phone.battery.charging) == (7, False)
    (pending,) = injector.pending
    assert pending.undo[0] == "if [ '' ]; then dumpsys battery unplug; else dumpsys battery reset; fi"
    assert injector.undo(injection.id) is not None
    assert device.phone.battery == before
    assert injector.pending == ()
    assert injector.undo(injection.id) is None
    assert kinds_of(events) == [kinds.INJECTED, kinds.UNDONE]


def test_what_is_so_already_is_neither_changed_nor_taken_back(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    device.shell("svc wifi disable")
    injection = injector.fire(InjectionRequest(own("wifi_off")))
    assert injection.was_so
    assert "in this state already" in events[0].reason
    injector.undo_all()
    assert device.phone.settings.get("global", "wifi_on") == "0"


def test_changes_over_each_other_go_back_to_what_was_there_first(
    device: ShellDevice, injector: Injector
) -> None:
    device.shell("settings put system font_scale 1.1")
    first = injector.fire(InjectionRequest(own("font_scale"), values={"scale": 1.5}))
    second = injector.fire(InjectionRequest(own("font_scale"), values={"scale": 2}))
    injector.undo(first.id)
    injector.undo(second.id)
    assert device.phone.settings.get("system", "font_scale") == "1.1"


def test_a_setting_that_was_not_there_is_deleted_again(device: ShellDevice, injector: Injector) -> None:
    device.shell("settings delete system font_scale")
    injector.fire(InjectionRequest(own("font_scale")))
    injector.undo_all()
    assert device.phone.settings.get("system", "font_scale") is None


@pytest.mark.fault("F34")
def test_the_undo_is_on_the_disk_before_the_change(
    device: ShellDevice, injector: Injector, tmp_path: Path
) -> None:
    device.failing["battery (unplug|reset)"] = DeviceOffline(device.serial)
    with pytest.raises(DeviceOffline):
        injector.fire(InjectionRequest(own("battery_level")))
    (seen,) = UndoJournal(device.serial, tmp_path).pending
    assert seen.undo[0].endswith("else dumpsys battery reset; fi")


@pytest.mark.fault("F34")
def test_after_a_crash_the_next_one_restores_and_what_was_kept_stays(
    device: ShellDevice, tmp_path: Path
) -> None:
    with injector_on(device, tmp_path) as dead:
        dead.fire(InjectionRequest(own("battery_level")))
        dead.fire(InjectionRequest(own("dark_mode")))
        injection = dead.fire(InjectionRequest(own("font_scale")))
        dead.keep(injection.id)
    with injector_on(device, tmp_path) as after:
        taken = after.undo_all(kept=False)
        assert [result.pending.anomaly for result in taken] == ["dark_mode", "battery_level"]
        assert not any(result.problem for result in taken)
        assert [change.anomaly for change in after.pending] == ["font_scale"]
    assert not device.phone.dark
    assert device.phone.settings.get("system", "font_scale") == "1.3"


def test_an_undo_that_does_not_work_stays_with_its_reason(
    device: ShellDevice, injector: Injector, monkeypatch: pytest.MonkeyPatch, events: list[AnomalyEvent]
) -> None:
    monkeypatch.setattr("collector.anomalies.native.SETTLE_S", 0.0)
    text = """  - id: n
    kind: native
    commands:
      - apply: [settings put global waymark_x 1]
        verify: [{command: settings get global waymark_x, expect: "^1$"}]
        undo: ["true"]
"""
    injector.gate = CommandGate(lambda _command: True)
    injection = injector.fire(InjectionRequest(written(text)))
    taken = injector.undo(injection.id)
    assert taken is not None
    assert "still shows the change" in taken.problem
    assert injector.pending[0].problem == taken.problem
    assert events[-1].kind == kinds.FAILED


@pytest.mark.fault("F12")
def test_two_studios_do_not_change_one_phone(device: ShellDevice, tmp_path: Path) -> None:
    with injector_on(device, tmp_path) as first, injector_on(device, tmp_path) as other:
        first.fire(InjectionRequest(own("wifi_off")))
        with pytest.raises(PhoneInUse, match="Another Waymark Studio changes this phone"):
            other.fire(InjectionRequest(own("dark_mode")))
        with pytest.raises(PhoneInUse):
            other.undo_all()
        assert not device.phone.dark
        assert device.phone.settings.get("global", "wifi_on") == "0"


# -- what cannot be ------------------------------------------------------------------
def test_a_version_nothing_is_known_for_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with shell_device("shop", android="8.1", sdk=27) as device, injector_on(device, tmp_path) as injector:
        with pytest.raises(Unsuitable, match=r"made on Android 8: its commands are for Android 10\+"):
            injector.fire(InjectionRequest(own("overheating")))
        assert not any("thermal" in command for command in device.ran)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"level": "101"}, r"level cannot be 101\. Give it 1\.\.\.100"),
        ({"level": "much"}, "level cannot be much. Give it a whole number"),
        ({"levle": "4"}, r"battery_level has no parameter levle\. It has: level"),
    ],
)
def test_values_that_do_not_fit_are_refused(injector: Injector, values: dict[str, object], why: str) -> None:
    with pytest.raises(Unsuitable, match=why):
        injector.fire(InjectionRequest(own("battery_level"), values=values))


def test_what_is_no_package_is_refused(injector: Injector) -> None:
    with pytest.raises(Unsuitable, match="is no package"):
        injector.fire(InjectionRequest(own("app_crash"), package="x; reboot"))


UNKNOWN = """  - id: n
    kind: native
    commands: [{apply: [settings put global waymark_x 1], undo: [settings delete global waymark_x]}]
"""
DANGEROUS = """  - id: n
    kind: native
    commands: [{apply: [pm clear com.waymark.shop], undo: ["true"]}]
"""


def test_commands_nobody_trusts_do_not_run(device: ShellDevice, injector: Injector) -> None:
    with pytest.raises(UntrustedCommand, match="settings put global waymark_x 1"):
        injector.fire(InjectionRequest(written(UNKNOWN)))
    assert "settings put global waymark_x 1" not in device.ran
    assert injector.pending == ()


def test_a_dangerous_command_asks_each_time(device: ShellDevice, injector: Injector) -> None:
    asked: list[str] = []
    answers = iter([True, False])

    def ask(effects: object) -> bool:
        asked.append(effects.danger)
        return next(answers)

    injector.gate = CommandGate(lambda _command: True, ask)
    injector.fire(InjectionRequest(written(DANGEROUS)))
    with pytest.raises(DangerousCommandDenied):
        injector.fire(InjectionRequest(written(DANGEROUS)))
    assert asked == ["erases all data of an app"] * 2
    injector.gate = CommandGate(lambda _command: True)
    with pytest.raises(DangerousCommandDenied):
        injector.fire(InjectionRequest(written(DANGEROUS)))


def test_an_untrusted_follow_up_is_told_and_not_run(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    text = """  - id: a
    target_activity: LowBatteryActivity
    params: {param_title: T, param_button_text: Go, param_log_event: A_GO}
    post_actions: {"EVENT:A_GO": [{type: adb, command: settings put global waymark_x 1}]}
"""
    injection = injector.fire(InjectionRequest(written(text)))
    device.press(injection, "accept")
    injector.look()
    assert injection.stage is InjectionStage.ANSWERED
    assert kinds_of(events)[-1] == kinds.FAILED
    assert "trusted" in events[-1].reason
    assert device.phone.settings.get("global", "waymark_x") is None


def test_a_crash_counts_though_the_app_comes_back_by_itself(
    device: ShellDevice, injector: Injector, events: list[AnomalyEvent]
) -> None:
    """Android starts the app again for the page below the one that crashed: its process is another."""
    device.shell("am start -n com.waymark.shop/.SearchActivity")
    before = device.phone.pid_of(SHOP)
    injection = injector.fire(InjectionRequest(own("app_crash"), SHOP))
    assert injection.stage is InjectionStage.ACTIVE
    assert device.phone.pid_of(SHOP) != before
    assert injector.pending[0].checks == ()
    taken = injector.undo(injection.id)
    assert taken is not None
    assert taken.problem == ""
    assert kinds_of(events) == [kinds.INJECTED, kinds.UNDONE]


@pytest.mark.parametrize("name", ["app_crash", "app_freeze", "process_death"])
def test_what_needs_a_running_app_says_so_and_touches_nothing(
    device: ShellDevice, injector: Injector, name: str
) -> None:
    device.shell(f"am force-stop {SHOP}")
    with pytest.raises(Unsuitable, match=r"prints nothing\. Open the app first"):
        injector.fire(InjectionRequest(own(name), SHOP))
    assert injector.pending == ()
    assert device.phone.pid_of(SHOP) is None, "the undo of what was not made started it"


def test_a_second_crash_is_one_though_the_first_is_not_taken_back(
    device: ShellDevice, injector: Injector
) -> None:
    """The process it is told by is that of now, not the one the first crash ended."""
    for _time in range(2):
        device.shell(f"am start -n {SHOP}/.MainActivity")
        injection = injector.fire(InjectionRequest(own("app_crash"), SHOP))
        assert not injection.was_so
        assert device.phone.pid_of(SHOP) is None
        device.shell("am broadcast -a android.intent.action.CLOSE_SYSTEM_DIALOGS")
    assert len(injector.pending) == 2


def test_an_app_the_phone_has_not_is_named(device: ShellDevice, injector: Injector) -> None:
    with pytest.raises(Unsuitable, match=r"it has no app com\.waymark\.nowhere"):
        injector.fire(InjectionRequest(own("app_crash"), "com.waymark.nowhere"))
    assert injector.pending == ()
