"""BMP files that are not compressed, as programs hand screens on; run lengths are too slow to decode."""

from __future__ import annotations

from collector.model.geometry import Size
from collector.model.i18n import _
from collector.pictures.errors import NotAPicture, PictureDamaged
from collector.pictures.limits import check_size
from collector.pictures.picture_file import PictureFile

SIGNATURE = b"BM"
_HEAD, _CORE = 14, 12
"""Bytes of the file's head, and of the oldest header of the picture."""
_NOT_COMPRESSED = (0, 3)


def read_bmp(data: bytes) -> PictureFile:
    """Check a BMP file. Raises PictureError."""
    if len(data) < _HEAD + 40:
        raise PictureDamaged.cut_short()
    begin = int.from_bytes(data[10:14], "little")
    header = data[_HEAD : _HEAD + 40]
    if int.from_bytes(header[:4], "little") == _CORE:
        width, height, bits, compression = (*_numbers(header[4:8], 2), _numbers(header[10:12], 2)[0], 0)
    else:
        width, height = (int.from_bytes(header[at : at + 4], "little", signed=True) for at in (4, 8))
        bits, compression = _numbers(header[14:16], 2)[0], _numbers(header[16:20], 4)[0]
    size = Size(width, abs(height))
    check_size(size)
    if compression not in _NOT_COMPRESSED:
        raise NotAPicture(_("It is a compressed BMP, which is not read"))
    row = (width * bits + 31) // 32 * 4
    if begin + row * size.height > len(data):
        raise PictureDamaged.cut_short(size)
    return PictureFile("BMP", size, data)


def _numbers(data: bytes, width: int) -> list[int]:
    return [int.from_bytes(data[at : at + width], "little") for at in range(0, len(data), width)]
