"""Libraries as others write them, and phones that do what nobody planned: what becomes of an injection."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.anomalies import events as kinds
from collector.anomalies.dialogs.dialog_monitor import wait_until_over
from collector.anomalies.errors import DangerousCommandDenied, DialogInFront, Unsuitable
from collector.anomalies.events import AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.model import Anomaly
from collector.anomalies.reader import read_library
from collector.anomalies.trust.trust import CommandGate
from collector.device.errors import CommandFailed, DeviceOffline, DeviceTimeout
from tests.helpers.shell_device import ShellDevice, injector_on, shell_device

FOLLOWED = """
  post_actions:
    "EVENT:GO": [{type: adb, command: sleep 600}, {type: log, message: went on}]
"""
NATIVE = """
- id: a
  kind: native
  commands:
    - apply: {apply}
      undo: {undo}
"""


@pytest.fixture
def device() -> Iterator[ShellDevice]:
    with shell_device("shop", "companion") as phone:
        yield phone


@pytest.fixture
def injector(device: ShellDevice, tmp_path: Path) -> Iterator[Injector]:
    with injector_on(device, tmp_path, CommandGate(lambda _command: True)) as opened:
        yield opened


@pytest.fixture
def events(injector: Injector) -> list[AnomalyEvent]:
    events: list[AnomalyEvent] = []
    injector.events.subscribe(events.append)
    return events


def read(text: str) -> Anomaly:
    (anomaly,) = read_library(text).anomalies
    return anomaly


def dialog(*params: str, more: str = "") -> Anomaly:
    """One button, with its text and the parameters as a library writes them."""
    listed = "".join(f"    {line}\n" for line in ("param_button_text: OK", *params))
    return read(f"- id: a\n  target_activity: LowBatteryActivity\n  params:\n{listed}{more}")


def answered(injector: Injector, device: ShellDevice, request: InjectionRequest) -> InjectedAnomaly:
    injection = injector.fire(request)
    device.press(injection, "accept")
    injector.look()
    return injection


@pytest.mark.parametrize(
    "event",
    [
        "param_log_event: '  GO '",
        "param_log_event: |\n      GO\n",
        "param_log_event: |\n      GO\n      more\n",
    ],
)
def test_an_event_is_heard_whatever_space_and_lines_are_around_it(
    injector: Injector, device: ShellDevice, event: str
) -> None:
    injection = answered(injector, device, InjectionRequest(dialog(event)))
    assert (injection.stage, injection.answer, injection.event) == (InjectionStage.ANSWERED, "accept", "GO")


@pytest.mark.parametrize("tag", ["My Tag", "Bench:Event", "a,b"])
def test_an_event_is_heard_under_a_tag_that_logcat_takes_no_filter_for(
    injector: Injector, device: ShellDevice, tag: str
) -> None:
    anomaly = dialog("param_log_event: GO", f"param_log_tag: '{tag}'")
    assert answered(injector, device, InjectionRequest(anomaly)).event == "GO"


def test_a_button_that_was_told_to_log_another_event_is_heard_and_followed(
    injector: Injector, device: ShellDevice, events: list[AnomalyEvent]
) -> None:
    anomaly = dialog(
        "param_log_event: GO", "param_log_tag: Bench", more=FOLLOWED.replace("sleep 600", "true")
    )
    values = {"param_log_event": "OTHER", "param_log_tag": "Own", "param_button_text": "Yes"}
    injection = answered(injector, device, InjectionRequest(anomaly, values=values))
    assert (injection.answer, injection.event) == ("accept", "OTHER")
    assert [(event.kind, event.button or event.command or event.message) for event in events[1:]] == [
        (kinds.ANSWERED, "Yes"), (kinds.FOLLOWED, "true"), (kinds.FOLLOWED, "went on"),
    ]  # fmt: skip


def test_the_only_button_without_an_event_of_its_own_is_the_one_that_was_pressed(
    injector: Injector, device: ShellDevice
) -> None:
    injection = answered(injector, device, InjectionRequest(dialog(), follow_up={"accept": "terminate_app"}))
    assert (injection.stage, injection.answer) == (InjectionStage.ANSWERED, "accept")
    assert device.phone.pid_of("com.waymark.shop") is None


def test_a_follow_up_that_does_not_end_holds_nothing_up(
    injector: Injector, device: ShellDevice, events: list[AnomalyEvent]
) -> None:
    device.failing["^sleep"] = DeviceTimeout("sleep 600", 15)
    injection = answered(injector, device, InjectionRequest(dialog("param_log_event: GO", more=FOLLOWED)))
    assert injection.stage is InjectionStage.ANSWERED
    assert [event.kind for event in events[1:]] == [kinds.ANSWERED, kinds.FAILED, kinds.FOLLOWED]
    assert "did not answer within 15 s" in events[2].reason
    assert injector.pending == ()


def test_a_phone_that_goes_as_the_follow_up_runs_leaves_no_dialog_behind(
    injector: Injector, device: ShellDevice, events: list[AnomalyEvent]
) -> None:
    device.failing["^sleep"] = DeviceOffline(device.serial)
    with pytest.raises(DeviceOffline):
        answered(injector, device, InjectionRequest(dialog("param_log_event: GO", more=FOLLOWED)))
    assert events[-1].kind == kinds.FAILED
    assert injector.pending == ()


def test_no_second_dialog_is_shown_while_one_waits_behind_the_home_screen(
    injector: Injector, device: ShellDevice
) -> None:
    anomaly = dialog("param_log_event: GO")
    first = injector.fire(InjectionRequest(anomaly))
    device.shell("input keyevent 3")
    with pytest.raises(DialogInFront, match="still waits behind"):
        injector.fire(InjectionRequest(anomaly))
    assert [change.id for change in injector.pending] == [first.id]
    injector.undo(first.id)
    assert answered(injector, device, InjectionRequest(anomaly)).stage is InjectionStage.ANSWERED
    assert first.stage is InjectionStage.UNDONE


def test_a_dialog_another_command_left_open_is_waited_for_too(device: ShellDevice, tmp_path: Path) -> None:
    anomaly = dialog("param_log_event: GO")
    with injector_on(device, tmp_path) as first:
        left = first.fire(InjectionRequest(anomaly))
        first.keep(left.id)
    device.shell("input keyevent 3")
    with injector_on(device, tmp_path) as second:
        with pytest.raises(DialogInFront, match=f"{anomaly.id} still waits behind"):
            second.fire(InjectionRequest(anomaly))
        device.shell("am force-stop com.example.adbsmarttest")
        assert second.fire(InjectionRequest(anomaly)).stage is InjectionStage.OPEN


def test_an_answer_nobody_looked_for_yet_is_heard_before_the_next_dialog(
    injector: Injector, device: ShellDevice
) -> None:
    first = injector.fire(InjectionRequest(dialog("param_log_event: GO")))
    device.press(first, "accept")
    assert injector.fire(InjectionRequest(dialog("param_log_event: GO"))).stage is InjectionStage.OPEN
    assert first.stage is InjectionStage.ANSWERED


def test_waiting_outlasts_a_phone_that_is_silent_for_a_moment(
    injector: Injector, device: ShellDevice
) -> None:
    class Awake(threading.Event):
        """The phone answers again by the next look."""

        def wait(self, timeout: float | None = None) -> bool:
            device.failing.clear()
            return False

    injection = injector.fire(InjectionRequest(dialog("param_log_event: GO")))
    device.press(injection, "accept")
    device.failing["."] = DeviceTimeout("logcat", 4)
    assert wait_until_over(injector, injection, 60, Awake())
    assert injection.stage is InjectionStage.ANSWERED
    other = injector.fire(InjectionRequest(dialog("param_log_event: GO")))
    device.failing["."] = DeviceTimeout("logcat", 4)
    with pytest.raises(DeviceTimeout):
        wait_until_over(injector, other, 0, threading.Event())


@pytest.mark.parametrize(
    ("leave", "stage"), [("accept", InjectionStage.ANSWERED), ("back", InjectionStage.DISMISSED)]
)
def test_a_log_that_was_cleared_before_the_answer_tells_it_all_the_same(
    injector: Injector, device: ShellDevice, leave: str, stage: InjectionStage
) -> None:
    injection = injector.fire(InjectionRequest(dialog("param_log_event: GO")))
    injector.look()
    device.shell("logcat -c")
    injector.look()
    assert injection.stage is InjectionStage.OPEN
    if leave == "back":
        device.shell("input keyevent 4")
    else:
        device.press(injection, leave)
    injector.look()
    assert injection.stage is stage


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("params: {param_title: \"a\\0b\"}", "param_title has a character"),
        ("params: {param_title: {value: \"a\\0b\"}}", "param_title has a character"),
        ("post_actions: {accept: [{type: adb, command: \"a\\0b\"}]}", "A shell command was expected"),
    ],
)  # fmt: skip
def test_what_no_command_can_carry_is_told_and_left_out(
    injector: Injector, device: ShellDevice, text: str, what: str
) -> None:
    library = read_library(f"- id: a\n  target_activity: LowBatteryActivity\n  {text}")
    assert [diagnostic.what for diagnostic in library.diagnostics if what in diagnostic.what]
    assert answered(injector, device, InjectionRequest(library.anomalies[0])).stage is InjectionStage.ANSWERED


def test_a_parameter_without_a_value_is_an_empty_text(injector: Injector) -> None:
    injection = injector.fire(
        InjectionRequest(dialog("param_title: null", "param_message:", "param_log_event: GO"))
    )
    assert "--es param_title '' --es param_message ''" in injection.command


def test_an_anomaly_without_an_activity_is_told(injector: Injector) -> None:
    with pytest.raises(Unsuitable, match="names no activity"):
        injector.fire(InjectionRequest(read("- id: a")))
    assert injector.pending == ()


# -- changes ----------------------------------------------------------------------
def test_two_things_remembered_of_one_command_are_kept_apart_in_a_second_injection(
    injector: Injector, device: ShellDevice
) -> None:
    anomaly = read(r"""
