"""What every table does the same: choose, open, copy and read aloud, by keys and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView

from collector.model.task import Task
from collector.run.progress import CellProgress
from collector.run.results.result_grid import ResultGrid
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from studio.views.project.tasks.task_model import TaskModel
from studio.views.project.tasks.task_rows import task_rows
from studio.views.project.tasks.task_table import TaskTable
from studio.widgets.number_table.content import NumberColumn, TableContent
from studio.widgets.number_table.view import NumberTable
from studio.widgets.result_grid.episode_table import EpisodeTable
from studio.widgets.result_grid.rate_table import RateTable
from studio.widgets.tables.cell_table import CellTable, TableCell, TableColumn
from studio.widgets.tree_panel.attributes import AttributeTable
from tests.helpers.run_feed import sample_cells
from tests.helpers.sample_screen import sample_tree


def attributes():
    table = AttributeTable()
    table.set_node(sample_tree().nodes[3])
    return table


def cells():
    columns = (TableColumn("Name", 80), TableColumn("", 30), TableColumn("Count", at_right=True))
    table = CellTable("Cells", columns)
    table.show_rows(
        [
            [TableCell(name), TableCell(icon="check", tip="checked"), TableCell("3")]
            for name in ("a", "b", "c")
        ]
    )
    return table


def episode(task):
    return CatalogueRow(
        f"trajectories/{task}/x", "x", task, kind="run", who="", status="finished", agent="gpt", condition="",
        steps=3, started="2026-11-23T07:00:00+00:00", duration_ms=1500, problems=0, problem="",
    )  # fmt: skip


def episodes():
    table = EpisodeTable()
    table.show_rows([episode(task) for task in ("a", "b", "c")])
    return table


def numbers():
    table = NumberTable("Numbers")
    columns = [NumberColumn(title, texts=("1", "2", "3"), report_column=at) for at, title in enumerate("ab")]
    table.show_content(TableContent(tuple(columns), 3, (("x",), ("y",), ("z",))))
    return table


def rates():
    table = RateTable()
    planned = sample_cells(4)
    table.show_rates(ResultGrid(planned, {planned[0].id: CellProgress(planned[0].id, "success")}).rates())
    return table


def tasks():
    given = tuple(Task(name, f"Do {name}", app="Shop") for name in ("buy", "look", "send"))
    snapshot = ProjectSnapshot(Path("/p"), "Mine", False, given, {}, {}, ())
    model = TaskModel()
    model.show_rows(task_rows(snapshot, given, ()))
    table = TaskTable(model)
    model.setParent(table)
    return table


@pytest.fixture(params=[attributes, cells, episodes, numbers, rates, tasks])
def table(request, hosted):
    return hosted(request.param(), 900, 220)


@pytest.fixture
def opened(table):
    heard = []
    signal = table.activated_task if isinstance(table, TaskTable) else table.opened
    signal.connect(lambda *what: heard.append(what))
    return heard


def test_down_chooses_and_both_enter_keys_open(table, opened):
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.currentIndex().row() == 1
    QTest.keyClick(table, Qt.Key.Key_Return)
    QTest.keyClick(table, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    QTest.keyClick(table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert len(opened) == 2
    assert opened[0] == opened[1]


def test_a_double_click_opens(table, opened):
    column = next(number for number in range(9) if not table.isColumnHidden(number) and number)
    if isinstance(table, CellTable):
        column = 0
    place = table.visualRect(table.model().index(1, column)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened == []
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert len(opened) == 1


def test_what_is_selected_is_copied(table):
    model = table.model()
    table.setCurrentIndex(model.index(1, 0))
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied == table.copied_text()
    texts = [str(model.index(1, column).data() or "") for column in range(model.columnCount())]
    assert set(copied.split("\t")) <= set(texts)
    assert copied.strip()


def test_the_focus_alone_chooses_nothing_and_no_letter_is_searched_by_tab(table):
    chosen = []
    table.chosen.connect(lambda *what: chosen.append(what))
    table.clearFocus()
    table.setFocus(Qt.FocusReason.TabFocusReason)
    assert [what for what in chosen if what != ([],)] == []
    assert not table.tabKeyNavigation()
    assert table.editTriggers() == QAbstractItemView.EditTrigger.NoEditTriggers


def test_the_table_its_titles_and_its_cells_are_read_aloud(table, qtmodeltester):
    assert table.accessibleName()
    model = table.model()
    roles = Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole
    spoken = [model.index(0, 0).data(role) for role in roles] + [model.index(0, 1).data(roles[1])]
    assert any(spoken)
    qtmodeltester.check(model)


def test_rows_are_copied_with_tabs_between_titled_columns_and_icons_are_read_by_their_tips(hosted):
    table = hosted(cells(), 400, 200)
    table.choose(2)
    assert table.copied_text() == "c\t3"
    assert table.model().index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole) == "checked"


def test_rows_are_shown_again_and_chosen_by_the_program_without_a_signal(hosted):
    table = hosted(cells(), 400, 200)
    table.choose(1)
    chosen = []
    table.chosen.connect(chosen.append)
    table.show_rows(table.rows[:2])
    assert (table.current, chosen) == (1, [])
    table.show_rows(table.rows, current=-1)
    assert (table.current, chosen) == (-1, [])
    table.choose(0)
    assert chosen == [0]


def test_the_chosen_row_stays_in_sight_when_the_table_gets_smaller(qtbot):
    table = cells()
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.show()
    table.choose(2)
    assert table.visualRect(table.currentIndex()).bottom() < table.viewport().height()
    table.resize(300, 80)
    qtbot.waitUntil(lambda: table.viewport().height() < 80)
    assert table.visualRect(table.currentIndex()).bottom() < table.viewport().height()


def test_the_focus_chooses_nothing_and_the_first_row_can_be_chosen_then(qtbot):
    for choose in ("key", "mouse"):
        table, rows = cells(), []
        qtbot.addWidget(table)
        table.chosen.connect(rows.append)
        table.resize(300, 200)
        table.show()
        table.setFocus()
        qtbot.waitUntil(table.hasFocus)
        assert rows == []
        if choose == "key":
            QTest.keyClick(table, Qt.Key.Key_Down)
        else:
            place = table.visualRect(table.model().index(0, 0)).center()
            QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert rows == [0]
        table.hide()
