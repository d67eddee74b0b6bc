"""A person answers an agent of a run in another process, takes over, gives back and opens the episode."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from collector.model.task import Task

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

EXPERIMENT = """format: waymark-experiment
version: 1
tasks: [look]
agents:
  - id: random
    kind: scripted
    actions: [{ask_user: Which app?}, {wait: 50}]
user: {who: person, within_s: 120}
budget: 2
early_stop: 0
"""


def test_a_phone_of_a_running_experiment_is_taken_over(phones, person, tmp_path):
    with phones.phone() as address:
        project = person.open_project(
            tmp_path / "project", Task("look", "Look around", "Shop", "com.waymark.shop")
        )
        path = project.paths.experiment("pilot")
        path.parent.mkdir(exist_ok=True)
        path.write_text(EXPERIMENT, encoding="utf-8")
        person.studio.window.show_workspace("run")
        workspace = person.studio.window.workspace("run")
        session, board = workspace.session, workspace.tiles.board
        person.until(lambda: session.cells)
        session.runs.start(["--devices", address, "--hold", "0.3"])
        try:
            _watch_and_take_over(person, workspace)
            person.until(lambda: session.progress.how == "finished")
        finally:
            _stop_runner(session)
        assert not board.tiles
        _look_back(person, workspace, project)


def _watch_and_take_over(person, workspace) -> None:
    session, board = workspace.session, workspace.tiles.board
    person.until(lambda: session.workers and session.workers[0].question)
    name = session.workers[0].name
    session.select_worker(name)
    person.run("run.pause-episode")
    _answer(person, workspace.tiles.questions)
    person.until(lambda: session.workers[0].step == 2)
    session.select_worker(name)
    person.run("run.take-over")
    tile = board.tile(name)
    person.until(lambda: tile.surface is not None)
    assert board.enlarged_worker == name
    surface, worker = tile.surface, lambda: session.progress.workers[name]

    def does(act) -> None:
        """Act, and wait for the screen after it."""
        before = worker().picture_number
        act()
        person.until(lambda: worker().picture_number > before)

    at = surface.picture_rect()
    does(lambda: QTest.mouseClick(surface, Qt.MouseButton.MiddleButton, pos=at.center()))
    assert worker().package == "com.waymark.launcher"
    settings = QPoint(at.left() + round(at.width() * 0.39), at.top() + round(at.height() * 0.74))
    does(lambda: QTest.mouseClick(surface, Qt.MouseButton.LeftButton, pos=settings))
    assert worker().package == "com.android.settings"
    does(lambda: QTest.mouseClick(surface, Qt.MouseButton.RightButton, pos=at.center()))
    assert worker().control == "taken_over"
    QTest.mouseClick(tile.give_back, Qt.MouseButton.LeftButton)
    person.until(lambda: worker().control != "taken_over")
    assert tile.surface is None


def _answer(person, bar) -> None:
    """Answer what the agent asks its user, in the bar above the phones."""
    assert (bar.isVisible(), bar.question.text()) == (True, "Which app?")
    person.run("run.answer")
    QTest.keyClicks(bar.field, "Settings")
    QTest.mouseClick(bar.send, Qt.MouseButton.LeftButton)
    person.until(lambda: not bar.isVisible())


def _look_back(person, workspace, project) -> None:
    session = workspace.session
    (cell,) = session.cells
    session.select_cell(cell.id)
    person.run("run.show-log")
    lines = workspace.log.view
    person.until(lambda: lines.entries and lines.entries[-1].text.startswith("Outcome"))
    texts = [line.text for line in lines.entries]
    assert {"Ask the user 'Which app?'", "lin: Settings"} <= set(texts)
    assert {"lin took over", "lin did: Press Home", "lin did: Press Back"} <= set(texts)
    by_person = texts.index("lin did: Press Back")
    assert by_person < max(number for number, text in enumerate(texts) if text.startswith("Thought"))
    view = workspace.results.grid_view
    assert view.grid.status(view.grid.place_of(cell.id)) == "unjudged"  # the task has no rule
    person.run("run.show-list")
    person.until(lambda: len(workspace.results.episodes.table.episodes.rows) == 1)
    # Opened at the step of the chosen line; the log is read again meanwhile.
    person.until(lambda: len(lines.entries) == len(texts))
    number = lines.entries[by_person].step
    lines.setCurrentIndex(lines.model().index(by_person, 0))
    person.run("run.open-episode")
    review = person.studio.window.workspace("review").session
    person.until(lambda: review.is_aligned and review.step_number(review.side) == number - 1)


def _stop_runner(session) -> None:
    """End the runner of a test that failed; one that finished is gone."""
    for process in session.runs._started.values():
        if process.exit_code is None:
            process.process.terminate()
        process.process.wait(30)
