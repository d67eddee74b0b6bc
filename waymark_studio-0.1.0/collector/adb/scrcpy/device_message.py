"""Device messages from the server on the control socket."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

MAX_CLIPBOARD = (1 << 18) - 5


@dataclass(frozen=True, slots=True)
class Clipboard:
    """The phone's clipboard, on request or after a change."""

    text: str


@dataclass(frozen=True, slots=True)
class ClipboardAck:
    """The SetClipboard with this sequence is done, its paste included."""

    sequence: int


@dataclass(frozen=True, slots=True)
class UhidOutput:
    """A report from the phone to a UHID device, as of keyboard lights."""

    id: int
    data: bytes


DeviceMessage: TypeAlias = Clipboard | ClipboardAck | UhidOutput


class DeviceMessageError(ValueError):
    """An unknown type: nothing after it can be read."""


def encode_device_message(message: DeviceMessage) -> bytes:
    """The bytes of ``message``; too long a clipboard is cut between characters."""
    match message:
        case Clipboard(text):
            raw = text.encode("utf-8")[:MAX_CLIPBOARD].decode("utf-8", "ignore").encode("utf-8")
            return struct.pack(">BI", 0, len(raw)) + raw
        case ClipboardAck(sequence):
            return struct.pack(">BQ", 1, sequence)
        case UhidOutput(identity, data):
            return struct.pack(">BHH", 2, identity, len(data)) + data


class DeviceMessageReader:
    """Decode device messages from bytes cut anywhere."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[DeviceMessage]:
        """Yield every complete message; raises DeviceMessageError on an unknown type."""
        self._buffer += data
        while self._buffer:
            decoded = self._next()
            if decoded is None:
                return
            message, used = decoded
            del self._buffer[:used]
            yield message

    def _next(self) -> tuple[DeviceMessage, int] | None:
        kind, have = self._buffer[0], len(self._buffer)
        if kind == 0:
            if have < 5:
                return None
            end = 5 + int.from_bytes(self._buffer[1:5], "big")
            if end > MAX_CLIPBOARD + 5:
                raise DeviceMessageError("a clipboard text over the limit")
            if have < end:
                return None
            return Clipboard(self._buffer[5:end].decode("utf-8", "replace")), end
        if kind == 1:
            if have < 9:
                return None
            return ClipboardAck(int.from_bytes(self._buffer[1:9], "big")), 9
        if kind == 2:
            end = 5 + int.from_bytes(self._buffer[3:5], "big")
            if have < 5 or have < end:
                return None
            return UhidOutput(int.from_bytes(self._buffer[1:3], "big"), bytes(self._buffer[5:end])), end
        raise DeviceMessageError(f"unknown device message {kind}")
