"""Two operators, a definition and an auditor: essential states from two golden trajectories to audited."""

from __future__ import annotations

import json
import shutil

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from collector.cli.main import main
from collector.model.resources import asset
from collector.store.project.project import Project
from studio.app.studio import Studio
from studio.settings import Settings
from studio.theme import theme
from studio.views.states.essential_state_view import SentenceField
from tests.helpers.states_room import StatesRoom
from tests.helpers.studios import end_studio

pytestmark = pytest.mark.qt_log_ignore("does not support", "grabbing the keyboard", extend=True)
TASK = "todo-04"


@pytest.fixture
def project(tmp_path):
    """A task of the sample with the golden trajectories of two people, and nothing said about its states."""
    folder = tmp_path / "todo"
    made = Project.create(folder, "To-do")
    task = next(task for task in Project.open(asset("sample")).tasks if task.id == TASK)
    made.save_tasks([task.__class__(task.id, task.instruction, task.app, task.package)])
    shutil.copytree(asset("sample") / "trajectories" / TASK, folder / "trajectories" / TASK)
    return folder


class Colleague:
    """Somebody in the States workspace, with mouse and keyboard, under one name after another."""

    def __init__(self, room: StatesRoom) -> None:
        self.room, self.session, self.graph = room, room.session, room.workspace.graph
        self.reviews = room.studio.state_reviews
        self.proposals = room.workspace.bottom.page("proposals")
        self.audit = room.workspace.right.page("audit")

    def until(self, condition) -> None:
        self.room.until(condition)

    def work_as(self, name: str) -> None:
        self.room.studio.commander.run("app.work-as", name=name)
        self.until(lambda: self.reviews.review is not None and self.reviews.review.person == name)

    def press(self, button) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def start(self) -> None:
        """Open a proposal by its button; only the own golden trajectory is left in the film strip."""
        assert self.proposals.stage_button.text() == "Start my proposal"
        self.press(self.proposals.stage_button)
        self.until(lambda: self.session.proposal is not None)
        person = self.reviews.person
        self.until(lambda: [item.header.who for item in self.session.goldens] == [person])

    def propose(self, sentence: str, step: int, words: str) -> None:
        """Add a state with a sentence, and click the node with these words on the screen of a step."""
        count = len(self.session.states)
        self.room.run("states.new")
        self.until(lambda: len(self.session.states) == count + 1 and self.session.state is not None)
        field = self.room.workspace.findChild(SentenceField)
        self.until(field.isVisible)
        field.selectAll()
        QTest.keyClicks(field, sentence)
        QTest.keyClick(field, Qt.Key.Key_Return)
        self.until(lambda: self.session.state is not None and self.session.state.description == sentence)
        self.session.go(step - 1)
        self.until(lambda: self.session.shown is not None and self.session.shown.index == step - 1)
        self.click(words)
        menu = self.room.workspace.screen_presenter.menu
        self.until(menu.isVisible)
        offered = [number for number, choice in enumerate(menu.suggestions) if words in choice.title]
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.row_rect(offered[0]).center())
        self.until(lambda: self.session.state is not None and self.session.state.conditions.conditions)

    def click(self, words: str) -> None:
        view = self.graph.screen_pane.view
        self.until(view.isVisible)
        node = next(node for node in self.session.shown.view.nodes if words in (node.text, node.content_desc))
        x, y = view.transform.to_view(node.bounds.center)
        QTest.mouseMove(view, QPoint(round(x), round(y)))
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))

    def sign(self) -> None:
        assert self.proposals.stage_button.text() == "Sign my proposal"
        self.press(self.proposals.stage_button)
        self.until(lambda: self.reviews.review.own.signed)

    def key(self, key) -> None:
        self.proposals.view.setFocus()
        QTest.keyClick(self.proposals.view, key)

    def row(self, row_id: str):
        return next(row for row in self.proposals.view.comparison.rows if row.id == row_id)


@pytest.fixture
def colleague(qapp, qtbot, tmp_path, monkeypatch, project):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    theme.install(qapp, "dark", motion=False)
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("recording.author", "lin")
    studio = Studio(settings)
    studio.window.resize(1600, 1000)
    studio.window.show()
    studio.window.show_workspace("states")
    room = StatesRoom(studio, qtbot, project)
    studio.project_library.open(project)
    room.until(lambda: room.session.shown is not None and studio.state_reviews.review is not None)
    yield Colleague(room)
    end_studio(studio, qtbot)


