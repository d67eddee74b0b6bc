"""Pictures that an export writes: checked, as they were recorded or as PNG, or left out with a sentence."""

from __future__ import annotations

import io
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.host.file_clone import clone_file
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.pictures.decoding import decode
from collector.pictures.formats import read_picture_file
from collector.store.files.errors import StoreError
from collector.store.trajectory.reader import StoredTrajectory

ENDINGS = {
    "PNG": (".png",), "JPEG": (".jpg", ".jpeg"), "WEBP": (".webp",), "GIF": (".gif",), "BMP": (".bmp",),
}  # fmt: skip
"""By format of a picture the endings of its file."""


@dataclass(frozen=True, slots=True)
class ExportedPicture:
    """A picture that was checked."""

    data: bytes
    format: str
    """A key of :data:`ENDINGS`."""
    source: Path | None = None
    """The file that has these very bytes, where there is one."""

    def write(self, target: Path) -> None:
        """Write it; the bytes are shared with the project where the file system can. Raises OSError."""
        if self.source is None or not clone_file(self.source, target):
            target.write_bytes(self.data)


def exported_picture(
    stored: StoredTrajectory, step: Step, log: ExchangeLog, number: object, formats: Container[str] = ENDINGS
) -> ExportedPicture | None:
    """A step's picture as it was recorded, or as PNG the pixels of one of another format than ``formats``.

    None when the step has no picture, and with a finding when it cannot be shown.
    """
    try:
        data = stored.screenshot(step)
        if data is None:
            return None
        given = read_picture_file(data).format
        if given not in formats:
            return ExportedPicture(_converted(data, log, number), "PNG")
    except StoreError as error:
        log.add("file-missing", _("A file was left out: {why}", why=error), step=number)
        return None
    except UserError as error:
        log.add("picture-left-out", _("A picture was left out: {why}", why=error), step=number)
        return None
    source = stored.files / step.state.screenshot
    return ExportedPicture(data, given, source if isinstance(source, Path) else None)


def write_picture(
    stored: StoredTrajectory,
    step: Step,
    target: Path,
    log: ExchangeLog,
    number: object,
    *,
    as_png: bool = False,
) -> bool:
    """Write a step's picture to ``target``: its very bytes, or as PNG the pixels of another one.

    False when the step has no picture that can be shown. Raises OSError.
    """
    picture = exported_picture(stored, step, log, number, ("PNG",) if as_png else ENDINGS)
    if picture is not None:
        picture.write(target)
    return picture is not None


def _converted(data: bytes, log: ExchangeLog, number: object) -> bytes:
    png = io.BytesIO()
    decode(data).save(png, "PNG")
    log.add(
        "picture-converted",
        _("Screenshots were converted to PNG, pixel by pixel"),
        step=number,
        severity=NOTE,
    )
    return png.getvalue()
