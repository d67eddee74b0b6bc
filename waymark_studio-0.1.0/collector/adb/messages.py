"""ADB transport messages: a 24-byte header of six little-endian words, then the payload.

The checksum of the payload is written on request and never checked on reading: since version 0x01000001
both ends send zero, and a peer must accept any value.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

HEADER = struct.Struct("<6I")

SYNC = 0x434E5953
CNXN = 0x4E584E43
AUTH = 0x48545541
STLS = 0x534C5453
OPEN = 0x4E45504F
OKAY = 0x59414B4F
CLSE = 0x45534C43
WRTE = 0x45545257

COMMANDS = frozenset({SYNC, CNXN, AUTH, STLS, OPEN, OKAY, CLSE, WRTE})

VERSION = 0x01000001
MAX_PAYLOAD_V1 = 4096
MAX_PAYLOAD = 1024 * 1024

AUTH_TOKEN = 1
AUTH_SIGNATURE = 2
AUTH_PUBLIC_KEY = 3


class ProtocolError(ValueError):
    """The peer sent bytes that cannot be ADB; the only safe answer is to hang up."""


def command_name(command: int) -> str:
    """``0x4e584e43`` as ``CNXN``, for logs."""
    return command.to_bytes(4, "little").decode("ascii", "replace")


@dataclass(frozen=True, slots=True)
class AdbMessage:
    """One message; the meaning of ``arg0`` and ``arg1`` depends on the command."""

    command: int
    arg0: int = 0
    arg1: int = 0
    payload: bytes = b""

    def __str__(self) -> str:
        return f"{command_name(self.command)}({self.arg0:#x}, {self.arg1:#x}, {len(self.payload)} bytes)"

    def encode(self, *, checksum: bool = False) -> bytes:
        """Header and payload as one block, to be sent with a single write."""
        check = sum(self.payload) & 0xFFFFFFFF if checksum else 0
        magic = self.command ^ 0xFFFFFFFF
        return HEADER.pack(self.command, self.arg0, self.arg1, len(self.payload), check, magic) + self.payload


class MessageDecoder:
    """Decode messages from received bytes, cut anywhere.

    ``max_payload`` bounds a message, and with it the memory a peer can claim.
    """

    def __init__(self, max_payload: int = MAX_PAYLOAD) -> None:
        self.max_payload = max_payload
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[AdbMessage]:
        """Return all messages completed by ``data``; raise ProtocolError for invalid bytes."""
        self._buffer += data
        messages: list[AdbMessage] = []
        while len(self._buffer) >= HEADER.size:
            command, arg0, arg1, length, _check, magic = HEADER.unpack_from(self._buffer)
            if magic != command ^ 0xFFFFFFFF or command not in COMMANDS:
                raise ProtocolError(f"not an ADB message: command {command:#010x}, magic {magic:#010x}")
            if length > self.max_payload:
                raise ProtocolError(f"payload of {length} bytes, more than the {self.max_payload} agreed on")
            end = HEADER.size + length
            if len(self._buffer) < end:
                break
            messages.append(AdbMessage(command, arg0, arg1, bytes(self._buffer[HEADER.size : end])))
            del self._buffer[:end]
        return messages


@dataclass(frozen=True, slots=True)
class Banner:
    """What each end says about itself in CNXN, as in ``device::ro.product.model=X;features=a,b``."""

    kind: str
    properties: dict[str, str]
    features: tuple[str, ...]

    def encode(self) -> bytes:
        """Return the payload; characters the peer's parser splits on are removed from values."""
        parts = [f"{key}={_without_separators(value)}" for key, value in self.properties.items()]
        parts.append("features=" + ",".join(self.features))
        return f"{self.kind}::{';'.join(parts)}".encode()

    @classmethod
    def decode(cls, payload: bytes) -> Banner:
        """Parse any banner; missing or malformed parts are absent, as with the real adb."""
        kind, _, rest = payload.rstrip(b"\0").decode("utf-8", "replace").partition(":")
        _serial, _, text = rest.partition(":")
        pairs = dict(part.split("=", 1) for part in text.split(";") if part.count("=") == 1)
        features = tuple(name for name in pairs.pop("features", "").split(",") if name)
        return cls(kind, pairs, features)


def _without_separators(value: str) -> str:
    return "".join(" " if character in ":;=" else character for character in value)
