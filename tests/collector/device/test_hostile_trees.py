"""Trees no phone has: each is an error of the phone in words, and the next one is read."""

from __future__ import annotations

import io
import json
import threading

import pytest
from PIL import Image

from collector.adb.smart_socket import OKAY
from collector.device.errors import DeviceError, DeviceTimeout, DumpFailed
from collector.device.health import phone_health
from collector.device.health.phone_health import check_phone
from collector.device.health.probes import probe_tree
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.trees import tree_reader, uiautomator2_link, uiautomator2_source, uiautomator_source
from collector.device.trees.uiautomator2_source import Uiautomator2Source
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.hierarchy import fast_reader, lenient_reader, tree_builder
from tests.helpers.hostile_adb import SERIAL, Answer, drip, endless, held, hostile_adb, shell
from tests.helpers.watched import Watched

NODE = '<node index="0" text="a" bounds="[0,0][9,9]" />'
GOOD = f'<hierarchy rotation="0">{NODE}</hierarchy>'.encode()
MOST = 100
CROWD = f'<hierarchy rotation="0">{NODE * (MOST + 1)}</hierarchy>'.encode()
DUMPED = shell(b"UI hierchary dumped to: /x.xml\n")


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch):
    for module in (uiautomator_source, uiautomator2_source):
        monkeypatch.setattr(module, "RETRY_AFTER_S", 0.0)
    for module in (tree_builder, fast_reader):
        monkeypatch.setattr(module, "MAX_NODES", MOST)
    monkeypatch.setattr(lenient_reader, "_MAX_REPAIRS", MOST)


def phone(server) -> AdbDevice:
    return AdbDevice(SERIAL, AdbServer(server.port))


@pytest.mark.parametrize(
    ("dump", "words"),
    [
        (CROWD, "too many nodes to read. It has more than 100;"),
        (b"<hierarchy>" + b"<" * 2000 + b"</hierarchy>", "too damaged to read"),
        (b"x" * 9 + b"</hierarchy>", "No UI tree was found"),
        (b"\x1b[2J\xff\xfe</hierarchy>", "No UI tree was found"),
        (b'<hierarchy rotation="0">' + b"x" * (17 << 20) + b"</hierarchy>", "over 16 MB"),
        (b'<hierarchy rotation="0"><node', "ends in the middle"),
        (b"", "dump file is empty"),
    ],
)
def test_a_dump_that_is_no_tree_is_an_error_of_the_phone(dump, words):
    answers = {"shell,v2,raw:rm": DUMPED, "exec:cat": OKAY + dump}
    with hostile_adb(answers) as server:
        source = UiautomatorSource(phone(server))
        with pytest.raises(DumpFailed, match=words) as failure:
            source.snapshot(threading.Event())
        finding = probe_tree(phone(server))
        assert finding is not None
    assert str(failure.value).isprintable()


def test_a_dump_in_drops_takes_no_longer_than_it_may(monkeypatch):
    monkeypatch.setattr(uiautomator_source, "_TIMEOUT", 0.15)
    with (
        hostile_adb({"shell,v2,raw:rm": DUMPED, "exec:cat": drip(OKAY + GOOD)}) as server,
        pytest.raises(DeviceTimeout),
    ):
        UiautomatorSource(phone(server)).snapshot(threading.Event())


def http(body: bytes, head: bytes = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n") -> Answer:
    """The helper of uiautomator2: it answers a ping, and any call with ``body``."""

    def answer(client):
        client.send(OKAY)
        request = client.link.recv(1 << 16)
        client.send(b"HTTP/1.1 200 OK\r\n\r\npong" if b"/ping" in request else head + body)

    return answer


def result(value: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": value}).encode()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (http(result(CROWD.decode())), "too many nodes"),
        (http(result(GOOD.decode()[:40])), "ends in the middle"),
        (http(result("<hierarchy>\ud800</hierarchy>")), "tree is empty"),
        (http(result({"a": 1})), "ends in the middle"),
        (http(result(None)), "ends in the middle"),
        (http(b"[" * 200_000), "no answer that can be read"),
        (http(b'{"result": ' + b"9" * 9000 + b"}"), "no answer that can be read"),
        (http(b"\xff\xfe"), "no answer that can be read"),
        (http(b'{"error": {"message": "\\u001b[2J"}}'), "refused the call"),
        (http(b"", b"HTTP/1.1 500 \x1b[2J\r\n\r\n"), "refused a request"),
        (http(b"", b"\x1b[2J"), "no answer that can be read"),
        (http(b"", b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), "no answer that can be read"),
        (http(b"zz\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), "no answer that can be"),
        (http(b"x: y\r\n" * 900, b"HTTP/1.1 200 OK\r\n"), "no answer that can be read"),
        (http(b"HTTP/1.1 100 C\r\n\r\n" * 900, b""), "no answer that can be read"),
    ],
)
def test_a_helper_that_answers_anything_is_an_error_of_the_phone(answer, words):
    with hostile_adb({"tcp:9008": answer}) as server, pytest.raises(DumpFailed, match=words) as failure:
        Uiautomator2Source(phone(server)).snapshot(threading.Event())
    assert str(failure.value).isprintable()


@pytest.mark.parametrize(
    "answer", [endless(b"x" * 900), drip(OKAY + b"HTTP/1.1 200 OK\r\n" * 99), held(OKAY)]
)
def test_a_helper_without_an_end_is_given_up(monkeypatch, answer):
    monkeypatch.setattr(uiautomator2_source, "_TIMEOUT", 0.15)
    monkeypatch.setattr(uiautomator2_link, "_PING_TIMEOUT", 0.15)
    with hostile_adb({"tcp:9008": answer}) as server, pytest.raises(DeviceError):
        Uiautomator2Source(phone(server)).snapshot(threading.Event())


def test_a_session_says_why_there_is_no_tree_and_reads_the_next_one(monkeypatch):
    monkeypatch.setattr(tree_reader, "_REST", 0.0)
    picture = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(picture, "PNG")
    answers = {
        "shell,v2,raw:rm": DUMPED, "exec:cat": OKAY + CROWD, "exec:screencap": OKAY + picture.getvalue(),
        "shell,v2,raw:wm size": shell(b"Physical size: 64x64\n orientation=0\n"),
    }  # fmt: skip
    with hostile_adb(answers) as server:
        adb = AdbServer(server.port)
        with Watched(SERIAL, server=adb, frame_source="screencap", tree_source="uiautomator") as watched:
            assert "too many nodes to read" in watched.wait("message")
            server.answers["exec:cat"] = OKAY + GOOD
            watched.session.refresh_tree()
            watched.wait_tree("a")


def test_a_phone_whose_tree_cannot_be_read_is_looked_at_without_it(monkeypatch):
    monkeypatch.setattr(phone_health, "_PAUSE_S", 0.0)
    black = io.BytesIO()
    Image.new("RGB", (64, 64), "black").save(black, "PNG")
    answers = {
        "shell,v2,raw:getprop": shell(b"1\npackage:/system\n"), "exec:screencap": OKAY + black.getvalue(),
        "shell,v2,raw:rm": DUMPED, "exec:cat": OKAY + CROWD,
    }  # fmt: skip
    with hostile_adb(answers) as server:
        assert "black" in check_phone(phone(server)).problem
