"""JPEG files: their segments up to the first scan, without comments, profiles and thumbnails."""

from __future__ import annotations

from collector.model.geometry import Size
from collector.pictures.errors import PictureDamaged
from collector.pictures.limits import MAX_PARTS, check_size
from collector.pictures.picture_file import PictureFile

SIGNATURE = b"\xff\xd8\xff"
_START, _END, _SCAN = b"\xff\xd8", b"\xff\xd9", b"\xff\xda"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a frame's header, which has the size."""
_LEFT_OUT = (frozenset(range(0xE0, 0xF0)) | {0xFE}) - {0xE0, 0xEE}
"""Markers of applications' data and comments; Adobe's 0xEE says how the colours are kept."""
_BARE = frozenset((0x01, *range(0xD0, 0xD8)))
"""Markers without content."""
MAX_SCANS = 64
"""A progressive picture has some ten. Each costs a pass over all pixels, and may take a few bytes."""


def read_jpeg(data: bytes) -> PictureFile:
    """Check a JPEG file. Raises PictureTooLarge or PictureDamaged."""
    size, at, kept = Size(0, 0), len(_START), [_START]
    for _number in range(MAX_PARTS):
        if data[at : at + 1] != b"\xff":
            raise _broken(data, at, size)
        marker = data[at + 1] if at + 1 < len(data) else 0
        if marker == 0xFF or marker in _BARE:
            at += 1 if marker == 0xFF else 2
            continue
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if end > len(data) or end < at + 4:
            raise _broken(data, end, size)
        if marker in _FRAMES:
            size = _size(data[at:end], size)
        if marker == _SCAN[1]:
            return _with_scans(data, at, size, kept)
        if marker not in _LEFT_OUT:
            kept.append(data[at:end])
        at = end
    raise PictureDamaged.many_parts(size)


def _size(segment: bytes, before: Size) -> Size:
    """The size in a frame's header; a second header in one file is refused."""
    size = Size(int.from_bytes(segment[7:9], "big"), int.from_bytes(segment[5:7], "big"))
    if not before.is_empty:
        raise PictureDamaged.unlike_header(before)
    check_size(size)
    return size


def _with_scans(data: bytes, at: int, size: Size, kept: list[bytes]) -> PictureFile:
    """The file with what follows from ``at`` on, the first scan."""
    if size.is_empty or data.find(_END, at) < 0:
        raise PictureDamaged.cut_short(size)
    if data.count(_SCAN, at) > MAX_SCANS:
        raise PictureDamaged.many_parts(size)
    return PictureFile("JPEG", size, b"".join((*kept, data[at:])))


def _broken(data: bytes, at: int, size: Size) -> PictureDamaged:
    return PictureDamaged.cut_short(size) if at >= len(data) else PictureDamaged.undecodable(size)
