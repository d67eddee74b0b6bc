"""Check that the recorded pictures can be shown: they are whole, within the limit, and can be decoded."""

from __future__ import annotations

from collections.abc import Iterator

from collector.model.finding import Finding
from collector.model.i18n import _
from collector.pictures.errors import PictureError, PictureFileTooLarge, PictureTooLarge
from collector.pictures.formats import read_picture_file
from collector.pictures.limits import MAX_BYTES
from collector.store.files.findings import ERROR, WARNING


def check_picture(
    data: bytes | None, name: str, where: str, step: int, *, decodes: bool
) -> Iterator[Finding]:  # fmt: skip
    """Check the picture ``name`` of a step: its size, parts and checksums.

    ``data`` are the bytes of its file, None of one over the limit. With ``decodes`` its pixels are checked
    too, which takes a hundred times as long.
    """
    try:
        if data is None:
            raise PictureFileTooLarge(MAX_BYTES)
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
