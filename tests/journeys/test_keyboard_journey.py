"""A person without a mouse records a golden trajectory: by palette, tree, cursor and keyboard."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model.action import LongPress, Swipe, Tap, Type
from collector.model.task import Task
from collector.store.trajectory.reader import open_trajectory
from studio.widgets.window_frame.command_palette import CommandPalette
from tests.helpers.journey import PATIENCE_MS

_TASK = Task("shop-1", "Look for posters", "Shop", "com.waymark.shop")
NONE, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier,
)  # fmt: skip


def press(*keys, modifiers=NONE):
    """Press keys where the keyboard is."""
    for key in keys:
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key, modifiers)


def write(text):
    QTest.keyClicks(QApplication.focusWidget(), text)


def test_a_trajectory_is_recorded_by_keyboard_alone(person, tmp_path, qtbot):
    person.open_project(tmp_path / "posters", _TASK)
    person.take_phone()
    person.studio.window.activateWindow()
    assert QTest.qWaitForWindowActive(person.studio.window)
    recording, record, view = person.recording, person.record, person.view

    def step(*keys, modifiers=NONE):
        with qtbot.waitSignal(recording.next_ready, timeout=PATIENCE_MS):
            press(*keys, modifiers=modifiers)

    with qtbot.waitSignal(recording.begun, timeout=PATIENCE_MS):
        press(Qt.Key.Key_R)

    # The palette numbers what can be touched; words and numbers find it.
    person.sees("Shop")
    press(Qt.Key.Key_T)
    palette = person.studio.window.findChild(CommandPalette)
    numbers = [mark.tag for mark in view.highlights() if mark.tag.isdigit()]
    assert numbers == [str(target.number) for target in view.touch_cursor.targets if not target.only_scrolls]
    shown = record.phone_rect
    assert not palette.geometry().intersects(
        shown.translated(record.mapTo(palette.parentWidget(), QPoint(0, 0)))
    )
    write("shop")
    assert palette.list.current.entry.title.endswith("· Shop")
    number = palette.list.current.entry.title.split()[1]
    palette.field.setText("")
    write(f"tap {number}")
    assert palette.list.current.entry.title == f"Tap {number} · Shop"
    step(Qt.Key.Key_Return)
    assert not [mark for mark in view.highlights() if mark.tag.isdigit()]

    # The tree: find a node, go to it, tap it.
    person.sees("Search products")
    press(Qt.Key.Key_F, modifiers=CTRL)
    write("Search products")
    press(Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is record.side.tree.tree
    step(Qt.Key.Key_Return)

    # K gives the phone what is typed, Esc takes the keyboard back.
    press(Qt.Key.Key_K)
    assert view.has_keyboard
    with qtbot.waitSignal(recording.next_ready, timeout=PATIENCE_MS):
        write("poster")
    step(Qt.Key.Key_Return)
    press(Qt.Key.Key_Escape)

    # The cursor: arrows move it, Enter taps, Shift swipes and presses long.
    person.until(lambda: len(view.touch_cursor.targets) > 6)
    press(Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert view.touch_cursor.point is not None
    assert "Cursor on" in view.accessibleDescription()
    step(Qt.Key.Key_Up, modifiers=SHIFT)
    step(Qt.Key.Key_Return, modifiers=SHIFT)
    with qtbot.waitSignal(recording.finished, timeout=PATIENCE_MS) as caught:
        press(Qt.Key.Key_Return, modifiers=CTRL)

    stored = open_trajectory(Path(caught.args[0]))
    assert [step.description for step in stored.steps[:2]] == ["Tap 'Shop'", "Tap 'Search products'"]
    acts = [type(step.action) for step in stored.steps]
    assert acts[:3] == [Tap, Tap, Type]
    assert acts[4:6] == [Swipe, LongPress]
    assert stored.steps[2].action == Type("poster", 6)
    assert stored.steps[3].description == "Press Enter"
    assert stored.header.status == "finished"
