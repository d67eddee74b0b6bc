"""The studies of judges in the window: what each number counts, where the judges part, and who may see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from collector.consent.allowed_hosts import AllowedHosts
from collector.model.verdicts.judgement import MISSED, MODEL, PERSON, REACHED, Judgement, Subject
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from studio.views.metrics.episodes_panel import ALL, COUNTED, PARTED
from studio.views.metrics.window_study_dialog import WindowStudyDialog
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.inject.confirmation_dialogs import TrustDialog
from tests.helpers.chat_server import ChatServer
from tests.helpers.judged_by_model import answering
from tests.helpers.metrics_room import MetricsRoom, make_metrics_project
from tests.helpers.run_files import says
from tests.helpers.simulated_judge import Simulated, simulated_project
from tests.helpers.studios import end_studio, new_studio
from tests.studio.views.metrics.test_papers import show_view

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)

SAID = {
    "able-n1": (True, True),
    "able-n2": (True, False),
    "weak-n1": (False, True),
    "weak-n2": (False, False),
}
"""Runs of the task buy: whether the model and the person say that the state ``paid`` is reached."""


def judge_runs(project: Project) -> None:
    """A person and a model on the state ``paid``, the model by windows of two screens; and on the tasks."""
    for name, (model, person) in SAID.items():
        folder = project.paths.trajectories_of("buy") / name
        window = Subject("window", "paid", 0, 1)
        add_judgements(folder, [
            *says("ann", PERSON, "success" if person else "failure", paid=1 if person else False),
            *says("look", MODEL, "success" if model else "failure"),
            Judgement("look", MODEL, "1", window, REACHED if model else MISSED),
        ])  # fmt: skip


@pytest.fixture
def judged(dressed, qtbot, tmp_path) -> Iterator[MetricsRoom]:
    """The studies of judges are on show."""
    folder = tmp_path / "project"
    judge_runs(make_metrics_project(folder))
    studio = new_studio(tmp_path, "metrics")
    room = MetricsRoom(studio, qtbot, folder)
    studio.project_library.open(folder)
    room.until(lambda: room.session.loaded is not None and len(room.session.loaded.found) == 17)
    show_view(room, "judges")
    yield room
    end_studio(studio, qtbot)


def listed(room: MetricsRoom) -> list[tuple[str, str]]:
    """The tasks and the verdicts of the list behind a number."""
    model = room.workspace.episodes.subject_model
    return [(model.listed(row).about, model.listed(row).line) for row in range(model.rowCount())]


def dialog_of(room: MetricsRoom, kind: type[Dialog]) -> Any:
    room.until(lambda: room.studio.window.findChild(kind) is not None)
    return room.studio.window.findChild(kind)


def select(room: MetricsRoom, table: str, labels: tuple[str, ...], column: str) -> None:
    """Select a number by the table, the labels of its row and its column."""
    reports = [shown.report for shown in room.session.tables]
    place = next(at for at, report in enumerate(reports) if report.id == table)
    row = [line.labels for line in reports[place].rows].index(labels)
    at = [item.id for item in reports[place].columns].index(column)
    room.workspace.table.papers.views[place].select_number(row, at)


def test_each_number_lists_the_verdicts_that_it_counts(judged) -> None:
    panel = judged.workspace.episodes
    tables = [shown.report.id for shown in judged.session.tables]
    assert tables == ["judge-quality", "judge-tests", "judges", "judge-optimism", "judge-ranks"]
    select(judged, "judge-quality", ("look", "Essential states"), "precision")
    assert (panel.figure.text(), panel.of.text()) == ("1", "of 2 verdicts")
    assert listed(judged) == [
        ("paid", "look: reached, people: missed"),
        ("paid", "look: reached, people: reached"),
    ]
    panel.show_filter(COUNTED)
    assert listed(judged) == [("paid", "look: reached, people: reached")]
    panel.show_filter(PARTED)
    assert listed(judged) == [("paid", "look: reached, people: missed")]
    panel.show_filter(ALL)
    select(judged, "judge-quality", ("look", "Essential states"), "recall")
    assert [line for _state, line in listed(judged)] == [
        "look: missed, people: reached", "look: reached, people: reached",
    ]  # fmt: skip
    select(judged, "judge-optimism", ("look", "All agents"), "too-low")
    assert listed(judged) == [("", "people: success, look: failure")]
    select(judged, "judges", ("able",), "sr-strict")
    assert len(listed(judged)) == panel.subject_model.rowCount() == 8
    judged.run("metrics.copy-episodes")
    judged.until(lambda: QGuiApplication.clipboard().text().count("\n") == 8)
    show_view(judged, "")
    assert panel.subject_model.rowCount() == 0
    assert panel.model.rowCount() == 4


def test_a_verdict_opens_the_window_on_which_judges_part(judged, monkeypatch) -> None:
    select(judged, "judge-quality", ("look", "Essential states"), "precision")
    opened: list[dict[str, str]] = []
    handlers = judged.studio.commander.handlers
    monkeypatch.setitem(handlers, "review.open", lambda **given: opened.append(given))
    judged.run("metrics.open-episode")
    judged.until(lambda: bool(opened))
    (given,) = opened
    assert given["folder"].endswith("able-n2")
    assert given["step"] == "1"


def test_chosen_runs_alone_are_counted_and_the_table_says_so(judged) -> None:
    (note, *_others) = judged.session.tables[0].report.notes
    assert "golden ones included" in note
    judged.session.keep("agent", ["able"])
    judged.until_counted()
    (quality, *_tables) = judged.session.tables
    assert "chosen runs alone" in quality.report.notes[0]
    accuracy = quality.report.rows[0].cells[3]
    assert (accuracy.hits, accuracy.count) == (1, 2)


def test_whoever_has_not_submitted_a_review_sees_numbers_without_trajectories(judged) -> None:
    library = judged.studio.project_library
    library.person = "ann"
    judged.session.lay_out(judged.session.layout.__class__())
    show_view(judged, "judges")
    select(judged, "judge-quality", ("look", "Essential states"), "accuracy")
    panel = judged.workspace.episodes
    assert (panel.figure.text(), listed(judged)) == ("2", [])
    assert "hidden until you submit your review" in panel.how.text()


@pytest.mark.all_workspaces
def test_without_people_the_view_says_what_to_do(room) -> None:
    show_view(room, "judges")
    assert room.session.tables == ()
    assert room.workspace.table.no_judges.isVisible()
    room.workspace.table.no_judges.other_pressed.emit()
    room.until(lambda: room.studio.window.current.scope == "states")


def test_a_study_of_windows_is_composed_priced_allowed_and_shown(
    dressed, qtbot, tmp_path, monkeypatch
) -> None:
    simulated = Simulated()
    with ChatServer(answering(simulated.answer)) as server:
        folder = simulated_project(tmp_path / "p", simulated, server).project.folder
        AllowedHosts().forget(server.address.removesuffix("/v1"))
        studio = new_studio(tmp_path, "metrics")
        room = MetricsRoom(studio, qtbot, folder)
        studio.project_library.open(folder)
        room.until(lambda: room.session.loaded is not None)
        show_view(room, "judges")
        room.run("metrics.study-windows")
        dialog = dialog_of(room, WindowStudyDialog)
        for box in dialog.judges:
            box.setChecked(box.text() == "mine")
        dialog.windows.setText("2,x")
        assert not dialog.yes.isEnabled()
        dialog.windows.setText("2")
        room.until(lambda: "at most" in dialog.cost.text())
        assert dialog.cost.text().startswith("2 settings, 24 trajectories, at most ")
        assert server.requests == []
        QTest.mouseClick(dialog.yes, Qt.MouseButton.LeftButton)
        QTest.mouseClick(dialog_of(room, TrustDialog).yes, Qt.MouseButton.LeftButton)
        room.until(lambda: room.session.study is not None)
        room.until_counted()
        study = room.session.tables[0].report
        assert study.id == "judge-windows"
        assert [row.labels[:3] for row in study.rows] == [("mine", "2", "1"), ("mine", "2", "2")]
        right = sum(simulated.truth[key] == says for key, says in simulated.says.items())
        assert (study.rows[0].cells[0].hits, study.rows[0].cells[0].count) == (right, 48)
        select(room, "judge-windows", study.rows[0].labels, "states")
        room.workspace.episodes.show_filter(PARTED)
        assert len(listed(room)) == 48 - right
        # No verdict of the judge is stored: the study alone knows where it parts from people.
        opened: list[dict[str, str]] = []
        monkeypatch.setitem(
            room.studio.commander.handlers, "review.open", lambda **given: opened.append(given)
        )
        room.run("metrics.open-episode")
        room.until(lambda: bool(opened))
        window = room.workspace.episodes.subject.window
        assert window is not None
        assert opened[0]["step"] == str(window[1])
        end_studio(studio, qtbot)
