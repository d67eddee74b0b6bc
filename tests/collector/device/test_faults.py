"""Every fault the virtual phone can have: what the device layer says, does instead, and that it recovers.

The numbers are those of the fault matrix the layer was designed against (F1 to F36); what a phone
has no part in - storage, imports, agents - is tested where it lives.
"""

from __future__ import annotations

import socket
import threading
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

from collector.device.errors import (
    AutomationTaken,
    CaptureFailed,
    CommandFailed,
    DeviceError,
    DeviceOffline,
    DeviceTimeout,
    DumpFailed,
    NoAdb,
    Unauthorized,
)
from collector.device.health import doctor
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.trees import tree_reader as trees
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device.video import frame_supervisor as mirror
from collector.device.video.screencap_source import take_screenshot
from collector.virtual.daemon.fault_kinds import FAULTS
from tests.helpers.virtual import adb_server, free_port, virtual_device
from tests.helpers.watched import Watched

pytestmark = [
    pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy control"),
    # adb speaks on of what it spoke before the cable came loose.
    pytest.mark.expected_log("a client was dropped"),
]


@pytest.fixture(scope="module")
def adb():
    with adb_server() as server:
        yield server


@pytest.fixture
def server(adb):
    return AdbServer(adb.port)


@pytest.fixture
def phone(server):
    with virtual_device("todo", "companion") as phone:
        server.connect(phone.address)
        yield phone
        server.disconnect(phone.address)


@pytest.fixture
def device(phone, server):
    return AdbDevice(phone.address, server)


def dump(device):
    return UiautomatorSource(device).snapshot(threading.Event())


def picture(device):
    return take_screenshot(device, threading.Event())


def pixels(device):
    picture(device).rgb()


def push(device):
    device.push(b"x" * 100_000, PurePosixPath("/data/local/tmp/x"))


def stalled(device):
    device.shell("true", timeout=0.3)


def stalled_picture(device):
    device.exec_out(("screencap", "-p"), timeout=0.3)


def long_answer(device):
    device.exec_out("screencap")


@dataclass(frozen=True)
class Case:
    """A fault, what is asked of the phone then, and what comes of it."""

    numbers: str
    fault: str
    act: object
    error: type[DeviceError]
    words: str


CASES = [
    Case("F8", "stall:seconds=0", stalled, DeviceTimeout, "did not answer within"),
    Case("F20", "stalled-screencap", stalled_picture, DeviceTimeout, "did not answer within"),
    Case("F9", "full-disk", push, CommandFailed, "did not take the file .*No space left on device"),
    Case("F9", "full-disk", dump, DumpFailed, "gave no tree.*No space left on device"),
    Case("F19", "idle-error", dump, DumpFailed, "could not get idle state"),
    Case("F19", "null-root", dump, DumpFailed, "null root node"),
    Case("F19", "truncated-dump", dump, DumpFailed, "ends in the middle"),
    Case("F19", "huge-dump:mb=17", dump, DumpFailed, "over 16 MB"),
    Case("F7", "automation-taken", dump, AutomationTaken, "Another program holds"),
    Case("F7", "killed-server:server=uiautomator", dump, AutomationTaken, "Killed"),
    Case("F20", "truncated-screencap", picture, CaptureFailed, "no readable screenshot"),
    Case("F20", "huge-screencap", picture, CaptureFailed, "too large: 50000x50000 pixels"),
    Case("F20", "huge-screencap:side=5000", pixels, CaptureFailed, "pixels cannot be decoded"),
]


def set_fault(phone, text: str) -> None:
    name, _, rest = text.partition(":")
    phone.faults.set(name, **dict(pair.split("=") for pair in rest.split(",") if pair))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.numbers} {case.fault} {case.act.__name__}")
@pytest.mark.fault("F20")
def test_a_fault_is_a_typed_error_in_plain_words_and_over_when_cleared(phone, device, case, monkeypatch):
    monkeypatch.setattr("collector.device.trees.uiautomator_source.RETRY_AFTER_S", 0.0)
    set_fault(phone, case.fault)
    with pytest.raises(case.error, match=case.words) as failure:
        case.act(device)
    assert "\n" not in failure.value.what
    assert "shell,v2" not in str(failure.value)
    phone.faults.clear()
    if case.act is stalled:
        device.shell("true")
    elif case.act is stalled_picture:
        picture(device)
    else:
        case.act(device)


@pytest.mark.parametrize(
    ("fault", "code", "severity"),
    [
        ("full-disk", "storage", "problem"),
        ("input-denied", "input_denied", "problem"),
        ("secure-window", "secure", "notice"),
        ("black-screencap", "black_picture", "notice"),
        ("truncated-screencap", "no_picture", "problem"),
        ("huge-screencap", "no_picture", "problem"),
        ("idle-error", "no_tree", "problem"),
        ("null-root", "no_tree", "problem"),
        ("automation-taken", "no_tree", "problem"),
        ("truncated-dump", "no_tree", "problem"),
    ],
)
def test_the_doctor_names_what_is_wrong_and_no_more(phone, device, fault, code, severity):
    phone.faults.set(fault)
    findings = {
        finding.code: finding
        for finding in doctor.examine_ready(device, thorough=True)
        if finding.severity != "ok"
    }
    assert code in findings, findings
    assert findings[code].severity == severity
    assert findings[code].to_do
    phone.faults.clear()
    assert all(finding.severity == "ok" for finding in doctor.examine_ready(device, thorough=True))


