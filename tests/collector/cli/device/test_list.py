"""``waymark device list``, ``connect`` and ``doctor`` as a person or a script runs them."""

from __future__ import annotations

import contextlib
import json
import socket
import threading

import pytest
from click.testing import CliRunner

from collector.adb.smart_socket import OKAY, encode_block
from collector.cli.device import list as device_list
from collector.cli.main import main
from collector.cli.verb_groups import device
from collector.device.errors import NotAnAdbServer, Unauthorized
from collector.device.transport.adb_server import AdbServer
from collector.model.errors import UserError
from collector.model.finding import Finding
from tests.helpers.hostile_adb import SERIAL, hostile_adb, shell
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd")


@pytest.fixture(scope="module")
def address():
    assert device_list
    with virtual_device("todo") as phone:
        yield phone.address
        AdbServer().disconnect(phone.address)


def run(*words: str) -> str:
    result = CliRunner().invoke(device, list(words))
    assert not result.exception or isinstance(result.exception, SystemExit), result.exception
    return result.output


def test_a_phone_is_connected_listed_and_examined(address):
    assert json.loads(run("connect", address, "--json")) == {"connected": address}
    listed = json.loads(run("list", "--json"))
    assert {"serial": address, "state": "device", "words": "ready", "in_use_by": ""} in listed
    table = run("list")
    assert address in table
    assert "ready" in table
    findings = json.loads(run("doctor", "--json"))
    assert {"device", "scrcpy"} <= {finding["code"] for finding in findings if finding["serial"] == address}
    assert "is ready" in run("doctor")


def test_an_address_nobody_answers_at_is_an_error_in_words():
    result = CliRunner().invoke(device, ["connect", "127.0.0.1:1"])
    assert "127.0.0.1:1" in str(result.exception)


@pytest.mark.parametrize("address", ["", "host:", "host:0", "host:99999", "a b:5555", "::1:5555", "host:adb"])
def test_what_is_no_address_is_wrong_usage(address):
    result = CliRunner().invoke(device, ["connect", address])
    assert result.exit_code == 2
    assert "is no address; expected HOST:PORT" in result.output


def test_an_address_without_a_port_means_adbs_own(monkeypatch):
    asked = []
    monkeypatch.setattr(AdbServer, "connect", lambda _server, address: asked.append(address))
    assert "connected to 127.0.0.2:5555" in run("connect", "127.0.0.2")
    run("connect", "[::1]:6000")
    assert asked == ["127.0.0.2:5555", "[::1]:6000"]


def test_a_phone_that_waits_for_allow_says_so_on_connecting():
    with virtual_device("todo") as phone:
        phone.faults.set("unauthorized", seconds=0)
        result = CliRunner().invoke(device, ["connect", phone.address])
        assert isinstance(result.exception, Unauthorized)
        AdbServer().disconnect(phone.address)


def test_without_a_phone_the_list_says_what_to_do(monkeypatch):
    monkeypatch.setattr(AdbServer, "devices", lambda _server: ())
    assert "No phone is connected" in run("list")
    assert json.loads(run("list", "--json")) == []


def test_advice_is_never_cut_short(monkeypatch):
    long = "word " * 40
    monkeypatch.setattr(device_list, "diagnose", lambda: [Finding("x", "problem", "what", "why", long, "S1")])
    result = CliRunner().invoke(device, ["doctor"], standalone_mode=False)
    assert result.output.splitlines() == ["problem: S1: what", "    why", f"    {long.strip()}"]
    assert result.return_value == 1


@pytest.mark.parametrize("port", ["adb", "0", "65536", "-1"])
def test_a_port_that_is_none_is_a_sentence(monkeypatch, port):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", port)
    result = CliRunner().invoke(device, ["list"])
    assert isinstance(result.exception, UserError)
    assert f"is no port: {port}" in str(result.exception)


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b""])
@pytest.mark.fault("F6")
def test_another_program_on_adbs_port_is_named_as_such(monkeypatch, answer):
    monkeypatch.setattr(AdbServer.query, "__defaults__", (0.3, None))
    stop = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        thread = threading.Thread(target=_answer, args=(other, answer, stop), name="no adb", daemon=True)
        thread.start()
        with pytest.raises(NotAnAdbServer, match=f"port {port} is no adb server"):
            AdbServer(port).devices()
        stop.set()
        thread.join(20)


def _answer(other: socket.socket, answer: bytes, stop: threading.Event) -> None:
    """Take connections; one that asks gets the answer, or silence."""
    other.settimeout(0.05)
    with contextlib.ExitStack() as held:
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                peer = held.enter_context(other.accept()[0])
                peer.settimeout(1)
                if answer and peer.recv(100):
                    peer.sendall(answer)


@pytest.mark.parametrize("verb", ["list", "doctor"])
def test_a_server_that_cannot_be_read_is_told_as_such(monkeypatch, capsys, verb):
    with hostile_adb({"host:devices": b"OKAY-001"}) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        assert main(["device", verb]) == 1
    printed = "".join(capsys.readouterr())
    assert f"The adb server on port {server.port} answered what cannot be read" in printed
    assert "No phone" not in printed
    assert "Traceback" not in printed


def test_nothing_a_phone_says_reaches_the_terminal_raw(monkeypatch, capsys):
    evil = "\x1b]0;owned\x07\x9b2J\u202e"
    answers = {
        "host:devices": OKAY + encode_block(f"{SERIAL}\tdevice\n{evil}\tdevice\nB\t{evil}\n"),
        "shell,v2,raw:getprop": shell(f"[ro.product.model]: [{evil}]\n".encode()),
        "shell,v2,raw:settings": shell(f"appium{evil}\n".encode()),
        "shell,v2,raw:rm": shell(errors=f"{evil} Killed".encode()),
        "exec:": OKAY + evil.encode(),
    }
    with hostile_adb(answers) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        for words in (["list"], ["list", "--json"], ["doctor"], ["doctor", "--json"]):
            main(["device", *words])
            printed = "".join(capsys.readouterr())
            assert printed.replace("\n", "").isprintable(), words
