"""A person composes a judge by a model, tries it over the film strip, and lets it judge many trajectories."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from collector.cli.main import main
from collector.model.resources import asset
from collector.model.verdicts.judgement import TASK
from collector.model_judges.judge_files import read_judge_file
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements
from studio.app.studio import Studio
from studio.settings import Settings
from studio.theme import theme
from studio.views.states.judges.judge_form_dialog import JudgeFormDialog
from studio.views.states.judges.run_many_dialog import RunManyDialog
from studio.widgets.inject.confirmation_dialogs import TrustDialog
from tests.helpers.chat_server import ChatServer, Exchange
from tests.helpers.journey import PATIENCE_MS
from tests.helpers.scripts import script
from tests.helpers.shown_texts import says
from tests.helpers.states_room import StatesRoom
from tests.helpers.studios import end_studio

pytestmark = pytest.mark.qt_log_ignore("does not support", "grabbing the keyboard", extend=True)
TASKS, FIRST = ("shop-14", "shop-16"), "shop-14-lin"
SimulatedModel = script("packaging/sample", "simulated_model").SimulatedModel


class Endpoint:
    """The simulated model of the sample; after so many questions it waits until it may go on."""

    def __init__(self, project: Project) -> None:
        self._model = SimulatedModel(project)
        self._going = threading.Event()
        self._going.set()
        self._left, self._lock = 0, threading.Lock()

    def hold_after(self, more: int) -> None:
        """Answer so many more, and let the others wait."""
        self._left = more
        self._going.clear()

    def go_on(self) -> None:
        self._going.set()

    def __call__(self, exchange: Exchange) -> None:
        with self._lock:
            self._left -= 1
            waits = self._left < 0
        if waits:
            self._going.wait(30)
        self._model(exchange)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Two tasks of the sample with four recordings, and no verdict of a model yet."""
    folder = tmp_path / "sample"
    shutil.copytree(asset("sample"), folder, ignore=shutil.ignore_patterns("trajectories", ".cache"))
    for task in TASKS:
        shutil.copytree(
            asset("sample") / "trajectories" / task, folder / "trajectories" / task,
            ignore=shutil.ignore_patterns("simulated.jsonl"),
        )  # fmt: skip
    return Project.open(folder)


@pytest.fixture
def endpoint(project):
    playing = Endpoint(project)
    yield playing
    playing.go_on()


@pytest.fixture
def server(endpoint):
    with ChatServer(endpoint) as opened:
        yield opened


@pytest.fixture
def room(qapp, qtbot, tmp_path, monkeypatch, project):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    theme.install(qapp, "dark", motion=False)
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("recording.author", "ana")
    studio = Studio(settings)
    studio.window.resize(1440, 900)
    studio.window.show()
    studio.window.show_workspace("states")
    opened = StatesRoom(studio, qtbot, project.folder)
    with qtbot.waitSignal(studio.project_library.opened, timeout=PATIENCE_MS):
        studio.project_library.open(project.folder)
    opened.session.choose_task(TASKS[0])
    opened.until(lambda: opened.session.shown is not None)
    yield opened
    end_studio(studio, qtbot)


