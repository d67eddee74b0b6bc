"""The daemon with a client that speaks raw ADB, valid and invalid."""

import contextlib
import socket
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.adb.messages import (
    AUTH,
    CLSE,
    CNXN,
    MAX_PAYLOAD,
    OKAY,
    OPEN,
    VERSION,
    WRTE,
    AdbMessage,
    Banner,
    MessageDecoder,
)
from collector.virtual.daemon.server import AdbDaemon
from collector.virtual.daemon.services import DeviceServices
from tests.helpers.shell import bare_machine

pytestmark = [
    pytest.mark.shared_threads("adb", "adbd", "phone-ticker"),
    pytest.mark.expected_log("a client was dropped|stream .*: "),
]


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.decoder = MessageDecoder()
        self.waiting = []

    def send(self, *messages):
        self.socket.sendall(b"".join(message.encode() for message in messages))

    def receive(self):
        while not self.waiting:
            data = self.socket.recv(65536)
            if not data:
                return None
            self.waiting += self.decoder.feed(data)
        return self.waiting.pop(0)

    def greet(self, version=VERSION, limit=MAX_PAYLOAD):
        self.send(AdbMessage(CNXN, version, limit, b"host::features=shell_v2"))
        return self.receive()

    def open(self, service, local=5):
        self.send(AdbMessage(OPEN, local, 0, service.encode() + b"\0"))
        return self.receive()

    def until_dropped(self):
        """Say no more, and wait for the daemon to hang up: what it logs of this connection came before."""
        with contextlib.suppress(ConnectionError):
            self.socket.shutdown(socket.SHUT_WR)
            while self.socket.recv(65536):
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.socket.close()


@pytest.fixture(scope="module")
def daemon():
    machine = bare_machine()
    banner = Banner("device", {"ro.product.model": "M"}, ("shell_v2",))
    server = AdbDaemon(DeviceServices(machine, lambda: None), banner.encode)
    server.machine = machine
    server.start()
    yield server
    server.close()
    machine.close()


def test_the_greeting_is_answered_at_once(daemon):
    with Client(daemon.port) as client:
        answer = client.greet()
    assert (answer.command, answer.arg0, answer.arg1) == (CNXN, VERSION, MAX_PAYLOAD)
    assert answer.payload == b"device::ro.product.model=M;features=shell_v2"


def test_a_stream_from_open_to_close(daemon):
    with Client(daemon.port) as client:
        client.greet()
        opened = client.open("shell:echo hi")
        assert (opened.command, opened.arg1) == (OKAY, 5)
        written = client.receive()
        assert written == AdbMessage(WRTE, opened.arg0, 5, b"hi\n")
        client.send(AdbMessage(OKAY, 5, opened.arg0))
        assert client.receive() == AdbMessage(CLSE, opened.arg0, 5)


def test_a_close_is_answered_with_a_close_as_by_adbd(daemon):
    with Client(daemon.port) as client:
        client.greet()
        local = client.open("sync:", 5).arg0
        client.send(AdbMessage(CLSE, 5, local))
        answer = client.receive()
        assert (answer.command, answer.arg0, answer.arg1) == (CLSE, local, 5)
        client.send(AdbMessage(CLSE, 5, local))  # unknown now: no answer, and the next stream works
        assert client.open("shell:echo hi", 6).command == OKAY


def test_one_write_waits_for_the_okay_of_the_last(daemon):
    with Client(daemon.port) as client:
        client.greet(limit=4096)
        opened = client.open("exec:echo a; echo b")
        first = client.receive()
        assert first.payload == b"a\n"
        client.send(AdbMessage(OPEN, 6, 0, b"nonsense:\0"))
        # Had the second line come without an OKAY, it would arrive before the refusal.
        assert client.receive() == AdbMessage(CLSE, 0, 6)
        client.send(AdbMessage(OKAY, 5, opened.arg0))
        assert client.receive().payload == b"b\n"


def test_a_small_limit_of_the_peer_is_kept(daemon):
    with Client(daemon.port) as client:
        client.greet(limit=4096)
        opened = client.open("exec:dd if=/dev/zero bs=10000 count=1 2>/dev/null")
        sizes = []
        while (message := client.receive()).command == WRTE:
            sizes.append(len(message.payload))
            client.send(AdbMessage(OKAY, 5, opened.arg0))
        assert sizes == [4096, 4096, 1808]


def test_an_old_peer_gets_checksums(daemon):
    with Client(daemon.port) as client:
        client.greet(version=0x01000000)
        client.send(AdbMessage(OPEN, 5, 0, b"shell:echo hi\0"))
        data = b""
        while len(data) < 24 + 24 + 3:
            data += client.socket.recv(100)
    assert struct.unpack("<6I", data[24:48])[4] == sum(b"hi\n")


