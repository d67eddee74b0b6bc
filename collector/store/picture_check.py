"""Check that the recorded pictures can be shown: their format, their size, and whether they are whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from collector.model.finding import Finding
from collector.model.i18n import _
from collector.pictures.errors import PictureError, PictureTooLarge
from collector.pictures.formats import read_picture_file
from collector.pictures.picture_bytes import read_picture_bytes
from collector.store.findings import ERROR, WARNING


def check_picture(path: Path, name: str, where: str, step: int) -> Iterator[Finding]:
    """Check the picture ``name`` of a step without decoding its pixels. Raises OSError."""
    try:
        read_picture_file(read_picture_bytes(path))
    except PictureError as error:
        is_large = isinstance(error, PictureTooLarge)
        code, severity = ("picture-too-large", ERROR) if is_large else ("picture-damaged", WARNING)
        text = _("{name} cannot be shown or compared. {why}", name=name, why=error)
        yield Finding(code, severity, text, where=where, steps=(step,))
