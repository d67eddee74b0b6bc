"""Pictures and trees inside the files of a source, written out while their trajectory is imported."""

from __future__ import annotations

import base64
import binascii
import contextlib
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from collector.pictures.limits import MAX_BYTES

_ENDINGS = (
    (b"\x89PNG", ".png"),
    (b"\xff\xd8", ".jpg"),
    (b"RIFF", ".webp"),
    (b"GIF8", ".gif"),
    (b"BM", ".bmp"),
)
_ANY = ".png"
_MOST_TEXT = MAX_BYTES * 4 // 3 + 1024


@contextlib.contextmanager
def extraction_folder() -> Iterator[Path]:
    """An empty folder for the files of one trajectory, gone when the next one is read."""
    with tempfile.TemporaryDirectory(prefix="waymark-import-") as folder:
        yield Path(folder)


def write_picture(folder: Path, name: str, data: bytes) -> Path:
    """Write the bytes of a picture unchanged, under ``name`` with the ending of its kind."""
    ending = next((ending for start, ending in _ENDINGS if data.startswith(start)), _ANY)
    return write_bytes(folder, f"{name}{ending}", data)


def write_json(folder: Path, name: str, value: Any) -> Path:
    """Write a plain value into a JSON file of ``folder``."""
    return write_bytes(folder, name, json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def write_bytes(folder: Path, name: str, data: bytes) -> Path:
    """Write ``data`` into a file of ``folder``."""
    path = folder / name
    path.write_bytes(data)
    return path


def picture_of_url(url: object) -> bytes | None:
    """The bytes of a picture in Base64, as in ``data:image/png;base64,...``; None when it is none."""
    if not isinstance(url, str) or len(url) > _MOST_TEXT:
        return None
    head, comma, body = url.partition(",")
    if head.startswith("data:") and comma and "base64" in head:
        url = body
    try:
        data = base64.b64decode("".join(url.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if any(data.startswith(start) for start, _ending in _ENDINGS) else None


def png_of_pixels(pixels: bytes, width: int, height: int, channels: int) -> bytes:
    """A PNG of raw pixels, row by row, with 1, 3 or 4 bytes each. Raises ValueError when they do not fit."""
    from PIL import Image

    mode = {1: "L", 3: "RGB", 4: "RGBA"}.get(channels)
    if mode is None or not (width > 0 and height > 0) or len(pixels) != width * height * channels:
        raise ValueError(f"{len(pixels)} bytes for {width}x{height} pixels of {channels} channels")
    data = io.BytesIO()
    Image.frombytes(mode, (width, height), pixels).save(data, "PNG", compress_level=1)
    return data.getvalue()
