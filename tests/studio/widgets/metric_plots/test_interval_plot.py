"""The plot of points with intervals: where its points are, how they are walked, and what is saved of it."""

import gc
import weakref
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGraphicsView

from studio.widgets.metric_plots.figure import PNG_SCALE, Figure, format_of, image_of, png_of, svg_of
from studio.widgets.metric_plots.interval_plot import IntervalPlot
from studio.widgets.metric_plots.mark_legend import LegendEntry, MarkLegend, legend_boxes
from studio.widgets.metric_plots.mark_shapes import LOOKS, draw_mark, look_of
from studio.widgets.metric_plots.plot_series import PlotPoint, PlotSeries, PlotSheet

NAMES = ("default", "dark theme", "大号字体")


def _series(title, *values):
    points = tuple(
        PlotPoint(v, max(0, v - 6), min(100, v + 6), f"{title} {v}") if v is not None else None
        for v in values
    )
    return PlotSeries(title, points)


SHEET = PlotSheet(NAMES, (_series("GPT-4o", 78, 75, 70), _series("UI-TARS 7B", 68, None, 51)))


@pytest.fixture
def plot(hosted):
    plot = hosted(IntervalPlot("Reliability"), 600, 260)
    plot.show_sheet(SHEET)
    return plot


def _figure(plot):
    legend = tuple(LegendEntry(look_of(n), series.title) for n, series in enumerate(plot.sheet.series))
    return Figure("Reliability", "各模型", legend, plot.size(), plot.paint_plot, ("Both < 80 & > 50",))


def _colors(image, at, reach=6):
    area = range(-reach, reach + 1)
    return {image.pixelColor(at + QPoint(x, y)).name() for x in area for y in area}


def test_a_point_is_drawn_where_it_is_found_in_the_colours_of_both_themes(plot, dressed):
    where = plot.place_of((0, 1)).toPoint()
    assert plot.place_at(QPointF(where)) == (0, 1)
    assert plot.place_at(QPointF(where) + QPointF(0, 60)) is None
    assert dressed.color("accent").name() in _colors(plot.grab().toImage(), where)
    dressed.use("light")
    image = plot.grab().toImage()
    assert dressed.color("accent").name() in _colors(image, where)
    assert image.pixelColor(2, 2).name() == dressed.color("bg-1").name()


def test_points_of_a_series_lie_in_the_order_of_the_categories_and_higher_is_up(plot):
    across = [plot.place_of((0, category)) for category in range(3)]
    assert across[0].x() < across[1].x() < across[2].x()
    assert across[0].y() < across[1].y() < across[2].y()
    # 25 points apart are a quarter of the distance between 0 and 100.
    two = PlotSheet(("a",), (_series("x", 25), _series("y", 50), _series("z", 100)))
    plot.show_sheet(two)
    low, middle, high = (plot.place_of((series, 0)).y() for series in range(3))
    assert (low - middle) * 2 == pytest.approx(middle - high, abs=2)


def test_the_keyboard_walks_series_and_values_and_opens(plot):
    chosen, opened = [], []
    plot.chosen.connect(chosen.append)
    plot.opened.connect(opened.append)
    keys = (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left,
            Qt.Key.Key_Up, Qt.Key.Key_End, Qt.Key.Key_Home)  # fmt: skip
    for key in keys:
        QTest.keyClick(plot, key)
    assert chosen == [(0, 0), (0, 1), (0, 2), (1, 2), (1, 0), (0, 0), (1, 2), (0, 0)]
    assert plot.accessibleDescription() == "GPT-4o 78"
    QTest.keyClick(plot, Qt.Key.Key_Return)
    assert opened == [(0, 0)]


def test_a_click_chooses_a_double_click_opens_and_beside_shows_all(plot):
    chosen, opened = [], []
    plot.chosen.connect(chosen.append)
    plot.opened.connect(opened.append)
    view = plot.findChild(QGraphicsView).viewport()
    where = plot.place_of((1, 2)).toPoint()
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=where)
    assert chosen == [(1, 2)]
    assert plot.hasFocus()
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=where)
    assert opened == [(1, 2)]
    assert plot.tip_at(QPointF(where)) == "UI-TARS 7B 51"
    plot.box.setXRange(0, 2, padding=0)
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=QPoint(300, 20))
    assert plot.box.viewRange()[0] == [0, 3]
    assert opened == [(1, 2)]


