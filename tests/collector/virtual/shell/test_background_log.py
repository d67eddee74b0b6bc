"""The log of a phone that nobody touches: what the system writes by itself, by seed and time."""

from __future__ import annotations

import threading
from itertools import islice

import pytest

from collector.virtual.device import VirtualDevice
from collector.virtual.shell.background_log import BackgroundLog
from collector.virtual.system.phone_state.clock import Clock
from tests.helpers.shell import run
from tests.helpers.virtual import profile

SECOND_NS = 1_000_000_000


class Time:
    """The time of a phone, set by hand."""

    now_ns = 0


def lines(seed: int, *seconds: float) -> list[tuple[float, ...]]:
    """What is due when somebody reads at each of these seconds."""
    time = Time()
    log = BackgroundLog(Clock(time=time), seed)
    found = []
    for second in seconds:
        time.now_ns = int(second * SECOND_NS)
        found += log.due()
    return found


def test_a_line_comes_every_second_the_same_for_a_seed_however_often_somebody_reads() -> None:
    once, often = lines(7, 60), lines(7, *(number / 4 for number in range(1, 241)))
    assert once == often
    assert once != lines(8, 60)
    times = [entry.time for entry in once]
    assert times == sorted(times)
    assert {time.second for time in times} == set(range(60)), "no reader waits longer than two seconds"
    assert 90 < len(once) < 300
    assert len({entry.tag for entry in once}) > 12


def test_what_nobody_read_for_an_hour_is_not_made() -> None:
    assert len(lines(7, 3600)) < 300 * 5
    assert lines(7, 3600)[0].time.minute == 59


def test_a_program_that_follows_the_log_gets_lines_and_a_quiet_phone_writes_none() -> None:
    with VirtualDevice(profile("todo"), lively_log=True) as device:
        stop = threading.Event()
        followed = list(islice(device.phone.logcat.follow(0, stop, poll=0.01), 8))
        assert [line.number for line in followed] == sorted({line.number for line in followed})
        assert "--------- beginning of" in run(device.machine, "logcat -d -T 1")[0]
        device.phone.log("E", "AndroidRuntime", "FATAL EXCEPTION: main")
    device = VirtualDevice(profile("todo"))
    try:
        run(device.machine, "logcat -c")
        assert run(device.machine, "logcat -d") == ("", "", 0)
    finally:
        device.close()


@pytest.mark.parametrize(
    ("buffers", "heads"),
    [("", ["main", "system", "crash"]), ("-b crash", ["crash"]), ("-b main,system", ["main", "system"]),
     ("-b radio", []), ("-b all -s Mine", ["main"])],
)  # fmt: skip
def test_each_buffer_has_a_head_before_its_first_line(buffers, heads) -> None:
    device = VirtualDevice(profile("todo"))
    try:
        run(device.machine, "logcat -c; log -t Mine hello")
        run(device.machine, "am start -n com.waymark.todo/.MainActivity; am crash com.waymark.todo")
        text = run(device.machine, f"logcat -d {buffers}")[0]
        assert [line.split()[-1] for line in text.splitlines() if line.startswith("-----")] == heads
        assert run(device.machine, "logcat -d -b nope")[1:] == ("logcat: Unknown buffer 'nope'\n", 1)
    finally:
        device.close()


def test_the_events_say_which_windows_were_touched_and_which_has_the_focus() -> None:
    with VirtualDevice(profile("shop")) as device:
        device.phone.launch("com.waymark.shop")
        for _tap in range(2):
            run(device.machine, "input tap 200 400")
        events = run(device.machine, "logcat -d -v raw -b events")[0].splitlines()
        assert "input_" not in run(device.machine, "logcat -d")[0]
    window = "com.waymark.shop/com.waymark.shop.MainActivity"
    assert [line.startswith("Interaction with: ") and window in line for line in events].count(True) == 1
    assert [line for line in events if "Focus entering" in line and window in line]
