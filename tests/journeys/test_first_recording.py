"""From the first window to a finished recording by mouse and keys, every click counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QLineEdit, QWidget

from collector.model.trajectory import FINISHED
from collector.model.verdicts.judgement import SUCCESS, TASK
from collector.review.trajectory_reviews import read_reviews
from collector.store.trajectory.reader import open_trajectory
from studio.app.studio import Studio
from studio.settings import Settings
from studio.theme import theme
from studio.views.project.new_project_dialog import NewProjectDialog
from studio.views.project.tasks.task_dialog import TaskDialog
from studio.views.record.open_app_dialog import OpenAppDialog
from studio.views.task_library.built_in_tasks_dialog import BuiltInTasksDialog
from studio.widgets.window_frame.callout import Callout
from tests.helpers.journey import Person
from tests.helpers.studios import end_studio
from tests.helpers.virtual import adb_server

pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.qt_log_ignore("does not support", "propagateSizeHints", "raise", "grabbing", extend=True),
    pytest.mark.shared_threads("device", "work", "store"),
]
MOST_CLICKS = 6


class CountingPerson(Person):
    """Clicks what is seen, and counts."""

    clicks = 0

    def click(self, words: str) -> None:
        """Click the button with these words once it can be pressed: one of the dialog when one is open."""
        found: list[QAbstractButton] = []

        def look() -> bool:
            place: QWidget = QApplication.activeModalWidget() or self.studio.window
            found[:] = [
                button for button in place.findChildren(QAbstractButton)
                if button.text() == words and button.isVisible() and button.isEnabled()
            ]  # fmt: skip
            return bool(found)

        self.until(look)
        self.clicks += 1
        QTest.mouseClick(found[0], Qt.MouseButton.LeftButton)

    def tap(self, node) -> None:
        """Tap a node of the phone; a tap is a click, too."""
        self.clicks += 1
        super().tap(node)

    def dialog(self, kind: type) -> QWidget:
        """Wait for a dialog that has the keyboard."""
        self.until(lambda: isinstance(QApplication.activeModalWidget(), kind))
        shown = QApplication.activeModalWidget()
        assert shown is not None
        shown.activateWindow()  # no window manager does it here
        self.until(lambda: shown.isAncestorOf(QApplication.focusWidget()))
        return shown

    def typed(self, text: str) -> None:
        """Type where the keyboard is."""
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClicks(focused, text)


@pytest.fixture
def person(qapp, qtbot, tmp_path, monkeypatch):
    """A person in front of the first window, with neither phone nor project."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "people")
    theme.install(qapp, "dark", motion=False)
    with adb_server() as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        settings = Settings(tmp_path / "settings.yaml")
        settings.set("recording.author", "lin")
        studio = Studio(settings)
        studio.window.resize(1440, 900)
        studio.window.show()
        studio.start()
        studio.window.activateWindow()
        yield CountingPerson(studio, qtbot, "")
        end_studio(studio, qtbot)


def test_six_clicks_lead_from_the_first_window_to_a_finished_recording(person, qtbot):
    person.click("New project...")
    person.dialog(NewProjectDialog)
    person.typed("Errands")
    person.click("Make project")

    editor = person.dialog(TaskDialog)
    person.typed("Look at the posters of the shop")
    person.until(lambda: editor.app.count())  # the phone has started meanwhile
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    field = QApplication.focusWidget()
    assert field in (editor.app, editor.app.lineEdit())
    editor.app.setCompleter(None)  # its list grabs the keyboard, which a screenless test has not
    person.typed("Shop")
    with qtbot.waitSignal(person.recording.begun, timeout=60_000):
        person.click("Add and record")

    assert person.studio.window.current is person.record
    person.tap(person.sees("Shop"))
    person.tap(person.sees("Search products"))
    with qtbot.waitSignal(person.recording.finished, timeout=30_000) as finished:
        person.click("Finish")
    stored = open_trajectory(finished.args[0])
    assert stored.header.status == FINISHED
    assert len(stored.steps) == 3
    task = person.studio.project_library.snapshot.task(stored.header.task_id)
    assert (task.instruction, task.app, task.package) == (
        "Look at the posters of the shop", "Shop", "com.waymark.shop",
    )  # fmt: skip
    assert person.clicks <= MOST_CLICKS

    # R in Project records the chosen task once more; Open app lists the apps of the phone.
    person.run("view.project")
    table = person.studio.window.current.table
    person.until(lambda: table.model().rowCount() == 1)
    table.select([task.id])
    table.setFocus()
    person.studio.window.activateWindow()  # no window manager does it here
    person.until(lambda: QApplication.focusWidget() is table)
    with qtbot.waitSignal(person.recording.begun, timeout=60_000):
        QTest.keyClick(table, Qt.Key.Key_R)
    assert person.studio.window.current is person.record
    person.until(lambda: person.recording.is_running)
    QTest.keyClick(person.studio.window.focusWidget(), Qt.Key.Key_O, Qt.KeyboardModifier.ShiftModifier)
    apps = person.dialog(OpenAppDialog)
    person.until(lambda: apps.field.count() > 1)
    listed = {apps.field.itemData(place).package for place in range(apps.field.count())}
    assert {"com.waymark.shop", "com.waymark.todo", "com.android.settings"} <= listed
    apps.field.setCompleter(None)
    person.typed("com.waymark.todo")
    with qtbot.waitSignal(person.recording.next_ready, timeout=30_000):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    person.sees("My tasks")
    with qtbot.waitSignal(person.recording.finished, timeout=30_000):
        person.click("Finish")


