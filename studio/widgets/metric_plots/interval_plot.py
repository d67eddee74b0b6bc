"""A plot of lines with intervals: categories across, a line for each series, walked by the keyboard.

pyqtgraph takes over half a second to import, so import this module when a plot is first needed, after
:class:`~studio.widgets.metric_plots.plot_import.PlotImport`.
"""

from __future__ import annotations

import math

import pyqtgraph
from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QGraphicsGridLayout, QToolTip, QVBoxLayout, QWidget

from studio.theme import theme
from studio.theme.mirroring import keep_left_to_right
from studio.widgets.metric_plots.plot_series import PlotSheet
from studio.widgets.metric_plots.point_layer import GRID_LINES, Place, PointLayer
from studio.widgets.painting import elided, text_width
from studio.widgets.wrapped_text import tooltip_text

_NEAR = 12.0
"""A click this near to a mark, in logical pixels, means it."""
_LABEL_GAP, _LEAST_LABEL = 8, 48
"""Between two names of categories, and the least room of one: with less, not every one is named."""
_LEFT_AXIS, _BOTTOM_AXIS, _LINE = 34, 24, 15
_KEYS = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
)  # fmt: skip
_LOW, _HIGH = -4.0, 104.0
_LEAST_SHOWN, _MOST_SHOWN = 2.0, 60.0
"""The fewest and the most categories in view; the others are reached by dragging and by the keyboard."""


class _TextAxis(pyqtgraph.AxisItem):  # type: ignore[misc] # pyqtgraph has no types
    """The texts of an axis, without its line. Drawn directly: pyqtgraph's stored picture of them comes out
    larger on a device with more pixels, and is no text in an SVG."""

    is_staggered = False
    """Whether every second text is a line lower, so that neighbours may be twice as wide."""

    def paint(self, painter: QPainter, *_options: object) -> None:
        painter.setFont(self.style["tickFont"])
        specs = self.generateDrawSpecs(painter)
        painter.setPen(self.textPen())
        for place, flags, text in specs[2] if specs is not None else ():
            lower = _LINE if self.is_staggered and self._value_at(place.center().x()) % 2 else 0
            painter.drawText(place.translated(0, lower), int(flags), text)

    def _value_at(self, x: float) -> int:
        """The whole number below the value at a place along the axis."""
        first, last = map(float, self.range)
        return math.floor(first + x / max(1.0, float(self.width())) * (last - first))


