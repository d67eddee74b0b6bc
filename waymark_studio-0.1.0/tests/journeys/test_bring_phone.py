"""After an undo the phone is brought to where the steps end, by the window, while the recording runs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from collector.cli.main import main
from collector.model.task import Task
from collector.recorder.events import Phase
from collector.store.trajectory.reader import open_trajectory
from studio.widgets.window_frame.toasts import Toast

# The plugin without a screen says so of every dialog.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
_TASK = Task("shop-14", "Sign in", "Shop", "com.waymark.shop")


def _toast(person, words: str) -> Toast:
    """Wait for a toast with these words; the newest of them."""
    toasts = person.studio.window.toasts
    person.until(lambda: any(words in toast.accessibleName() for toast in toasts.shown))
    return next(toast for toast in reversed(toasts.shown) if words in toast.accessibleName())


def _press(toast: Toast, text: str) -> None:
    button = next(button for button in toast.findChildren(QAbstractButton) if button.text() == text)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def _undo(person, left: int) -> None:
    if person.view.hasFocus():
        QTest.keyClick(person.view, Qt.Key.Key_Escape)
    QTest.keyClick(person.studio.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    person.until(lambda: len(person.recording.steps) == left)


def _texts(stored, index: int) -> bytes:
    tree = stored.tree(stored.steps[index])
    assert tree is not None
    return tree


def test_the_phone_is_brought_to_where_the_steps_end_and_the_recording_goes_on(person, tmp_path):
    project = person.open_project(tmp_path / "bring", _TASK)
    person.take_phone()
    person.start()
    for name in ("Shop", "Sign in"):
        person.tap(person.sees(name))
    person.tap(person.field("email"))
    _undo(person, 2)
    _undo(person, 1)
    recorder = person.recording.recorder
    phases, ready = [], []
    person.recording.next_ready.connect(ready.append)
    person.recording.state_changed.connect(lambda state: phases.append(state.phase if state else None))
    ready.clear()
    undone = _toast(person, "Undone: ")
    shown = [toast.accessibleName() for toast in person.studio.window.toasts.shown]
    assert [words for words in shown if "did not move" in words] == [undone.accessibleName()]
    _press(undone, "Bring the phone there")
    assert person.recording.phase is Phase.PAUSED
    cancel = person.record.toolbar.buttons["record.cancel-bring-phone"]
    assert cancel.isVisible()
    assert not person.studio.commander.enabled("record.bring-phone")
    with pytest.raises(Exception, match="brought to where the steps end"):
        person.run("record.finish")
    QTest.mouseClick(person.view, Qt.MouseButton.LeftButton)  # a person's tap would lead it astray
    _toast(person, "The phone is where step 2 begins")
    person.until(lambda: phases == [Phase.PAUSED, Phase.RECORDING] and ready)
    assert not cancel.isVisible()
    assert (person.recording.recorder, len(person.recording.steps)) == (recorder, 1)
    person.tap(person.sees("Cart"))

    # Once more for a step that is recorded again: stopped on the way, it stays paused; then it gets there.
    person.record.session.go(1)
    person.run("step.rerecord")
    person.run("record.bring-phone")
    QTest.mouseClick(cancel, Qt.MouseButton.LeftButton)
    stopped = _toast(person, "The phone was stopped on its way")
    assert person.recording.phase is Phase.PAUSED
    assert person.recording.rerecords == 1
    phases.clear()
    ready.clear()
    _press(stopped, "Bring the phone there")
    person.until(lambda: Phase.RECORDING in phases and ready)
    assert person.recording.rerecords == 1
    person.tap(person.sees("Sign in"))
    person.until(lambda: person.recording.steps[1].description == "Tap 'Sign in'")
    folder = person.finish()
    stored = open_trajectory(folder)
    assert [step.description for step in stored.steps] == ["Tap 'Shop'", "Tap 'Sign in'", ""]
    assert b"Sign in" in _texts(stored, 1)
    kinds = [line["kind"] for line in stored.events() if line["kind"] in ("pause", "resume")]
    assert kinds == ["pause", "resume"] * 2
    assert main(["trajectory", "verify", folder.name, "--project", str(project.folder)]) == 0