def test_many_categories_are_zoomed_and_the_cursor_stays_in_view(plot):
    names = tuple(f"a long name of variation {number}" for number in range(40))
    plot.show_sheet(PlotSheet(names, (_series("x", *[50] * 40),)))
    plot.box.setXRange(0, 4, padding=0)
    assert plot.place_of((0, 20)).x() > plot.width()
    plot.set_current((0, 20))
    assert 0 < plot.place_of((0, 20)).x() < plot.width()
    plot.show_all()
    assert plot.place_of((0, 39)).x() < plot.width()
    below = QPointF(plot.place_of((0, 20)).x(), plot.height() - 10)
    assert plot.tip_at(below) == names[20]


def test_names_that_do_not_fit_beside_each_other_are_on_two_lines(plot):
    def bottom():
        QCoreApplication.processEvents()
        (names,) = plot.bottom_axis._tickLevels
        return plot.bottom_axis.height(), [text for _at, text in names]

    height, names = bottom()
    assert names == [*NAMES]
    names = tuple(f"location-asked-{number}" for number in range(6))
    plot.show_sheet(PlotSheet(names, (_series("GPT-4o", *[50] * 6),)))
    higher, shown = bottom()
    assert (higher > height, shown) == (True, [*names])
    # Of a sample of hundreds some are named so that they can be read, and not each by three dots.
    plot.show_sheet(PlotSheet(tuple(f"{place} and more" for place in range(60)), (_series("a", *[50] * 60),)))
    _height, shown = bottom()
    assert 3 < len(shown) < 30
    numbers = [int(text.split()[0]) for text in shown]
    assert numbers == list(range(0, 60, numbers[1]))


def test_the_current_point_stays_while_it_is_there(plot):
    plot.set_current((1, 2))
    plot.show_sheet(PlotSheet(NAMES, SHEET.series[:1]))
    assert plot.current is None
    plot.show_sheet(PlotSheet())
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert plot.current is None
    assert not plot.grab().isNull()


def test_every_look_differs_without_colour(dressed):
    shapes = set()
    for look in LOOKS:
        image = QImage(24, 24, QImage.Format.Format_RGB32)
        image.fill(dressed.color("bg-1"))
        painter = QPainter(image)
        draw_mark(painter, QPointF(12, 12), look)
        painter.end()
        ground = QColor(dressed.color("bg-1")).rgb()
        shapes.add(tuple(image.pixel(x, y) != ground for x in range(24) for y in range(24)))
    assert len(shapes) == len(LOOKS)


def test_a_legend_breaks_into_lines_that_fit(hosted, dressed):
    entries = [LegendEntry(look_of(number), f"agent number {number}") for number in range(9)]
    boxes = legend_boxes(entries, 260)
    assert all(box.right() < 260 for box in boxes)
    assert len({box.top() for box in boxes}) > 1
    legend = hosted(MarkLegend(is_wrapped=True), 260, 100)
    legend.show_entries(entries)
    assert legend.heightForWidth(260) == boxes[-1].bottom() + 1
    assert legend.heightForWidth(60) == 20 * len(entries)


def test_png_and_svg_hold_the_whole_figure_without_the_cursor(plot, dressed):
    figure = _figure(plot)
    before = image_of(figure)
    plot.set_current((0, 0))
    image = image_of(figure)
    assert image == before
    assert image.size() == figure.size * PNG_SCALE
    read = QImage.fromData(png_of(image))
    assert read.size() == image.size()
    assert read.dotsPerMeterX() == round(96 * PNG_SCALE / 0.0254)

    svg = svg_of(figure).decode()
    texts = [element.text for element in ET.fromstring(svg).iter() if element.tag.endswith("text")]
    for text in (
        "Reliability",
        "各模型",
        "GPT-4o",
        "UI-TARS 7B",
        "dark theme",
        "大号字体",
        "75",
        "Both < 80 & > 50",
    ):
        assert text in texts
    assert "<image" not in svg
    assert dressed.color("accent").name() in svg
    assert (format_of("a.SVG"), format_of("b.png"), format_of("c")) == ("svg", "png", "png")


def test_a_plot_is_freed_with_its_window(dressed):
    plot = IntervalPlot("Reliability")
    plot.show_sheet(SHEET)
    plot.grab()
    gone = weakref.ref(plot)
    plot.deleteLater()
    del plot
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None
    dressed.use("light")


def test_no_more_categories_are_shown_than_can_be_told_apart(plot):
    names = tuple(map(str, range(1000)))
    plot.show_sheet(PlotSheet(names, (_series("x", *[50] * 1000), _series("y", *[60] * 1000))))
    assert plot.box.viewRange()[0] == [0, 60]
    QTest.keyClick(plot, Qt.Key.Key_End)
    assert plot.current == (1, 999)
    where = plot.place_of((1, 999))
    assert 0 < where.x() < plot.width()
    assert plot.place_at(where) in {(0, 999), (1, 999)}