@pytest.mark.parametrize(
    "service", ["jdwp:4285", "track-app", "abb_exec:x", "tcp:9008", "localabstract:none", "", "sideload:1"]
)
def test_other_services_are_refused(daemon, service):
    with Client(daemon.port) as client:
        client.greet()
        assert client.open(service) == AdbMessage(CLSE, 0, 5)


def test_delayed_ack_is_declined(daemon):
    with Client(daemon.port) as client:
        client.greet()
        client.send(AdbMessage(OPEN, 5, 32 << 20, b"shell:echo hi\0"))
        assert client.receive() == AdbMessage(CLSE, 0, 5)


def test_messages_for_unknown_streams(daemon):
    with Client(daemon.port) as client:
        client.greet()
        client.send(AdbMessage(CLSE, 77, 88), AdbMessage(OKAY, 77, 88), AdbMessage(WRTE, 79, 88, b"x"))
        # As adbd does: only the OKAY is answered, with the number it asked for.
        assert client.receive() == AdbMessage(CLSE, 88, 77)
        assert client.open("shell:echo hi").command == OKAY


def test_ends_of_streams_of_a_connection_that_was_cut_are_passed_over(daemon):
    with Client(daemon.port) as client:
        client.send(AdbMessage(CLSE, 0x16F, 0x11), AdbMessage(OKAY, 3, 4))
        assert client.greet().command == CNXN


@pytest.mark.parametrize(
    "nonsense",
    [
        b"\0" * 24,
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        struct.pack("<6I", WRTE, 1, 1, 0xFFFFFFFF, 0, WRTE ^ 0xFFFFFFFF),
        AdbMessage(OPEN, 1, 0, b"shell:\0").encode(),
        AdbMessage(WRTE, 1, 1, b"x").encode(),
    ],
    ids=["zeros", "http", "oversize", "open before the handshake", "write before the handshake"],
)
def test_nonsense_ends_only_its_own_connection(daemon, nonsense):
    with Client(daemon.port) as client:
        client.socket.sendall(nonsense)
        assert client.receive() is None
    with Client(daemon.port) as client:
        assert client.greet().command == CNXN


@pytest.mark.expected_log("data was sent on a stream")
def test_data_sent_without_waiting_ends_the_connection(daemon):
    with Client(daemon.port) as client:
        client.greet()
        opened = client.open("shell:sleep 100")
        flood = AdbMessage(WRTE, 5, opened.arg0, bytes(MAX_PAYLOAD)).encode() * 8
        # The socket's buffer may take all data: then the end shows when reading.
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            client.socket.sendall(flood)
            while client.receive() is not None:
                pass
    with Client(daemon.port) as client:
        assert client.greet().command == CNXN


def test_too_many_streams_are_refused(daemon):
    with Client(daemon.port) as client:
        client.greet()
        answers = [client.open("shell:sleep 100", local).command for local in range(1, 270)]
    assert answers.count(OKAY) == 256
    assert answers[-1] == CLSE


@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=6))
def test_no_service_string_and_payload_takes_the_daemon_down(daemon, parts):
    with Client(daemon.port) as client:
        client.greet()
        for number, part in enumerate(parts):
            client.send(AdbMessage(OPEN, number + 1, 0, b"sync:\0" if number % 2 else part))
            client.send(AdbMessage(WRTE, number + 1, number + 1, part))
        client.until_dropped()
    with Client(daemon.port) as client:
        assert client.greet().command == CNXN


def test_a_silent_phone_says_nothing(daemon):
    daemon.faults.silent = True
    try:
        with Client(daemon.port) as client:
            client.send(AdbMessage(CNXN, VERSION, MAX_PAYLOAD, b"host::"))
            client.socket.settimeout(0.2)
            with pytest.raises(TimeoutError):
                client.socket.recv(1)
    finally:
        daemon.faults.silent = False


def test_a_computer_is_accepted_on_the_connection_that_waits(daemon):
    daemon.faults.authorized = False
    with Client(daemon.port) as client:
        token = client.greet()
        assert (token.command, token.arg0, len(token.payload)) == (AUTH, 1, 20)
        client.send(AdbMessage(AUTH, 2, 0, bytes(256)))
        reply = client.receive()
        assert reply.command == AUTH
        assert reply.payload != token.payload
        client.send(AdbMessage(AUTH, 3, 0, b"key user@host\0"))
        daemon.faults.authorized = True
        assert client.receive().command == CNXN


def test_a_loose_cable(daemon):
    with Client(daemon.port) as client:
        client.greet()
        daemon.faults.drop()
        assert client.receive() is None
    with Client(daemon.port) as client:
        assert client.greet().command == CNXN


def test_only_addresses_the_computer_registered_are_dialled(daemon):
    with Client(daemon.port) as client:
        client.greet()
        with pytest.raises(ConnectionRefusedError):
            daemon.machine.sockets.connect("tcp:22")
        client.open("reverse:forward:tcp:22;tcp:9999")
        assert client.receive().payload == b"OKAY"
