"""The records of a TFRecord file: length, its checksum, bytes, their checksum; plain or compressed by gzip.

As TensorFlow describes it (``tensorflow/core/lib/io/record_writer.h``): a length of 8 bytes, the masked
CRC-32C of the length, the bytes, and their masked CRC-32C, all little-endian. One record at a time is in
memory.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source import files as source_files
from collector.exchange.tfrecord.crc32c import masked_crc32c
from collector.model.i18n import _

MAX_RECORD = 512 * 1024 * 1024
"""Bytes of a record. An episode of AndroidControl has some twenty megabytes."""
_LENGTH, _CRC = struct.Struct("<Q"), struct.Struct("<I")
_HEAD = _LENGTH.size + _CRC.size
_MOST_TORN, _TORN_PART = 64 * 1024 * 1024, 64 * 1024
"""Bytes of a torn record that are looked at, and how many at once: what is read before a tear is kept."""
_GZIP = b"\x1f\x8b"
_NO_RECORDS = (*source_files.PICTURES, *source_files.TREES, ".json", ".jsonl", ".txt", ".md", ".yaml", ".py")


def is_record_file(path: Path) -> bool:
    """Whether a file begins with the length of a record and its checksum."""
    if path.suffix.lower() in _NO_RECORDS:
        return False
    try:
        with path.open("rb") as packed, _unpacked(path, packed) as file:
            return _length(file.read(_HEAD)) is not None
    except (OSError, EOFError, zlib.error):
        return False


def first_record(path: Path) -> bytes:
    """The first whole record; of a file that is cut short before it has one, what is left of that record."""
    return next(read_records(path, ExchangeLog()), b"") or _torn_record(path)


def _torn_record(path: Path) -> bytes:
    """The bytes of the first record as far as they can be read."""
    parts: list[bytes] = []
    left = _MOST_TORN
    with contextlib.suppress(OSError, EOFError, zlib.error), path.open("rb") as packed:
        file = _unpacked(path, packed)
        file.read(_HEAD)
        while left > 0 and (part := file.read1(min(left, _TORN_PART))):
            parts.append(part)
            left -= len(part)
    return b"".join(parts)


def read_records(path: Path, log: ExchangeLog) -> Iterator[bytes]:
    """The records of a file in order. A damaged one, or the rest of a file cut short, goes into the log."""
    number = 0
    try:
        with path.open("rb") as packed, _unpacked(path, packed) as file:
            while head := file.read(_HEAD):
                log.read_to(path, packed.tell())
                number += 1
                length = _length(head)
                if length is None or length > MAX_RECORD:
                    text = _("The rest of a file was left out: where its next record begins cannot be read")
                    log.add("records-left-out", text, step=number)
                    return
                data, crc = file.read(length), file.read(_CRC.size)
                if len(data) < length or len(crc) < _CRC.size:
                    raise EOFError
                if masked_crc32c(data) == _CRC.unpack(crc)[0]:
                    yield data
                else:
                    text = _("A record was left out: its checksum differs from its bytes")
                    log.add("record-damaged", text, step=number)
    except (OSError, EOFError, zlib.error):
        text = _("The rest of a file was left out: the file is cut short or damaged")
        log.add("records-left-out", text, step=number)


def record_parts(data: bytes) -> tuple[bytes, bytes, bytes]:
    """What a file has of a record: its head, the record, and its checksum."""
    length = _LENGTH.pack(len(data))
    return length + _CRC.pack(masked_crc32c(length)), data, _CRC.pack(masked_crc32c(data))


def _unpacked(path: Path, packed: io.BufferedReader) -> io.BufferedReader:
    """The file as it is, or out of gzip."""
    if source_files.read_start(path, len(_GZIP)) == _GZIP:
        return cast("io.BufferedReader", gzip.GzipFile(fileobj=packed))
    return packed


def _length(head: bytes) -> int | None:
    """The length in the head of a record; None when its checksum is another."""
    if len(head) < _HEAD:
        return None
    length, crc = head[: _LENGTH.size], head[_LENGTH.size :]
    if masked_crc32c(length) != _CRC.unpack(crc)[0]:
        return None
    return cast("int", _LENGTH.unpack(length)[0])
