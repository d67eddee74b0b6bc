"""Pictures that an export writes: checked, as they were recorded or as PNG, or left out with a sentence."""

from __future__ import annotations

import io
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

    The bytes are shared with the project where the file system can share them. False when the step has no
    picture, and with a finding when it cannot be shown. Raises OSError.
    """
    data = picture_bytes(stored, step, log, number)
    if data is None:
        return False
    try:
        if as_png and read_picture_file(data).format != "PNG":
            target.write_bytes(_converted(data, log, number))
        else:
            _share(stored, step, data, target)
    except UserError as error:
        _leave_out(error, log, number)
        return False
    return True


def picture_bytes(stored: StoredTrajectory, step: Step, log: ExchangeLog, number: object) -> bytes | None:
    """A step's picture as it was recorded; None when it has none, and with a finding when it is none."""
    try:
        data = stored.screenshot(step)
        if data is not None:
            read_picture_file(data)
    except UserError as error:
        _leave_out(error, log, number)
        return None
    return data


def _leave_out(error: UserError, log: ExchangeLog, number: object) -> None:
    if isinstance(error, StoreError):
        log.add("file-missing", _("A file was left out: {why}", why=error), step=number)
    else:
        log.add("picture-left-out", _("A picture was left out: {why}", why=error), step=number)


def _share(stored: StoredTrajectory, step: Step, data: bytes, target: Path) -> None:
    source = stored.files / step.state.screenshot
    if not isinstance(source, Path) or not clone_file(source, target):
        target.write_bytes(data)


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
