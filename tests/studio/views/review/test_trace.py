"""The tab *Trace* shows all that is known of the chosen trajectory, by kind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from collector.model.action import Tap
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.run.results.episode_log import LogLine
from collector.store.project.project import Project
from studio.views.review.request_dialog import RequestDialog
from studio.views.review.trace import TracePage
from studio.widgets.inject.confirmation_dialogs import TrustDialog
from tests.helpers import chat_server as play
from tests.helpers.chat_server import TAP, ChatServer
from tests.helpers.run_files import steps_of, write_run


def line(step: int, kind: str, detail: str = "") -> LogLine:
    return LogLine(step, "eye", kind, detail, kind=kind)


def test_kinds_are_shown_hidden_and_unfolded(qtbot) -> None:
    page = TracePage()
    qtbot.addWidget(page)
    page.resize(400, 300)
    page.show_trace([line(1, "thought", "word " * 200), line(1, "action"), line(2, "event")])
    assert [entry.kind for entry in page.view.entries] == ["thought", "action", "event"]
    page.set_shown("event", False)
    assert [entry.kind for entry in page.view.entries] == ["thought", "action"]
    assert page.count.text() == "2 lines, 1 hidden"
    folded = page.view.height_of(0, 400)
    page.set_unfolded("thought", True)
    assert page.view.height_of(0, 400) > folded
    page.show_trace([line(1, "event"), line(1, "action")])  # of another trajectory
    assert [entry.kind for entry in page.view.entries] == ["action"]
    page.set_shown("event", True)
    assert page.count.text() == "2 lines"


def test_the_trace_of_the_chosen_side_is_read_once_it_is_looked_at(room) -> None:
    room.open("interrupted")
    page = room.workspace.trace_page
    assert list(page.view.entries) == []
    room.studio.commander.run("review.tab-trace")
    room.until(lambda: bool(page.view.entries))
    assert {entry.step for entry in page.view.entries} >= {1, 2}
    page.view.step_opened.emit(2)
    assert room.session.step_number(room.session.side) == 1
    room.session.choose_side(0)
    room.until(lambda: {entry.kind for entry in page.view.entries} <= {"action", "event", "thought"})


@pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
def test_a_request_is_sent_again_and_the_answers_stand_below_that_of_the_run(room) -> None:
    project = Project.open(room.folder)
    request = {"model": "m", "messages": [{"role": "user", "text": "Buy"}]}
    asked = AgentTurn("Open it", "raw", Tap(1, 2), extra={"request": request})
    turns = zip(steps_of(Tap(1, 2), Tap(3, 4)), (asked, None), strict=True)
    steps = [replace(step, agent=turn) for step, turn in turns]
    folder = write_run(
        project, "run-1", Episode(experiment="pilot", agent="gpt"), Outcome("failure"), steps=steps
    )
    commander = room.studio.commander
    with ChatServer(play.right(TAP)) as server:
        experiment = room.folder / "experiments/pilot.yaml"
        experiment.parent.mkdir(exist_ok=True)
        agent = f"{{id: gpt, kind: openai, model: m, base_url: '{server.address}'}}"
        experiment.write_text(f"tasks: all\nagents: [{agent}]\n")
        commander.run("review.open", folder=str(folder), step="0")
        room.until(lambda: commander.enabled("review.tab-trace"))
        commander.run("review.tab-trace")
        page = room.workspace.trace_page
        room.until(lambda: "request" in {entry.kind for entry in page.view.entries} and page.ask.isEnabled())
        page.ask.click()
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, RequestDialog)
        assert [line.text for line in dialog.answers.entries] == ["Then · Tap at 1, 2 · Open it"]
        assert dialog.model.text() == "m"
        dialog.model.setText("other")
        dialog.times.setValue(2)
        dialog.yes.click()
        room.until(lambda: isinstance(QApplication.activeModalWidget(), TrustDialog))
        assert server.requests == [], "nothing is sent to a host that nobody has allowed"
        assert dialog.problem.isHidden(), "a question is no error"
        QApplication.activeModalWidget().reject()
        assert "nobody has allowed this yet" in dialog.problem.text()
        dialog.yes.click()
        room.until(lambda: isinstance(QApplication.activeModalWidget(), TrustDialog))
        QApplication.activeModalWidget().yes.click()
        room.until(lambda: len(dialog.answers.entries) == 3)
        assert {line.detail for line in dialog.answers.entries[1:]} == {TAP}
        assert dialog.answers.entries[1].text.startswith("Now · ")
        assert [asked.texts for asked in server.requests] == [["Buy"]] * 2
        assert [asked.body["model"] for asked in server.requests] == ["other"] * 2
    assert dialog.problem.isHidden()
    dialog.no.click()
    page.view.choose([entry.step for entry in page.view.entries].index(2))
    room.until(lambda: not page.ask.isEnabled())
