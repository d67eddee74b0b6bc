"""What a camera writes about a picture into its JPEG file."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Mapping, Sequence

_ASCII, _SHORT, _LONG, _RATIONAL, _UNDEFINED = 2, 3, 4, 5, 7
_SIZES = {_ASCII: 1, _SHORT: 2, _LONG: 4, _RATIONAL: 8, _UNDEFINED: 1}
_EXIF_IFD = 0x8769
_START_OF_IMAGE, _APP0, _APP1 = b"\xff\xd8", 0xE0, 0xE1
_HEADER = b"MM\0*\0\0\0\x08"
"""Of a big-endian TIFF file whose first directory begins at 8."""
_Tag = tuple[int, int, bytes]
"""Number, type and value."""


def with_exif(jpeg: bytes, about: Mapping[str, str], when: dt.datetime, size: tuple[int, int]) -> bytes:
    """The JPEG with ``maker`` and ``model`` of the phone, the time and a camera's usual settings in it."""
    body = b"Exif\0\0" + _tiff(about, when, size)
    segment = struct.pack(">BBH", 0xFF, _APP1, len(body) + 2) + body
    rest = jpeg.removeprefix(_START_OF_IMAGE)
    if rest[1] == _APP0:  # Exif takes the place of JFIF
        rest = rest[2 + struct.unpack(">H", rest[2:4])[0] :]
    return _START_OF_IMAGE + segment + rest


def _tiff(about: Mapping[str, str], when: dt.datetime, size: tuple[int, int]) -> bytes:
    moment = _text(f"{when:%Y:%m:%d %H:%M:%S}")
    first: list[_Tag] = [
        (0x0100, _SHORT, struct.pack(">H", size[0])),
        (0x0101, _SHORT, struct.pack(">H", size[1])),
        (0x010F, _ASCII, _text(about["maker"])),
        (0x0110, _ASCII, _text(about["model"])),
        (0x0112, _SHORT, struct.pack(">H", 1)),
        (0x011A, _RATIONAL, struct.pack(">II", 72, 1)),
        (0x011B, _RATIONAL, struct.pack(">II", 72, 1)),
        (0x0128, _SHORT, struct.pack(">H", 2)),
        (0x0132, _ASCII, moment),
        (_EXIF_IFD, _LONG, b""),
    ]
    inner: list[_Tag] = [
        (0x829A, _RATIONAL, struct.pack(">II", 1, 120)),
        (0x829D, _RATIONAL, struct.pack(">II", 18, 10)),
        (0x8827, _SHORT, struct.pack(">H", 100)),
        (0x9000, _UNDEFINED, b"0220"),
        (0x9003, _ASCII, moment),
        (0x9004, _ASCII, moment),
        (0x9209, _SHORT, struct.pack(">H", 16)),
        (0x920A, _RATIONAL, struct.pack(">II", 438, 100)),
        (0x9290, _ASCII, _text(f"{when.microsecond // 1000:03}")),
        (0xA001, _SHORT, struct.pack(">H", 1)),
        (0xA002, _LONG, struct.pack(">I", size[0])),
        (0xA003, _LONG, struct.pack(">I", size[1])),
    ]
    length = len(_directory(first, len(_HEADER)))
    first[-1] = (_EXIF_IFD, _LONG, struct.pack(">I", len(_HEADER) + length))
    return _HEADER + _directory(first, len(_HEADER)) + _directory(inner, len(_HEADER) + length)


def _text(value: str) -> bytes:
    return value.encode("ascii", "replace") + b"\0"


def _directory(tags: Sequence[_Tag], start: int) -> bytes:
    """An image file directory that begins at ``start``; values over four bytes follow it."""
    place = start + 2 + 12 * len(tags) + 4
    rows, values = b"", b""
    for number, kind, value in tags:
        count = len(value) // _SIZES[kind] or 1
        rows += struct.pack(">HHI", number, kind, count)
        if len(value) <= 4:
            rows += value.ljust(4, b"\0")
        else:
            rows += struct.pack(">I", place + len(values))
            values += value + b"\0" * (len(value) % 2)
    return struct.pack(">H", len(tags)) + rows + b"\0\0\0\0" + values
