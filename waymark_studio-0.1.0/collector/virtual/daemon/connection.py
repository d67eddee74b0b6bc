"""One TCP connection from an adb server: handshake, table of streams, dispatch.

Nothing a client sends can do more than end its own connection: payloads, streams and
buffers are bounded, and messages for unknown streams are answered or dropped.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable
from typing import Protocol

from collector.adb.messages import (
    AUTH,
    AUTH_PUBLIC_KEY,
    AUTH_SIGNATURE,
    AUTH_TOKEN,
    CLSE,
    CNXN,
    MAX_PAYLOAD,
    MAX_PAYLOAD_V1,
    OKAY,
    OPEN,
    VERSION,
    WRTE,
    AdbMessage,
    MessageDecoder,
    ProtocolError,
)
from collector.virtual.daemon.faults import Faults
from collector.virtual.daemon.stream import Stream

_log = logging.getLogger(__name__)

_MAX_STREAMS = 256
_DIAL_TIMEOUT = 10.0
_QUICK_ACK: int | None = getattr(socket, "TCP_QUICKACK", None)
_STALL_POLL = 0.2
"""Longest time in seconds until a stalled connection notices that it was closed."""

Service = Callable[[Stream], None]


class ServiceFinder(Protocol):
    """Find the service that answers an OPEN."""

    def find(self, name: str, connection: Connection) -> Service | None:
        """The function to run on the stream's thread; None refuses the stream."""
        ...


