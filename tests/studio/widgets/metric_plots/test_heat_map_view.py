"""The heat map: its colours, the cursor, and names that stay in view."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from rule_editor.widgets.cell_grid import GridCell
from studio.theme import theme
from studio.widgets.metric_plots.heat_cells import (
    HeatCell,
    HeatSheet,
    step_color,
    step_of,
    step_titles,
    step_tone,
)
from studio.widgets.metric_plots.heat_map_view import HeatMapView
from tests.helpers.contrast import contrast


def sheet(rows: int, columns: int) -> HeatSheet:
    cells = tuple(
        tuple(HeatCell(100 * column / columns, "50.0", "1/2", f"{row} {column}") for column in range(columns))
        for row in range(rows)
    )
    names = tuple(f"a variation with a long name {column}" for column in range(columns))
    return HeatSheet(tuple(f"agent {row}" for row in range(rows)), names, cells)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_every_colour_can_be_read_and_told_apart_without_hue(qapp, scheme):
    theme.use(scheme)
    steps = range(len(step_titles()))
    poor = [
        step for step in steps
        if contrast(step_color(step).getRgb(), theme.color(step_tone(step)).getRgb()) < 4.5
    ]  # fmt: skip
    assert poor == []
    greys = [
        step_color(step).lightnessF() if scheme == "dark" else -step_color(step).lightnessF()
        for step in steps
    ]
    assert greys == sorted(greys)
    assert min(b - a for a, b in itertools.pairwise(greys)) > 0.03


def test_a_percentage_on_an_edge_has_the_stronger_colour():
    assert [step_of(value) for value in (0, 19.9, 20, 60, 79.9, 80, 100)] == [0, 0, 1, 3, 3, 4, 4]
    assert step_titles()[0] == "0\u201320"


def test_names_stay_while_cells_scroll_and_the_scale_hides_what_is_below(hosted):
    view = hosted(HeatMapView("map"), 420, 180)
    view.show_sheet(sheet(12, 12))
    for _press in range(11):
        QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.current == GridCell(11, 11)
    corner = view.cell_rect(GridCell(11, 11)).center()
    assert view.cells_rect().contains(corner)
    assert view.tip_at(QPoint(corner.x(), 4)) == "a variation with a long name 11"
    assert view.tip_at(QPoint(20, corner.y())) == "agent 11"
    below = view.viewport().height() - 4
    view.verticalScrollBar().setValue(0)
    assert (view.cell_at(QPoint(corner.x(), below)), view.tip_at(QPoint(20, below))) == (None, "")
    view.show_sheet(sheet(12, 12))
    assert view.current == GridCell(11, 11), "it is counted again, and the cursor stays"
    view.show_sheet(sheet(12, 3))
    assert view.current is None


def test_combinations_that_begin_alike_are_told_apart_by_their_titles(hosted):
    view = hosted(HeatMapView("map"), 280, 200)
    pair = (HeatCell(50.0, "50.0", "1/2", "tip"),) * 2
    heads = []
    for last in ("dark_theme", "mirrored"):
        names = ("long_descriptions", f"long_descriptions+{last}")
        view.show_sheet(HeatSheet(("agent",), names, (pair,)))
        box = view.cell_rect(GridCell(0, 1))
        heads.append(view.viewport().grab(QRect(box.left(), 0, box.width(), view.head_height)).toImage())
    assert heads[0] != heads[1]
    assert view.head_height > HeatMapView.head_height


def test_the_whole_map_is_drawn_to_be_saved(hosted):
    view = hosted(HeatMapView("map"), 300, 120)
    view.show_sheet(sheet(6, 8))
    QTest.keyClick(view, Qt.Key.Key_End)
    size = view.plot_size()
    assert size.width() > 8 * 64
    image = QImage(QSize(size), QImage.Format.Format_RGB32)
    image.fill(theme.color("bg-1"))
    painter = QPainter(image)
    view.paint_plot(painter)
    painter.end()
    # The last column is drawn in the colour of its percentage, at the place that is scrolled away on show.
    last = size.width() - 14 - 8, size.height() - 28 - 8
    assert image.pixelColor(*last) == step_color(step_of(87.5))
