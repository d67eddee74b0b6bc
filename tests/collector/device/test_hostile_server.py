"""What listens on adb's port may answer anything: each call ends in its time, with an error that is true."""

from __future__ import annotations

import threading
from pathlib import PurePosixPath

import pytest

from collector.adb.smart_socket import OKAY, encode_block, encode_failure
from collector.adb.sync_protocol import FAIL
from collector.device.device_choice import choose_device
from collector.device.errors import (
    CallCancelled,
    CommandFailed,
    DeviceError,
    DeviceOffline,
    DeviceTimeout,
    NotAnAdbServer,
    NotConnected,
    ServerGone,
    UnreadableServer,
)
from collector.device.health.doctor import diagnose, examine
from collector.device.transport import adb_device
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.listed_devices import UNUSABLE
from collector.host.sockets import free_port
from tests.helpers.hostile_adb import SERIAL, Answer, drip, endless, held, hostile_adb, reset, shell

SHORT, LONG = 0.1, 10.0
LATE = {"takes longer than": 0.5, "No answer for": SHORT}
LISTED = OKAY + encode_block(f"{SERIAL}\tdevice\n")


def asked(answer: Answer, call):
    with hostile_adb(dict.fromkeys(("host:devices", "host:version", "host:connect:"), answer)) as server:
        return call(AdbServer(server.port))


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (b"OKAY-001", UnreadableServer, "gives '-001' for the length"),
        (b"OKAYzzzz", UnreadableServer, "gives 'zzzz' for the length"),
        (b"OKAY0x10", UnreadableServer, "gives '0x10' for the length"),
        (b"OKAY00_1", UnreadableServer, "gives '00_1' for the length"),
        (b"OKAY 1\n ", UnreadableServer, r"gives ' 1\\n ' for the length"),
        (b"OKAY\xff\x1b[2", UnreadableServer, r"gives '\\xff\\x1b\[2' for the length"),
        (b"OKAY", UnreadableServer, "ends in the middle"),
        (b"OKAY00", UnreadableServer, "ends in the middle"),
        (b"OKAY0010PHONE", UnreadableServer, "ends in the middle"),
        (reset(b"OKAY0010PHONE"), ServerGone, "reset"),
        (reset(), ServerGone, "reset"),
        (b"", ServerGone, "closed the connection"),
        (held(b"OKAYffff"), UnreadableServer, "takes longer than"),
        (drip(OKAY + b"ffff" + b"x" * 500), UnreadableServer, "takes longer than"),
        (endless(b"", first=b""), NotAnAdbServer, "No answer for"),
        (held(), NotAnAdbServer, "No answer for"),
        (b"OKAI", NotAnAdbServer, "answers with 'OKAI'"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", NotAnAdbServer, "answers with 'HTTP'"),
        (b"\x1b[2J\x1b[H", NotAnAdbServer, r"answers with '\\x1b\[2J'"),
        (b"FAIL-001", UnreadableServer, "for the length"),
        (encode_failure("no\x1b[2J\n" + "x" * 900), CommandFailed, r"adb refused: no\[2J x+…"),
        (b"FAIL0004\xff\xfe\xfd\xfc", CommandFailed, "adb refused: \ufffd"),
    ],
)
@pytest.mark.fault("F31")
def test_what_cannot_be_read_is_said_and_is_no_empty_list(answer, error, words):
    with pytest.raises(error, match=words) as failure:
        asked(answer, lambda server: server.query("host:devices", LATE.get(words, LONG)))
    assert type(failure.value) is error
    assert str(failure.value).isprintable()


def test_a_port_on_which_nothing_listens_is_said_without_numbers_of_the_system():
    with pytest.raises(ServerGone, match=r"does not answer\. Connection refused\. It is started"):
        AdbServer(free_port()).query("host:version", LONG)


def test_an_answer_with_more_behind_it_is_read():
    assert [phone.serial for phone in asked(LISTED + b"x" * 9999, AdbServer.devices)] == [SERIAL]
    assert asked(endless(b"x", first=LISTED), AdbServer.devices)


