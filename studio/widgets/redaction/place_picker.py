"""A screen on which a person draws a rectangle or clicks a node, with what will be covered."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Point, Rect, Size
from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.painted_items import Role

_LEAST_DRAG = 6
"""Pixels of the widget; a shorter drag is a click."""
_HATCH = 0.35
"""Opacity of the lines over what will be covered."""
_LEAST = QSize(200, 380)


class PlacePicker(QWidget):
    """Shows a screen as large as there is room; all places are in pixels of the screen."""

    rectangle_drawn = Signal(object)
    """A :class:`Rect`."""
    node_clicked = Signal(object)
    """A Node."""

    spoken_role = Role.Canvas

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image, self._size = QImage(), Size(0, 0)
        self._index: SpatialIndex | None = None
        self._covered: Sequence[Rect] = ()
        self._from: QPointF | None = None
        self._to: QPointF | None = None
        self.setMinimumSize(_LEAST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName(_("The screen: drag to draw a rectangle, click to choose a node"))
        theme.changed.connect(self.update)

    def show_screen(self, image: QImage, size: Size, index: SpatialIndex | None) -> None:
        """Show a screen; ``size`` is that of the places."""
        self._image, self._size, self._index = image, size, index
        self.update()

    def show_covered(self, places: Sequence[Rect]) -> None:
        """Show what will be covered."""
        self._covered = tuple(places)
        self.update()

    # -- places ----------------------------------------------------------------
    @property
    def _frame(self) -> QRectF:
        """Where the screen is drawn."""
        width, height = max(1, self._size.width), max(1, self._size.height)
        scale = min(self.width() / width, self.height() / height)
        shown_width, shown_height = width * scale, height * scale
        left, top = (self.width() - shown_width) / 2, (self.height() - shown_height) / 2
        return QRectF(left, top, shown_width, shown_height)

    def _on_screen(self, at: QPointF) -> Point:
        frame = self._frame
        x = (at.x() - frame.left()) / frame.width() * self._size.width
        y = (at.y() - frame.top()) / frame.height() * self._size.height
        return Point(min(max(0, round(x)), self._size.width), min(max(0, round(y)), self._size.height))

    def place_of(self, box: Rect) -> QRect:
        """Where a place of the screen is in the widget."""
        frame = self._frame
        x_scale, y_scale = (
            frame.width() / max(1, self._size.width),
            frame.height() / max(1, self._size.height),
        )
        return QRectF(
            frame.left() + box.left * x_scale, frame.top() + box.top * y_scale, box.width * x_scale,
            box.height * y_scale,
        ).toAlignedRect()  # fmt: skip

    # -- the mouse -------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = self._to = event.position()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self._from is not None:
            self._to = event.position()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        begin, self._from = self._from, None
        self._to = None
        self.update()
        if begin is None or self._size.is_empty:
            return
        end = event.position()
        first, last = self._on_screen(begin), self._on_screen(end)
        if (end - begin).manhattanLength() < _LEAST_DRAG:
            node = self._index.at(first) if self._index is not None else None
            if node is not None:
                self.node_clicked.emit(node)
            return
        box = Rect(min(first.x, last.x), min(first.y, last.y), max(first.x, last.x), max(first.y, last.y))
        if not box.is_empty:
            self.rectangle_drawn.emit(box)

    # -- painting --------------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        frame = self._frame
        painter.fillRect(frame, theme.color("bg-2"))
        if not self._image.isNull():
            painter.drawImage(frame, self._image)
        for box in self._covered:
            self._draw_covered(painter, self.place_of(box))
        if self._from is not None and self._to is not None:
            painter.setPen(QPen(theme.color("accent"), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self._from, self._to).normalized())

    @staticmethod
    def _draw_covered(painter: QPainter, place: QRect) -> None:
        """Black, hatched and outlined, so that it shows on black screens too."""
        painter.fillRect(place, Qt.GlobalColor.black)
        painter.setOpacity(_HATCH)
        painter.fillRect(place, QBrush(theme.color("warn"), Qt.BrushStyle.BDiagPattern))
        painter.setOpacity(1.0)
        painter.setPen(QPen(theme.color("warn"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place.adjusted(1, 1, -1, -1))
