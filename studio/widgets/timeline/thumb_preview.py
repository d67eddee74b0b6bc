"""A larger picture of the step under the pointer, with its caption. It takes neither focus nor clicks."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.painting import draw_surface, draw_text
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.wrapped_text import LINE_HEIGHTS, wrapped_lines

_SIDE = 8
_SHADOW = 8
_SHORT, _LONG = 150, 330
"""Most width and height of a portrait picture, the reverse of a landscape one."""
_LEAST_TEXT = 180
_MOST_LINES = 4


class ThumbPreview(QWidget):
    """Shows the thumbnail at once, and the sharp picture when the owner delivers it.

    It lies over the window of its ``owner``: a window of its own could be activated, and its shadow would
    need a compositor.
    """

    def __init__(self, thumbnails: ThumbnailCache, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self.hide()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(_("Preview"))
        self._thumbnails = thumbnails
        self._key: Hashable | None = None
        self._picture: QPixmap | None = None
        self._is_sharp = False
        self._box = QRect()
        self._lines: list[str] = []
        thumbnails.arrived.connect(self._arrived)

    @property
    def key(self) -> Hashable | None:
        """The key of the picture on show; None while it is hidden."""
        return self._key

    def show_step(self, key: Hashable | None, aspect: float, caption: str, beside: QRect) -> None:
        """Show a step at ``beside``, a rectangle of the window; ``aspect`` is width by height."""
        self._key, self._is_sharp = key, False
        width, height = _picture_size(aspect or _SHORT / _LONG)
        text = max(width, _LEAST_TEXT)
        self._lines = wrapped_lines(caption, "body", text, _MOST_LINES)
        edge = _SIDE + _SHADOW
        self._box = QRect(edge + (text - width) // 2, edge, width, height)
        self._load()
        self.resize(text + 2 * edge, height + 2 * edge + 6 + len(self._lines) * LINE_HEIGHTS["body"])
        if self.parentWidget() is not self._owner.window():
            self.setParent(self._owner.window())
        self.move(self._place(beside))
        self.show()
        self.raise_()
        self.update()

    def set_picture(self, key: Hashable, image: QImage) -> None:
        """Show a sharper picture of the step, if it is still on show."""
        if key == self._key and not image.isNull():
            self._picture, self._is_sharp = QPixmap.fromImage(image), True
            self.update()

    def close_preview(self) -> None:
        """Hide it."""
        self._key, self._picture = None, None
        self.hide()

    def _load(self) -> None:
        self._picture = self._thumbnails.pixmap(
            self._key, self._box.width(), self._box.height(), self.devicePixelRatioF()
        )

    def _arrived(self, key: object) -> None:
        if key is not None and key == self._key and not self._is_sharp:
            self._load()
            self.update()

    def _place(self, beside: QRect) -> QPoint:
        """Above the thumbnail, else beside it, within the window."""
        room = self._owner.window().rect()
        left = min(max(0, beside.center().x() - self.width() // 2), max(0, room.right() - self.width()))
        top = beside.top() - self.height() + _SHADOW
        if top >= 0:
            return QPoint(left, top)
        fits = beside.right() + self.width() <= room.right()
        left = beside.right() if fits else max(0, beside.left() - self.width())
        return QPoint(left, max(0, min(beside.top(), room.bottom() - self.height())))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        edge = _SHADOW
        draw_surface(painter, self.rect().adjusted(edge, edge, -edge, -edge), shadow=_SHADOW)
        if self._picture is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(self._box, self._picture)
        else:
            painter.fillRect(self._box, theme.color("bg-3"))
        left, top = _SIDE + _SHADOW, self._box.bottom() + 7
        for line in self._lines:
            draw_text(painter, QRect(left, top, self.width() - 2 * left + 4, LINE_HEIGHTS["body"]), line)
            top += LINE_HEIGHTS["body"]


def _picture_size(aspect: float) -> tuple[int, int]:
    if aspect > 1:
        return _LONG, max(1, round(_LONG / aspect))
    height = min(_LONG, round(_SHORT / aspect))
    return round(height * aspect), height
