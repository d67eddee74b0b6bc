"""Pictures that an export writes: checked, as they were recorded or as PNG, and left out with a sentence."""

from __future__ import annotations

import io

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.pictures.decoding import decode
from collector.pictures.formats import read_picture_file
from collector.store.files.errors import StoreError
from collector.store.trajectory.reader import StoredTrajectory


def exported_picture(stored: StoredTrajectory, step: Step, log: ExchangeLog, number: object) -> bytes | None:
    """The bytes of a step's picture; None when it has none, and with a finding when it cannot be shown."""
    return _picture(stored, step, log, number, as_png=False)


def exported_png(stored: StoredTrajectory, step: Step, log: ExchangeLog, number: object) -> bytes | None:
    """As :func:`exported_picture`, as PNG: the very bytes when it is one, else its pixels."""
    return _picture(stored, step, log, number, as_png=True)


def _picture(
    stored: StoredTrajectory, step: Step, log: ExchangeLog, number: object, *, as_png: bool
) -> bytes | None:
    try:
        data = stored.screenshot(step)
        if data is None:
            return None
        is_done = read_picture_file(data).format == "PNG" or not as_png
        return data if is_done else _converted(data, log, number)
    except StoreError as error:
        log.add("file-missing", _("A file was left out: {why}", why=error), step=number)
    except UserError as error:
        log.add("picture-left-out", _("A picture was left out: {why}", why=error), step=number)
    return None


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
