"""The adb server's own protocol: four hex digits of length, then a service; OKAY or FAIL back."""

from __future__ import annotations

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


def block_length(digits: bytes) -> int:
    """Read the length of a block; raise ProtocolError unless it is four hexadecimal digits."""
    if len(digits) != 4 or not all(byte in b"0123456789abcdefABCDEF" for byte in digits):
        raise ProtocolError(f"expected four hexadecimal digits, not {digits!r}")
    return int(digits, 16)
