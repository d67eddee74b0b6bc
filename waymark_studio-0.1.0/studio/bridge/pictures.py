"""Qt images of encoded pictures: the only place of the window that decodes them, through the one reader."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from collector.model.geometry import Size
from collector.pictures.decoding import Reduction, at_most, covering, decode, exactly
from collector.pictures.errors import PictureError
from collector.pictures.formats import read_picture_file
from collector.pictures.limits import LARGE

WHOLE = exactly(1)
SHOWN = at_most(LARGE)
"""No screen that shows a picture has more pixels."""
_SMALL = 2_000_000
"""Pixels that are decoded in some milliseconds."""


def read_image(data: bytes, reduction: Reduction = SHOWN) -> QImage:
    """A picture as a 32-bit image. Raises PictureError. Any thread.

    Pillow releases the interpreter lock while it decodes; Qt's reader does not.
    """
    rgba = decode(data, reduction).convert("RGBA")
    raw = rgba.tobytes("raw", "BGRA")
    return QImage(raw, rgba.width, rgba.height, 4 * rgba.width, QImage.Format.Format_RGB32).copy()


def image_or_null(data: bytes | None, reduction: Reduction = SHOWN) -> QImage:
    """As :func:`read_image`; null when there is no picture, or none that can be decoded."""
    try:
        return read_image(data, reduction) if data else QImage()
    except PictureError:
        return QImage()


def small_image(data: bytes) -> QImage:
    """A picture small enough to be decoded on the GUI thread; null for a larger one, and for none."""
    try:
        is_small = bool(data) and read_picture_file(data).size.area <= _SMALL
    except PictureError:
        return QImage()
    return image_or_null(data, WHOLE) if is_small else QImage()


def scaled_image(data: bytes | None, box: QSize, mode: Qt.AspectRatioMode) -> QImage:
    """A picture scaled to ``box`` pixels, a large one while it is decoded; null when there is none."""
    image = image_or_null(data, covering(Size(box.width(), box.height())))
    return image if image.isNull() else image.scaled(box, mode, Qt.TransformationMode.SmoothTransformation)


def thumbnail(data: bytes | None, box: QSize) -> QImage:
    """A picture scaled to cover ``box`` pixels; null when there is none. Any thread."""
    return scaled_image(data, box, Qt.AspectRatioMode.KeepAspectRatioByExpanding)