def states(server, phone):
    return {listed.serial: listed.state for listed in server.devices()}.get(phone.address)


def wait_state(server, phone, expected: str) -> None:
    """Until adb lists the phone so; told by track-devices, not by looking again and again."""
    closed = threading.Event()
    for devices in server.track(closed):
        if {listed.serial: listed.state for listed in devices}.get(phone.address) == expected:
            return


@pytest.mark.parametrize(
    ("fault", "state", "error", "words"),
    [
        ("offline", "offline", DeviceOffline, "is offline"),
        ("unauthorized", "unauthorized", Unauthorized, "Allow"),
    ],
    ids=["F4 offline", "F5 unauthorized"],
)
@pytest.mark.fault("F4", "F5")
def test_adb_itself_shows_the_state_and_the_phone_comes_back(
    phone, server, device, fault, state, error, words
):
    phone.faults.set(fault, seconds=0)
    wait_state(server, phone, state)
    with pytest.raises(error, match=words):
        device.shell("true")
    listed = next(listed for listed in server.devices() if listed.serial == phone.address)
    (finding,) = doctor.examine(listed, server)
    assert finding.code == fault
    phone.faults.clear(fault)
    wait_state(server, phone, "device")
    assert device.shell("echo back").text == "back\n"


@pytest.mark.fault("F5")
def test_f5_unauthorized_on_connecting_is_told_as_such(server):
    with virtual_device("todo", "companion") as phone:
        phone.faults.set("unauthorized", seconds=0)
        with pytest.raises(Unauthorized):
            server.connect(phone.address)
        phone.faults.clear()
        wait_state(server, phone, "device")
        server.disconnect(phone.address)


@pytest.mark.fault("F2")
def test_f2_a_cable_that_is_cut_in_the_middle_of_an_answer_is_no_short_answer(phone, device, server):
    phone.machine.files.write("/data/local/tmp/long", b"x" * 300_000)
    for act, error in (
        (lambda: device.shell("cat /data/local/tmp/long"), DeviceOffline),
        (lambda: picture(device), CaptureFailed),
        (lambda: dump(device), DeviceError),
    ):
        phone.faults.set("drop", bytes=2_000)
        with pytest.raises(error):
            act()
        phone.faults.clear()
        wait_state(server, phone, "device")
    assert picture(device).size == phone.phone.size


@pytest.mark.fault("F2")
def test_f2_a_cable_that_flaps_does_not_end_a_session(phone, server):
    with Watched(phone.address, server=server) as watched:
        watched.wait("tree")
        for _time in range(3):
            phone.faults.set("drop")
            assert watched.wait("source") == "scrcpy"
        watched.wait("tree")


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("offline", "offline"), ("unauthorized", "not allowed")],
    ids=["F4 offline", "F5 unauthorized"],
)
@pytest.mark.fault("F4", "F5")
def test_a_session_says_that_the_phone_is_lost_and_that_it_is_back(phone, server, fault, reason):
    with Watched(phone.address, server=server) as watched:
        watched.wait("tree")
        phone.faults.set(fault, seconds=0)
        assert watched.wait("lost")
        wait_state(server, phone, fault)
        phone.faults.clear()
        watched.wait("back")
        watched.wait("tree")
        assert watched.session.frame_source == "scrcpy"


@pytest.mark.fault("F8")
def test_f8_a_session_notices_a_link_that_says_nothing(phone, server, monkeypatch):
    monkeypatch.setattr(mirror, "_SILENCE", 0.5)
    with Watched(phone.address, server=server) as watched:
        watched.wait("tree")
        phone.faults.set("stall", seconds=0)
        assert "did not answer" in watched.wait("lost")
        phone.faults.clear()
        watched.wait("back")
        watched.wait("tree")


@pytest.mark.fault("F7")
def test_f7_a_killed_scrcpy_server_gives_way_to_another_source_and_comes_back(phone, server, monkeypatch):
    monkeypatch.setattr(mirror, "RESTS", (0.3,))
    with Watched(phone.address, server=server) as watched:
        assert watched.wait("source") == "scrcpy"
        phone.faults.set("killed-server", server="scrcpy")
        assert "Killed" in watched.wait("message")
        assert watched.wait("source") == "screenrecord"
        phone.faults.clear()
        assert watched.wait("source") == "scrcpy"


@pytest.mark.fault("F19")
def test_f19_a_tree_that_cannot_be_had_is_told_and_comes_by_itself_later(phone, server, monkeypatch):
    monkeypatch.setattr(trees, "_REST", 0.2)
    with Watched(phone.address, server=server) as watched:
        watched.wait("tree")
        before = watched.session.newest_tree()
        phone.faults.set("idle-error")
        watched.session.refresh_tree()
        assert "could not get idle state" in watched.wait("message")
        assert watched.session.newest_tree() is before, "never an old tree for a new one"
        phone.faults.clear()
        watched.session.refresh_tree()
        watched.wait("tree")


