"""The grid of results: its axes, its counts, and which rows are shown in which order."""

from __future__ import annotations

from dataclasses import replace

from collector.model import i18n
from collector.model.resources import asset
from collector.run.experiment.model import Cell
from collector.run.progress import CELL_STATUSES, WAITING, CellProgress, RunProgress
from collector.run.results.result_grid import ResultGrid, ResultPlace, cell_text, result_text
from collector.run.results.result_rows import ResultOrder, ResultRows
from tests.helpers.run_feed import AGENTS, CONDITIONS, RunFeed, sample_cells


def test_cells_of_an_experiment_as_rows_and_columns() -> None:
    cells = sample_cells()
    grid = ResultGrid(cells)
    assert (len(grid.row_names), len(grid.columns), grid.total) == (24, 36, 864)
    assert [column.agent for column in grid.columns[::12]] == list(AGENTS)
    assert [column.condition for column in grid.columns[:12:3]] == list(CONDITIONS)
    assert [column.seed for column in grid.columns[:3]] == [123, 124, 125]
    assert all(grid.cell(grid.place_of(cell.id)) == cell for cell in cells)
    assert grid.cell(ResultPlace(24, 0)) is None
    assert grid.cell(ResultPlace(-1, 0)) is None


def test_details_that_tell_nothing_are_left_out_of_titles() -> None:
    cells = [
        Cell("a", agent, "baseline", modality, variation=variation)
        for agent, modality in (("x", "screenshot"), ("y", "tree"))
        for variation in ("", "dark")
    ]
    titles = [column.title for column in ResultGrid(cells).columns]
    assert titles == ["baseline · default", "baseline · dark"] * 2


def test_the_baseline_is_named_in_the_language_of_the_window() -> None:
    (column,) = ResultGrid([Cell("a", "x", "baseline", "tree")]).columns
    i18n.use_language("zh_CN", asset("translations"))
    try:
        assert column.title == "基线"
    finally:
        i18n.use_language(i18n.SOURCE_LANGUAGE, asset("translations"))


def test_cells_that_an_experiment_lacks_are_no_cells() -> None:
    cells = [Cell("a", "x", "baseline", "tree"), Cell("b", "y", "baseline", "tree")]
    grid = ResultGrid(cells)
    assert grid.cell(ResultPlace(0, 1)) is None
    assert grid.result(ResultPlace(0, 1)) is None
    assert grid.status(ResultPlace(0, 1)) == ""
    rows = ResultRows()
    rows.set_grid(grid)
    assert rows.place(0, 1) is None
    assert rows.place(1, 1) == ResultPlace(1, 1)


def test_rates_leave_faults_and_waiting_cells_out() -> None:
    cells = [Cell("a", "x", "baseline", "tree", seed=seed) for seed in range(6)]
    statuses = ("success", "success", "failure", "uncompleted", "fault", "waiting")
    known = {cell.id: CellProgress(cell.id, word) for cell, word in zip(cells, statuses, strict=True)}
    grid = ResultGrid(cells, known)
    (rate,) = grid.rates()
    assert (rate.success, rate.counted, rate.total) == (0.5, 4, 6)
    assert grid.success_of(0) == 0.5
    assert grid.counts()["fault"] == 1


def test_a_row_without_a_counted_episode_has_no_rate() -> None:
    cells = [Cell("a", "x", "baseline", "tree")]
    grid = ResultGrid(cells, {cells[0].id: CellProgress(cells[0].id, "fault")})
    assert grid.success_of(0) is None
    assert grid.rates()[0].success is None


def test_the_grid_follows_a_run() -> None:
    cells = sample_cells(3, (1,))
    progress = RunProgress(lambda: 1000.0)
    progress.plan(cells)
    grid = ResultGrid(cells, progress.cells)
    assert grid.counts()["waiting"] == len(cells)
    feed = RunFeed(cells, 2, lambda worker, step: b"", lambda: 1000.0)
    for event in feed.begin():
        progress.apply(event)
    moments = list(feed.episode(0))
    for event in moments[0]:
        progress.apply(event)
    grid = ResultGrid(cells, progress.cells)
    assert grid.status(grid.place_of(cells[0].id)) == "running"
    for events in moments[1:]:
        for event in events:
            progress.apply(event)
    assert grid.update({cells[0].id, "another experiment"}) == [ResultPlace(0, 0)]
    assert grid.status(ResultPlace(0, 0)) == "success"
    assert grid.update({cells[0].id}) == []
    assert sum(grid.counts().values()) == len(cells)
    # What is counted as it changes is what there is.
    assert progress.take_changed() == {cells[0].id}
    assert not progress.take_changed()
    statuses = [cell.status for cell in progress.cells.values()]
    assert progress.counts == {status: statuses.count(status) for status in CELL_STATUSES}
    assert progress.finished == 1


def test_rows_are_filtered_and_sorted() -> None:
    cells = [Cell(task, "x", "baseline", "tree", seed=seed) for task in ("c", "a", "b") for seed in (1, 2)]
    words = ("success", "failure", "failure", "failure", "waiting", "waiting")
    known = {cell.id: CellProgress(cell.id, word) for cell, word in zip(cells, words, strict=True)}
    grid = ResultGrid(cells, known)
    rows = ResultRows()
    rows.set_grid(grid)

    def shown() -> str:
        return "".join(grid.row_names[number] for number in rows.shown)

    assert shown() == "cab"
    rows.set_order(ResultOrder.NAME)
    assert shown() == "abc"
    rows.set_order(ResultOrder.WORST)
    assert shown() == "acb"
    rows.set_order(ResultOrder.BEST)
    assert shown() == "cab"
    rows.set_statuses({"failure"})
    assert shown() == "ca"
    assert rows.row_of(ResultPlace(2, 0)) is None
    assert rows.accepts("failure")
    assert not rows.accepts("success")
    rows.set_statuses({"waiting"})
    assert shown() == "b"
    rows.set_statuses(())
    assert shown() == "cab"


def test_words_of_a_cell() -> None:
    cell = Cell("buy", "gpt", "low_battery", "screenshot", "dark", "zh-CN", seed=7, repeat=1)
    assert cell_text(cell) == "buy · gpt · low_battery · screenshot · dark · zh-CN · seed 7 · repeat 1"
    result = CellProgress(cell.id, "uncompleted", reason="Five identical actions", early_stop=True)
    assert result_text(result) == "uncompleted, stopped early: Five identical actions"
    assert result_text(replace(result, infrastructure="The phone is gone")).endswith("The phone is gone")
    stopped = CellProgress(result.id, WAITING, infrastructure="A person stopped the episode")
    assert result_text(stopped) == "waiting to be run again: A person stopped the episode"


def test_each_start_of_an_agent_has_its_row() -> None:
    cells = [
        Cell("a", agent, "baseline", "tree", start=start) for agent in ("x", "y") for start in ("g@2", "g@3")
    ]
    grid = ResultGrid([*cells, Cell("b", "x", "baseline", "tree")])
    assert (grid.row_names, len(grid.columns), grid.total) == (("a · g@2", "a · g@3", "b"), 2, 5)
