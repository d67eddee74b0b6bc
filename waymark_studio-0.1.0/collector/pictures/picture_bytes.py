"""Read the bytes of a picture's file, unless it is over the limit."""

from __future__ import annotations

from typing import Protocol

from collector.pictures.errors import PictureFileTooLarge
from collector.pictures.limits import MAX_BYTES


class _Status(Protocol):
    @property
    def st_size(self) -> int: ...


class ReadableFile(Protocol):
    """A file on the disk or inside an archive."""

    def stat(self) -> _Status: ...

    def read_bytes(self) -> bytes: ...


def read_picture_bytes(file: ReadableFile) -> bytes:
    """The bytes of a picture, not looked at. Raises OSError, and PictureFileTooLarge before it reads."""
    if file.stat().st_size > MAX_BYTES:
        raise PictureFileTooLarge(MAX_BYTES)
    return file.read_bytes()
