"""WebP files: their chunks, without profiles, texts and frames after the first."""

from __future__ import annotations

from collector.model.geometry import Size
from collector.pictures.errors import PictureDamaged
from collector.pictures.limits import MAX_PARTS, check_size
from collector.pictures.picture_file import PictureFile

_HEAD, _CHUNK = 12, 8
"""Bytes of the file's head, and of a chunk's."""
_KEPT = frozenset((b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF"))
_PIXELS = frozenset((b"VP8 ", b"VP8L", b"ANMF"))
_ALPHA_AND_ANIMATION = 0x12
"""Flags of the extended header for what is kept."""


def is_webp(data: bytes) -> bool:
    """Whether the first bytes are those of a WebP file."""
    return data[:4] == b"RIFF" and data[8:_HEAD] == b"WEBP"


def read_webp(data: bytes) -> PictureFile:
    """Check a WebP file. Raises PictureTooLarge or PictureDamaged."""
    size = _size(data[_HEAD:])
    check_size(size)
    stated = _CHUNK + int.from_bytes(data[4:8], "little")
    if stated > len(data):
        raise PictureDamaged.cut_short(size)
    kept: list[bytes] = []
    at = _HEAD
    for _number in range(MAX_PARTS):
        if at + _CHUNK > stated:
            raise PictureDamaged.cut_short(size)
        kind, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        end = at + _CHUNK + length + length % 2
        if end > stated + 1:
            raise PictureDamaged.cut_short(size)
        if kind in _KEPT:
            kept.append(_plain(data[at:end]))
        if kind in _PIXELS:
            content = b"WEBP" + b"".join(kept)
            return PictureFile("WEBP", size, b"RIFF" + len(content).to_bytes(4, "little") + content)
        at = end
    raise PictureDamaged.many_parts(size)


def _plain(chunk: bytes) -> bytes:
    """A chunk as it is kept: the extended header no longer promises what is left out."""
    if chunk[:4] != b"VP8X":
        return chunk
    flags = chunk[_CHUNK : _CHUNK + 1]
    return chunk[:_CHUNK] + bytes(flag & _ALPHA_AND_ANIMATION for flag in flags) + chunk[_CHUNK + 1 :]


def _size(chunk: bytes) -> Size:
    """The size in the first chunk, which is that of the canvas or of the only frame."""
    kind, content = chunk[:4], chunk[_CHUNK : _CHUNK + 10]
    if len(content) < 10:
        raise PictureDamaged.cut_short()
    if kind == b"VP8X":
        return Size(1 + int.from_bytes(content[4:7], "little"), 1 + int.from_bytes(content[7:10], "little"))
    if kind == b"VP8L":
        bits = int.from_bytes(content[1:5], "little")
        return Size(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    width, height = (int.from_bytes(content[at : at + 2], "little") & 0x3FFF for at in (6, 8))
    return Size(width, height) if kind == b"VP8 " else Size(0, 0)
