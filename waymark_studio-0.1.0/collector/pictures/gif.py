"""GIF files: their first frame alone."""

from __future__ import annotations

from collector.model.geometry import Size
from collector.pictures.errors import PictureDamaged
from collector.pictures.limits import MAX_PARTS, check_size
from collector.pictures.picture_file import PictureFile

SIGNATURES = (b"GIF87a", b"GIF89a")
_HEAD, _FRAME = 13, 10
"""Bytes of the file's head, and of a frame's."""
_EXTENSION, _PICTURE, _END = 0x21, 0x2C, b"\x3b"
_MAX_BLOCKS = 300_000
"""Blocks of up to 255 bytes in which a frame comes: as many as the largest file holds."""


def read_gif(data: bytes) -> PictureFile:
    """Check a GIF file. Raises PictureTooLarge or PictureDamaged."""
    if len(data) < _HEAD:
        raise PictureDamaged.cut_short()
    size = _size_at(data, 6)
    check_size(size)
    head = at = _HEAD + _palette_bytes(data[10])
    for _number in range(MAX_PARTS):
        kind = data[at] if at < len(data) else _END[0]
        if kind == _EXTENSION:
            at = _end_of_blocks(data, at + 2, size)
        elif kind == _PICTURE and at + _FRAME < len(data):
            end = _end_of_frame(data, at, size)
            return PictureFile("GIF", size, data[:head] + data[at:end] + _END)
        else:
            raise PictureDamaged.cut_short(size)
    raise PictureDamaged.many_parts(size)


def _end_of_frame(data: bytes, at: int, size: Size) -> int:
    """Where a frame ends that begins at ``at``; one that reaches beyond the picture is refused."""
    left, top = (int.from_bytes(data[place : place + 2], "little") for place in (at + 1, at + 3))
    frame = _size_at(data, at + 5)
    if left + frame.width > size.width or top + frame.height > size.height:
        raise PictureDamaged.unlike_header(size)
    return _end_of_blocks(data, at + _FRAME + _palette_bytes(data[at + 9]) + 1, size)


def _end_of_blocks(data: bytes, at: int, size: Size) -> int:
    """Where a row of blocks ends, each with its length before it; an empty one is the last."""
    for _number in range(_MAX_BLOCKS):
        if at >= len(data):
            raise PictureDamaged.cut_short(size)
        if not data[at]:
            return at + 1
        at += 1 + data[at]
    raise PictureDamaged.many_parts(size)


def _size_at(data: bytes, at: int) -> Size:
    width, height = (int.from_bytes(data[place : place + 2], "little") for place in (at, at + 2))
    return Size(width, height)


def _palette_bytes(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0