def test_states_go_through_all_three_stages(colleague, project, capsys) -> None:
    colleague.room.run("states.toggle-screen")
    colleague.start()
    colleague.propose("The list is open", 2, "My tasks")
    colleague.propose("Finished tasks are gone", 4, "2 finished tasks deleted")
    colleague.sign()

    colleague.work_as("sara")
    colleague.start()
    assert "signed" in colleague.proposals.view.comparison.hidden_left  # not before her own is
    colleague.propose("The list is open", 2, "My tasks")
    colleague.propose("No finished task is left", 8, "Task deleted")
    colleague.propose("A task is edited", 3, "Edit task")
    colleague.sign()
    colleague.until(lambda: colleague.reviews.review.alignment is not None)

    # The definition, by keys: what sara proposes, without the state that only her way passes.
    rows = len(colleague.proposals.view.comparison.rows)
    for done in range(1, rows + 1):
        colleague.key(Qt.Key.Key_N)
        row = colleague.row(colleague.proposals.view.current)
        is_kept = row.right is not None and row.right.sentence != "A task is edited"
        colleague.key(Qt.Key.Key_B if is_kept else Qt.Key.Key_D)
        colleague.until(lambda row=row: colleague.row(row.id).is_settled)
        assert colleague.proposals.view.comparison.settled == done
    colleague.room.run("states.send-to-audit")
    sentences = ["The list is open", "No finished task is left"]
    colleague.until(lambda: [state.description for state in colleague.session.states] == sentences)
    states = [state.id for state in colleague.session.states]

    # The audit: one state is rejected, the operators define it again, the second look accepts both.
    colleague.work_as("jo")
    colleague.room.run("states.audit")
    colleague.press(colleague.audit.start_button)
    colleague.until(lambda: colleague.reviews.review.audit is not None)
    judge_all(colleague, states)
    checklist = colleague.audit.checklist
    colleague.room.studio.commander.run("states.reject", state=states[1], note="Not on the screen")
    colleague.until(lambda: checklist.sheet.row(states[1]).decision == "reject")
    sign_audit(colleague)
    assert "Not on the screen" in checklist.sheet.verdict

    colleague.work_as("lin")
    colleague.room.run("states.reopen-definition")
    colleague.until(lambda: not colleague.reviews.review.definition.finished)
    colleague.room.run("states.send-to-audit")
    colleague.until(lambda: colleague.reviews.review.definition.finished)
    colleague.work_as("jo")
    colleague.until(lambda: colleague.reviews.review.may_audit)
    colleague.press(colleague.audit.again_button)
    colleague.until(lambda: not colleague.reviews.review.audit.signed)
    judge_all(colleague, states)
    checklist.chosen.emit(states[1])
    colleague.until(lambda: checklist.current == states[1])
    checklist.list.setFocus()
    QTest.keyClick(checklist.list, Qt.Key.Key_1)
    colleague.until(lambda: checklist.sheet.row(states[1]).decision == "accept")
    sign_audit(colleague)

    # The files say so, and nothing is wrong with them.
    colleague.until(lambda: not colleague.room.studio.tasks.saving)
    assert main(["states", "status", TASK, "--project", str(project), "--as", "jo", "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert "audited" in json.dumps(status)
    assert main(["project", "check", str(project)]) == 0


def judge_all(colleague: Colleague, states) -> None:
    """Answer yes to everything that is asked, and accept all states but the last."""
    checklist = colleague.audit.checklist
    for state_id in states:
        checklist.chosen.emit(state_id)
        colleague.until(lambda state_id=state_id: checklist.current == state_id)
        for criterion, view in checklist.criteria.items():
            if not view.row.answer:
                colleague.press(view.answers.buttons["yes"])
                colleague.until(lambda criterion=criterion: checklist.criteria[criterion].row.answer == "yes")
        if state_id != states[-1] and checklist.sheet.row(state_id).decision != "accept":
            checklist.list.setFocus()
            QTest.keyClick(checklist.list, Qt.Key.Key_1)
            colleague.until(lambda state_id=state_id: checklist.sheet.row(state_id).decision == "accept")


def sign_audit(colleague: Colleague) -> None:
    checklist = colleague.audit.checklist
    colleague.until(lambda: not checklist.sheet.problem)
    colleague.press(checklist.sign)
    colleague.until(lambda: colleague.reviews.review.audit.signed)