@pytest.mark.parametrize("text", ["", "zzzz", "-001", "0x29", "0029\n", "٠٠٢٩", "9" * 6000])
def test_a_version_that_is_no_number_cannot_be_read(text):
    with pytest.raises(UnreadableServer, match="for its version"):
        asked(OKAY + encode_block(text), AdbServer.version)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("PHONE1 device\n", "lines without a state"),
        ("garbage", "lines without a state"),
        ("A\tdevice\n" * 5000, "lists 5000 phones"),
    ],
)
def test_a_list_that_is_none_is_not_taken_for_an_empty_one(text, words):
    with pytest.raises(UnreadableServer, match=words):
        asked(OKAY + encode_block(text), AdbServer.devices)


@pytest.mark.parametrize(
    ("serial", "shown"),
    [
        ("a\x1b[2Jb", "a[2Jb"),
        ("a\rb", "a b"),
        ("\u202eabc", "abc"),
        (" a", "a"),
        ("", ""),
        ("\x00", ""),
        ("x" * 5000, "x" * 199 + "…"),
    ],
)
def test_a_serial_no_command_can_name_is_shown_and_not_used(serial, shown):
    (listed,) = asked(OKAY + encode_block(f"{serial}\tdevice\n"), AdbServer.devices)
    assert (listed.serial, listed.state) == (shown, UNUSABLE)
    assert not listed.is_ready
    (finding,) = examine(listed)
    assert finding.code == "unusable"


@pytest.mark.parametrize(
    "serial", ["a b", "../../etc", "a;reboot", "$(id)", "emulator-5554", "[::1]:5555", "你好"]
)
def test_any_other_serial_is_only_a_name(serial):
    with hostile_adb({"host:devices": OKAY + encode_block(f"{serial}\tdevice\n")}) as server:
        adb = AdbServer(server.port)
        (listed,) = adb.devices()
        assert listed.serial == serial
        assert AdbDevice(serial, adb).shell("true").ok
        assert server.asked[-2:] == [f"host:transport:{serial}", "shell,v2,raw:true"]


@pytest.mark.fault("F27")
def test_a_state_is_shown_without_what_controls_a_terminal():
    (listed,) = asked(OKAY + encode_block(f"{SERIAL}\tno\x1b[2J {'x' * 900}\n"), AdbServer.devices)
    assert listed.state.isprintable()
    assert len(listed.state) == 200


@pytest.mark.parametrize("answer", [b"OKAY-001", OKAY + encode_block("garbage")])
def test_every_way_to_the_list_says_so(answer):
    with hostile_adb({"host:devices": answer}) as server:
        adb = AdbServer(server.port)
        with pytest.raises(UnreadableServer, match=f"port {server.port} answered what cannot be read"):
            choose_device(server=adb)
        (finding,) = diagnose(adb)
        assert f"port {server.port} answered what cannot be read" in finding.what
        assert finding.severity == "problem"


def test_an_answer_to_connect_that_is_anything_is_a_reason():
    with pytest.raises(NotConnected) as failure:
        asked(OKAY + encode_block("\x1b[2J" + "x" * 60_000), lambda server: server.connect("h:1"))
    assert failure.value.why.isprintable()
    assert len(failure.value.why) == 400


# -- the phone behind it -----------------------------------------------------


def push(phone: AdbDevice, seconds: float) -> None:
    phone.push(b"x" * 200_000, PurePosixPath("/data/x"), timeout=seconds)


def run(phone: AdbDevice, seconds: float) -> None:
    phone.shell("true", timeout=seconds)


def read(phone: AdbDevice, seconds: float) -> None:
    phone.exec_out("true", timeout=seconds)


def stream(phone: AdbDevice, seconds: float) -> None:
    phone.open("exec:true", seconds).close()