def test_the_guided_tour_ends_by_keyboard_with_a_judged_recording(person, qtbot):
    studio, settings = person.studio, person.studio.settings

    def callout() -> Callout:
        return next(each for each in studio.window.findChildren(Callout) if each.isVisible())

    def at_step(number: int) -> None:
        person.until(lambda: callout().text.head == f"Step {number} of 7")

    def press(key, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
        studio.window.activateWindow()  # no window manager does it here
        person.until(lambda: QApplication.activeWindow() is studio.window)
        QTest.keyClick(studio.window.focusWidget() or studio.window, key, modifiers)

    def press_button() -> None:
        person.until(lambda: person.studio.window.focusWidget() is callout().button)
        QTest.keyClick(callout().button, Qt.Key.Key_Return)

    offer = person.studio.window.workspace("project").start.offer
    offer.start.setFocus()
    press(Qt.Key.Key_Return)
    assert settings["window.tour-offered"]
    at_step(1)

    # A project that was not made does not count; Esc puts the tour away, and Help goes on with it.
    press_button()
    person.dialog(NewProjectDialog).reject()
    at_step(1)
    studio.window.setFocus()
    press(Qt.Key.Key_Escape)
    assert not [each for each in studio.window.findChildren(Callout) if each.isVisible()]
    person.run("tour.start")
    at_step(1)
    press_button()
    dialog = person.dialog(NewProjectDialog)
    assert "then press Enter" in " ".join(label.text() for label in dialog.findChildren(QLabel))
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)

    chooser = person.dialog(BuiltInTasksDialog)
    assert "Ctrl+Enter" in " ".join(label.text() for label in chooser.findChildren(QLabel))
    person.typed("expenses")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    at_step(4)  # the phone has started meanwhile
    with qtbot.waitSignal(person.recording.begun, timeout=60_000):
        press_button()
    at_step(5)

    def tap(words: str) -> None:
        """Tap by keyboard what has these words; the last one, where a line has a box of the same name."""
        cursor = person.view.touch_cursor
        person.until(lambda: any(words == target.label for target in cursor.targets))
        number = [target.number for target in cursor.targets if target.label == words][-1]
        press(Qt.Key.Key_T)
        field = studio.window.focusWidget()
        assert isinstance(field, QLineEdit)
        QTest.keyClicks(field, f"{number}")
        with qtbot.waitSignal(person.recording.next_ready, timeout=30_000):
            QTest.keyClick(field, Qt.Key.Key_Return)

    for words in ("To-do", "Open menu", "Work"):
        tap(words)
    assert "3 steps are recorded" in callout().text.fact
    at_step(5)
    tap("File expenses")
    at_step(6)
    with qtbot.waitSignal(person.recording.finished, timeout=30_000) as finished:
        press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    at_step(7)
    assert callout().text.fact == "Verdict: the task is done"
    judged = read_reviews(finished.args[0]).judgements
    assert [item.verdict for item in judged if item.subject.kind == TASK] == [SUCCESS]

    # In another language it goes on where it is.
    settings.set("appearance.language", "zh_CN")
    person.until(lambda: person.studio.window.is_loaded and callout().text.title == "查看结论")
    press_button()
    person.until(lambda: callout().text.head == "导览结束")
    settings.set("appearance.language", "en")
    person.until(lambda: callout().text.head == "The tour is over")
    press_button()
    assert not [each for each in studio.window.findChildren(Callout) if each.isVisible()]


def test_each_empty_workspace_says_the_next_action_and_its_button_does_it(person, qtbot):
    """From nothing to a review, in five workspaces: what is missing, the button, and that it is there."""
    studio = person.studio

    def says(workspace: str, title: str) -> None:
        if studio.window.current is not studio.window.workspace(workspace):
            person.run(f"view.{workspace}")
        shown = studio.window.workspace(workspace)
        person.until(
            lambda: title in [label.text() for label in shown.findChildren(QLabel) if label.isVisible()]
        )

    for workspace in ("rules", "states", "run", "review", "metrics"):
        says(workspace, "No project is open")
    person.click("New project...")
    dialog = person.dialog(NewProjectDialog)
    QTest.mouseClick(dialog.phone, Qt.MouseButton.LeftButton)  # a phone comes later
    assert not dialog.starts_phone
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    person.dialog(TaskDialog).reject()  # it is offered at once

    for workspace in ("run", "metrics"):
        says(workspace, "No task yet")
    for workspace in ("states", "review", "rules"):
        says(workspace, "No phone is connected")
    person.click("Start the virtual phone")
    person.until(lambda: studio.devices.current is not None and studio.devices.current.is_live)

    for workspace in ("rules", "review", "states"):
        says(workspace, "No task yet")
    person.click("New task")
    editor = person.dialog(TaskDialog)
    editor.instruction.setPlainText("Look at the posters of the shop")
    editor.accept()

    says("run", "No experiment yet")
    says("metrics", "No episode yet")
    for workspace in ("rules", "review", "states"):
        says(workspace, "Nothing is recorded yet")
    with qtbot.waitSignal(person.recording.begun, timeout=60_000):
        person.click("Record a task")
    assert studio.window.current is person.record
    person.tap(person.sees("Shop"))
    with qtbot.waitSignal(person.recording.finished, timeout=30_000):
        person.click("Finish")

    says("states", "No essential state yet")  # beside the film strip of the recording
    person.until(lambda: bool(studio.window.workspace("states").session.steps))
    says("rules", "No rule yet")
    says("review", "Nothing is open")
    person.click("Open the latest trajectory")
    person.until(lambda: bool(studio.commander.context.get("review.open")))
    says("metrics", "No episode yet")
    person.click("Go to Run")
    says("run", "No experiment yet")
    person.click("New experiment")
    person.dialog(QDialog)  # its name
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    person.until(lambda: bool(studio.commander.context.get("experiment.chosen")))
