"""The companion app's contract, byte by byte: what is said to the phone and what is read from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from collector.anomalies.dialogs import companion
from collector.anomalies.dialogs.companion import LogPosition
from collector.anomalies.model import Anomaly
from collector.anomalies.reader import read_library
from collector.device.transport.shell_result import ShellResult


class Phone:
    """Says what it is told to, by the beginning of the command."""

    serial = "phone"

    def __init__(self, outputs: Mapping[str, str]) -> None:
        self.outputs, self.ran = outputs, list[str]()

    def shell(self, command: str, **_options: Any) -> ShellResult:
        self.ran.append(command)
        text = next((text for start, text in self.outputs.items() if command.startswith(start)), "")
        return ShellResult(text.encode(), b"", 0)


def anomaly(text: str) -> Anomaly:
    return read_library(f"anomalies:\n{text}").anomalies[0]


DIALOG = anomaly(
    """  - id: a
    target_activity: LowBatteryActivity
    params: {param_title: "It's 50%", param_message: "", param_button_text: 好, param_log_event: GO}
"""
)


def test_a_dialog_is_started_as_dgara_starts_it() -> None:
    values = {parameter.name: str(parameter.value) for parameter in DIALOG.parameters}
    assert companion.start_command(DIALOG, values) == (
        "am start -n com.example.adbsmarttest/.LowBatteryActivity "
        "--es param_title 'It'\"'\"'s 50%' --es param_message '' --es param_button_text '好' "
        "--es param_log_event GO"
    )


def test_parameters_go_with_their_type() -> None:
    declared = anomaly(
        """  - id: p
    target_activity: ProgressActivity
    params:
      param_title: T
      param_duration_seconds: {type: integer, value: 15}
"""
    )
    values = {each.name: str(each.value) for each in declared.parameters}
    assert companion.start_command(declared, values) == (
        "am start -n com.example.adbsmarttest/.ProgressActivity "
        "--es param_title T --ei param_duration_seconds 15"
    )


HEAD = "    * Hist  #0: "


@pytest.mark.parametrize(
    ("line", "open_"),
    [
        # Android 9 and 12, then 14 and later, where the task stands behind the braces.
        (HEAD + "ActivityRecord{a8b4a0d u0 com.example.adbsmarttest/.LowBatteryActivity t38}", True),
        (HEAD + "ActivityRecord{a8b4a0d u0 com.example.adbsmarttest/.LowBatteryActivity t38 f}", False),
        (HEAD + "ActivityRecord{a8b4a0d u0 com.example.adbsmarttest/.LowBatteryActivity} t38}", True),
        (HEAD + "ActivityRecord{a8b4a0d u0 com.example.adbsmarttest/.LowBatteryActivity} t38 f}", False),
        (HEAD + "ActivityRecord{a8b4a0d u0 com.example.adbsmarttest/.LowBatteryActivity t-1 f}", False),
        (HEAD + "ActivityRecord{a8b4a0d u10 com.example.adbsmarttest/.LowBatteryActivity t38}", True),
        (
            "    mLastPausedActivity: ActivityRecord{a u0 com.example.adbsmarttest/.LowBatteryActivity t38}",
            False,
        ),
        (HEAD + "ActivityRecord{a8b4a0d u0 com.example.adbsmarttest.other/.LowBatteryActivity t38}", False),
    ],
)
def test_an_activity_is_open_until_it_is_finished(line: str, open_: bool) -> None:
    phone = Phone({"dumpsys activity": f"{line}\r\n"})
    names = companion.open_activities(phone)  # type: ignore[arg-type]
    assert names == (["LowBatteryActivity"] if open_ else [])


LOG = """--------- beginning of main
I/ReactBench_Event( 4211): OLD
I/WaymarkInjection( 5000): mark1
D/ReactBench_Event ( 4211): with a space: and a colon
I/Other   ( 4211): not ours
I/ReactBench_Event( 4211): GO
"""


def test_only_what_was_logged_since_is_heard() -> None:
    phone = Phone({"logcat": LOG.replace("\n", "\r\n")})
    heard = companion.read_events(phone, DIALOG, LogPosition("11-20 12:04:00.000", "mark1"))  # type: ignore[arg-type]
    assert heard == companion.LoggedEvents(("with a space: and a colon", "GO"), marked=True)
    assert phone.ran == [
        "logcat -d -v brief -T '11-20 12:04:00.000' -s WaymarkInjection:I ReactBench_Event:I"
    ]


def test_a_mark_that_was_rotated_out_of_the_log_leaves_the_time() -> None:
    phone = Phone({"logcat": "I/ReactBench_Event( 1): GO\n"})
    heard = companion.read_events(phone, DIALOG, LogPosition("", "gone"))  # type: ignore[arg-type]
    assert heard == companion.LoggedEvents(("GO",), marked=False)
    assert phone.ran == ["logcat -d -v brief -s WaymarkInjection:I ReactBench_Event:I"]


@pytest.mark.fault("F16")
def test_a_clock_that_was_set_back_hides_no_answer() -> None:
    log = "I/WaymarkInjection( 7): i1\nI/ReactBench_Event(  99): GO\n"
    phone = Phone(
        {"logcat -d -v brief -T": "", "logcat -d -v brief -s": f"I/ReactBench_Event( 9): OLD\n{log}"}
    )
    events = companion.read_events(phone, DIALOG, LogPosition("11-20 12:04:00.000", "i1"))
    assert (events.events, events.marked) == (("GO",), True)


def test_a_log_of_anything_is_read_in_one_pass() -> None:
    log = "I/" + " " * 200_000 + "\nI/a(" + "(" * 200_000 + "\n" + "Hist #1: " * 50_000
    phone = Phone({"logcat": log, "dumpsys": log})
    assert companion.read_events(phone, DIALOG, LogPosition("", "i1")).events == ()
    assert companion.open_activities(phone) == []


@pytest.mark.parametrize(
    ("output", "time"), [("11-20 12:04:05.000\n", "11-20 12:04:05.000"), ("date: bad\n", ""), ("", "")]
)
def test_the_phones_own_clock_says_from_when(output: str, time: str) -> None:
    phone = Phone({"date": output})
    assert companion.mark(phone, "id1") == LogPosition(time, "id1")  # type: ignore[arg-type]
    assert phone.ran == ["date '+%m-%d %H:%M:%S.000'; log -t WaymarkInjection id1"]
