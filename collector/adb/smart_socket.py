"""The adb server's own protocol: four hex digits of length, then a service; OKAY or FAIL back."""

from __future__ import annotations

from dataclasses import dataclass

from collector.adb.messages import ProtocolError

OKAY = b"OKAY"
FAIL = b"FAIL"


def encode_block(text: str | bytes) -> bytes:
    """``<hex4><text>``: a request, a message after FAIL, or one answer."""
    data = text.encode() if isinstance(text, str) else text
    if len(data) > 0xFFFF:
        raise ProtocolError(f"{len(data)} bytes do not fit a smart-socket block")
    return b"%04x" % len(data) + data


def encode_failure(message: str) -> bytes:
    """``FAIL<hex4><message>``."""
    return FAIL + encode_block(message)


@dataclass(frozen=True, slots=True)
class ServerReply:
    """OKAY, or FAIL with the server's message."""

    ok: bool
    message: str = ""


class BlockDecoder:
    """Decode blocks from received bytes: requests, and streams of answers (track-devices)."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Return all blocks completed by ``data``; raise ProtocolError when the length is not hexadecimal."""
        self._buffer += data
        blocks: list[bytes] = []
        while len(self._buffer) >= 4:
            end = 4 + _length(bytes(self._buffer[:4]))
            if len(self._buffer) < end:
                break
            blocks.append(bytes(self._buffer[4:end]))
            del self._buffer[:end]
        return blocks


class ServerReplyDecoder:
    """Decode the OKAY or FAIL that answers one request; the following bytes stay in ``rest``."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def rest(self) -> bytes:
        return bytes(self._buffer)

    def feed(self, data: bytes) -> ServerReply | None:
        """Return the reply once it is complete, otherwise None; raise ProtocolError for any other word."""
        self._buffer += data
        if len(self._buffer) < 4:
            return None
        word = bytes(self._buffer[:4])
        if word == OKAY:
            del self._buffer[:4]
            return ServerReply(True)
        if word != FAIL:
            raise ProtocolError(f"expected OKAY or FAIL, not {word!r}")
        if len(self._buffer) < 8:
            return None
        end = 8 + _length(bytes(self._buffer[4:8]))
        if len(self._buffer) < end:
            return None
        message = bytes(self._buffer[8:end]).decode("utf-8", "replace")
        del self._buffer[:end]
        return ServerReply(False, message)


def _length(digits: bytes) -> int:
    if not all(byte in b"0123456789abcdefABCDEF" for byte in digits):
        raise ProtocolError(f"expected four hexadecimal digits, not {digits!r}")
    return int(digits, 16)
