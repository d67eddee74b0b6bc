"""An adb server, with the phones behind it, that answers each request with the bytes a test gives.

An answer is bytes, after which the connection ends, or a function that writes to the client's connection: in
drops, without an end, or until it resets it.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping

from collector.adb.shell_protocol import ShellPacket, ShellPacketId
from collector.adb.smart_socket import OKAY, encode_block, encode_failure

SERIAL = "PHONE1"
_POLL_S = 0.02
_RESET = struct.pack("ii", 1, 0)


class Client:
    """One connection of a client, as the hostile side of it sees it."""

    def __init__(self, link: socket.socket, stopped: threading.Event) -> None:
        self.link = link
        self._stopped = stopped

    @property
    def is_over(self) -> bool:
        """Whether the test is over."""
        return self._stopped.is_set()

    def send(self, data: bytes) -> bool:
        """Send; return whether the client is still there."""
        try:
            self.link.sendall(data)
        except OSError:
            return False
        return not self.is_over

    def pause(self, seconds: float) -> bool:
        """Wait; return whether the test goes on."""
        return not self._stopped.wait(seconds)

    def hold(self) -> None:
        """Say nothing more, until the client or the test ends."""
        self.link.settimeout(_POLL_S)
        with contextlib.suppress(OSError):
            while not self.is_over:
                with contextlib.suppress(TimeoutError):
                    if not self.link.recv(1 << 16):
                        return

    def reset(self) -> None:
        """Break the connection off."""
        self.link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.link.close()


Answer = bytes | Callable[[Client], object]


def held(data: bytes = b"") -> Answer:
    """Send ``data``, and then nothing more."""

    def answer(client: Client) -> None:
        client.send(data)
        client.hold()

    return answer


def drip(data: bytes, every: float = 0.02) -> Answer:
    """Send ``data`` byte by byte, and then nothing more."""

    def answer(client: Client) -> None:
        for at in range(len(data)):
            if not client.send(data[at : at + 1]) or not client.pause(every):
                return
        client.hold()

    return answer


def endless(data: bytes, first: bytes = OKAY) -> Answer:
    """Send ``data`` again and again."""

    def answer(client: Client) -> None:
        more = client.send(first)
        while more:
            more = client.send(data)

    return answer


def reset(data: bytes = b"") -> Answer:
    """Send ``data`` and break the connection off."""

    def answer(client: Client) -> None:
        client.send(data)
        client.reset()

    return answer


def shell(output: bytes = b"", errors: bytes = b"", status: int = 0) -> bytes:
    """The answer to a shell command that ends."""
    parts = [(ShellPacketId.STDOUT, output[at : at + 60_000]) for at in range(0, len(output), 60_000)]
    parts += [(ShellPacketId.STDERR, errors), (ShellPacketId.EXIT, bytes([status]))]
    return OKAY + b"".join(ShellPacket(number, data).encode() for number, data in parts)


def scrcpy(video: Answer, control: Answer = OKAY) -> Answer:
    """A scrcpy server: of two connections the first is its video, the second takes the control messages."""
    connections = itertools.count()

    def answer(client: Client) -> None:
        mine = control if next(connections) % 2 else video
        if callable(mine):
            mine(client)
        else:
            client.send(mine)
            client.hold()

    return answer


WELL: Mapping[str, Answer] = {
    "host:version": OKAY + encode_block("0029"),
    "host:devices": OKAY + encode_block(f"{SERIAL}\tdevice\n"),
    "host:track-devices": held(OKAY + encode_block(f"{SERIAL}\tdevice\n")),
    "host:transport:": OKAY,
    "shell,v2,raw:": shell(),
}
"""A server with one phone, which answers every command with nothing."""


class HostileAdb:
    """A server on a port of its own; ``answers`` may be changed while it runs."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers = {**WELL, **answers}
        """Beginning of a request -> answer; the longest that fits counts."""
        self.asked: list[str] = []
        self._stopped = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._threads = [threading.Thread(target=self._accept, name="hostile adb", daemon=True)]
        self._links: list[socket.socket] = []
        self._threads[0].start()

    def close(self) -> None:
        self._stopped.set()
        self._threads[0].join(10)
        for link in self._links:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
        for thread in self._threads[1:]:
            thread.join(10)

    def _accept(self) -> None:
        self._listener.settimeout(_POLL_S)
        with self._listener:
            while not self._stopped.is_set():
                with contextlib.suppress(TimeoutError):
                    link, _address = self._listener.accept()
                    link.settimeout(None)
                    self._links.append(link)
                    thread = threading.Thread(
                        target=self._serve, args=(link,), name="hostile adb client", daemon=True
                    )
                    self._threads.append(thread)
                    thread.start()

    def _serve(self, link: socket.socket) -> None:
        client = Client(link, self._stopped)
        with link, contextlib.suppress(OSError):
            while (request := _request(link)) is not None:
                self.asked.append(request)
                fitting = max(
                    (begin for begin in self.answers if request.startswith(begin)), key=len, default=""
                )
                answer = self.answers.get(fitting, encode_failure("no such service"))
                if callable(answer):
                    answer(client)
                else:
                    client.send(answer)
                if not request.startswith("host:transport:") or answer != OKAY:
                    return


def _request(link: socket.socket) -> str | None:
    head = link.recv(4, socket.MSG_WAITALL)
    return link.recv(int(head, 16), socket.MSG_WAITALL).decode() if len(head) == 4 else None


@contextlib.contextmanager
def hostile_adb(answers: Mapping[str, Answer] | None = None) -> Iterator[HostileAdb]:
    """A server that runs until the end of the context."""
    server = HostileAdb(answers or {})
    try:
        yield server
    finally:
        server.close()
