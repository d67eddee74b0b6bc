"""The ``sync:`` service: stat, list, send and receive, in their first and second versions.

All words are little-endian. Version 2 of stat and list carries 64-bit sizes and an error
number; version 2 of send and receive carries flags (compression, which we decline).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from collector.adb.messages import ProtocolError

STAT = b"STAT"
STA2 = b"STA2"
LST2 = b"LST2"
LIST = b"LIST"
LIS2 = b"LIS2"
DENT = b"DENT"
DNT2 = b"DNT2"
SEND = b"SEND"
SND2 = b"SND2"
RECV = b"RECV"
RCV2 = b"RCV2"
DATA = b"DATA"
DONE = b"DONE"
OKAY = b"OKAY"
FAIL = b"FAIL"
QUIT = b"QUIT"

DATA_MAX = 64 * 1024
PATH_MAX = 1024

_WORD = struct.Struct("<I")
_STAT_V1 = struct.Struct("<III")
_STAT_V2 = struct.Struct("<IQQIIIIQqqq")


@dataclass(frozen=True, slots=True)
class FileStat:
    """File status of both protocol versions; times in seconds since 1970."""

    mode: int = 0
    size: int = 0
    mtime: int = 0
    error: int = 0
    device: int = 0
    inode: int = 0
    links: int = 0
    uid: int = 0
    gid: int = 0
    atime: int = 0
    ctime: int = 0

    def encode_v1(self) -> bytes:
        """Twelve bytes; a missing file is all zeros and a large size is cut to 32 bits."""
        return _STAT_V1.pack(self.mode, self.size & 0xFFFFFFFF, self.mtime & 0xFFFFFFFF)

    def encode_v2(self) -> bytes:
        """Sixty-eight bytes, the error number first."""
        return _STAT_V2.pack(
            self.error,
            self.device,
            self.inode,
            self.mode,
            self.links,
            self.uid,
            self.gid,
            self.size,
            self.atime,
            self.mtime,
            self.ctime,
        )


# A list ends with an entry of zeros under the name DONE, as long as a real one.
LIST_END_V1 = DONE + bytes(_STAT_V1.size + _WORD.size)
LIST_END_V2 = DONE + bytes(_STAT_V2.size + _WORD.size)


def encode_request(identifier: bytes, path: bytes) -> bytes:
    """Encode a request: its name, the length of the path, the path."""
    return identifier + _WORD.pack(len(path)) + path


def encode_word(identifier: bytes, word: int) -> bytes:
    """Encode a name and one word: DONE with a time, OKAY with zero, the flags of RCV2."""
    return identifier + _WORD.pack(word & 0xFFFFFFFF)


def encode_data(chunk: bytes) -> bytes:
    """Encode one DATA block of at most ``DATA_MAX`` bytes."""
    if len(chunk) > DATA_MAX:
        raise ProtocolError(f"data block of {len(chunk)} bytes, more than {DATA_MAX}")
    return DATA + _WORD.pack(len(chunk)) + chunk


def encode_failure(message: str) -> bytes:
    """Encode FAIL with a sentence for the person at the other end."""
    data = message.encode()
    return FAIL + _WORD.pack(len(data)) + data


def encode_entry(name: bytes, stat: FileStat, *, v2: bool) -> bytes:
    """Encode one entry of a list."""
    head = DNT2 + stat.encode_v2() if v2 else DENT + stat.encode_v1()
    return head + _WORD.pack(len(name)) + name


@dataclass(frozen=True, slots=True)
class SyncRequest:
    """A request of the client; ``mode`` and ``flags`` only with SEND, SND2 and RCV2."""

    identifier: bytes
    path: str = ""
    mode: int = 0
    flags: int = 0


@dataclass(frozen=True, slots=True)
class SyncData:
    """A piece of a file being sent."""

    chunk: bytes


@dataclass(frozen=True, slots=True)
class SyncDone:
    """The end of a file being sent."""

    mtime: int


class SyncRequestDecoder:
    """Decode requests and data on the device's side from received bytes, cut anywhere."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._sending = False
        self._waiting: SyncRequest | None = None

    def feed(self, data: bytes) -> list[SyncRequest | SyncData | SyncDone]:
        """Return everything completed by ``data``; raise ProtocolError for invalid bytes."""
        self._buffer += data
        items: list[SyncRequest | SyncData | SyncDone] = []
        while (item := self._next()) is not None:
            items.append(item)
        return items

    def _next(self) -> SyncRequest | SyncData | SyncDone | None:
        if self._waiting is not None:
            return self._second_half(self._waiting)
        if len(self._buffer) < 8:
            return None
        identifier = bytes(self._buffer[:4])
        (word,) = _WORD.unpack_from(self._buffer, 4)
        if self._sending:
            return self._file_part(identifier, word)
        if word > PATH_MAX:
            raise ProtocolError(f"path of {word} bytes, more than {PATH_MAX}")
        if len(self._buffer) < 8 + word:
            return None
        text = self._take(8 + word)[8:].decode("utf-8", "surrogateescape")
        request = SyncRequest(identifier, text)
        if identifier == SEND:
            return self._start_sending(_split_mode(text))
        if identifier in (SND2, RCV2):
            self._waiting = request
            return self._next()
        return request

    def _file_part(self, identifier: bytes, word: int) -> SyncData | SyncDone | None:
        if identifier == DONE:
            self._take(8)
            self._sending = False
            return SyncDone(word)
        if identifier != DATA or word > DATA_MAX:
            raise ProtocolError(f"expected DATA or DONE while a file is sent, not {identifier!r} {word}")
        if len(self._buffer) < 8 + word:
            return None
        return SyncData(self._take(8 + word)[8:])

    def _second_half(self, request: SyncRequest) -> SyncRequest | None:
        length = 12 if request.identifier == SND2 else 8
        if len(self._buffer) < length:
            return None
        block = self._take(length)
        if block[:4] != request.identifier:
            raise ProtocolError(f"expected the second half of {request.identifier!r}, not {block[:4]!r}")
        self._waiting = None
        words = [word for (word,) in _WORD.iter_unpack(block[4:])]
        if request.identifier == SND2:
            return self._start_sending(SyncRequest(SND2, request.path, words[0], words[1]))
        return SyncRequest(RCV2, request.path, flags=words[0])

    def _start_sending(self, request: SyncRequest) -> SyncRequest:
        self._sending = True
        return request

    def _take(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken


def _split_mode(text: str) -> SyncRequest:
    """Parse ``/path,33188``; a missing or invalid mode means a file readable by all."""
    path, comma, mode = text.rpartition(",")
    if not comma or not mode.isascii() or not mode.isdigit():
        return SyncRequest(SEND, text, 0o100644)
    return SyncRequest(SEND, path, int(mode))
