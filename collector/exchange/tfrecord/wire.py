"""Protocol buffers without their schema: the numbered fields of a message, read and written."""

from __future__ import annotations

from collections.abc import Iterator

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIXED = {_FIXED64: 8, _FIXED32: 4}
_MOST_VARINT = 10
"""Bytes of a number of 64 bits."""

Field = tuple[int, "int | memoryview"]
"""Number of a field, and its value: a whole number, or the bytes of anything else."""


def fields(message: bytes | memoryview) -> Iterator[Field]:
    """The fields of a message in order. Raises ValueError when it is none."""
    data = memoryview(message)
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield number, value
            continue
        if kind == _BYTES:
            length, at = _varint(data, at)
        elif kind in _FIXED:
            length = _FIXED[kind]
        else:
            raise ValueError(f"wire type {kind}")
        if length > len(data) - at:
            raise ValueError("a field goes beyond its message")
        yield number, data[at : at + length]
        at += length


def varints(packed: memoryview) -> Iterator[int]:
    """The whole numbers of a packed field. Raises ValueError."""
    at = 0
    while at < len(packed):
        value, at = _varint(packed, at)
        yield value


def signed(value: int, bits: int = 64) -> int:
    """A whole number of a field as a signed one."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def text_of(value: int | memoryview) -> str:
    """The text of a field; U+FFFD stands for what is none."""
    return bytes(value).decode("utf-8", errors="replace") if isinstance(value, memoryview) else ""


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    for count in range(_MOST_VARINT):
        if at + count >= len(data):
            break
        byte = data[at + count]
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at + count + 1
    raise ValueError("a number without an end")


def message(*parts: tuple[int, int | str | bytes]) -> bytes:
    """A message of numbered fields in this order; whole numbers, texts, and the bytes of anything else."""
    written = bytearray()
    for number, value in parts:
        if isinstance(value, int):
            written += varint_of(number << 3 | _VARINT) + varint_of(value)
        else:
            data = value.encode("utf-8", "replace") if isinstance(value, str) else value
            written += varint_of(number << 3 | _BYTES) + varint_of(len(data)) + data
    return bytes(written)


def varint_of(value: int) -> bytes:
    """A whole number of at most 64 bits; a negative one as its complement of two."""
    value &= (1 << 64) - 1
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value])
