"""Trees by the uiautomator2 server: its jar is put, started, asked and stopped, on a phone that answers."""

from __future__ import annotations

import json
import socket
import threading

import pytest

from collector.device.device_info import DeviceInfo
from collector.device.errors import AutomationTaken, CallCancelled, CommandFailed, DumpFailed
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.shell_result import ShellResult
from collector.device.trees import uiautomator2_link
from collector.device.trees.uiautomator2_link import Uiautomator2Link
from collector.device.trees.uiautomator2_source import Uiautomator2Source, is_installed
from tests.helpers.virtual import adb_server, virtual_device
from tests.helpers.watched import Watched

pytestmark = [
    pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy control"),
    pytest.mark.skipif(not is_installed(), reason="the fast-tree extra is not installed"),
]
SERVICE = "tcp:9008"


@pytest.fixture(scope="module")
def server():
    with adb_server() as server:
        yield AdbServer(server.port)


@pytest.fixture
def phone(server):
    with virtual_device("todo") as phone:
        server.connect(phone.address)
        yield phone


@pytest.fixture
def source(phone, server):
    source = Uiautomator2Source(AdbDevice(phone.address, server))
    yield source
    source.close()


def test_a_tree_is_read_and_the_server_is_gone_when_it_is_let_go(phone, source):
    snapshot = source.snapshot(threading.Event())
    assert snapshot.source == snapshot.tree.source == "uiautomator2"
    assert snapshot.package == phone.phone.focused.package
    assert {node.package for node in snapshot.tree.roots} == {"com.android.systemui", snapshot.package}
    assert phone.machine.sockets.is_listening(SERVICE)
    source.close()
    assert not phone.machine.sockets.is_listening(SERVICE)


def test_the_jar_is_put_once(phone, source, monkeypatch):
    source.snapshot(threading.Event())
    source.close()
    monkeypatch.setattr(AdbDevice, "push", lambda *_words: pytest.fail("pushed again"))
    source.snapshot(threading.Event())


def test_a_server_that_died_is_started_again(phone, source):
    source.snapshot(threading.Event())
    phone.faults.set("killed-server", server="uiautomator2")
    phone.faults.clear()
    assert source.snapshot(threading.Event()).tree


def test_a_server_that_runs_already_is_asked_and_left_running(phone, server, source):
    other = Uiautomator2Source(AdbDevice(phone.address, server))
    other.snapshot(threading.Event())
    assert source.snapshot(threading.Event()).tree
    source.close()
    assert phone.machine.sockets.is_listening(SERVICE)
    other.close()


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        ("killed-server", DumpFailed, "Killed"),
        ("automation-taken", AutomationTaken, "already registered"),
        ("null-root", DumpFailed, "empty"),
        ("truncated-dump", DumpFailed, "middle"),
        ("huge-dump", DumpFailed, "16 MB"),
        ("full-disk", DumpFailed, "No space left on device"),
    ],
)
def test_each_failure_is_told_and_over_when_its_cause_is(phone, source, fault, error, words):
    phone.faults.set(fault)
    with pytest.raises(error, match=words) as failure:
        source.snapshot(threading.Event())
    assert failure.value.to_do
    phone.faults.clear()
    assert source.snapshot(threading.Event()).tree


def test_a_slow_answer_is_given_up_when_nobody_wants_it(phone, source):
    source.snapshot(threading.Event())
    phone.faults.set("slow-dump", ms=60_000)
    cancel = threading.Event()
    timer = threading.Timer(0.2, cancel.set)
    timer.start()
    with pytest.raises(CallCancelled):
        source.snapshot(cancel)
    timer.join()


def test_a_session_prefers_it_and_falls_back_with_a_message(phone, server, monkeypatch):
    monkeypatch.setattr(DeviceInfo, "is_virtual", False)
    with Watched(phone.address, server=server, frame_source="screencap") as watched:
        watched.wait("tree")
        assert watched.session.newest_tree().source == "uiautomator2"
        phone.faults.set("killed-server", server="uiautomator2")
        watched.session.refresh_tree()
        assert "uiautomator dump takes its place" in watched.wait("message")
        watched.wait("tree")
        assert watched.session.newest_tree().source == "uiautomator"


def test_answers_that_are_none_are_errors_in_words(monkeypatch):
    class Device:
        answer = b""

        def exchange(self, *_words, **_limits):
            return self.answer

    device = Device()
    link = Uiautomator2Link(device)

    def ask():
        return link.call("deviceInfo", [], timeout=1, cancel=threading.Event())

    for answer, words in (
        (b"", "no answer that can be read"),
        (b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "500 Oops"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", "refused the call deviceInfo"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{", "no answer that can be read"),
    ):
        device.answer = answer
        with pytest.raises(CommandFailed, match=words):
            ask()
    body = json.dumps({"result": {"sdkInt": 35}}).encode()
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    device.answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
    assert ask() == {"sdkInt": 35}


def test_without_the_package_it_says_how_to_get_it(phone, source, monkeypatch):
    monkeypatch.setattr(uiautomator2_link, "find_jar", lambda: None)
    with pytest.raises(DumpFailed, match="fast-tree"):
        source.snapshot(threading.Event())


def test_a_phone_that_goes_away_while_the_server_starts_ends_its_output():
    class GoesAway:
        def exchange(self, *_request, **_times):
            raise CommandFailed("nobody listens")

        def shell(self, *_command, **_times):
            return ShellResult(b"", b"", 0)

        def push(self, *_files, **_times):
            pass

        def open(self, *_service, **_times):
            shell, far = socket.socketpair()
            shell.send(b"not read")  # closing now resets the connection
            far.close()
            return shell

    link = Uiautomator2Link(GoesAway())  # type: ignore[arg-type]
    with pytest.raises(DumpFailed, match="does not start") as raised:
        link.open(threading.Event())
    assert raised.value.why == ""
    link.close(threading.Event())
