"""A cache of thumbnails of states; the owner loads them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPainter, QPixmap

BUDGET = 64 * 1024 * 1024
"""Bytes of pixels that a cache keeps."""
_SCALED_SHARE = 4
"""One part of so many is for pictures in the size in which they are drawn."""


class ThumbnailCache(QObject):
    """Requests each thumbnail once and keeps the most recently used ones, within ``budget`` bytes of pixels.

    The owner connects :attr:`requested` to a loader on another thread and passes its result to
    :meth:`deliver` on the GUI thread. An image already scaled to :attr:`box` is not scaled again.
    """

    requested = Signal(object)
    """Emits the key of a thumbnail that is needed and not loaded."""
    arrived = Signal(object)
    """Emits the key of a loaded thumbnail."""

    box = QSize(116, 258)
    """Largest size of a drawn thumbnail in physical pixels: 58 x 129 at ratio 2."""

    def __init__(self, parent: QObject | None = None, *, budget: int = BUDGET) -> None:
        super().__init__(parent)
        self._budget = budget
        self._pixmaps: OrderedDict[Hashable, QPixmap] = OrderedDict()
        self._scaled: OrderedDict[tuple[Hashable, int, int], QPixmap] = OrderedDict()
        self._requested_keys: set[Hashable] = set()
        self._bytes = self._scaled_bytes = 0

    @property
    def byte_count(self) -> int:
        """Bytes of the pixels that are kept."""
        return self._bytes + self._scaled_bytes

    def pixmap(self, key: Hashable | None, width: int, height: int, ratio: float) -> QPixmap | None:
        """The thumbnail in a box of logical pixels; None until it is loaded.

        A portrait screen covers the box from its top; a landscape one lies whole in its middle.
        """
        if key is None:
            return None
        source = self._pixmaps.get(key)
        if source is None:
            if key not in self._requested_keys:
                self._requested_keys.add(key)
                self.requested.emit(key)
            return None
        self._pixmaps.move_to_end(key)
        wide, high = round(width * ratio), round(height * ratio)
        size_key = (key, wide, high)
        scaled = self._scaled.get(size_key)
        if scaled is None:
            is_whole = source.width() > source.height() and wide < high
            fill = _contain if is_whole else _cover
            scaled = self._scaled[size_key] = fill(source, wide, high)
            self._scaled_bytes += _byte_count(scaled)
            while self._scaled_bytes > self._budget // _SCALED_SHARE and len(self._scaled) > 1:
                self._scaled_bytes -= _byte_count(self._scaled.popitem(last=False)[1])
        self._scaled.move_to_end(size_key)
        scaled.setDevicePixelRatio(ratio)
        return scaled

    @Slot(object, QImage)
    def deliver(self, key: Hashable, image: QImage) -> None:
        """Add a loaded image; a null image means that there is none, and is not requested again."""
        if image.isNull():
            return
        keep_ratio = Qt.AspectRatioMode.KeepAspectRatioByExpanding
        if image.width() > 2 * self.box.width():
            image = image.scaled(self.box, keep_ratio, Qt.TransformationMode.SmoothTransformation)
        self.forget(key)
        self._requested_keys.add(key)
        pixmap = self._pixmaps[key] = QPixmap.fromImage(image)
        self._bytes += _byte_count(pixmap)
        while self._bytes > self._budget - self._budget // _SCALED_SHARE and len(self._pixmaps) > 1:
            self.forget(next(iter(self._pixmaps)))
        self.arrived.emit(key)

    def forget(self, key: Hashable) -> None:
        """Drop a thumbnail, so that it is requested again when it is drawn."""
        pixmap = self._pixmaps.pop(key, None)
        if pixmap is not None:
            self._bytes -= _byte_count(pixmap)
        self._requested_keys.discard(key)
        for size_key in [scaled for scaled in self._scaled if scaled[0] == key]:
            self._scaled_bytes -= _byte_count(self._scaled.pop(size_key))


def _byte_count(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height() * pixmap.depth() // 8


def _cover(source: QPixmap, width: int, height: int) -> QPixmap:
    """Scale to cover a size; what is too high is cropped at the bottom, what is too wide at both sides."""
    scaled = source.scaled(
        width,
        height,
        Qt.AspectRatioMode.KeepAspectRatioByExpanding,
        Qt.TransformationMode.SmoothTransformation,
    )
    return scaled.copy((scaled.width() - width) // 2, 0, width, height)


def _contain(source: QPixmap, width: int, height: int) -> QPixmap:
    """Scale to fit into a size, on a transparent ground."""
    keep = Qt.AspectRatioMode.KeepAspectRatio
    scaled = source.scaled(width, height, keep, Qt.TransformationMode.SmoothTransformation)
    whole = QPixmap(width, height)
    whole.fill(Qt.GlobalColor.transparent)
    painter = QPainter(whole)
    painter.drawPixmap((width - scaled.width()) // 2, (height - scaled.height()) // 2, scaled)
    painter.end()
    return whole