@pytest.mark.fault("F19")
def test_a_slow_dump_is_waited_for_and_a_slow_shell_too(phone, server, device):
    phone.faults.set("slow-dump", ms=300)
    phone.faults.set("slow-shell", ms=200)
    snapshot = dump(device)
    # Two commands that start late, and a dump that takes its time.
    assert snapshot.finished_ns - snapshot.started_ns >= 700e6


def test_a_protected_window_is_said_and_its_tree_still_read(phone, server):
    with Watched(phone.address, server=server) as watched:
        watched.wait("tree")
        phone.faults.set("secure-window")
        assert "protected" in watched.wait("secure")
        watched.session.refresh_tree()
        watched.wait("tree")
        phone.faults.clear()
        assert watched.wait("secure") == ""


@pytest.mark.fault("F7")
def test_f7_input_that_is_refused_is_told_with_the_switch_to_set(phone, server):
    with Watched(phone.address, server=server, frame_source="screencap") as watched:
        watched.wait("tree")
        phone.faults.set("input-denied")
        watched.session.key("home")
        assert "Security settings" in watched.wait("message")


def test_faults_are_listed_set_and_cleared_from_the_phones_shell(phone, device):
    listing = device.shell("cmd waymark fault list").text
    assert all(name in listing for name in FAULTS)
    assert device.shell("cmd waymark fault set slow-dump ms=700").text == "set: slow-dump ms=700 seconds=0\n"
    assert "* slow-dump ms=700" in device.shell("cmd waymark fault list").text
    assert phone.faults.value("slow-dump", "ms") == 700
    device.shell("cmd waymark fault clear slow-dump")
    assert "slow-dump" not in phone.faults
    for wrong, words in (
        ("set rain", "there is no fault 'rain'"),
        ("clear rain", "there is no fault 'rain'"),
        ("set slow-dump ms=x", "whole number"),
        ("set killed-server server=mail", "one of all, scrcpy"),
        ("set slow-dump 5", "expected key=value"),
        ("", "usage:"),
    ):
        result = device.shell(f"cmd waymark fault {wrong}")
        assert words in result.error_text
        assert result.status


def test_a_fault_that_takes_the_connection_answers_first_and_ends_by_itself(phone, device, server):
    assert device.shell("cmd waymark fault set offline seconds=1").text == "set: offline seconds=1\n"
    wait_state(server, phone, "offline")
    wait_state(server, phone, "device")
    assert not phone.faults.active()


@pytest.mark.fault("F30")
def test_f30_the_phone_listens_on_the_loopback_interface_alone(phone):
    # Who listens on every interface holds the port of each of them.
    with socket.create_server(("127.0.0.2", phone.port)):
        pass


@pytest.mark.parametrize(
    "text", ["$(reboot)", "`id`", "; rm -rf /sdcard", "a'b\"c\\d", "*", "--help", "\n\tx", "😀 你好"]
)
@pytest.mark.fault("F28")
def test_f28_words_reach_a_command_as_they_are(device, text):
    assert device.shell(("printf", "%s", text)).stdout == text.encode()


@pytest.mark.fault("F31")
def test_f31_an_answer_without_an_end_is_given_up(device, monkeypatch):
    monkeypatch.setattr("collector.device.transport.adb_device.MAX_BYTES", 1 << 20)
    with pytest.raises(CommandFailed, match="has no end"):
        device.exec_out("while true; do screencap; done")
    assert device.shell("echo on").text == "on\n"


@pytest.mark.fault("F6")
def test_f6_without_an_adb_it_says_how_to_get_one(tmp_path):
    server = AdbServer(free_port(), str(tmp_path / "none"))
    with pytest.raises(NoAdb, match="There is no file"):
        server.ensure()
    (finding,) = doctor.diagnose(server)
    assert (finding.code, finding.severity) == ("no_adb", "problem")
    assert "platform-tools" in finding.to_do


@pytest.mark.fault("F8")
def test_f8_a_log_that_says_nothing_takes_no_longer_than_it_may(phone, device):
    phone.faults.set("silent-logcat")
    with pytest.raises(DeviceTimeout, match=r"did not answer within 0.3 s: logcat"):
        device.shell("logcat -d", timeout=0.3)
    phone.faults.clear("silent-logcat")
    assert "beginning of system" in device.shell("logcat -d").text


@pytest.mark.fault("F20")
def test_f20_a_frozen_screen_gives_the_same_picture_while_the_tree_goes_on(phone, device):
    phone.faults.set("frozen-screen")
    before = picture(device).encoded
    device.shell("am start -n com.waymark.todo/.MainActivity")
    assert "com.waymark.todo" in dump(device).package
    assert picture(device).encoded == before
    phone.faults.clear("frozen-screen")
    assert picture(device).encoded != before


def test_every_fault_of_the_phone_is_met_here():
    tested = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in FAULTS if f'"{name}' not in tested] == []
