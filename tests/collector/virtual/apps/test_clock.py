"""The clock: alarms by touch and by intents, alarms that ring, timers and the stopwatch."""

import datetime as dt
import re

import pytest

from collector.virtual.device import VirtualDevice
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.phone_time import SimulatedTime
from tests.helpers.phone_driver import find, tap
from tests.helpers.shell import run
from tests.helpers.virtual import profile

SET_ALARM, SET_TIMER = ("am start -a android.intent.action." + name for name in ("SET_ALARM", "SET_TIMER"))
EXTRA = "android.intent.extra.alarm."


@pytest.fixture
def device():
    device = VirtualDevice(profile())
    yield device
    device.close()


@pytest.fixture
def sh(device):
    return lambda line: run(device.machine, line)[0]


def clock(device):
    return device.phone.app_state("clock")


def test_an_intent_sets_an_alarm(sh, device):
    sh(f"{SET_ALARM} --ei {EXTRA}HOUR 6 --ei {EXTRA}MINUTES 45 --es {EXTRA}MESSAGE Train")
    assert str(device.phone.focused).endswith("/com.android.deskclock.DeskClock")
    first = clock(device)["alarms"][0]
    assert (first["hour"], first["minute"], first["label"], first["enabled"]) == (6, 45, "Train", True)
    assert find(device.phone, text="Train") is not None
    dumped = sh("dumpsys alarm")
    assert "  1 pending alarms: \n" in dumped
    assert re.search(r"user:0 pendingSend:false time:\d+ = 2026-11-21 06:45:00 = \+18h40m\d+s\d+ms\n", dumped)
    sh("am force-stop com.android.deskclock")
    sh(f"{SET_ALARM} --ei {EXTRA}HOUR 7 --ei {EXTRA}MINUTES 5 --ez {EXTRA}SKIP_UI true")
    assert device.phone.focused.package == "com.waymark.launcher"
    assert len(clock(device)["alarms"]) == 4
    sh(f"{SET_ALARM} --ei {EXTRA}HOUR 27")
    assert len(clock(device)["alarms"]) == 4


def test_an_alarm_is_made_and_removed_by_touch(device):
    device.phone.launch("com.android.deskclock")
    tap(device.phone, content_desc="Add alarm")
    assert find(device.phone, resource_id="com.android.deskclock:id/hour").get("text") == "13"
    tap(device.phone, content_desc="Next hour")
    tap(device.phone, content_desc="Fewer minutes")
    tap(device.phone, text="Wed")
    tap(device.phone, text="Save")
    made = next(alarm for alarm in clock(device)["alarms"] if alarm["enabled"])
    assert (made["hour"], made["minute"], made["days"]) == (14, 55, [2])
    tap(device.phone, text="14:55")
    tap(device.phone, content_desc="Delete")
    assert not any(alarm["enabled"] for alarm in clock(device)["alarms"])


def test_an_alarm_rings_and_is_snoozed():
    phone = Phone(profile(), SimulatedTime())
    try:
        phone.launch("com.android.deskclock")
        state = phone.app_state("clock")
        now = phone.clock.now
        soon = now + dt.timedelta(minutes=2)
        alarm = {
            "id": 9,
            "hour": soon.hour,
            "minute": soon.minute,
            "days": [],
            "enabled": False,
            "label": "Tea",
        }
        phone.set_app_state("clock", {**state, "alarms": [alarm]})
        tap(phone, resource_id="com.android.deskclock:id/onoff")
        phone.pass_time(130)
        assert str(phone.focused).endswith(".alarms.AlarmActivity")
        assert find(phone, text="Tea") is not None
        assert not phone.app_state("clock")["alarms"][0]["enabled"], "it rings once"
        tap(phone, text="Snooze")
        assert str(phone.focused).endswith(".DeskClock")
        phone.pass_time(601)
        assert str(phone.focused).endswith(".alarms.AlarmActivity")
        tap(phone, text="Stop")
        assert [notice.title for notice in phone.services.notices.posted] == ["Tea"]
    finally:
        phone.close()


def test_timers_count_down_and_the_stopwatch_up():
    phone = Phone(profile(), SimulatedTime())
    try:
        phone.launch("com.android.deskclock")
        tap(phone, text="Timer")
        for digit in ("1", "00"):
            tap(phone, resource_id=f"com.android.deskclock:id/timer_setup_digit_{digit}")
        tap(phone, text="Start")
        phone.pass_time(10)
        assert phone.app_state("clock")["timers"][0]["left"] == 50
        tap(phone, text="Pause")
        phone.pass_time(10)
        assert find(phone, text="00:50") is not None
        tap(phone, text="Stopwatch")
        tap(phone, text="Start")
        phone.pass_time(5)
        tap(phone, text="Lap")
        phone.pass_time(2)
        tap(phone, text="Pause")
        state = phone.app_state("clock")
        assert (state["elapsed"], state["laps"], state["timers"][0]["left"]) == (7, [5], 50)
        tap(phone, text="Timer")
        tap(phone, text="Start")
        phone.pass_time(51)
        assert find(phone, text="-00:01") is not None
        assert "Time's up" in [notice.title for notice in phone.services.notices.posted]
    finally:
        phone.close()


def test_intents_set_and_show_timers(sh, device):
    sh(f"{SET_TIMER} --ei {EXTRA}LENGTH 300 --es {EXTRA}MESSAGE Eggs")
    assert clock(device)["timers"][0]["seconds"] == 300
    assert find(device.phone, text="Eggs") is not None
    sh("am start -a android.intent.action.SHOW_ALARMS; am start -a android.intent.action.SHOW_TIMERS")
    assert clock(device)["tab"] == "timers"
    sh(f"{SET_TIMER} --ei {EXTRA}LENGTH 0")
    assert len(clock(device)["timers"]) == 1
