"""The pictures that a rehearsal keeps of its states, compressed and as Qt images."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage

from collector.anomalies.rehearsal_run import RehearsedState
from collector.device.frame import Frame
from collector.model.geometry import Size
from studio.bridge.pictures import image_or_null

_WIDEST = 720
"""Pixels of a kept picture: the pane that shows it is narrower."""
_QUALITY = 82


def image_of(state: RehearsedState) -> QImage:
    """The screen of a state; a null image when none was kept."""
    return image_or_null(state.picture)


def jpeg_of(frame: Frame) -> bytes:
    """A frame as a JPEG, scaled down to what is shown of it."""
    size = frame.size
    if size.width > _WIDEST:
        size = Size(_WIDEST, max(1, size.height * _WIDEST // size.width))
    pixels = np.ascontiguousarray(frame.scaled_bgra(size))
    image = QImage(pixels.data, size.width, size.height, QImage.Format.Format_RGB32)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "JPG", _QUALITY)  # type: ignore[call-overload]  # the stubs want bytes, Qt takes text
    buffer.close()
    return bytes(data.data())
