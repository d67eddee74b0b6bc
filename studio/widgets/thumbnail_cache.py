"""Small pictures of states, loaded elsewhere and kept while they are likely to be seen again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPixmap


class ThumbnailCache(QObject):
    """Asks for a picture once, keeps the latest used; the owner loads them off the GUI thread.

    Connect :attr:`wanted` to a loader and hand its result to :meth:`deliver`, on the GUI thread;
    an image scaled to :attr:`box` in the worker spares the scaling here.
    """

    wanted = Signal(object)
    """Key of a picture somebody would draw if it were here."""
    arrived = Signal(object)

    box = QSize(116, 258)
    """The largest a thumbnail is drawn, in physical pixels: 58 x 129 at ratio 2."""

    def __init__(self, parent: QObject | None = None, *, keep: int = 600) -> None:
        super().__init__(parent)
        self._keep = keep
        self._pictures: OrderedDict[Hashable, QPixmap] = OrderedDict()
        self._scaled: OrderedDict[tuple[Hashable, int, int], QPixmap] = OrderedDict()
        self._asked: set[Hashable] = set()

    def picture(self, key: Hashable | None, width: int, height: int, ratio: float) -> QPixmap | None:
        """The picture for a box of logical pixels, covering it from the top; None until it arrives."""
        if key is None:
            return None
        source = self._pictures.get(key)
        if source is None:
            if key not in self._asked:
                self._asked.add(key)
                self.wanted.emit(key)
            return None
        self._pictures.move_to_end(key)
        wide, high = round(width * ratio), round(height * ratio)
        place = (key, wide, high)
        done = self._scaled.get(place)
        if done is None:
            done = self._scaled[place] = _cover(source, wide, high)
            while len(self._scaled) > 2 * self._keep:
                self._scaled.popitem(last=False)
        done.setDevicePixelRatio(ratio)
        return done

    @Slot(object, QImage)
    def deliver(self, key: Hashable, image: QImage) -> None:
        """Take in a loaded picture; a null image says there is none and is not asked for again."""
        if image.isNull():
            return
        keep_ratio = Qt.AspectRatioMode.KeepAspectRatioByExpanding
        if image.width() > 2 * self.box.width():
            image = image.scaled(self.box, keep_ratio, Qt.TransformationMode.SmoothTransformation)
        self._pictures[key] = QPixmap.fromImage(image)
        while len(self._pictures) > self._keep:
            old, _picture = self._pictures.popitem(last=False)
            self._forget_scaled(old)
            self._asked.discard(old)
        self.arrived.emit(key)

    def forget(self, key: Hashable) -> None:
        """A state's picture changed: ask again when it is next drawn."""
        self._pictures.pop(key, None)
        self._asked.discard(key)
        self._forget_scaled(key)

    def _forget_scaled(self, key: Hashable) -> None:
        for place in [one for one in self._scaled if one[0] == key]:
            del self._scaled[place]


def _cover(source: QPixmap, width: int, height: int) -> QPixmap:
    """Portrait screens are cut at the bottom, landscape ones at both sides."""
    scaled = source.scaled(
        width,
        height,
        Qt.AspectRatioMode.KeepAspectRatioByExpanding,
        Qt.TransformationMode.SmoothTransformation,
    )
    return scaled.copy((scaled.width() - width) // 2, 0, width, height)
