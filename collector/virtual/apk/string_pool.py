"""The pools of texts in Android's binary files: ``ResStringPool`` of ``ResourceTypes.h``."""

from __future__ import annotations

import struct
from collections.abc import Sequence

_KIND, _HEAD = 0x0001, 28
_UTF8 = 1 << 8


class StringPool:
    """The texts of a chunk, each read when it is asked for: real tables have a hundred thousand."""

    def __init__(self, chunk: memoryview) -> None:
        """``chunk`` begins with its header; struct.error for one that is cut off."""
        self._chunk = chunk
        count, _styles, self._flags, self._start = struct.unpack_from("<4I", chunk, 8)
        (head,) = struct.unpack_from("<H", chunk, 2)
        self._offsets = struct.unpack_from(f"<{count}I", chunk, head)

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, number: int) -> str:
        if number < 0:
            raise IndexError(number)
        at = self._start + self._offsets[number]
        return _utf8(self._chunk, at) if self._flags & _UTF8 else _utf16(self._chunk, at)


def _utf16(chunk: memoryview, at: int) -> str:
    (length,) = struct.unpack_from("<H", chunk, at)
    at += 2
    if length & 0x8000:
        length = (length & 0x7FFF) << 16 | struct.unpack_from("<H", chunk, at)[0]
        at += 2
    return bytes(chunk[at : at + 2 * length]).decode("utf-16-le", "replace")


def _utf8(chunk: memoryview, at: int) -> str:
    at += 2 if chunk[at] & 0x80 else 1  # the length in characters comes first
    length = chunk[at]
    at += 1
    if length & 0x80:
        length = (length & 0x7F) << 8 | chunk[at]
        at += 1
    return bytes(chunk[at : at + length]).decode("utf-8", "replace")


def pool_bytes(texts: Sequence[str]) -> bytes:
    """A chunk with these texts, in UTF-16."""
    data, offsets = bytearray(), []
    for text in texts:
        offsets.append(len(data))
        units = text.encode("utf-16-le")
        data += struct.pack("<H", len(units) // 2) + units + b"\0\0"
    data += bytes(-len(data) % 4)
    start = _HEAD + 4 * len(texts)
    head = struct.pack("<HHIIIIII", _KIND, _HEAD, start + len(data), len(texts), 0, 0, start, 0)
    return head + struct.pack(f"<{len(texts)}I", *offsets) + bytes(data)
