"""The painted grid of results, its legend, and the list of episodes."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from collector.run.progress import CellProgress
from collector.run.results.result_grid import ResultGrid
from collector.store.catalogue.catalogue_row import CatalogueRow
from studio.widgets.result_grid.episode_table import COLUMNS, EpisodeTable
from studio.widgets.result_grid.grid_geometry import TITLE_LEFT, GridGeometry
from studio.widgets.result_grid.grid_view import ResultGridView
from studio.widgets.result_grid.legend import ResultLegend
from tests.helpers.run_feed import sample_cells


def row(task: str, **values: object) -> CatalogueRow:
    usual = {
        "kind": "run", "who": "", "status": "finished", "agent": "gpt", "condition": "", "steps": 3,
        "started": "2026-11-23T07:00:00+00:00", "duration_ms": 1500, "problems": 0, "problem": "",
    }  # fmt: skip
    return CatalogueRow(f"trajectories/{task}/x", "x", task, **{**usual, **values})  # type: ignore[arg-type]


def test_a_large_grid_is_walked_and_scrolled(hosted) -> None:
    cells = sample_cells(400)
    known = {cell.id: CellProgress(cell.id, "success") for cell in cells[:100]}
    view = hosted(ResultGridView(), 700, 300)
    view.show_grid(ResultGrid(cells, known))
    chosen: list[str] = []
    opened: list[str] = []
    view.chosen.connect(chosen.append)
    view.opened.connect(opened.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_PageDown, Qt.Key.Key_Return):
        QTest.keyClick(view, key)
    place = view.cell_of(chosen[-1])
    assert place.column == 35
    assert place.row > 5
    assert opened == [chosen[-1]]
    assert view.viewport().rect().contains(view.cell_rect(place))
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.current_cell.column == 0
    box = view.cell_rect(view.current_cell)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    assert opened[1:] == [chosen[-1]]
    tip = view.tip_at(box.center())
    assert tip.splitlines()[0].startswith(view.grid.row_names[view.current_cell.row])
    assert tip.splitlines()[1] == "waiting"
    assert view.tip_at(QPoint(20, box.center().y())) == view.grid.row_names[view.current_cell.row]
    assert view.tip_at(QPoint(200, 30)) == "UI-TARS 7B: None"
    assert view.tip_at(QPoint(-5, -5)) == ""
    # Other results keep the cell that is chosen; an experiment without it has none.
    view.show_grid(ResultGrid(cells, known))
    assert view.current is not None
    view.show_grid(ResultGrid(cells[:12], known))
    assert view.current is None
    view.show_grid(ResultGrid())
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.current is None
    assert not view.grab().isNull()


def test_names_of_conditions_are_not_cut_when_they_are_short() -> None:
    columns = ResultGrid(sample_cells(2), {}).columns
    for needed in (20, 61, 140):
        geometry = GridGeometry(columns, [needed] * len(columns))
        for group in geometry.groups:
            assert group.right - group.left - TITLE_LEFT - 2 >= needed


def test_the_legend_explains_and_filters(hosted, qtbot) -> None:
    legend = hosted(ResultLegend(), 700, 24)
    legend.set_counts({"success": 3, "fault": 1})
    assert "fault" in legend.statuses
    assert "unjudged" not in legend.statuses
    heard: list[frozenset[str]] = []
    legend.filtered.connect(heard.append)
    # The focus that comes by itself chooses nothing that could be taken for a filter.
    legend.window().activateWindow()
    qtbot.waitUntil(legend.isActiveWindow)
    plain = legend.grab().toImage()
    legend.setFocus(Qt.FocusReason.OtherFocusReason)
    assert legend.grab().toImage() == plain
    legend.clearFocus()
    legend.setFocus(Qt.FocusReason.TabFocusReason)
    assert legend.hasFocus()
    assert legend.grab().toImage() != plain
    QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=QPoint(12, 12))
    QTest.keyClick(legend, Qt.Key.Key_Right)
    QTest.keyClick(legend, Qt.Key.Key_Space)
    legend.clear()
    assert heard == [{"success"}, {"success", "failure"}, frozenset()]
    assert legend.minimumSizeHint().width() < legend.sizeHint().width()


def test_the_list_is_sorted_by_its_headers(hosted) -> None:
    table = hosted(EpisodeTable(), 900, 200)
    opened: list[CatalogueRow] = []
    table.opened.connect(opened.append)
    rows = [
        row("b", outcome="failure", steps=9, reason="No cart"),
        row("a", outcome="success", steps=1, early_stop=True),
        row("c", infrastructure="The phone is gone", steps=4),
    ]
    table.show_rows([*rows, row("d", tokens=7, attempt=1, condition="low")])
    rare = {column.title: number for number, column in enumerate(COLUMNS) if column.is_rare}
    assert {title for title, number in rare.items() if table.isColumnHidden(number)} == {"Cost", "Orders"}
    table.show_rows(
        [
            row("e", orders_seen=2, misled=1),
            row("f", orders_seen=1, misled=0),
            row("g", orders_seen=0, misled=0),
        ]
    )
    assert not table.isColumnHidden(rare["Orders"])
    orders = [table.episodes.index(number, rare["Orders"]).data() for number in range(3)]
    assert orders == ["misled", "not followed", "not seen"]
    table.show_rows(rows)
    assert all(table.isColumnHidden(number) for number in rare.values())
    table.selectRow(0)

    def tasks() -> str:
        return "".join(item.task for item in table.episodes.rows)

    assert tasks() == "bac"
    table.horizontalHeader().setSortIndicator(8, Qt.SortOrder.DescendingOrder)
    assert tasks() == "bca"
    table.horizontalHeader().setSortIndicator(0, Qt.SortOrder.AscendingOrder)
    assert tasks() == "abc"
    assert table.currentIndex().row() == 1  # the chosen episode stays chosen
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert [item.task for item in opened] == ["b"]
    texts = [table.episodes.index(number, 5).data() for number in range(3)]
    assert texts == ["success, stopped early", "failure", "fault of the machine"]
    assert table.episodes.index(2, 7).data() == "The phone is gone"
    table.show_rows(rows[:2])
    assert table.currentIndex().row() == 1
