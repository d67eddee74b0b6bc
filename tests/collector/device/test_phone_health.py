"""The check of a phone between episodes, against every fault of the virtual phone that it must notice."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from collector.device.errors import CallCancelled
from collector.device.frame import Frame
from collector.device.health import phone_health
from collector.device.health.phone_health import PhoneHealth, centre_of, check_phone, is_black
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from tests.helpers.virtual import adb_server, virtual_device

pytestmark = [
    pytest.mark.shared_threads("adb", "adbd", "phone", "virtual"),
    pytest.mark.expected_log("a client was dropped"),
]
USABLE = PhoneHealth()


@pytest.fixture(scope="module")
def adb():
    with adb_server() as server:
        yield AdbServer(server.port)


@pytest.fixture
def phone(adb):
    with virtual_device("todo") as phone:
        adb.connect(phone.address)
        yield phone
        phone.faults.clear()
        adb.disconnect(phone.address)


@pytest.fixture
def device(phone, adb):
    return AdbDevice(phone.address, adb)


def test_a_phone_at_home_can_be_used_and_so_can_one_that_was_asleep(phone, device):
    assert check_phone(device) == USABLE
    device.shell("input keyevent 223")
    assert "Awake" not in device.shell("dumpsys power | grep mWakefulness=").text
    assert check_phone(device) == USABLE
    assert "Awake" in device.shell("dumpsys power | grep mWakefulness=").text


def test_black_is_a_problem_unless_an_app_protects_its_window(phone, device):
    phone.faults.set("black-screencap")
    assert "black" in check_phone(device).problem
    phone.faults.clear()
    phone.faults.set("secure-window")
    assert check_phone(device) == USABLE


def test_a_phone_that_gives_no_picture_cannot_be_used_but_is_there(phone, device):
    for fault in ("truncated-screencap", "huge-screencap"):
        phone.faults.set(fault)
        assert "screenshot" in check_phone(device).problem
        assert not check_phone(device).is_gone
        phone.faults.clear(fault)


@pytest.mark.parametrize("fault", ["stall", "slow-shell", "offline"])
def test_a_phone_that_is_stuck_or_gone_is_named_so(phone, device, fault):
    phone.faults.set(fault)
    found = check_phone(device, seconds=0.3)
    assert found.is_gone
    assert found.problem
    phone.faults.clear()


def test_a_check_can_be_cancelled(phone, device):
    phone.faults.set("slow-shell", ms=60_000)
    stopped = threading.Event()
    timer = threading.Timer(0.1, stopped.set)
    timer.start()
    started = time.monotonic()
    with pytest.raises(CallCancelled):
        check_phone(device, stopped, seconds=60)
    assert time.monotonic() - started < 30
    timer.join()


@pytest.fixture
def dark_middle(monkeypatch):
    """Every screenshot is white with a black middle."""
    pixels = np.full((1600, 720, 3), 255, np.uint8)
    pixels[200:1400, 100:620] = 3
    frame = Frame(pixels, sequence=1, received_ns=0)
    monkeypatch.setattr(phone_health, "take_screenshot", lambda *_arguments: frame)
    monkeypatch.setattr(phone_health, "_PAUSE_S", 0.0)
    return frame


def test_a_dark_middle_is_a_fault_only_where_the_tree_has_text(device, dark_middle):
    device.shell("am start -n com.waymark.todo/.MainActivity")
    assert is_black(dark_middle, centre_of(dark_middle))
    assert "black" in check_phone(device).problem


def test_a_dark_middle_without_text_is_an_app_that_is_dark(phone, device, dark_middle):
    phone.faults.set("null-root")
    assert check_phone(device) == USABLE


def test_what_counts_as_black():
    def frame(value):
        return Frame(np.full((160, 72, 3), value, np.uint8), sequence=1, received_ns=0)

    assert is_black(frame(0), centre_of(frame(0)))
    assert is_black(frame(12), centre_of(frame(12)))
    assert not is_black(frame(40), centre_of(frame(40)))
    uneven = np.zeros((160, 72, 3), np.uint8)
    uneven[80] = 9
    assert not is_black(Frame(uneven, sequence=1, received_ns=0), centre_of(frame(0)))
