"""Check that the recorded pictures can be shown: they are whole, within the limit, and can be decoded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from collector.model.finding import Finding
from collector.model.i18n import _
from collector.pictures.errors import PictureError, PictureTooLarge
from collector.pictures.formats import read_picture_file
from collector.pictures.picture_bytes import read_picture_bytes
from collector.store.files.findings import ERROR, WARNING


def check_picture(path: Path, name: str, where: str, step: int, *, decodes: bool) -> Iterator[Finding]:
    """Check the picture ``name`` of a step: its size, parts and checksums. Raises OSError.

    With ``decodes`` its pixels too, which takes a hundred times as long.
    """
    try:
        data = read_picture_bytes(path)
        if decodes:
            from collector.pictures.decoding import decode  # here: it brings large libraries

            decode(data)
        else:
            read_picture_file(data)
    except PictureError as error:
        is_large = isinstance(error, PictureTooLarge)
        code, severity = ("picture-too-large", ERROR) if is_large else ("picture-damaged", WARNING)
        text = _("{name} cannot be shown or compared. {why}", name=name, why=error)
        yield Finding(code, severity, text, where=where, steps=(step,))
