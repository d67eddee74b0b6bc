"""A finished recording is edited on the phone: steps come between, the rest again, another screen."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from collector.cli.main import main
from collector.model.task import Task
from collector.model.trajectory import FINISHED
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reader import open_trajectory
from studio.widgets.controls import Button
from studio.widgets.trajectory_edits.edit_dialogs import EditPlanDialog
from tests.helpers.edited_project import SAYS_SARA

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
_TASK = Task("shop-14", "Sign in", "Shop", "com.waymark.shop")


def _open(person, folder, step):
    person.run("record.open-trajectory", folder=str(folder), step=str(step))
    session = person.record.session
    person.until(lambda: session.editor is not None and session.current == step)


def _said(folder):
    return [step.description for step in open_trajectory(folder).steps]


def _is_there(person):
    return lambda: (
        person.recording.recorder is not None
        and not person.recording.is_elsewhere
        and person.recording.phase is not None
        and person.recording.phase.value == "recording"
    )


def test_steps_come_between_and_the_rest_is_recorded_again(person, tmp_path):
    project = person.open_project(tmp_path / "edited", _TASK)
    person.take_phone()
    person.start()
    for name in ("Shop", "Sign in"):
        person.tap(person.sees(name))
    folder = person.finish()
    assert _said(folder) == ["Tap 'Shop'", "Tap 'Sign in'", ""]
    before = (folder / "steps.jsonl").read_bytes(), (folder / "trajectory.json").read_bytes()

    # Between: the phone is brought to the screen before the second step, and two actions come there.
    _open(person, folder, 1)
    person.run("step.insert")
    person.until(lambda: person.recording.inserts == 1)
    person.run("record.bring-phone")
    person.until(_is_there(person))
    person.tap(person.sees("Cart"))
    person.until(lambda: person.recording.inserts == 2)
    person.run("record.wait")
    person.until(lambda: len(person.recording.steps) == 5)
    person.run("step.stop-insert")
    # It is open again where the steps came, with what they came to.
    person.until(lambda: isinstance(QApplication.activeModalWidget(), EditPlanDialog))
    dialog = QApplication.activeModalWidget()
    assert "5 steps, 2 steps come" in dialog.strips.accessibleDescription()
    dialog.yes.click()
    assert person.record.session.current == 1
    assert _said(folder)[:2] == ["Tap 'Shop'", "Tap 'Cart'"]
    assert _said(folder)[3:] == ["Tap 'Sign in'", ""]
    assert open_trajectory(folder).header.status == FINISHED
    assert main(["trajectory", "verify", folder.name, "--project", str(project.folder)]) == 0
    for _undo in range(2):
        assert main(["trajectory", "undo", folder.name, "--project", str(project.folder)]) == 0
    assert ((folder / "steps.jsonl").read_bytes(), (folder / "trajectory.json").read_bytes()) == before

    # The rest again: the phone goes there by itself.
    _open(person, folder, 1)
    person.run("step.rerecord-rest")
    person.until(_is_there(person))
    assert len(person.recording.steps) == 1
    person.tap(person.sees("Cart"))
    person.finish()
    assert _said(folder) == ["Tap 'Shop'", "Tap 'Cart'", ""]

    # Another screen for one step.
    _open(person, folder, 1)
    person.run("step.replace-state")
    person.until(lambda: isinstance(QApplication.activeModalWidget(), EditPlanDialog))
    QApplication.activeModalWidget().yes.click()
    person.until(lambda: len(open_trajectory(folder).steps[1].state.screenshot) > len("states/0001.png"))
    assert main(["trajectory", "verify", folder.name, "--project", str(project.folder)]) == 0

    # What somebody else reviewed stays, and stays open.
    add_judgements(folder, [SAYS_SARA])
    session = person.record.session
    _open(person, folder, 1)
    person.run("step.rerecord-rest")
    person.until(lambda: session.editor is None)
    person.until(lambda: session.editor is not None and session.current == 1)
    toasts = person.studio.window.toasts.shown
    assert any(button.text() == "Edit a copy" for toast in toasts for button in toast.findChildren(Button))
