"""A frame ready to paint, and its painter."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter

from collector.device.frame import Frame
from collector.model.geometry import Rect, Size
from studio.widgets.device_view.transform import ViewTransform


@dataclass(frozen=True, slots=True, eq=False)
class ViewFrame:
    """A frame ready to paint.

    ``image`` is 32-bit and best already at the size the view asked for (physical pixels);
    ``screen`` is the size of the phone's screen in device pixels, in the rotation of the picture.
    """

    image: QImage
    screen: Size
    secure: bool = False
    """Whether the window is protected (FLAG_SECURE), so that its pixels are black."""
    received_ns: int = 0
    """``time.monotonic_ns()`` when its last byte arrived; 0 for pictures from disk."""
    pixels: NDArray[np.uint8] | None = None
    """What ``image`` looks at, kept as long as the frame is."""
    sequence: int = 0
    """Number of the frame; the one before it has the number before."""
    changed: range | None = None
    """Rows outside which the image is that of the frame before; None when unknown."""

    @classmethod
    def of_pixels(
        cls, pixels: NDArray[np.uint8], screen: Size, *, secure: bool = False, received_ns: int = 0
    ) -> ViewFrame:
        """A frame over BGRA pixels of shape (height, width, 4), without a copy.

        The array must not be written to afterwards. May be called on any thread.
        """
        return cls(image_over(pixels), screen, secure, received_ns, pixels)

    @classmethod
    def of_frame(cls, frame: Frame, size: Size, screen: Size, *, secure: bool = False) -> ViewFrame:
        """A frame of the phone scaled to ``size``; its own size stands in for an unknown ``screen``."""
        shown = cls.of_pixels(
            frame.scaled_bgra(size),
            frame.size if screen.is_empty else screen,
            secure=secure,
            received_ns=frame.received_ns,
        )
        return replace(shown, sequence=frame.sequence, changed=frame.changed_rows(size))

    @property
    def pixel_size(self) -> Size:
        """The size of ``image`` in pixels."""
        return Size(self.image.width(), self.image.height())

    def changed_since(self, before: ViewFrame | None) -> Rect | None:
        """The rectangle of the image that differs from ``before``, empty for none; None when unknown."""
        if before is None or self.changed is None or before.sequence + 1 != self.sequence:
            return None
        if (before.pixel_size, before.screen, before.secure) != (self.pixel_size, self.screen, self.secure):
            return None
        return Rect(0, self.changed.start, self.image.width(), self.changed.stop)


def image_over(pixels: NDArray[np.uint8]) -> QImage:
    """An image that looks at BGRA pixels of shape (height, width, 4); they must outlive it.

    The pixels of a row must be contiguous; the rows may be apart. Raises ValueError for any other array.
    """
    height, width, depth = pixels.shape
    if depth != 4 or pixels.strides[1:] != (4, 1) or pixels.strides[0] < 4 * width:
        raise ValueError(f"no contiguous rows of BGRA pixels: {pixels.shape}, strides {pixels.strides}")
    # PySide6 takes only contiguous buffers: the gaps between the rows belong to the view it gets.
    lines = np.lib.stride_tricks.as_strided(pixels, (height, pixels.strides[0]), (pixels.strides[0], 1))
    return QImage(lines.data, width, height, pixels.strides[0], QImage.Format.Format_RGB32)


class FramePainter:
    """Paint a frame; scale it, once per zoom, when it does not have the right size."""

    def __init__(self) -> None:
        self._source: QImage | None = None
        self._scaled: QImage | None = None

    def forget(self) -> None:
        """Give back the memory of what was painted last, as its view is hidden."""
        self._source = self._scaled = None

    def paint(self, painter: QPainter, image: QImage, transform: ViewTransform) -> None:
        """Paint in physical pixels."""
        place = transform.image_rect
        shown_size = transform.image
        if (image.width(), image.height()) == (shown_size.width, shown_size.height):
            painter.drawImage(place.left, place.top, image)
        elif shown_size.width >= image.width():
            self._enlarged(painter, image, transform)
        else:
            painter.drawImage(place.left, place.top, self._shrunk(image, shown_size))

    @staticmethod
    def _enlarged(painter: QPainter, image: QImage, transform: ViewTransform) -> None:
        """Paint the visible part enlarged: smoothed, or with square pixels from twice the size."""
        place = transform.image_rect
        smooth = transform.image.width < 2 * image.width()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        seen = place.intersection(Rect(0, 0, transform.view.width, transform.view.height))
        if seen is None:
            return
        painter.save()
        visible = QRect(seen.left, seen.top, seen.width, seen.height)
        painter.setClipRect(visible, Qt.ClipOperation.IntersectClip)
        painter.drawImage(QRect(place.left, place.top, place.width, place.height), image)
        painter.restore()

    def _shrunk(self, image: QImage, shown_size: Size) -> QImage:
        scaled = self._scaled
        if (
            scaled is None
            or self._source is not image
            or (scaled.width(), scaled.height()) != (shown_size.width, shown_size.height)
        ):
            self._source = image
            scaled = self._scaled = image.scaled(
                shown_size.width,
                shown_size.height,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        return scaled
