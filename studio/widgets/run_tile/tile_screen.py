"""Draw the screen of a worker with what is about to happen on it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

from collector.model.geometry import Rect, Size
from collector.model.i18n import _
from collector.run.progress import WorkerProgress
from studio.bridge.pictures import small_image
from studio.theme import theme
from studio.theme.mirroring import upright
from studio.widgets.device_view.canvas import to_pixels
from studio.widgets.device_view.highlight import Highlight, HighlightStyle, Trace, TraceMark
from studio.widgets.device_view.highlight_painter import draw_highlights, outline, q
from studio.widgets.device_view.trace_painter import draw_traces
from studio.widgets.device_view.transform import ViewTransform
from studio.widgets.run_tile.tile_text import predicted_action


class TileScreen:
    """The newest picture of a screen. Each is decoded and scaled once, when it is first painted."""

    def __init__(self) -> None:
        self._picture = b""
        self._size = QSize()
        self._pixmap = QPixmap()

    def paint(self, painter: QPainter, place: Rect, view: Size, worker: WorkerProgress) -> None:
        """Draw the screen at ``place`` of a view, both in logical pixels."""
        ratio = painter.device().devicePixelRatioF()
        size = screen_size(worker)
        transform = transform_at(place, view, size, ratio)
        painter.save()
        to_pixels(painter, ratio)
        box = transform.image_rect
        pixmap = self._scaled(worker.picture, QSize(box.width, box.height))
        if pixmap.isNull():
            painter.fillRect(q(box), theme.color("bg-2"))
        else:
            painter.drawPixmap(QPoint(box.left, box.top), pixmap)
        outline(painter, box, max(1, round(ratio)), theme.color("line-2"))
        painter.setClipRect(q(box))
        draw_highlights(painter, dialog_marks(worker), transform, black=False)
        action = predicted_action(worker)
        if action is not None and not size.is_empty:
            painter.scale(ratio, ratio)
            draw_traces(painter, [Trace(action, TraceMark.NEXT)], transform)
        painter.restore()
        if pixmap.isNull():
            self._say_why(painter, place)

    def _scaled(self, picture: bytes, size: QSize) -> QPixmap:
        if picture is not self._picture or size != self._size:
            self._picture, self._size = picture, size
            image = small_image(picture)
            smooth = Qt.TransformationMode.SmoothTransformation
            scaled = image if image.isNull() else image.scaled(size, mode=smooth)
            self._pixmap = QPixmap.fromImage(scaled)
        return self._pixmap

    @staticmethod
    def _say_why(painter: QPainter, place: Rect) -> None:
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("text-3"))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        room = QRect(place.left + 4, place.top, place.width - 8, place.height)
        with upright(painter, room):
            painter.drawText(room, flags, _("No picture yet"))


def screen_size(worker: WorkerProgress) -> Size:
    """The size of the screen in the pixels of actions."""
    return Size(worker.width, worker.height)


def screen_image(worker: WorkerProgress) -> QImage:
    """The picture in its own size; null when there is none."""
    return small_image(worker.picture)


def dialog_marks(worker: WorkerProgress) -> list[Highlight]:
    """The outline of an injected dialog, if one is on the screen."""
    if worker.dialog is None:
        return []
    return [Highlight(Rect(*worker.dialog), HighlightStyle.INJECTED, _("injected"))]


def transform_at(place: Rect, view: Size, screen: Size, ratio: float) -> ViewTransform:
    """The transform of a screen that fills ``place`` of a view, in logical pixels."""
    physical = Size(max(1, round(view.width * ratio)), max(1, round(view.height * ratio)))
    screen = Size(place.width, place.height) if screen.is_empty else screen
    scale = place.width * ratio / max(1, screen.width)
    return ViewTransform(screen, physical, ratio, scale, round(place.left * ratio), round(place.top * ratio))
