"""An encoded picture whose container was checked: format, size, and the bytes that its pixels need."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.geometry import Size


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture within the limits, not decoded yet."""

    format: str
    """As Pillow names it: PNG, JPEG, WEBP, BMP or GIF."""
    size: Size
    """In pixels, of the first frame."""
    data: bytes
    """The file without its texts, colour profiles and further frames, which no decoder needs to see."""
