"""The table of numbers: order, selection and keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from studio.widgets.number_table.content import ColumnKind, NumberColumn, TableContent
from studio.widgets.number_table.view import NumberTable, column_widths
from studio.widgets.painting import text_width


def _content(values=(0.5, np.nan, 0.9)):
    rates = np.array(values)
    texts = tuple("–" if np.isnan(value) else f"{100 * value:.1f}" for value in values)
    names = NumberColumn("Agent", ColumnKind.LABEL, texts=("a", "b", "c"), values=np.arange(3.0))
    number = NumberColumn("SR %", texts=texts, values=rates, report_column=0)
    interval = NumberColumn("", ColumnKind.INTERVAL, texts=("", "", ""), values=rates, report_column=0)
    steps = NumberColumn("Steps", texts=("3", "1", "2"), values=np.array([3.0, 1, 2]), report_column=1)
    return TableContent((names, number, interval, steps), 3, (("a",), ("b",), ("c",)))


@pytest.fixture
def table(dressed, qtbot):
    view = NumberTable("Numbers")
    qtbot.addWidget(view)
    view.resize(800, 300)
    view.show_content(_content())
    view.show()
    return view


def test_rows_are_sorted_with_unknown_numbers_last_and_the_third_click_restores_the_groups(table):
    table.toggle_sorting(1)
    assert table.numbers.order.tolist() == [2, 0, 1]
    table.toggle_sorting(1)
    assert table.numbers.order.tolist() == [0, 2, 1]
    table.toggle_sorting(1)
    assert table.numbers.order.tolist() == [0, 1, 2]


def test_the_selected_number_stays_selected_when_others_arrive_and_says_nothing(table):
    table.select_number(2, 0)
    chosen = []
    table.chosen.connect(lambda *number: chosen.append(number))
    table.toggle_sorting(3)
    table.show_content(_content((0.1, 0.2, 0.3)))
    assert table.selected == (2, 0)
    assert table.numbers.sorted_by == 3
    assert chosen == []


def test_arrows_walk_from_number_to_number_and_enter_opens(table, qtbot):
    table.select_number(0, 0)
    numbers = []
    table.opened.connect(lambda *number: numbers.append(number))
    qtbot.keyClick(table, Qt.Key.Key_Right)
    assert table.selected == (0, 1), "the interval is left out"
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert numbers == [(1, 1)]
    qtbot.keyClick(table, Qt.Key.Key_Left)
    assert table.selected == (1, 0)
    qtbot.keyClick(table, Qt.Key.Key_Left)
    assert table.selected == (1, 0), "a label is no number"


def test_details_of_the_first_column_give_way_first_and_labels_stay_whole(dressed):
    names, number, interval, steps = _content().columns
    categories = replace(names, texts=("Permission Control", "b", "c"), details=("location-asked", "", ""))
    names = replace(names, details=("screenshot and tree",) * 3)
    content = TableContent((names, categories, number, interval, steps), 3, _content().keys)
    label = text_width("Permission Control", "name")
    assert column_widths(content, 0)[1] >= label, "the table scrolls, and no label is cut"
    titled = replace(content, columns=(replace(names, title="Anomaly category"), *content.columns[1:]))
    title = text_width("Anomaly category", "name")
    assert column_widths(titled, 0)[0] >= title, "nor is its title"
    whole = label + text_width("location-asked")
    least = column_widths(content, 0)
    narrower = column_widths(content, sum(least) + text_width("location-asked") + 16)
    assert narrower[0] < least[0] + 16
    assert narrower[1] >= whole


def test_on_a_wide_screen_names_and_numbers_stay_near_each_other(dressed):
    widths = column_widths(_content(), 3000)
    assert sum(widths) == 3000
    assert widths[0] < 3000 / 2
    assert min(widths[1:]) > 500
