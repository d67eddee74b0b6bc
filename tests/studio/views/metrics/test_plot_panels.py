"""The two plots of Metrics: what they draw, which episodes a click shows, and how they are saved."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal

from collector.metrics.episode_columns import TaskFacts, columns_of_episodes
from collector.model.task import Task
from collector.store.episode_facts import EpisodeFacts
from studio.bridge import JobRunner
from studio.views.metrics.comparison_panel import ComparisonPanel
from studio.views.metrics.reliability_panel import ReliabilityPanel


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
    panel.plot.chosen.emit((1, 1))
    (number,) = session.shown
    assert (number.title, number.detail) == ("SR 50.0 %", "weak, dark")
    assert len(number.cell.behind) == 8
    assert len(number.cell.positive) == 4
    panel.across.choose("condition")
    assert panel.plot.sheet.categories == ("none", "low battery")
    assert "weak: 70.7, 50.0, 100.0" in panel.spread.accessibleDescription()
    assert panel.heading.text() == "Reliability by condition"


def test_the_comparison_follows_the_agent_and_opens_the_pairs_of_a_box(hosted, session, services):
    panel = hosted(ComparisonPanel(session, services), 700, 500)
    session.load()
    assert [panel.condition.itemText(n) for n in range(panel.condition.count())] == [
        "none vs all anomalies", "none vs low battery",
    ]  # fmt: skip
    session.row_values = {"agent": "weak"}
    session.row_changed.emit()
    assert panel.note.text().startswith("weak, same task")
    assert [(row.title, row.count, row.difference) for row in panel.rows.rows] == [
        ("Mail", 4, "−100.0"), ("Shop", 4, "−100.0"),
    ]  # fmt: skip
    assert [box.accessibleName() for box in panel.boxes.boxes] == [
        "0 both succeed", "8 only baseline", "0 only interrupted", "0 neither",
    ]  # fmt: skip
    assert panel.headline.text() == "low battery costs weak 100.0 points"
    panel.boxes.boxes[1].click()
    assert (session.shown[-1].title, len(session.shown[-1].cell.behind)) == ("8", 16)
    panel.rows.chosen.emit(0)
    assert (session.shown[-1].detail, len(session.shown[-1].cell.behind)) == ("Mail", 8)


def test_both_plots_are_saved_as_picture_and_vectors(hosted, qtbot, session, services, tmp_path):
    for build in (ReliabilityPanel, ComparisonPanel):
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
