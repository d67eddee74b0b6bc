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


def test_a_phone_that_is_ahead_is_said_to_be_until_its_screen_was_compared(person, tmp_path):
    """The shop remembers its page Saved: neither BACK nor the steps lead to its first page again."""
    person.open_project(tmp_path / "ahead", Task("shop-1", "Save", "Shop", "com.waymark.shop"))
    person.take_phone()
    pill = person.record.mirror.pill

    def words() -> set[str]:
        return {node.label for node in person.record.mirror.selection.tree if node.label}

    person.start()
    assert pill.text == "Ready for your first action"
    person.tap(person.sees("Shop"))
    person.sees("Saved")
    first_page = words()
    person.tap(person.sees("Saved"))
    _undo(person, 1)
    person.until(lambda: pill.bring.isVisible())
    assert pill.text == "The phone is not where step 2 begins"
    QTest.keyClick(person.studio.window, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
    elsewhere = _toast(person, "The phone is not where step 2 begins")
    assert "'Search products' is missing" in elsewhere.accessibleName()
    assert person.recording.phase is Phase.PAUSED
    assert pill.bring.isVisible()
    _press(elsewhere, "Reset the app's data")
    _toast(person, "It was reset, and the steps were done again")
    person.until(lambda: person.recording.phase is Phase.RECORDING and not pill.bring.isVisible())
    person.until(lambda: words() == first_page)
    person.tap(person.sees("Cart"))
    folder = person.finish()
    stored = open_trajectory(folder)
    assert [step.state.problem for step in stored.steps] == ["", "", ""]
    assert b"Search products" in _texts(stored, 1)

    # Finish itself is undone, and the task under the recording stays; the recording is open again.
    window, session = person.studio.window, person.record.session
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    person.until(lambda: person.studio.commander.title("edit.undo") == f"Undo finish {folder.name}")
    QTest.keyClick(window, Qt.Key.Key_Z, control)
    _toast(person, f"Undone: finish {folder.name}")
    person.until(lambda: session.is_resumable and session.folder == folder)
    assert [step.description for step in session.steps] == ["Tap 'Shop'", "Tap 'Cart'"]
    person.until(lambda: sum(person.studio.project_library.snapshot.golden.values()) == 0)
    person.until(lambda: person.studio.commander.title("edit.redo") == f"Redo finish {folder.name}")
    QTest.keyClick(window, Qt.Key.Key_Z, control | shift)
    _toast(person, f"Redone: finish {folder.name}")
    assert len(open_trajectory(folder).steps) == 3
    person.until(lambda: person.studio.project_library.snapshot.golden == {"shop-1": 1})
