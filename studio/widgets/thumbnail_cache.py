"""A cache of thumbnails of states; the owner loads them."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count
from weakref import WeakValueDictionary

from PySide6.QtCore import QObject, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPainter, QPixmap

from collector.model.byte_bounded_cache import ByteBoundedCache
from studio.theme import theme

LOADED, DRAWN = 4 * 1024 * 1024, 8 * 1024 * 1024
"""Bytes of pixels that all caches keep: some 35 loaded thumbnails, and 70 to 270 of those that are drawn."""


class KeptThumbnails:
    """What all caches keep; each has a number, with which its keys begin. It goes with the last of them.

    With a budget for each of the seven lists of thumbnails, those that nobody sees took 17 MB and more.
    """

    def __init__(self, loaded: int = LOADED, drawn: int = DRAWN) -> None:
        """``loaded`` and ``drawn`` are bytes of pixels."""
        self.loaded: ByteBoundedCache[tuple[int, Hashable], QPixmap] = ByteBoundedCache(loaded, _byte_count)
        self.drawn: ByteBoundedCache[tuple[int, Hashable, int, int], QPixmap] = ByteBoundedCache(
            drawn, _byte_count
        )

    @property
    def byte_count(self) -> int:
        """Bytes of the pixels that are kept."""
        return self.loaded.byte_count + self.drawn.byte_count


_numbers = count()
_shared: WeakValueDictionary[str, KeptThumbnails] = WeakValueDictionary()


class ThumbnailCache(QObject):
    """Requests each thumbnail once; the most recently used ones of all caches are kept.

    They are kept as they were loaded, and in the size in which they are drawn: as long as one is drawn in the
    same size, it is not loaded again.

    The owner connects :attr:`requested` to a loader on another thread and passes its result to
    :meth:`deliver` on the GUI thread. An image already scaled to :attr:`box` is not scaled again.
    """

    requested = Signal(object)
    """Emits the key of a thumbnail that is needed and not loaded."""
    arrived = Signal(object)
    """Emits the key of a loaded thumbnail."""

    box = QSize(116, 258)
    """Largest size of a drawn thumbnail in physical pixels: 58 x 129 at ratio 2."""

    def __init__(self, parent: QObject | None = None, *, kept: KeptThumbnails | None = None) -> None:
        """Without ``kept`` it shares its thumbnails' budget with all others."""
        super().__init__(parent)
        self._number = next(_numbers)
        self._kept = kept or _shared.setdefault("", KeptThumbnails())
        self._requested_keys: set[Hashable] = set()
        """Of thumbnails that have not arrived, or that do not exist."""

    def pixmap(self, key: Hashable | None, width: int, height: int, ratio: float) -> QPixmap | None:
        """The thumbnail in a box of logical pixels; None until it is loaded.

        A portrait screen covers the box from its top; a landscape one lies whole in its middle.
        """
        if key is None:
            return None
        wide, high = round(width * ratio), round(height * ratio)
        drawn = self._kept.drawn.get((self._number, key, wide, high))
        if drawn is None:
            source = self._kept.loaded.get((self._number, key))
            if source is None:
                self._request(key)
                return None
            is_whole = source.width() > source.height() and wide < high
            drawn = (_contain if is_whole else _cover)(source, wide, high)
            self._kept.drawn.put((self._number, key, wide, high), drawn)
        drawn.setDevicePixelRatio(ratio)
        return drawn

    def draw(self, painter: QPainter, box: QRect, key: Hashable | None) -> bool:
        """Draw a thumbnail, or an empty ground until it is loaded; whether it is."""
        ratio = painter.device().devicePixelRatioF()
        picture = self.pixmap(key, box.width(), box.height(), ratio)
        if picture is None:
            painter.fillRect(box, theme.color("bg-3"))
            return False
        painter.drawPixmap(box.topLeft(), picture)
        return True

    def _request(self, key: Hashable) -> None:
        if key not in self._requested_keys:
            self._requested_keys.add(key)
            self.requested.emit(key)

    @Slot(object, QImage)
    def deliver(self, key: Hashable, image: QImage) -> None:
        """Add a loaded image; a null image means that there is none, and is not requested again."""
        if image.isNull():
            return
        keep_ratio = Qt.AspectRatioMode.KeepAspectRatioByExpanding
        if image.width() > 2 * self.box.width():
            image = image.scaled(self.box, keep_ratio, Qt.TransformationMode.SmoothTransformation)
        own = self._number, key
        for outdated in [drawn for drawn in self._kept.drawn if drawn[:2] == own]:
            self._kept.drawn.pop(outdated)
        self._requested_keys.discard(key)
        self._kept.loaded.put(own, QPixmap.fromImage(image))
        self.arrived.emit(key)


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
