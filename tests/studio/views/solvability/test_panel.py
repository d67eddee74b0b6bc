"""The tab as a check fills it, what is copied and saved, and the way to the step."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from collector.replay.solvability.plan import SolvabilityInput
from collector.replay.solvability.progress import SolvabilityProgress
from collector.replay.solvability.trials import TrialStep
from collector.store.files.layout import ProjectPaths
from rule_editor.widgets.cell_grid import GridCell
from studio.bridge.jobs import JobRunner
from studio.views.solvability.export import COPY_CSV, COPY_MARKDOWN, SAVE_JSON
from studio.views.solvability.panel import SolvabilityPanel
from studio.views.solvability.progress_row import time_words
from studio.widgets.controls import Button
from tests.helpers.shown_texts import says
from tests.helpers.solvability import BROKEN, STOPPED, case, ground, plan, trial

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


class FakeSolvability(QObject):
    """As the bridge, by hand."""

    changed, trial_ended, progressed, looked = Signal(), Signal(object), Signal(object), Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.plan, self.progress, self.problem = None, None, ""
        self.trials: list[object] = []
        self.given = SolvabilityInput()
        self.is_running = self.is_stopping = False

    def begin(self) -> None:
        self.plan, self.trials, self.is_running = plan("one", "two", "three"), [], True
        self.given = ground(case("one"), case("two"), case("three"))
        self.progress = SolvabilityProgress(self.plan, self.given)
        self.changed.emit()

    def end_trial(self, trial) -> None:
        self.trials.append(trial)
        self.progress.end_trial(trial)
        self.trial_ended.emit(trial)
        self.progressed.emit(self.progress)

    def at(self, doing: TrialStep) -> None:
        self.progress.begin_step(doing)
        self.progressed.emit(self.progress)

    def end(self, problem: str = "") -> None:
        self.is_running = self.is_stopping = False
        self.problem = problem
        self.changed.emit()

    def cancel(self) -> None:
        self.is_stopping = True
        self.changed.emit()


class Projects(QObject):
    opened, changed = Signal(object), Signal(object)
    snapshot = SimpleNamespace(golden={"task": 1})
    edits = SimpleNamespace(tasks=())
    project = SimpleNamespace(paths=ProjectPaths(Path("/project")))


class Toasts(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def show(self, _state, what, why="", **_more) -> None:
        self.messages.append(what)

    def show_error(self, error) -> None:
        raise error


@pytest.fixture
def room(dressed, qtbot):
    solvability, projects, runner, toasts = FakeSolvability(), Projects(), JobRunner(), Toasts()
    panel = SolvabilityPanel(solvability, projects, runner)
    panel.offer_to(toasts)
    qtbot.addWidget(panel)
    panel.resize(1100, 320)
    panel.show()
    yield SimpleNamespace(solvability=solvability, projects=projects, panel=panel, toasts=toasts)
    solvability.end()
    runner.close()
    qtbot.wait(0)


def test_an_empty_tab_says_what_is_missing(room):
    panel = room.panel
    assert panel.begin.isVisible()
    assert says(panel, "Replay golden trajectories under anomalies")
    room.projects.snapshot = SimpleNamespace(golden={})
    room.projects.changed.emit(room.projects.snapshot)
    assert says(panel, "No task has a golden trajectory yet")
    asked = []
    panel.asked.connect(lambda: asked.append(True))
    panel.begin.click()
    assert asked


def test_results_fill_in_as_they_come(room):
    panel, solvability = room.panel, room.solvability
    solvability.begin()
    assert panel.state.isVisible()
    assert not panel.again.isEnabled()
    assert panel.summary.text() == "The first run is under way"
    solvability.at(TrialStep("one", "low", "accept", 1, 3))
    assert panel.table.words(GridCell(0, 0)) == "running"
    assert panel.state.words.text() == "Run 2 of 9  ·  one under low  ·  step 2 of 3"
    assert panel.state.left.text().endswith("left")
    solvability.end_trial(trial("one", "low"))
    assert panel.matrix.current == GridCell(0, 0)
    assert [trial.anomaly for trial in panel.facts.trials] == ["low"]
    solvability.end_trial(STOPPED)
    solvability.end_trial(BROKEN)
    assert panel.matrix.current == GridCell(0, 0)
    assert panel.summary.text() == "1 of 2 stay solvable, one task cannot be replayed"
    solvability.end("The phone went away")
    assert not panel.state.isVisible()
    assert panel.problem.text() == "The phone went away"
    assert panel.again.isEnabled()
    solvability.begin()
    assert panel.table.words(GridCell(1, 0)) == ""
    assert not panel.take.isEnabled()


def test_cancelling_says_that_the_phone_is_set_right(room):
    room.solvability.begin()
    room.panel.state.cancel.click()
    assert not room.panel.state.cancel.isEnabled()
    assert room.panel.state.words.text() == "Ending it, and setting the phone right"


def test_a_cell_leads_to_its_step_and_one_without_a_run_to_nothing(room, monkeypatch):
    opened = []
    room.panel.opened.connect(lambda folder, step: opened.append((folder, step)))
    room.solvability.begin()
    room.solvability.end_trial(STOPPED)
    monkeypatch.setattr("studio.views.solvability.panel.StoredTrajectory", object)
    golden = SimpleNamespace(header=SimpleNamespace(id="two-golden"), folder="/project/two")
    room.solvability.given = SolvabilityInput({"two": SimpleNamespace(goldens=[golden])})
    room.panel.matrix.opened.emit(GridCell(0, 0))
    assert opened == []
    room.panel.matrix.opened.emit(GridCell(1, 0))
    assert opened == [("/project/two", 2)]


def test_the_run_of_a_trial_is_opened_from_its_cell_and_from_its_details(room):
    opened = []
    room.panel.opened.connect(lambda folder, step: opened.append((Path(folder), step)))
    room.solvability.begin()
    room.solvability.end_trial(replace(trial("one", "low"), run="one-run"))
    room.solvability.end_trial(replace(STOPPED, run="two-run"))
    runs = Path("/project/trajectories")
    room.panel.matrix.opened.emit(GridCell(0, 0))
    assert opened == [(runs / "one/one-run", 0)]
    room.panel.matrix.opened.emit(GridCell(1, 0))
    place, step = opened[-1]
    assert (place, step > 1000) == (runs / "two/two-run", True)
    room.panel.matrix.go(GridCell(0, 0))
    buttons = room.panel.facts.findChildren(Button)
    next(button for button in buttons if button.text() == "Open the run").click()
    assert opened[-1] == (runs / "one/one-run", 0)


def test_it_is_copied_and_saved(room, qtbot, tmp_path):
    room.solvability.begin()
    room.solvability.end_trial(STOPPED)
    room.solvability.end()
    export = room.panel.export
    menu = export.menu(room.solvability.trials)
    assert [action.data() for action in menu.actions()] == [
        "copy-markdown",
        "copy-csv",
        "save-csv",
        "save-json",
    ]
    export.take(COPY_MARKDOWN)
    assert "| two | low | accept | 2 | stops at step 3 |" in QGuiApplication.clipboard().text()
    export.take(COPY_CSV)
    assert "two,low,accept,2,stops at step 3," in QGuiApplication.clipboard().text()
    export.take(SAVE_JSON)
    dialog = room.panel.findChild(QFileDialog)
    name = Path(dialog.selectedFiles()[0]).name
    dialog.close()
    export.write(str(tmp_path / name))
    qtbot.waitUntil(lambda: "The solvability results are saved" in room.toasts.messages)
    saved = json.loads((tmp_path / name).read_text("utf-8"))
    assert (name, saved["trials"][0]["stops_at"]) == ("solvability.json", 2)
    assert saved["counts"]["stops"] == 1
    menu.deleteLater()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(10, "less than a minute"), (50, "about a minute"), (400, "about 7 minutes"), (7300, "about 2 hours")],
)
def test_times_are_said_no_more_exactly_than_they_are_known(seconds, words):
    assert time_words(seconds) == words
