"""Recordings survive what goes wrong: a phone that leaves, a studio that was killed, a screen that hides."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model import action as actions
from collector.model.task import Task
from collector.recorder.events import Phase
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import trashed_trajectories
from collector.store.trajectory.reader import open_trajectory
from studio.widgets.controls import Button, Label
from studio.widgets.trajectory_edits.edit_dialogs import EditPlanDialog

# The plugin without a screen says so of every dialog.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
_TASK = Task("shop-14", "Sign in", "Shop", "com.waymark.shop")


@pytest.mark.fault("F1")
def test_a_recording_pauses_while_the_phone_is_away_and_goes_on_by_itself(person, tmp_path):
    person.open_project(tmp_path / "away", _TASK)
    person.take_phone()
    person.start()
    person.tap(person.sees("Shop"))
    person.studio.devices.disconnect_address(person.address)
    person.until(lambda: person.recording.phase is Phase.PAUSED)
    prompt = person.record.phone_lost
    person.until(lambda: prompt.dialog is not None and prompt.dialog.isVisible())
    texts = [label.text() for label in prompt.dialog.findChildren(Label)]
    assert any("1 step is safe on the disk." in text for text in texts)
    assert len(person.record.session.steps) == 1
    person.studio.devices.connect_address(person.address, remember=False)
    person.until(lambda: person.recording.phase is Phase.RECORDING)
    person.until(lambda: prompt.dialog is None)
    person.until(lambda: person.record.mirror.view.frame is not None)
    person.tap(person.sees("Sign in"))
    stored = open_trajectory(person.finish())
    assert [step.description for step in stored.steps] == ["Tap 'Shop'", "Tap 'Sign in'", ""]


def test_a_recording_goes_on_on_another_phone_once_its_own_left_the_window(person, phones, tmp_path):
    person.open_project(tmp_path / "other", _TASK)
    person.take_phone()
    person.start()
    person.tap(person.sees("Shop"))
    folder = person.recording.folder
    with phones.phone(connected=False) as address:
        person.studio.devices.connect_address(address, remember=False)
        person.until_in_use(address)
        assert person.recording.of(person.address).phase is Phase.RECORDING
        person.run("phones.previous")
        person.run("phones.close")
        person.until(lambda: not person.recording.active)
        person.address = address
        person.take_phone()
        person.run("record.open-trajectory", folder=str(folder))
        person.until(lambda: person.record.session.is_resumable)
        person.start()
        person.tap(person.sees("Messenger"))
        stored = open_trajectory(person.finish())
    assert [step.description for step in stored.steps] == ["Tap 'Shop'", "Tap 'Messenger'", ""]


@pytest.mark.fault("F1")
def test_a_recording_whose_phone_died_is_finished_with_the_steps_it_has(person, phones, tmp_path):
    person.open_project(tmp_path / "died", _TASK)
    with phones.phone(connected=False) as address:
        person.studio.devices.connect_address(address, remember=False)
        person.until_in_use(address)
        person.address = address
        person.take_phone()
        person.start()
        person.tap(person.sees("Shop"))
    prompt = person.record.phone_lost
    person.until(lambda: prompt.dialog is not None and prompt.dialog.isVisible())
    with person.qtbot.waitSignal(person.recording.finished, timeout=30_000) as finished:
        QTest.mouseClick(prompt.dialog.no, Qt.MouseButton.LeftButton)
    stored = open_trajectory(finished.args[0])
    assert [step.description for step in stored.steps] == ["Tap 'Shop'"]
    assert stored.header.status == "finished"
    assert stored.events()[-1]["kind"] == "phone_lost"
    assert not stored.problems
    person.until(lambda: prompt.dialog is None)


def test_a_discarded_recording_is_in_the_trash_and_comes_back_with_undo_and_an_empty_one_is_not_kept(
    person, tmp_path
):
    project = person.open_project(tmp_path / "discard", _TASK)
    person.take_phone()
    person.start()
    empty = person.recording.folder
    person.run("record.start")  # stops it
    person.until(lambda: not person.recording.is_active)
    toasts = person.studio.window.toasts
    assert any("Nothing was recorded" in toast.accessibleName() for toast in toasts.shown)
    assert not empty.exists()
    person.start()
    person.tap(person.sees("Shop"))
    folder = person.recording.folder
    person.studio.window.workspace("project")  # it announces what happens to other trajectories
    person.run("record.discard")
    person.until(lambda: any("discarded" in toast.accessibleName() for toast in toasts.shown))
    assert not any("deleted" in toast.accessibleName() for toast in toasts.shown)
    assert not folder.exists()
    assert [path.name for path in trashed_trajectories(project)] == [folder.name]
    offer = next(toast for toast in toasts.shown if "discarded" in toast.accessibleName())
    offer.findChild(Button).click()
    person.until(lambda: folder.exists())
    assert [step.description for step in open_trajectory(folder).steps] == ["Tap 'Shop'"]


_WRITER_THAT_DIES = """
import os, sys
from pathlib import Path
from collector.model.action import Tap
from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.store.project.project import Project
writer = Project.open(Path(sys.argv[1])).new_trajectory(TrajectoryHeader("", "shop-14", who="lin"))
writer.append(Step(0, 500, "", State(), Tap(1, 2), None, "Tap 'Shop'"))
os._exit(9)
"""


@pytest.mark.fault("F32")
def test_a_recording_cut_short_is_offered_and_gone_on_with(person, tmp_path):
    project = Project.create(tmp_path / "cut")
    project.save_tasks([_TASK])
    subprocess.run([sys.executable, "-c", _WRITER_THAT_DIES, str(project.folder)], check=False)
    person.take_phone()
    with person.qtbot.waitSignal(person.studio.project_library.opened):
        person.studio.project_library.open(project.folder)
    toasts = person.studio.window.toasts

    def offers():
        return [toast for toast in toasts.shown if "cut short" in toast.accessibleName()]

    person.until(offers)
    for folder, expected in ((Project.create(tmp_path / "other").folder, 0), (project.folder, 1)):
        with person.qtbot.waitSignal(person.studio.project_library.opened):
            person.studio.project_library.open(folder)
        person.until(lambda expected=expected: len(offers()) == expected)
    (offer,) = offers()
    with person.qtbot.waitSignal(person.recording.begun):
        offer.findChild(Button).click()
    person.tap(person.sees("Shop"))
    stored = open_trajectory(person.finish())
    assert [type(step.action) for step in stored.steps] == [actions.Tap, actions.Tap, type(None)]
    assert stored.steps[1].t_ms > stored.steps[0].t_ms


def test_steps_of_an_opened_trajectory_are_edited_undone_and_recorded_again(person, tmp_path):
    person.open_project(tmp_path / "edit", _TASK)
    person.take_phone()
    person.start()
    person.tap(person.sees("Shop"))
    person.tap(person.sees("Sign in"))
    person.presses(Qt.Key.Key_Back)
    done = person.finish()

    session = person.record.session
    person.record.trajectories.open(done)
    person.until(lambda: session.editor is not None)
    person.until(lambda: not person.view.is_live and person.view.frame is not None)
    session.edits.reword(0, description="Open the shop", intention="Begin")
    person.until(lambda: session.steps[0].description == "Open the shop")
    session.go(1)
    person.run("step.delete")
    person.until(lambda: isinstance(QApplication.activeModalWidget(), EditPlanDialog))
    QApplication.activeModalWidget().yes.click()
    person.studio.window.activateWindow()  # as other systems do when a dialog closes
    person.until(lambda: len(session.steps) == 3 and person.studio.commander.enabled("edit.undo"))
    person.run("edit.undo")
    person.until(lambda: len(session.steps) == 4)
    session.go(1)
    with person.qtbot.waitSignal(person.recording.begun):
        person.run("step.rerecord")
    rows, pill = person.record.side.steps.rows, person.record.mirror.pill
    cancel = person.record.toolbar.buttons["step.cancel-rerecord"]
    person.until(lambda: pill.text == "Your next action replaces step 2" and cancel.isVisible())
    assert "replaced next" in [badge.text for badge in rows.row(1).badges]
    QTest.keyClick(person.view, Qt.Key.Key_Escape)
    person.until(lambda: not cancel.isVisible() and person.recording.rerecords is None)
    assert "replaces" not in pill.text
    session.go(1)
    person.run("step.rerecord")
    person.until(lambda: cancel.isVisible() and person.recording.rerecords == 1)
    person.tap(person.sees("Cart"))
    person.until(lambda: not cancel.isVisible())
    person.until(lambda: person.recording.steps[1].description == "Tap 'Cart'")
    person.finish()
    again = open_trajectory(done)
    assert [step.description for step in again.steps[:2]] == ["Open the shop", "Tap 'Cart'"]
    assert again.steps[0].intention == "Begin"


def test_only_what_makes_sense_can_be_run(person, tmp_path):
    person.open_project(tmp_path / "idle", _TASK)
    person.take_phone()
    enabled = person.studio.commander.enabled
    assert enabled("record.start")
    assert not any(
        enabled(command) for command in ("record.finish", "edit.undo", "record.mark-state", "step.delete")
    )
    person.start()
    assert enabled("record.finish")
    person.tap(person.sees("Shop"))
    person.until(lambda: enabled("edit.undo"))
    person.record.session.go(0)
    assert enabled("step.delete")
    person.finish()