- id: a
  kind: native
  params: {level: {type: integer, value: 7}}
  commands:
    - remember:
        level_before: {command: dumpsys battery, pattern: 'level: (\d+)'}
        status_before: {command: dumpsys battery, pattern: 'status: (\d+)'}
      apply: ["settings put global x {level}"]
      undo: ["settings put global x {level_before}/{status_before}"]
""")
    for level in (7, 8):
        injector.fire(InjectionRequest(anomaly, values={"level": level}))
    first, second = injector.pending
    assert first.undo == second.undo
    injector.undo_all()
    level, status = device.shell("settings get global x").text.strip().split("/")
    assert (level, status) == (str(device.phone.battery.level), status)
    assert level != status


@pytest.mark.parametrize("key", ["remember: {x: pm clear com.waymark.shop}",
                                 "verify: [{command: pm clear com.waymark.shop, expect: x}]"])  # fmt: skip
def test_a_dangerous_command_is_asked_about_where_it_only_says_it_reads(
    injector: Injector, device: ShellDevice, key: str
) -> None:
    text = NATIVE.format(apply="[settings put global x 1]", undo="[settings delete global x]")
    with pytest.raises(DangerousCommandDenied, match="pm clear"):
        injector.fire(InjectionRequest(read(f"{text}      {key}\n")))
    assert not [line for line in device.ran if line.startswith(("pm clear", "settings put"))]


def test_what_the_first_of_several_commands_changed_is_taken_back(
    injector: Injector, device: ShellDevice
) -> None:
    anomaly = read(
        NATIVE.format(apply='["settings put global x 1; false"]', undo="[settings delete global x]")
    )
    with pytest.raises(CommandFailed):
        injector.fire(InjectionRequest(anomaly))
    assert device.shell("settings get global x").text.strip() == "null"
    assert injector.pending == ()


def test_an_undo_that_does_not_end_keeps_no_other_from_being_taken_back(
    injector: Injector, device: ShellDevice
) -> None:
    injector.fire(
        InjectionRequest(
            read(NATIVE.format(apply="[settings put global x 1]", undo="[settings delete global x]"))
        )
    )
    injector.fire(
        InjectionRequest(read(NATIVE.format(apply="[settings put global y 1]", undo="[sleep 600]")))
    )
    device.failing["^sleep"] = DeviceTimeout("sleep 600", 15)
    hung, done = injector.undo_all()
    assert "did not answer within 15 s" in hung.problem
    assert done.problem == ""
    assert device.shell("settings get global x").text.strip() == "null"
    device.failing["."] = DeviceTimeout("true", 4)
    with pytest.raises(DeviceTimeout):  # the phone itself is silent
        injector.undo_all()


def test_a_console_command_with_an_open_quote_is_refused(injector: Injector) -> None:
    with pytest.raises(CommandFailed, match="No closing quotation"):
        injector.fire(
            InjectionRequest(read(NATIVE.format(apply='["emu gsm call \'1"]', undo='["emu gsm cancel 1"]')))
        )
    assert injector.pending == ()


@pytest.mark.parametrize(
    ("kind", "value"),
    [("integer", "9" * 400), ("integer", "1_0"), ("integer", "５"), ("number", "nan"), ("number", "inf")],
)
def test_what_only_python_takes_for_a_number_is_refused(injector: Injector, kind: str, value: str) -> None:
    params = f"  params: {{n: {{type: {kind}, value: 1}}}}\n"
    text = NATIVE.format(apply='["settings put global x {n}"]', undo="[settings delete global x]") + params
    with pytest.raises(Unsuitable, match="number"):
        injector.fire(InjectionRequest(read(text), values={"n": value}))
