"""Pictures that a stranger would send to fill the memory, to take for ever, or to look like others."""

from __future__ import annotations

import functools
import io
import struct
import zlib

from PIL import Image

from tests.helpers.steps import png

SIDE = 50_000
HUGE = f"{SIDE}x{SIDE}"
"""The size of :func:`huge_png`, as messages say it."""
_ROWS = 100
_ADLER = 65521


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG with its checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(*chunks: bytes) -> bytes:
    """A PNG of chunks, with its end."""
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + chunk(b"IEND", b"")


def png_header(width: int, height: int, depth: int = 8, colors: int = 0, interlaced: int = 0) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colors, 0, 0, interlaced))


@functools.cache
def huge_png() -> bytes:
    """A whole, black PNG of :data:`HUGE` pixels in 2.5 MB; its 2.5 GB of pixels are never built."""
    return black_png(SIDE, SIDE)


def black_png(width: int, height: int) -> bytes:
    """A whole, black, grey PNG; the height has to be a multiple of 100."""
    return png_of(png_header(width, height), chunk(b"IDAT", _zeros(width + 1, height)))


def bomb_png() -> bytes:
    """A PNG of 4 by 8 pixels whose data unpacks to a gigabyte."""
    return png_of(png_header(4, 8), chunk(b"IDAT", _zeros(100_000, 10_000)))


def garbage_png(width: int = 4, height: int = 8) -> bytes:
    """A PNG with right checksums whose pixels are no compressed data."""
    return png_of(png_header(width, height), chunk(b"IDAT", b"no compressed pixels"))


def cut_png(width: int = 40, height: int = 80) -> bytes:
    """A PNG of which the second half is missing."""
    whole = png(width, height)
    return whole[: len(whole) // 2]


def encoded(name: str, width: int = 40, height: int = 80, mode: str = "RGB", **options: object) -> bytes:
    """A plain picture in a format of Pillow."""
    data = io.BytesIO()
    Image.new(mode, (width, height), 90 if mode in ("L", "P") else None).save(data, name, **options)
    return data.getvalue()


def _zeros(row: int, rows: int) -> bytes:
    """Rows of zero bytes, compressed: a flushed part of a stream can be repeated as often as one likes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = packer.compress(bytes(row * _ROWS)) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = (row * rows % _ADLER) << 16 | 1
    return b"\x78\x9c" + part * (rows // _ROWS) + packer.flush() + struct.pack(">I", checksum)
