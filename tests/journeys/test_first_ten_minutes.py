"""The first ten minutes of README and guide, sentence by sentence, by mouse and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model import action as actions
from collector.model.task import Task
from collector.store.trajectory.reader import open_trajectory
from studio.widgets.window_frame.shortcut_sheet import ShortcutSheet
from tests.helpers.guide import quote

README, GUIDE = "README.md", "docs/guide/getting-started.md"
TASKS = (
    Task("shop-1", "Look at posters", "Shop", "com.waymark.shop"),
    Task("shop-2", "Buy a poster", "Shop", "com.waymark.shop"),
)
pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True),
]


class Beginner:
    """Somebody who has only mouse, keys and what the pages say."""

    def __init__(self, person) -> None:
        self.person, self.window = person, person.studio.window

    def press(self, key, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key where the focus is."""
        if QApplication.activeWindow() is None:  # nothing gives it back here when a palette closes
            self.window.activateWindow()
            self.person.until(lambda: QApplication.activeWindow() is self.window)
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifiers)

    def captions(self) -> list[str]:
        return [step.description for step in self.person.recording.steps]

    def at(self, node) -> QPoint:
        """Where a node of the phone is shown."""
        x, y = self.person.view.transform.to_view(node.bounds.center)
        return QPoint(round(x), round(y))

    def after_a_step(self, act) -> None:
        """Act, and wait until the next state is there."""
        with self.person.qtbot.waitSignal(self.person.recording.next_ready, timeout=30_000):
            act()


def test_the_first_ten_minutes(person, tmp_path, qtbot):
    me = Beginner(person)
    person.open_project(tmp_path / "project", *TASKS)
    person.take_phone()
    me.window.activateWindow()
    person.until(lambda: QApplication.activeWindow() is me.window)

    quote(README, "Select one and press `R`: click to tap, drag to swipe, type as usual.")
    with qtbot.waitSignal(person.recording.begun, timeout=30_000):
        me.press(Qt.Key.Key_R)

    quote(GUIDE, "drag to swipe. The right button is Back, the middle one Home, the wheel scrolls.")
    person.tap(person.sees("Shop"))
    person.tap(person.sees("Search products"))
    quote(GUIDE, "After a click on the phone the keyboard types there; `Esc` gives it back to the commands.")
    person.types("poster")
    me.press(Qt.Key.Key_Escape)
    me.after_a_step(lambda: QTest.mouseClick(person.view, Qt.MouseButton.RightButton))
    start = QPoint(person.view.width() // 2, person.view.height() // 2)
    me.after_a_step(lambda: drag(person.view, start, start - QPoint(0, 120)))
    me.after_a_step(lambda: QTest.mouseClick(person.view, Qt.MouseButton.MiddleButton))
    kinds = [type(step.action) for step in person.recording.steps]
    assert kinds == [actions.Tap, actions.Tap, actions.Type, actions.Key, actions.Swipe, actions.Key]
    assert [step.action.key for step in person.recording.steps if isinstance(step.action, actions.Key)] == [
        "back", "home",
    ]  # fmt: skip
    quote(GUIDE, "**Watch the steps** appear. There is nothing to save.")
    assert me.captions()[:2] == ["Tap 'Shop'", "Tap 'Search products'"]

    quote(GUIDE, "Hold `Alt` and click a node for its attributes and selectors.")
    quote(README, "The steps appear at the right. `Ctrl+Z` undoes one, `Ctrl+Enter` finishes.")
    node = person.sees("Shop")
    QTest.keyPress(person.view, Qt.Key.Key_Alt)
    QTest.mouseMove(person.view, me.at(node))
    QTest.mouseClick(person.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, me.at(node))
    QTest.keyRelease(person.view, Qt.Key.Key_Alt)
    assert person.record.mirror.selection.selected is not None
    assert len(person.recording.steps) == 6
    undo = person.studio.commander.title("edit.undo")
    assert undo.startswith("Undo ")
    assert undo != "Undo "
    me.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    person.until(lambda: len(person.recording.steps) == 5)

    quote(GUIDE, "The phone stays where it is: `Shift+B` brings it to where the steps end.")
    person.until(lambda: person.recording.is_elsewhere)
    me.press(Qt.Key.Key_Escape)
    me.press(Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
    person.until(lambda: person.recording.is_running and not person.recording.is_elsewhere)

    quote(README, "`Ctrl+K` finds every command, `?` shows the keys.")
    me.press(Qt.Key.Key_Escape)
    me.press(Qt.Key.Key_Question)
    sheet = next(widget for widget in me.window.findChildren(ShortcutSheet) if widget.isVisible())
    sheet.close()
    me.press(Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(QApplication.focusWidget(), "finish")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)

    quote(GUIDE, "**Finish** with `Ctrl+Enter`. The next task is selected.")
    with qtbot.waitSignal(person.recording.finished, timeout=30_000) as caught:
        me.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert len(open_trajectory(caught.args[0]).steps) == 6  # the final state is one
    person.until(lambda: person.record.session.task is not None and person.record.session.task.id == "shop-2")

    quote(README, "`Ctrl+3`: `P` proposes rules from what you recorded")
    me.press(Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    rules = me.window.workspace("rules")
    person.until(lambda: me.window.current is rules)


def drag(view, start: QPoint, end: QPoint) -> None:
    """Drag with the left button."""
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for part in range(1, 9):
        QTest.mouseMove(view, start + (end - start) * part / 8)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=end)