class IntervalPlot(QWidget):
    """Emits the ``(series, category)`` of a point when it is chosen, and when it is opened.

    The wheel zooms categories, dragging moves them, a double click shows all.
    """

    chosen = Signal(object)
    opened = Signal(object)
    """Enter, or a second click on the point."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        keep_left_to_right(self)
        self._sheet = PlotSheet()
        self._current: Place | None = None
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("takesNavigationKeys", True)
        self._view = pyqtgraph.GraphicsView(self, useOpenGL=False, background=None)
        self.box = pyqtgraph.ViewBox(enableMenu=False, defaultPadding=0.0)
        self._left, self.bottom_axis = (_TextAxis(side) for side in ("left", "bottom"))
        self._points = PointLayer()
        self._lay_out()
        self._dress()
        theme.changed.connect(self._dress)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._view)
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.viewport().installEventFilter(self)
        sheet = pyqtgraph.GraphicsWidget()
        self._view.setCentralItem(sheet)
        grid = QGraphicsGridLayout()
        grid.setContentsMargins(0, 8, 8, 0)
        grid.setSpacing(0)
        sheet.setLayout(grid)
        grid.addItem(self._left, 0, 0)
        grid.addItem(self.box, 0, 1)
        grid.addItem(self.bottom_axis, 1, 1)
        self._left.linkToView(self.box)
        self.bottom_axis.linkToView(self.box)
        self._left.setWidth(_LEFT_AXIS)
        self.bottom_axis.setHeight(_BOTTOM_AXIS)
        self._left.setTicks([[(value, str(value)) for value in GRID_LINES]])
        for axis in (self._left, self.bottom_axis):
            axis.setStyle(tickLength=0, autoExpandTextSpace=False, hideOverlappingLabels=False)
        self.box.addItem(self._points, ignoreBounds=True)
        self.box.setMouseEnabled(x=True, y=False)
        self.box.setRange(xRange=(0, 1), yRange=(_LOW, _HIGH), padding=0, disableAutoRange=True)
        self.box.sigXRangeChanged.connect(self._range_changed)
        self.box.sigResized.connect(self._range_changed)
        self._view.scene().sigMouseClicked.connect(self._clicked)

    @Slot()
    def _dress(self) -> None:
        """Take fonts and colours from the theme."""
        for axis in (self._left, self.bottom_axis):
            axis.setTickFont(theme.font("caption"))
            axis.setTextPen(theme.color("text-3" if axis is self._left else "text-2"))
        self._view.setBackgroundBrush(theme.color("bg-1"))
        self._range_changed()
        self._points.update()

    # -- what is shown -------------------------------------------------------
    @property
    def sheet(self) -> PlotSheet:
        return self._sheet

    @property
    def current(self) -> Place | None:
        """The point of the keyboard cursor."""
        return self._current

    def show_sheet(self, sheet: PlotSheet) -> None:
        """Show other points; the current one stays current if it is still there."""
        self._sheet = sheet
        if self._current is not None and sheet.point(self._current) is None:
            self._current = None
        self._points.show_sheet(sheet)
        self._ring()
        width = max(1, len(sheet.categories))
        least, most = min(_LEAST_SHOWN, width), min(_MOST_SHOWN, width)
        self.box.setLimits(xMin=0, xMax=width, minXRange=least, maxXRange=most)
        self.show_all()

    @Slot()
    def show_all(self) -> None:
        """Zoom out to every category, or as many as can be told apart."""
        self.box.setXRange(0, min(_MOST_SHOWN, max(1, len(self._sheet.categories))), padding=0)
        self._range_changed()

    def set_current(self, place: Place | None) -> None:
        """Make a point the current one, without a signal."""
        self._current = place if place is not None and self._sheet.point(place) is not None else None
        point = self._sheet.point(self._current) if self._current is not None else None
        self.setAccessibleDescription(point.tip if point is not None else "")
        self._reveal()
        self._ring()

    def _ring(self) -> None:
        self._points.show_current(self._current, has_focus=self.hasFocus())

    def _reveal(self) -> None:
        if self._current is None:
            return
        (left, right), category = self.box.viewRange()[0], self._current[1]
        if category < left or category + 1 > right:
            start = min(
                max(0.0, category + 0.5 - (right - left) / 2), len(self._sheet.categories) - right + left
            )
            self.box.setXRange(start, start + right - left, padding=0)

    @Slot()
    def _range_changed(self) -> None:
        """Draw what is in view, and cut the names of categories to the room they have."""
        left, right = self.box.viewRange()[0]
        self._points.show_range(left, right)
        width, categories = self.box.width() / max(1e-9, right - left), self._sheet.categories
        visible = categories[max(0, math.floor(left)) : math.ceil(right)]
        is_staggered = any(text_width(name, "caption") > width - _LABEL_GAP for name in visible)
        every = 1
        if is_staggered and 2 * width < _LEAST_LABEL:
            is_staggered, every = False, math.ceil((_LEAST_LABEL + _LABEL_GAP) / max(1.0, width))
        self.bottom_axis.is_staggered = is_staggered
        self.bottom_axis.setHeight(_BOTTOM_AXIS + _LINE * is_staggered)
        room, font = math.floor(width * every * (1 + is_staggered)) - _LABEL_GAP, theme.font("caption")
        named = list(enumerate(categories))[::every]
        self.bottom_axis.setTicks([[(number + 0.5, elided(font, name, room)) for number, name in named]])

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(480, 240)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(160, 120)

    # -- places --------------------------------------------------------------
    def place_of(self, place: Place) -> QPointF:
        """Where a point is drawn, in logical pixels of this widget."""
        point = self._sheet.point(place)
        assert point is not None, "there is no point"
        scene = self.box.mapViewToScene(QPointF(self._sheet.across(place), point.value))
        return QPointF(self._view.mapToParent(self._view.mapFromScene(scene)))

    def place_at(self, at: QPointF) -> Place | None:
        """The nearest point that a click there means."""
        nearest, least = None, _NEAR
        scene = self._view.mapToScene(self._view.mapFromParent(at.toPoint()))
        category = math.floor(self.box.mapSceneToView(scene).x())
        for place in self._sheet.places_in(category - 1, category + 2):
            away = self.place_of(place) - at
            distance = math.hypot(away.x(), away.y())
            if distance < least:
                nearest, least = place, distance
        return nearest

    def tip_at(self, at: QPointF) -> str:
        """What is known of the point there; else the whole name of the category."""
        place = self.place_at(at)
        point = self._sheet.point(place) if place is not None else None
        if point is not None:
            return point.tip
        scene = self._view.mapToScene(self._view.mapFromParent(at.toPoint()))
        category = math.floor(self.box.mapSceneToView(scene).x())
        is_name = self.bottom_axis.sceneBoundingRect().contains(scene)
        return (
            self._sheet.categories[category]
            if is_name and 0 <= category < len(self._sheet.categories)
            else ""
        )

    # -- input ---------------------------------------------------------------
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent):
            at = self._view.mapToParent(event.pos())
            QToolTip.showText(event.globalPos(), tooltip_text(self.tip_at(QPointF(at))), self)
            return True
        if event.type() == QEvent.Type.MouseButtonPress:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.type() == QEvent.Type.MouseButtonDblClick and isinstance(event, QMouseEvent):
            self._double_clicked(QPointF(self._view.mapToParent(event.position().toPoint())))
            return True
        return super().eventFilter(watched, event)

    def _clicked(self, event: pyqtgraph.GraphicsScene.mouseEvents.MouseClickEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        place = self.place_at(QPointF(self._view.mapToParent(self._view.mapFromScene(event.scenePos()))))
        if place is not None:
            self._go(place)

    def _double_clicked(self, at: QPointF) -> None:
        place = self.place_at(at)
        if place is None:
            self.show_all()
        else:
            self._go(place)
            self.opened.emit(place)

    def _go(self, place: Place) -> None:
        is_other = place != self._current
        self.set_current(place)
        if is_other:
            self.chosen.emit(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() and self._current:
            self.opened.emit(self._current)
        elif key in _KEYS and self._sheet.places:
            self._go(self._next(key))
        else:
            super().keyPressEvent(event)

    def _next(self, key: Qt.Key) -> Place:
        """Left and Right follow a series; Up and Down go to the next higher or lower value of a category."""
        places, here = self._sheet.places, self._current
        if key == Qt.Key.Key_End:
            return places[-1]
        if key == Qt.Key.Key_Home or here is None:
            return places[0]
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            row = [place for place in places if place[0] == here[0]]
        else:
            row = sorted((place for place in places if place[1] == here[1]), key=self._value)
        step = 1 if key in (Qt.Key.Key_Right, Qt.Key.Key_Up) else -1
        return row[min(max(0, row.index(here) + step), len(row) - 1)]

    def _value(self, place: Place) -> float:
        point = self._sheet.point(place)
        return point.value if point is not None else 0.0

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self._ring()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self._ring()

    # -- export --------------------------------------------------------------
    def paint_plot(self, painter: QPainter) -> None:
        """Draw the plot from 0, 0 in the size of the widget, as it is shown but without the cursor."""
        self._points.show_current(None, has_focus=False)
        self._view.render(painter, self._view.rect(), self._view.rect())
        self._ring()