class Connection:
    """Communicate with one adb server until either side hangs up."""

    def __init__(
        self, peer: socket.socket, banner: Callable[[], bytes], services: ServiceFinder, faults: Faults
    ) -> None:
        self._socket = peer
        self._banner = banner
        self._services = services
        self._faults = faults
        self._decoder = MessageDecoder(MAX_PAYLOAD_V1)
        self._send_lock = threading.Lock()
        self._lock = threading.Lock()
        self._streams: dict[int, Stream] = {}
        self._next_id = 1
        self._checksum = True
        self._online = False
        self._closed = False
        self._sent = 0
        self._stop_waiting: Callable[[], None] = lambda: None
        self.max_payload = MAX_PAYLOAD_V1
        # Addresses on the phone that the computer registered with `adb reverse`.
        self.reversed: dict[str, str] = {}

    @property
    def online(self) -> bool:
        return self._online

    def run(self) -> None:
        """Read messages until the peer hangs up or breaks the protocol; then close everything."""
        try:
            while data := self._socket.recv(1 << 18):
                self._acknowledge_at_once()
                self._wait_for_flow()
                for message in self._decoder.feed(data):
                    self._handle(message)
        except ProtocolError as error:
            _log.warning("a client was dropped: %s", error)
        except OSError as error:
            _log.debug("a connection ended: %s", error)
        finally:
            self.close()

    def close(self) -> None:
        """Hang up; the services of its streams see a closed stream."""
        self._online, self._closed = False, True
        self._stop_waiting()
        self._end_streams()
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            _log.debug("the peer had hung up already")
        self._socket.close()

    def dial(self, address: str) -> Stream | None:
        """Open a stream to the computer, only to an address that the computer registered.

        adb 31 and newer abort the whole server on any other address.
        """
        host_address = self.reversed.get(address)
        if host_address is None or not self._online:
            return None
        stream = self._add_stream(0)
        if stream is None:
            return None
        self._send(AdbMessage(OPEN, stream.local_id, 0, host_address.encode() + b"\0"))
        if stream.wait_opened(_DIAL_TIMEOUT):
            return stream
        self._remove(stream)
        return None

    def send_write(self, local_id: int, remote_id: int, data: bytes) -> None:
        self._send(AdbMessage(WRTE, local_id, remote_id, data))

    def send_okay(self, local_id: int, remote_id: int) -> None:
        self._send(AdbMessage(OKAY, local_id, remote_id))

    def send_close(self, local_id: int, remote_id: int) -> None:
        with self._lock:
            self._streams.pop(local_id, None)
        self._send(AdbMessage(CLSE, local_id, remote_id))

    def _acknowledge_at_once(self) -> None:
        """Keep the kernel from delaying its ACK, where it can be told so (Linux).

        Clients that send the header of a message and its payload with two writes, as adb-shell does,
        would wait 40 ms between them.
        """
        if _QUICK_ACK is not None:
            self._socket.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)

    def _wait_for_flow(self) -> None:
        """While the link stalls, neither read nor write."""
        while not self._closed and not self._faults.flows(_STALL_POLL):
            pass

    def _cut(self, data: bytes) -> bytes:
        """The part of a message that is still sent: a fault may cut the connection in the middle of it."""
        limit = self._faults.value("drop", "bytes")
        left = limit - self._sent
        self._sent = self._sent + len(data) if limit else 0
        return data[: max(0, left)] if limit else data

    def _send(self, message: AdbMessage, *, checksum: bool = False) -> None:
        self._wait_for_flow()
        data = message.encode(checksum=checksum or self._checksum)
        try:
            with self._send_lock:
                length, data = len(data), self._cut(data)
                self._socket.sendall(data)
                if len(data) < length:
                    self._socket.shutdown(socket.SHUT_RDWR)
        except OSError as error:
            _log.debug("could not send %s: %s", message, error)
            self._end_streams()

    def _handle(self, message: AdbMessage) -> None:
        if message.command == CNXN:
            self._greet(message)
        elif message.command == AUTH:
            self._authorise(message)
        elif not self._online and message.command in (OKAY, CLSE):
            # As in adbd: a computer may still close streams of a connection that was cut.
            _log.debug("passed over before the handshake: %s", message)
        elif not self._online:
            raise ProtocolError(f"{message} before the handshake")
        elif message.command == OPEN:
            self._open(message)
        elif message.command in (OKAY, WRTE, CLSE):
            self._route(message)

    def _greet(self, message: AdbMessage) -> None:
        self._end_streams()
        self._online = False
        self._checksum = message.arg0 < VERSION
        self.max_payload = max(1, min(message.arg1, MAX_PAYLOAD))
        if self._faults.silent:
            return
        if self._faults.authorized:
            self._go_online()
        else:
            self._ask_for_key()

    def _ask_for_key(self) -> None:
        self._send(AdbMessage(AUTH, AUTH_TOKEN, 0, os.urandom(20)), checksum=True)

    def _authorise(self, message: AdbMessage) -> None:
        """Refuse the signature so that the public key is sent; then wait for a person to accept it."""
        if self._online or self._faults.silent:
            return
        if message.arg0 == AUTH_SIGNATURE:
            self._ask_for_key()
        elif message.arg0 == AUTH_PUBLIC_KEY:
            self._stop_waiting()
            self._stop_waiting = self._faults.when_authorized(self._go_online)

    def _go_online(self) -> None:
        if self._online:
            return
        self._decoder.max_payload = MAX_PAYLOAD
        self._online = True
        self._send(AdbMessage(CNXN, VERSION, MAX_PAYLOAD, self._banner()), checksum=True)

    def _open(self, message: AdbMessage) -> None:
        remote_id = message.arg0
        name = message.payload.rstrip(b"\0").decode("utf-8", "surrogateescape")
        # A window size in arg1 means delayed_ack, which this daemon does not offer.
        service = self._services.find(name, self) if remote_id and not message.arg1 else None
        stream = self._add_stream(remote_id) if service else None
        if service is None or stream is None:
            _log.debug("refused %r", name)
            self._send(AdbMessage(CLSE, 0, remote_id))
            return
        _log.debug("stream %d: %s", stream.local_id, name)
        self._send(AdbMessage(OKAY, stream.local_id, remote_id))
        threading.Thread(
            target=_serve, args=(service, stream, name), name=f"adb {name[:40]}", daemon=True
        ).start()

    def _route(self, message: AdbMessage) -> None:
        with self._lock:
            stream = self._streams.get(message.arg1)
        if stream is None:
            # As adbd does: data for a closed stream is dropped, and only the OKAY of one is answered.
            if message.command == OKAY:
                self._send(AdbMessage(CLSE, message.arg1, message.arg0))
        elif message.command == OKAY:
            stream.handle_okay(message.arg0)
        elif message.command == CLSE:
            self._remove(stream)
            # As adbd does: adb-shell and other clients wait for it.
            self._send(AdbMessage(CLSE, stream.local_id, message.arg0))
        elif not stream.handle_write(message.payload):
            raise ProtocolError("data was sent on a stream before the last was acknowledged")

    def _add_stream(self, remote_id: int) -> Stream | None:
        with self._lock:
            if len(self._streams) >= _MAX_STREAMS:
                return None
            stream = Stream(self, self._next_id, remote_id)
            self._streams[self._next_id] = stream
            self._next_id += 1
            return stream

    def _remove(self, stream: Stream) -> None:
        with self._lock:
            self._streams.pop(stream.local_id, None)
        stream.handle_close()

    def _end_streams(self) -> None:
        with self._lock:
            streams, self._streams = list(self._streams.values()), {}
        for stream in streams:
            stream.handle_close()


def _serve(service: Service, stream: Stream, name: str) -> None:
    try:
        service(stream)
    except BrokenPipeError:
        _log.debug("stream %d: the client left %s", stream.local_id, name)
    except ProtocolError as error:
        _log.warning("stream %d: %s: %s", stream.local_id, name, error)
    except Exception:  # noqa: BLE001 - one service's bug must not take the phone down
        _log.exception("service %s failed", name)
    finally:
        stream.close()
