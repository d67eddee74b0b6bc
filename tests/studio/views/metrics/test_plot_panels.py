"""The plots of Metrics: what they draw, which episodes a click shows, and how they are saved."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest

from collector.metrics.episode_columns import TaskFacts
from collector.model.task import Task
from collector.store.catalogue.episode_facts import EpisodeFacts
from rule_editor.widgets.cell_grid import GridCell
from studio.bridge import JobRunner
from studio.views.metrics.comparison_panel import ComparisonPanel
from studio.views.metrics.heat_map_panel import HeatMapPanel
from studio.views.metrics.plots_panel import HEAT_MAP, PAIRS, PlotsPanel
from studio.views.metrics.reliability_panel import ReliabilityPanel
from studio.widgets.metric_plots.dumbbell_view import ROW
from studio.widgets.metric_plots.plot_import import PLOTS
from tests.helpers.episode_table import columns_of_episodes

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture(autouse=True)
def _plots_are_imported():
    """The window imports them in turns, for which work behind it waits; here it is done in one."""
    import_module(PLOTS)


def episodes():
    """Two agents on four tasks, without and with an anomaly, in two variations; ``weak`` fails with it."""
    facts = [
        EpisodeFacts(
            task=f"t{task}", agent=agent, condition=condition, variation=variation, is_finished=1,
            met=bool(condition), seed=1,
            outcome="success" if agent == "strong" or not condition else "failure",
        )
        for agent in ("strong", "weak")
        for task in range(4)
        for condition in ("", "low battery")
        for variation in ("", "dark")
    ]  # fmt: skip
    tasks = {
        f"t{task}": TaskFacts(Task(f"t{task}", "x", app="Shop" if task < 2 else "Mail")) for task in range(4)
    }
    return columns_of_episodes(facts, tasks)


class PlainSession(QObject):
    """The part of a session that the panels use, computing at once."""

    project_opened = Signal()
    columns_changed = Signal()
    row_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.columns: Any = None
        self.row_values: dict[str, str] = {}
        self.shown: list[Any] = []

    def compute(self, _kind, work, deliver) -> None:
        deliver(work(self.columns))

    def show_episodes(self, number) -> None:
        self.shown.append(number)

    def load(self) -> None:
        self.columns = episodes()
        self.columns_changed.emit()


@pytest.fixture
def session():
    return PlainSession()


@pytest.fixture
def services(qapp):
    runner = JobRunner()
    told: list[tuple[str, ...]] = []
    toasts = SimpleNamespace(show=lambda *words: told.append(words), show_error=told.append)
    yield SimpleNamespace(tasks=runner, toasts=toasts, told=told)
    runner.close()


def test_reliability_draws_a_series_an_agent_and_opens_a_point(hosted, session, services):
    panel = hosted(ReliabilityPanel(session, services), 700, 500)
    assert not panel.save.isEnabled()
    session.load()
    assert [entry.title for entry in panel.legend.entries] == ["strong", "weak"]
    sheet = panel.plot.sheet
    assert sheet.categories == ("default", "dark")
    assert [[round(point.value) for point in series.points if point] for series in sheet.series] == [
        [100, 100],
        [50, 50],
    ]
    assert "4 of 8" in sheet.series[1].points[0].tip
    # A line leads from point to point, and the phone as it is is what the others are compared with.
    assert sheet.lines_in(0, 2) == (((0, 0), (0, 1)), ((1, 0), (1, 1)))
    assert sheet.baseline == 0
    assert "+0.0 points against default" in sheet.series[1].points[1].tip
    assert "against" not in sheet.series[1].points[0].tip
    panel.plot.chosen.emit((1, 1))
    (number,) = session.shown
    assert (number.title, number.detail) == ("SR 50.0 %", "weak, dark")
    assert len(number.cell.behind) == 8
    assert len(number.cell.positive) == 4
    panel.across.choose("condition")
    assert panel.plot.sheet.categories == ("baseline", "low battery")
    assert "weak: 70.7, 50.0, 100.0" in panel.spread.accessibleDescription()
    assert panel.heading.text() == "Reliability by condition"


def test_bars_are_intervals_or_deviations_over_runs(hosted, session, services):
    panel = hosted(ReliabilityPanel(session, services), 540, 500)
    session.load()
    assert (panel.bars.currentText(), panel.note.text()) == (
        "95 % interval",
        "SR with 95 % intervals; shaded: default",
    )
    # As wide as the plot is beside the list of episodes in a window of 1440.
    assert panel.note.fontMetrics().horizontalAdvance(panel.note.text()) <= panel.note.width()
    # With the same tasks twice, the second time failing all of them, a rate is 50 % +- 71 for each agent.
    session.columns = columns_of_episodes(
        EpisodeFacts(task=f"t{task}", agent="a", seed=seed, is_finished=1, outcome=outcome)
        for seed, outcome in ((1, "success"), (2, "failure"))
        for task in range(3)
    )
    session.columns_changed.emit()
    panel.across.choose("variation")
    assert panel.note.text() == "SR, mean and std over 2 runs"
    (point,) = panel.plot.sheet.series[0].points
    assert (point.value, round(point.high - point.value, 1)) == (50.0, 70.7)
    panel.bars.setCurrentIndex(0)
    panel.bars.activated.emit(0)
    (point,) = panel.plot.sheet.series[0].points
    assert point.high < 100
    assert "mean 50.0 %" in point.tip


def test_a_line_ends_where_an_agent_has_no_episode(hosted, session, services):
    panel = hosted(ReliabilityPanel(session, services), 700, 500)
    session.columns = columns_of_episodes(
        EpisodeFacts(task="t", agent=agent, variation=variation, is_finished=1, outcome="success")
        for agent, variations in (("a", ("", "compact", "dark", "german")), ("b", ("", "dark", "german")))
        for variation in variations
    )
    session.columns_changed.emit()
    sheet = panel.plot.sheet
    assert [ends for ends in sheet.lines_in(0, 4) if ends[0][0] == 1] == [((1, 2), (1, 3))]
    assert sheet.lines_in(3, 4) == (((0, 2), (0, 3)), ((1, 2), (1, 3)))  # it comes from outside the view


def test_the_heat_map_counts_two_factors_and_opens_a_cell(hosted, session, services):
    panel = hosted(HeatMapPanel(session, services), 700, 300)
    assert (panel.nothing.text(), panel.go_to_run.isVisible()) == ("Counting...", False)
    session.load()
    assert (panel.rows.dimension, panel.columns.dimension) == ("agent", "variation")
    view = panel.view
    assert (view.sheet.rows, view.sheet.columns) == (("strong", "weak"), ("default", "dark"))
    assert [[(cell.value, cell.count) for cell in row] for row in view.sheet.cells] == [
        [(100.0, "8/8"), (100.0, "8/8")],
        [(50.0, "4/8"), (50.0, "4/8")],
    ]
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.cell_rect(GridCell(1, 1)).center())
    (number,) = session.shown
    assert (number.title, number.detail) == ("SR 50.0 %", "weak, dark")
    assert (len(number.cell.behind), len(number.cell.positive)) == (8, 4)
    assert view.accessibleDescription().splitlines() == [
        "weak, dark: 50.0 %, 4 of 8 episodes", "95 % interval 21.5 to 78.5",
    ]  # fmt: skip
    QTest.keyClick(view, Qt.Key.Key_Up)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert [shown.detail for shown in session.shown[1:]] == ["strong, dark", "strong, dark"]
    panel.columns.choose("app")
    assert view.sheet.columns == ("Mail", "Shop")
    assert view.current is None


def test_cells_without_an_episode_say_so_and_open_nothing(hosted, session, services):
    panel = hosted(HeatMapPanel(session, services), 700, 300)
    session.columns = columns_of_episodes(
        EpisodeFacts(task="t", agent=agent, variation=variation, is_finished=1, outcome="success")
        for agent, variation in (("a", ""), ("a", "dark"), ("b", "dark"))
    )
    session.columns_changed.emit()
    empty = panel.view.sheet.cell((1, 0))
    assert (empty.value, empty.text, empty.tip) == (None, "no episodes", "b, default: no episodes")
    panel.view.chosen.emit(GridCell(1, 0))
    assert session.shown == [None]
    # Without a judged episode there is one thing to do.
    session.columns = session.columns.where(session.columns.selected & False)
    session.columns_changed.emit()
    assert panel.nothing.text() == "No judged episode to draw: run an experiment over variations"
    assert panel.go_to_run.isVisible()
    assert not panel.save.isEnabled()


def test_the_right_plot_is_the_map_where_there_are_no_pairs(hosted, session, services):
    panel = hosted(PlotsPanel(session, services), 1000, 400)
    session.load()
    assert panel.tabs.current == PAIRS
    session.columns = session.columns.where(session.columns.column("condition") == session.columns.code(""))
    session.columns_changed.emit()
    assert panel.tabs.current == HEAT_MAP
    assert panel.heat_map.isVisible()
    assert not panel.comparison.isVisible()
    panel.tabs.set_current(PAIRS)  # a person's choice stays
    session.columns_changed.emit()
    assert panel.tabs.current == PAIRS


def test_no_more_agents_are_drawn_than_can_be_told_apart(hosted, session, services):
    panel = hosted(ReliabilityPanel(session, services), 700, 500)
    session.columns = columns_of_episodes(
        EpisodeFacts(task="t", agent=f"agent {number:02}", is_finished=1, outcome="success")
        for number in range(20)
    )
    session.columns_changed.emit()
    assert len(panel.plot.sheet.series) == len(panel.legend.entries) == 12
    assert panel.note.text().endswith("; 12 of 20 drawn")


def test_the_comparison_follows_the_row_and_opens_the_pairs_of_a_box(hosted, session, services):
    panel = hosted(ComparisonPanel(session, services), 700, 500)
    session.load()
    assert panel.compared.accessibleName() == "baseline vs all anomalies"
    session.row_values = {"agent": "weak", "condition": "low battery"}
    session.row_changed.emit()
    assert panel.compared.accessibleName() == "baseline vs low battery"
    assert panel.scope.text() == "8 pairs, weak, same task and variation"
    # The boxes stand right below the rows, however high the panel is.
    QTest.qWait(0)
    assert panel.rows.height() == 2 * ROW
    assert [(row.title, row.count, row.difference) for row in panel.rows.rows] == [
        ("Mail", 4, "−100.0"), ("Shop", 4, "−100.0"),
    ]  # fmt: skip
    assert [box.accessibleName() for box in panel.boxes.boxes] == [
        "0 both succeed", "8 only baseline", "0 only interrupted", "0 neither",
    ]  # fmt: skip
    assert panel.headline.text() == "low battery costs weak 100.0 points"
    panel.boxes.boxes[1].click()
    number = session.shown[-1]
    assert (number.title, number.detail, len(number.cell.behind)) == ("8 pairs", "only baseline", 16)
    facts = session.columns.column("condition")[number.cell.behind].tolist()
    assert [code > 0 for code in facts] == [False, True] * 8
    # The boxes count the pairs of a chosen row until all are chosen again.
    QTest.keyClick(panel.rows, Qt.Key.Key_Down)
    assert (session.shown[-1].detail, len(session.shown[-1].cell.behind)) == ("Mail", 8)
    assert panel.scope.text() == "Mail: 4 pairs, weak, same task and variation"
    assert panel.boxes.boxes[1].accessibleName() == "4 only baseline"
    panel.boxes.boxes[1].click()
    assert (session.shown[-1].title, session.shown[-1].detail) == ("4 pairs", "only baseline, Mail")
    panel.all_pairs.click()
    assert panel.scope.text().startswith("8 pairs, ")
    assert panel.rows.current == -1


def test_two_agents_are_compared_within_the_row(hosted, session, services):
    panel = hosted(ComparisonPanel(session, services), 700, 500)
    session.load()
    session.row_values = {"agent": "weak", "variation": "dark"}
    session.row_changed.emit()
    panel.compared.open_menu()
    by_title = {action.text(): action.menu() for action in panel.compared.menu.actions() if action.menu()}
    assert list(by_title) == ["Agent", "Variation"]
    firsts = {action.text(): action.menu() for action in by_title["Agent"].actions()}
    (second,) = firsts["strong vs"].actions()
    second.trigger()
    assert panel.compared.accessibleName() == "strong vs weak"
    assert panel.scope.text() == "8 pairs, dark, same task and condition"
    assert [entry.title for entry in panel.legend.entries] == ["strong", "weak"]
    assert [box.accessibleName() for box in panel.boxes.boxes] == [
        "4 both succeed", "4 only strong", "0 only weak", "0 neither",
    ]  # fmt: skip
    panel.compared.menu.close()
    # An agent that no episode has any more cannot be compared: the row is again.
    columns = session.columns
    session.columns = columns.where(columns.column("agent") == columns.code("weak"))
    session.columns_changed.emit()
    assert panel.compared.values is None


def test_without_baselines_there_is_nothing_to_compare(hosted, session, services):
    panel = hosted(ComparisonPanel(session, services), 700, 500)
    assert panel.nothing.text() == "Counting..."  # until it is known that there is none
    session.columns = columns_of_episodes(
        EpisodeFacts(task="t", agent="a", condition=condition, seed=seed, is_finished=1, outcome="success")
        for condition, seed in (("", 1), ("low battery", 2))
    )
    session.columns_changed.emit()
    assert panel.nothing.text() == "No interrupted episode has a baseline to compare with"
    assert not panel.save.isEnabled()
    assert not panel.boxes.isVisible()


def test_the_ending_follows_the_kind_of_file(hosted, qtbot, session, services):
    panel = hosted(ComparisonPanel(session, services), 600, 400)
    session.load()
    dialog = panel.saver.ask()
    assert (Path(dialog.selectedFiles()[0]).name, dialog.defaultSuffix()) == ("comparison.png", "png")
    dialog.filterSelected.emit(dialog.nameFilters()[1])
    assert (Path(dialog.selectedFiles()[0]).name, dialog.defaultSuffix()) == ("comparison.svg", "svg")
    dialog.reject()


def test_every_plot_is_saved_as_picture_and_vectors(hosted, qtbot, session, services, tmp_path):
    for build in (ReliabilityPanel, ComparisonPanel, HeatMapPanel):
        panel = hosted(build(session, services), 600, 400)
        session.load()
        for name, start in (("plot.png", b"\x89PNG"), ("plot.svg", b"<?xml")):
            path = tmp_path / name
            panel.saver.save(str(path))
            qtbot.waitUntil(lambda: bool(services.told))
            assert services.told.pop()[:2] == ("ok", "The plot is saved")
            assert path.read_bytes().startswith(start)
        panel.saver.save(str(tmp_path / "no-folder" / "plot.png"))
        qtbot.waitUntil(lambda: bool(services.told))
        assert isinstance(services.told.pop(), OSError)