def press(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def dialog_of(room, kind):
    room.until(lambda: room.studio.window.findChild(kind) is not None)
    return room.studio.window.findChild(kind)


def verdicts(project: Project) -> dict[str, str]:
    """The verdict of the judge ``ours`` on the task of each trajectory."""
    return {
        folder.name: item.verdict
        for folder in project.trajectory_folders()
        for item in read_judgements(folder).judgements
        if (item.judge, item.subject.kind) == ("ours", TASK)
    }


def test_a_judge_is_composed_tried_and_judges_many(room, project, endpoint, server, capsys) -> None:
    room.run("states.show-judges")
    tab = room.workspace.bottom.page("judges")
    room.until(lambda: tab.list.judge is not None and tab.list.judge.name == "simulated")
    assert says(tab.list, "no real model looked at the screens")

    # Compose, and check.
    press(tab.list.new)
    form = dialog_of(room, JudgeFormDialog)
    for field, text in ((form.name, "ours"), (form.fields["base_url"], server.address)):
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
    press(form.yes)
    room.until(lambda: tab.list.judge is not None and tab.list.judge.name == "ours")
    file = read_judge_file("ours", project)
    assert (file.options["window"], file.options["base_url"]) == (3, server.address)
    press(tab.list.check)
    press(dialog_of(room, TrustDialog).yes)
    room.until(lambda: says(tab.list, "sees the picture, and answers in the right form"))

    # Try it on the trajectory in front: windows with question, pictures, answer and cost.
    assert not tab.bars.rows
    press(tab.try_it)
    room.until(lambda: tab.bars.rows and not tab.judging.is_running)
    bars = [bar for row in tab.bars.rows for bar in row.bars]
    assert len(bars) == len(server.requests) - 1
    assert {bar.verdict for bar in bars} == {"missed", "reached"}
    QTest.mouseClick(tab.bars.viewport(), Qt.MouseButton.LeftButton, pos=tab.bars.bar_place(0, 0).center())
    room.until(lambda: len(tab.details.pictures) == 3 and tab.details.question.text)
    assert "Essential state to check" in tab.details.question.text
    assert json.loads(tab.details.answer.text)["reached"] in {"yes", "no"}
    assert says(tab.details, " USD")
    assert says(tab.details, " tokens")
    assert verdicts(project) == {}

    # Many: the cost before, progress with the cost so far, pause, go on, cancel; what was judged stays.
    press(tab.many)
    dialog = dialog_of(room, RunManyDialog)
    dialog.which.setCurrentIndex(dialog.which.count() - 1)
    room.until(lambda: says(dialog, "4 trajectories, at most ") and says(dialog, " USD"))
    endpoint.hold_after(2)
    press(dialog.yes)
    room.until(lambda: tab.judging.is_running and says(tab, "ours judges: 1 of 4  ·  "))
    room.until(lambda: says(tab, " USD, 2 questions asked"))
    press(tab.pause)
    endpoint.go_on()
    room.until(lambda: says(tab, "ours is paused at "))
    room.until(lambda: tab.judging.spent[0] == len(server.requests) - 1 - len(bars))
    assert len(verdicts(project)) < 4
    endpoint.hold_after(2)
    press(tab.pause)
    asked = len(server.requests)
    room.until(lambda: len(server.requests) > asked + 2)
    press(tab.cancel)
    endpoint.go_on()
    room.until(lambda: not tab.judging.is_running and says(tab, "ours: cancelled"))
    kept = verdicts(project)
    assert len(kept) < 4

    # Again: nothing that was answered is asked, and the verdicts stand, in the window and in the shell.
    press(tab.many)
    dialog = dialog_of(room, RunManyDialog)
    dialog.which.setCurrentIndex(dialog.which.count() - 1)
    room.until(lambda: says(dialog, "answered already"))
    press(dialog.yes)
    room.until(lambda: tab.judging.tally.judged == 4 and not tab.judging.is_running)
    assert says(tab, "answered before")
    said = verdicts(project)
    assert said.keys() == {f"{task}-{who}" for task in TASKS for who in ("lin", "sara")}
    assert kept.items() <= said.items()
    keys = [item["question"] for item in _questions(project, capsys)]
    assert len(keys) == len(set(keys)) == len(bars)


def _questions(project: Project, capsys) -> list[dict[str, str]]:
    """What the command line says of the questions about the trajectory that was tried."""
    capsys.readouterr()
    place = ["--trajectory", FIRST, "--project", str(project.folder)]
    assert main(["judge", "show", "ours", "--questions", "--json", *place]) == 0
    questions: list[dict[str, str]] = json.loads(capsys.readouterr().out)["questions"]
    return questions
