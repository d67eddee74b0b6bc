"""A narrow table of tasks hides what matters least, so that instructions can be read."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QTableView

from studio.views.project.tasks.task_model import COLUMNS, TaskModel
from studio.views.project.tasks.task_table import TaskTable

INSTRUCTION = 2


@pytest.fixture
def table(dressed, qtbot):
    table = TaskTable(TaskModel())
    qtbot.addWidget(table)
    table.resize(1150, 400)
    table.show()
    return table


def hidden(table):
    """The columns that are hidden, without those that are at first."""
    return [
        column.key
        for number, column in enumerate(COLUMNS)
        if table.isColumnHidden(number) and not column.optional
    ]


def test_columns_give_way_to_the_instruction_and_come_back(table):
    assert hidden(table) == []
    table.resize(860, 400)
    assert hidden(table)
    assert table.columnWidth(INSTRUCTION) >= 260
    table.resize(640, 400)
    assert hidden(table) == ["level", "review", "changed"]
    table.resize(1150, 400)
    assert hidden(table) == []


def test_what_the_person_hides_stays_hidden_and_only_that_is_saved(table):
    rules = next(number for number, column in enumerate(COLUMNS) if column.key == "rules")
    table.columns_menu().actions()[rules - INSTRUCTION - 1].trigger()
    assert hidden(table) == ["rules"]
    whole = table.column_state()
    table.resize(640, 400)
    assert len(hidden(table)) == 4
    assert table.column_state() != whole  # widths changed
    assert len(hidden(table)) == 4
    again = TaskTable(TaskModel(), table)
    again.restore_columns(table.column_state())
    assert hidden(again) == ["rules"]


def test_what_papers_count_by_is_shown_when_asked_for_and_hidden_after_an_older_version(table):
    optional = [number for number, column in enumerate(COLUMNS) if column.optional]
    assert [COLUMNS[number].key for number in optional] == [
        "type", "category", "language", "app-category", "answer",
    ]  # fmt: skip
    assert all(table.isColumnHidden(number) for number in optional)
    table.columns_menu().actions()[optional[0] - INSTRUCTION - 1].trigger()
    again = TaskTable(TaskModel(), table)
    again.restore_columns(table.column_state())
    assert [again.isColumnHidden(number) for number in optional] == [False, True, True, True, True]
    older = QTableView(table)
    older.setModel(QStandardItemModel(1, 10, older))
    older.setColumnHidden(5, True)
    third = TaskTable(TaskModel(), table)
    third.restore_columns(bytes(older.horizontalHeader().saveState().toBase64().data()).decode())
    assert third.isColumnHidden(5)
    assert all(third.isColumnHidden(number) for number in optional)
