"""The item of a plot that draws grid lines, lines, intervals and marks, in pixels and as vectors."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.theme import theme
from studio.widgets.metric_plots.mark_shapes import MARK, draw_mark, look_of
from studio.widgets.metric_plots.plot_series import PlotPoint, PlotSheet

Place = tuple[int, int]
"""``(series, category)`` of a point."""
GRID_LINES = (0, 25, 50, 75, 100)
_CAP = 3.5
_LINE = 1.5
"""Width of the line from point to point: more than that of an interval."""
_RING = 8.0
_DASHES = (2.0, 3.0)


class PointLayer(QGraphicsItem):
    """Lives in the coordinates of the plot: a category is 1 wide, values are percent.

    Sizes of marks and widths of lines are logical pixels, whatever the plot is zoomed to.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sheet = PlotSheet()
        self._shown = (0, 0)
        self._current: Place | None = None
        self._has_focus = False

    def show_sheet(self, sheet: PlotSheet) -> None:
        """Draw other points."""
        self.prepareGeometryChange()
        self._sheet = sheet
        self.update()

    def show_range(self, left: float, right: float) -> None:
        """Say which part of the plot is in view; only its points are drawn."""
        self._shown = (math.floor(left), math.ceil(right))
        self.update()

    def show_current(self, place: Place | None, *, has_focus: bool) -> None:
        """Ring a point."""
        self._current, self._has_focus = place, has_focus
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802 - Qt's name
        return QRectF(0, -5, max(1, len(self._sheet.categories)), 110)

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        to_pixels = painter.worldTransform()
        painter.save()
        # The parts are drawn in pixels: no size of a mark is stretched with the plot.
        painter.setWorldTransform(QTransform())
        self._paint_baseline(painter, to_pixels)
        self._paint_grid(painter, to_pixels)
        self._paint_lines(painter, to_pixels)
        for place in self._sheet.places_in(*self._shown):
            point = self._sheet.point(place)
            if point is not None:
                self._paint_point(painter, to_pixels, place, point)
        painter.restore()

    def _paint_baseline(self, painter: QPainter, to_pixels: QTransform) -> None:
        """Shade the category that the others are compared with."""
        first = self._sheet.baseline
        if first is not None:
            corners = (to_pixels.map(QPointF(first, 100)), to_pixels.map(QPointF(first + 1, 0)))
            painter.fillRect(QRectF(*corners), theme.color("bg-3"))

    def _paint_lines(self, painter: QPainter, to_pixels: QTransform) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for ends in self._sheet.lines_in(*self._shown):
            painter.setPen(QPen(theme.color(look_of(ends[0][0]).tone), _LINE))
            places = [
                to_pixels.map(QPointF(self._sheet.across(place), point.value))
                for place in ends
                if (point := self._sheet.point(place)) is not None
            ]
            painter.drawLine(*places)

    def _paint_grid(self, painter: QPainter, to_pixels: QTransform) -> None:
        first, end = self._shown
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(theme.color("line"), 1))
        for value in GRID_LINES:
            left, right = to_pixels.map(QPointF(first, value)), to_pixels.map(QPointF(end, value))
            painter.drawLine(QLineF(left.x(), round(left.y()), right.x(), round(right.y())))
        pen = QPen(theme.color("line"), 1)
        pen.setDashPattern(_DASHES)
        painter.setPen(pen)
        for edge in range(first + 1, end):
            low, high = to_pixels.map(QPointF(edge, 0)), to_pixels.map(QPointF(edge, 100))
            painter.drawLine(QLineF(round(low.x()), low.y(), round(high.x()), high.y()))

    def _paint_point(self, painter: QPainter, to_pixels: QTransform, place: Place, point: PlotPoint) -> None:
        across, look = self._sheet.across(place), look_of(place[0])
        centre, low, high = (
            to_pixels.map(QPointF(across, value)) for value in (point.value, point.low, point.high)
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color(look.tone), 1))
        if point.high > point.low:
            painter.drawLine(low, high)
            for end in (low, high):
                painter.drawLine(QPointF(end.x() - _CAP, end.y()), QPointF(end.x() + _CAP, end.y()))
        draw_mark(painter, centre, look, MARK)
        if place == self._current:
            painter.setPen(QPen(theme.color("accent"), 2 if self._has_focus else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, _RING, _RING)
