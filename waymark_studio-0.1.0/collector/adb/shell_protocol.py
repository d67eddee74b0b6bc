"""Shell protocol v2: packets of one id byte, a little-endian length and the data."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from collector.adb.messages import MAX_PAYLOAD, ProtocolError

HEADER = struct.Struct("<BI")


class ShellPacketId(IntEnum):
    """Kinds of packets."""

    STDIN = 0
    STDOUT = 1
    STDERR = 2
    EXIT = 3
    CLOSE_STDIN = 4
    WINDOW_SIZE = 5


@dataclass(frozen=True, slots=True)
class ShellPacket:
    """One packet; ``id`` is the received number, because unknown ids are skipped and not refused."""

    id: int
    data: bytes = b""

    def encode(self) -> bytes:
        return HEADER.pack(self.id, len(self.data)) + self.data


class ShellPacketDecoder:
    """Decode packets from received bytes, cut anywhere."""

    def __init__(self, max_length: int = MAX_PAYLOAD) -> None:
        self._max_length = max_length
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[ShellPacket]:
        """Return all packets completed by ``data``; raise ProtocolError for an absurd length."""
        self._buffer += data
        packets: list[ShellPacket] = []
        while len(self._buffer) >= HEADER.size:
            identifier, length = HEADER.unpack_from(self._buffer)
            if length > self._max_length:
                raise ProtocolError(f"shell packet of {length} bytes")
            end = HEADER.size + length
            if len(self._buffer) < end:
                break
            packets.append(ShellPacket(identifier, bytes(self._buffer[HEADER.size : end])))
            del self._buffer[:end]
        return packets


@dataclass(frozen=True, slots=True)
class ShellService:
    """A parsed ``shell`` service string: ``shell,v2,TERM=xterm,raw:echo hi``."""

    command: str
    v2: bool = False
    pty: bool = False
    term: str = ""

    @classmethod
    def parse(cls, service: str) -> ShellService:
        """Read ``shell[,argument...]:command``; unknown arguments are ignored, as adbd does.

        Without ``raw`` or ``pty`` an empty command asks for a terminal and any other for a pipe.
        """
        head, _, command = service.partition(":")
        arguments = head.split(",")[1:]
        pty = "pty" in arguments or ("raw" not in arguments and not command)
        term = next((argument[5:] for argument in arguments if argument.startswith("TERM=")), "")
        return cls(command, "v2" in arguments, pty, term)
