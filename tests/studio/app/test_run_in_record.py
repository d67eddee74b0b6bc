"""A stored run in the real window: who ran and how it ended, thoughts, anomalies, verdicts; read-only."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.exchange.importing import import_into
from collector.judge.person_judge import judge_as_person
from collector.model.action import Tap
from collector.store.judgements import path_of
from collector.store.project import Project
from studio.views.record.queue_model import QueueTaskRow
from studio.views.record.side_panel import DETAILS
from studio.widgets.device_view.highlight import Trace, TraceMark
from studio.widgets.icon_button import IconButton
from studio.widgets.judge_dialog import JudgeDialog
from tests.collector.exchange.test_aitk_runs import CLICK
from tests.collector.exchange.test_dgara_runs import DgaraRun
from tests.helpers.aitk_source import aitk_folder, said
from tests.helpers.sample_run import INVALID, write_run

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


@pytest.fixture
def record(studio, qtbot, tmp_path):
    """Record with the run of a new project open."""
    studio.settings.set("recording.author", "lin")
    project = Project.create(tmp_path / "benchmark")
    folder = write_run(project)
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(project.folder)
    studio.commander.run("record.open-trajectory", folder=str(folder))
    record = studio.window.workspace("record")
    qtbot.waitUntil(lambda: record.session.is_run and bool(record.verdicts.judgements.judgements))
    qtbot.waitUntil(lambda: bool(record.anomalies.interruptions))
    return record


def _lanes(record):
    track = record.timeline.canvas.track
    marks = {lane.title: list(lane.marks(0, track.count)) for lane in track.lanes[1:]}
    return {
        title: [(mark.slot, mark.text, *(part.text for part in mark.parts)) for mark in given]
        for title, given in marks.items()
        if given
    }


def test_the_window_says_who_ran_how_it_ended_and_what_was_thought(record, qtbot):
    band = record.run_band
    assert band.isVisible()
    assert (band.agent.text(), band.model.text(), band.reason.text()) == (
        "OpenAI", "UI-TARS-7B", "The cart is empty",
    )  # fmt: skip
    assert (band.outcome.text, band.outcome.icon, band.outcome.tone) == ("failure", "state-err", "err")
    assert band.early_stop.isVisible()
    assert not band.fault.isVisible()
    facts = band.facts.toolTip().splitlines()
    assert facts[:4] == ["Condition: low_battery", "Modality: screenshot and tree", "Seed: 123", "Repeat: 1"]
    assert {"Claim: the task is done", "Tokens: 1,200 in, 80 out", "Cost: 0.04 USD"} <= set(facts)
    assert _lanes(record) == {
        "Actions": [(0, "Shop"), (1, "Sort"), (2, "Invalid action"), (3, "Task complete")],
        "Thoughts": [(0, "Open the <b>shop</b>"), (1, "Sort by price"), (3, "Done")],
        "Anomalies": [(1, "low_battery", "Ignore")],
        "rules": [(1, "Sorted by price"), (4, "failure", "2 states missed")],
        "sara": [(4, "uncompleted")],
    }
    assert [(state.text, state.step, state.missed) for state in record.mirror.task_card.states] == [
        ("Sorted by price", 2, False), ("Only in stock", 0, True), ("The poster is in the cart", 0, True),
    ]  # fmt: skip
    (task,) = (row for row in record.queue.rows._rows if isinstance(row, QueueTaskRow))
    assert task.detail == "shop-1  ·  no golden yet  ·  1 run"
    details = record.side.details
    record.side.tabs.set_current(DETAILS)
    agent = details.agent
    assert agent.thought.text() == "Open the <b>shop</b>"
    assert not agent.changed.isVisible()
    assert agent.raw.isVisible()
    agent.raw.findChild(IconButton).click()
    assert QGuiApplication.clipboard().text() == '{"action": "click"}'

    record.session.go(1)
    assert (agent.changed.predicted.text(), agent.changed.executed.text()) == (
        "tap 34, 52", "tap 10, 20, 40 px away",
    )  # fmt: skip
    view = record.mirror.view
    marks = [Trace(Tap(34, 52), TraceMark.NEXT), Trace(Tap(10, 20), TraceMark.AGENT)]
    qtbot.waitUntil(lambda: view._traces == tuple(marks))
    assert record.mirror.turn.accessibleDescription() == "Tap 'Sort'\nSort by price"
    assert [judgement.subject.state for judgement in details.judgements.judgements] == ["sorted"]

    record.session.go(2)
    assert agent.invalid.isVisible()
    assert agent.invalid.reason.text() == INVALID.reason
    assert agent.raw.text == "sort <b>it</b>"
    assert not agent.thought.isVisible()
    assert not record.grab().isNull()

    record.session.close()
    assert not band.isVisible()
    assert record.toolbar.buttons["record.start"].isVisibleTo(record.toolbar)


def test_a_run_has_no_controls_that_record_or_change_it(record, qtbot):
    shown = {name for name, button in record.toolbar.buttons.items() if button.isVisibleTo(record.toolbar)}
    assert shown == {"edit.undo", "record.mark-state", "record.close-trajectory"}
    steps, rows = record.side.steps, record.side.steps.rows
    assert not rows.flags(rows.index(0)) & Qt.ItemFlag.ItemIsEditable
    record.side.tabs.set_current(0)
    steps.setFocus()
    for key in (Qt.Key.Key_Delete, Qt.Key.Key_F2):
        QTest.keyClick(steps, key)
    assert len(record.session.steps) == 5
    assert not record.side.details.caption.isVisible()


def test_a_persons_verdict_is_one_key_and_can_be_undone(record, qtbot, studio):
    path = path_of(record.session.folder, "lin")
    record.timeline.canvas.setFocus()
    QTest.keyClick(record.timeline.canvas, Qt.Key.Key_2)
    buttons = record.run_band.verdict.buttons
    qtbot.waitUntil(lambda: buttons["failure"].isChecked())
    assert _lanes(record)["lin"] == [(4, "failure")]

    studio.commander.run("record.judge-reason")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, JudgeDialog)
    assert dialog.verdict.current == "failure"
    QTest.keyClicks(dialog.reason, "2 of 5")
    QTest.keyClick(dialog.yes, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: record.run_band.verdict.accessibleDescription() == "2 of 5")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(line.get("verdict"), line.get("reason", "")) for line in lines[1:]] == [
        ("failure", ""), ("failure", "2 of 5"),
    ]  # fmt: skip

    qtbot.mouseClick(buttons["success"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: buttons["success"].isChecked())
    for expected in ("failure", "failure", ""):
        assert record.history.undo_title.startswith("verdict ")
        qtbot.waitUntil(lambda: studio.commander.enabled("edit.undo"))
        before = record.verdicts.judgements.judgements
        studio.commander.run("edit.undo")
        qtbot.waitUntil(lambda before=before: record.verdicts.judgements.judgements != before)
        assert [name for name, button in buttons.items() if button.isChecked()] == [expected] * bool(expected)
    studio.commander.run("edit.redo")
    qtbot.waitUntil(lambda: buttons["failure"].isChecked())

    library = studio.project_library
    qtbot.waitUntil(lambda: ("failure", "lin") in library.snapshot.recent[0].verdicts)

    judge_as_person(record.session.folder, "kim", "success")  # as another program does
    qtbot.waitUntil(lambda: _lanes(record).get("kim") == [(4, "success")])


def test_imported_runs_of_dgara_and_aitk_are_shown_and_cannot_be_edited(studio, qtbot, tmp_path):
    source = tmp_path / "LOGFINAL/interference/interference-3"
    dgara = DgaraRun(source)
    dgara.tap(1)
    dgara.inject(rule_id="r", interference_id="low_battery_double_en", params={})
    dgara.tap(2)
    (source / "step_2_monitor_event.txt").write_text("SYSTEM_BATTERY_IGNORE")
    dgara.tap(3)
    dgara.end("failure", "Maximum execution steps reached")
    click = said("<think>The box is there</think>" + CLICK, action="tap", x=2, y=6)
    end = said("Thought: Done.\nAction: finished(content='')", action="end", answer="")
    project = Project.create(tmp_path / "benchmark")
    folders = [
        *import_into(project, tmp_path / "LOGFINAL").folders,
        *import_into(project, aitk_folder(tmp_path / "qwen25vl_test/cnn_tariff", [click, end])).folders,
    ]
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(project.folder)
    record, shown = studio.window.workspace("record"), []
    for folder in folders:
        studio.commander.run("record.open-trajectory", folder=str(folder))
        qtbot.waitUntil(lambda folder=folder: record.session.folder == folder)
        if not shown:
            qtbot.waitUntil(lambda: bool(record.verdicts.judgements.judgements))
            qtbot.waitUntil(lambda: bool(record.anomalies.interruptions))
        band = record.run_band
        shown.append((band.agent.text(), band.outcome.text, _lanes(record)))
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for command in ("step.delete", "step.caption", "step.note", "step.delete-before"):
            assert studio.commander.unmet(command) == "runs cannot be edited"
        record.steps.delete_at(0)  # past the window's own refusal
        qtbot.waitUntil(lambda: bool(studio.window.toasts.shown))
        (toast,) = studio.window.toasts.shown
        assert "is a run and cannot be edited" in toast.accessibleName()
        toast.close_toast()
        assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    (agent, outcome, lanes), (model, judged, thoughts) = shown
    assert (agent, outcome, model, judged) == ("D-GARA", "uncompleted", "qwen25_vl", "not judged")
    assert lanes["Thoughts"] == [(0, "so")]
    assert lanes["Anomalies"][0][:2] == (1, "low_battery_double_en")
    assert "IGNORE" in lanes["Anomalies"][0][2]
    assert [text for _slot, text in lanes["D-GARA"]] == ["failure"]
    assert [text for _slot, text in thoughts["Thoughts"]] == ["The box is there", "Done."]
    assert len(thoughts["Actions"]) == 2
