"""The one limit of pictures and videos, checked before anything is decoded."""

from __future__ import annotations

from typing import Any, NoReturn

from collector.model.geometry import Size
from collector.pictures.errors import PictureDamaged, PictureTooLarge

MAX_PIXELS = 36_000_000
"""Somewhat more than 8K."""
MAX_SIDE = 16_384
"""Pixels a side."""
MAX_BYTES = 64 * 1024 * 1024
"""Of an encoded picture."""
MAX_PARTS = 50_000
"""Chunks of a PNG or WebP, segments of a JPEG."""
LARGE = 9_000_000
"""Pixels from which pictures are decoded one at a time; no phone has as many."""


def check_size(size: Size) -> None:
    """Raise PictureTooLarge for a size over the limit, PictureDamaged for an empty one."""
    if size.is_empty:
        raise PictureDamaged.empty(size)
    if max(size.width, size.height) > MAX_SIDE or size.area > MAX_PIXELS:
        raise PictureTooLarge(size, MAX_PIXELS, MAX_SIDE)


def no_other_file(url: str, flags: int, options: Any) -> NoReturn:  # noqa: ARG001 - the shape PyAV calls
    """Refuse a file or an address that a video names: only the video itself is read. Raises OSError."""
    raise OSError(f"{url} is not opened")
