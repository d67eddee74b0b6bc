"""PNG files: their chunks, checked one by one, without those that hold no pixels."""

from __future__ import annotations

import zlib

from collector.model.geometry import Size
from collector.pictures.errors import PictureDamaged
from collector.pictures.limits import MAX_PARTS, check_size
from collector.pictures.picture_file import PictureFile

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FRAME = 12
"""Bytes of a chunk besides its content: length, kind and checksum."""
_KEPT = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"))
_HEADER_BYTES = 13


def read_png(data: bytes) -> PictureFile:
    """Check a PNG file. Raises PictureTooLarge or PictureDamaged."""
    size = _size(data)
    check_size(size)
    view, at = memoryview(data), len(SIGNATURE)
    kept: list[memoryview | bytes] = [SIGNATURE]
    has_pixels = False
    for number in range(MAX_PARTS):
        length, kind = int.from_bytes(view[at : at + 4], "big"), bytes(view[at + 4 : at + 8])
        end = at + _FRAME + length
        if end > len(data):
            raise PictureDamaged.cut_short(size)
        if kind in _KEPT:
            if zlib.crc32(view[at + 4 : end - 4]) != int.from_bytes(view[end - 4 : end], "big"):
                raise PictureDamaged.checksum(size)
            if (kind == b"IHDR") != (number == 0):
                raise PictureDamaged.unlike_header(size)
            if kind == b"IDAT" and not has_pixels:
                has_pixels = True
                _begin_inflating(view[at + 8 : end - 4], size)
            kept.append(view[at:end])
        if kind == b"IEND":
            if not has_pixels:
                raise PictureDamaged.cut_short(size)
            return PictureFile("PNG", size, b"".join(kept))
        at = end
    raise PictureDamaged.many_parts(size)


def _size(data: bytes) -> Size:
    """What the header says, which has to come first."""
    head = data[len(SIGNATURE) : len(SIGNATURE) + 8 + _HEADER_BYTES]
    if len(head) < 8 + _HEADER_BYTES or head[:8] != b"\0\0\0\x0dIHDR":
        raise PictureDamaged.cut_short()
    return Size(int.from_bytes(head[8:12], "big"), int.from_bytes(head[12:16], "big"))


def _begin_inflating(content: memoryview, size: Size) -> None:
    """Raise PictureDamaged when the pixels are not compressed: it shows in their first bytes."""
    try:
        zlib.decompressobj().decompress(content, 1)
    except zlib.error:
        raise PictureDamaged.undecodable(size) from None
