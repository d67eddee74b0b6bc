"""``framebuffer:``: one raw screenshot after a header of 14 words (version 2)."""

from __future__ import annotations

import struct

from collector.virtual.daemon.stream import Stream
from collector.virtual.system.phone import Phone

_HEADER = struct.Struct("<14I")
_VERSION = 2
_BITS = 32
_SRGB = 1
_RGBA_8888 = (0, 8, 16, 8, 8, 8, 24, 8)  # Offset and length of red, blue, green, alpha.


def serve(phone: Phone, stream: Stream) -> None:
    """Send the current screenshot."""
    picture = phone.capture()
    pixels = picture.rgba.tobytes()
    size = picture.size
    header = _HEADER.pack(_VERSION, _BITS, _SRGB, len(pixels), size.width, size.height, *_RGBA_8888)
    stream.write(header)
    stream.write(pixels)
