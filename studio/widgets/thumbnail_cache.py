"""A cache of thumbnails of states; the owner loads them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPainter, QPixmap


class ThumbnailCache(QObject):
    """Requests each thumbnail once and keeps the most recently used ones.

    The owner connects :attr:`requested` to a loader on another thread and passes its result to
    :meth:`deliver` on the GUI thread. An image already scaled to :attr:`box` is not scaled again.
    """

    requested = Signal(object)
    """Emits the key of a thumbnail that is needed and not loaded."""
    arrived = Signal(object)
    """Emits the key of a loaded thumbnail."""

    box = QSize(116, 258)
    """Largest size of a drawn thumbnail in physical pixels: 58 x 129 at ratio 2."""

    def __init__(self, parent: QObject | None = None, *, keep: int = 600) -> None:
        super().__init__(parent)
        self._keep = keep
        self._pixmaps: OrderedDict[Hashable, QPixmap] = OrderedDict()
        self._scaled: OrderedDict[tuple[Hashable, int, int], QPixmap] = OrderedDict()
        self._requested_keys: set[Hashable] = set()

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
            while len(self._scaled) > 2 * self._keep:
                self._scaled.popitem(last=False)
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
        self._pixmaps[key] = QPixmap.fromImage(image)
        while len(self._pixmaps) > self._keep:
            old, _pixmap = self._pixmaps.popitem(last=False)
            self._forget_scaled(old)
            self._requested_keys.discard(old)
        self.arrived.emit(key)

    def forget(self, key: Hashable) -> None:
        """Drop a thumbnail, so that it is requested again when it is drawn."""
        self._pixmaps.pop(key, None)
        self._requested_keys.discard(key)
        self._forget_scaled(key)

    def _forget_scaled(self, key: Hashable) -> None:
        for size_key in [scaled for scaled in self._scaled if scaled[0] == key]:
            del self._scaled[size_key]


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