@pytest.mark.parametrize(
    ("call", "service", "answer", "error"),
    [
        (run, "shell,v2,raw:", drip(shell(b"x" * 900)), DeviceTimeout),
        (run, "shell,v2,raw:", drip(b"OKA", every=0.01), DeviceTimeout),
        (run, "shell,v2,raw:", endless(b"\x01\0\0\0\0"), DeviceTimeout),
        (run, "shell,v2,raw:", endless(shell(b"x" * 9000)[4:-6]), CommandFailed),
        (run, "shell,v2,raw:", reset(OKAY + b"\x01\x09\0\0\0x"), DeviceOffline),
        (run, "shell,v2,raw:", OKAY + b"\x01\xff\xff\xff\xff", CommandFailed),
        (run, "shell,v2,raw:", OKAY + b"\x01\x05\0\0\0hel", DeviceOffline),
        (run, "shell,v2,raw:", OKAY, DeviceOffline),
        (run, "shell,v2,raw:", b"OKAI", NotAnAdbServer),
        (run, "host:transport:", drip(OKAY, every=SHORT), DeviceTimeout),
        (run, "host:transport:", b"FAIL-001", UnreadableServer),
        (run, "host:transport:", held(), DeviceTimeout),
        (read, "exec:", drip(OKAY + b"x" * 900), DeviceTimeout),
        (read, "exec:", endless(b"x" * 90_000), CommandFailed),
        (push, "sync:", held(OKAY), DeviceTimeout),
        (push, "sync:", drip(OKAY + FAIL + b"\xff\xff\xff\xff" + b"x" * 900), DeviceTimeout),
        (push, "sync:", OKAY + FAIL + b"\x03\0\0\0" + b"no\x1b", CommandFailed),
        (push, "sync:", OKAY + b"OK", DeviceError),
        (push, "sync:", reset(OKAY), DeviceError),
        (stream, "exec:", drip(OKAY, every=SHORT), DeviceTimeout),
        (stream, "exec:", b"OKA", UnreadableServer),
    ],
)
@pytest.mark.fault("F31")
def test_every_call_to_a_phone_ends_in_its_time(monkeypatch, call, service, answer, error):
    monkeypatch.setattr(adb_device, "MAX_BYTES", 1 << 20)
    with hostile_adb({service: answer}) as server, pytest.raises(error) as failure:
        call(AdbDevice(SERIAL, AdbServer(server.port)), SHORT if error is DeviceTimeout else LONG)
    assert str(failure.value).isprintable()


def test_a_file_is_sent_whose_acknowledgement_comes_in_drops():
    with hostile_adb({"sync:": drip(OKAY + OKAY + b"\0\0\0\0", every=0.005)}) as server:
        AdbDevice(SERIAL, AdbServer(server.port)).push(b"x", PurePosixPath("/data/x"))


def test_a_command_no_request_can_hold_is_refused():
    with hostile_adb() as server, pytest.raises(CommandFailed, match="too long for adb"):
        AdbDevice(SERIAL, AdbServer(server.port)).shell("x" * 70_000)


@pytest.mark.parametrize(
    "call",
    [
        lambda phone, cancel: phone.shell("true", timeout=60, cancel=cancel),
        lambda phone, cancel: phone.open("exec:true", 60, cancel),
        lambda phone, cancel: phone.push(
            (b"x" * 60_000 for _ in iter(int, 1)), PurePosixPath("/x"), timeout=60, cancel=cancel
        ),
    ],
    ids=["shell", "stream", "push"],
)
@pytest.mark.parametrize("answers", [{"host:transport:": held()}, {"": held(OKAY)}], ids=["server", "phone"])
def test_a_call_that_is_held_up_can_be_cancelled(call, answers):
    cancel = threading.Event()
    if "" in answers:
        answers = {"shell,v2,raw:": held(OKAY), "sync:": held(OKAY), "exec:": held()}
    with hostile_adb(answers) as server:
        phone = AdbDevice(SERIAL, AdbServer(server.port))
        ended = []

        def wait() -> None:
            with pytest.raises(CallCancelled):
                call(phone, cancel)
            ended.append(True)

        thread = threading.Thread(target=wait)
        thread.start()
        cancel.set()
        thread.join(10)
        assert ended == [True]
