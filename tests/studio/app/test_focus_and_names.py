"""Every stop of Tab shows that it has the keyboard, and everything has a name that can be read aloud."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QWidget

from studio.app.main_window.focus_order import focus_order
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from tests.helpers.rule_room import Room, make_project

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)
WORKSPACES = [entry.id for entry in AVAILABLE_WORKSPACES]
_AROUND, _CONTRAST, _PIXELS = 3, 40, 12
"""A focus is seen when so many pixels of the widget, or so near to it, differ by so much in one colour."""
_MOST_CHILDREN = 40
"""Children of one kind look alike: so many of a table are asked for their names."""
_NAMED = {
    QAccessible.Role.Cell, QAccessible.Role.Row, QAccessible.Role.ListItem, QAccessible.Role.TreeItem,
    QAccessible.Role.ColumnHeader, QAccessible.Role.Button, QAccessible.Role.CheckBox,
}  # fmt: skip


def place(widget: QWidget, window: QWidget) -> QRect:
    """The visible part of a widget, and what is right around it, in the window."""
    shown = widget.visibleRegion().boundingRect()
    around = QRect(widget.mapTo(window, shown.topLeft()), shown.size())
    return around.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) & window.rect()


def differs(one, other) -> bool:
    """Whether a person sees the difference of two pictures."""
    if one.size() != other.size():
        return True
    first, second = (np.frombuffer(each.constBits(), np.uint8).astype(np.int16) for each in (one, other))
    return int((np.abs(first - second) > _CONTRAST).sum()) >= _PIXELS


def name_of(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.accessibleName()!r}"


def unseen_stops(window) -> list[str]:
    """The stops of the Tab order that look the same with and without the keyboard."""
    window.setFocus()
    stops, unseen = list(focus_order(window.centralWidget())), []
    for number, stop in enumerate(stops):
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        assert QApplication.focusWidget() is stop, name_of(stop)
        area = place(stop, window)
        with_focus = window.grab(area).toImage()
        stops[number - 1].setFocus(Qt.FocusReason.TabFocusReason)
        if not differs(with_focus, window.grab(area).toImage()):
            unseen.append(f"{number + 1}: {name_of(stop)}")
    return unseen


def nameless(item, path="") -> list[str]:
    """What can be reached in an accessible tree, takes the focus or is a cell, and has no name."""
    state, role = item.state(), item.role()
    if state.invisible:
        return []
    name = item.text(QAccessible.Text.Name)
    here = f"{path}/{role.name} {name[:30]}"
    needs = state.focusable or role in _NAMED
    is_window = role in (QAccessible.Role.Window, QAccessible.Role.Client)
    found = [here] if needs and not name.strip() and not is_window else []
    for number in range(min(item.childCount(), _MOST_CHILDREN)):
        child = item.child(number)
        if child is not None:
            found += nameless(child, here[-60:])
    return found


def tap_alt(window, *, with_key=None):
    focused = QApplication.focusWidget() or window
    QTest.keyPress(focused, Qt.Key.Key_Alt, Qt.KeyboardModifier.AltModifier)
    if with_key is not None:
        QTest.keyClick(focused, with_key, Qt.KeyboardModifier.AltModifier)
    QTest.keyRelease(focused, Qt.Key.Key_Alt, Qt.KeyboardModifier.NoModifier)


def open_menu():
    """The title of the menu that is open; the menu and then the menu bar are left by Esc."""
    menu = QApplication.activePopupWidget()
    if menu is None:
        return ""
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    return menu.title()


def test_f10_and_alt_alone_open_the_menus_wherever_the_focus_is(make, qtbot, monkeypatch):
    studio = make()
    window = studio.window
    window.show_workspace("record")
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    record = window.workspace("record")
    record.mirror.set_stored_open(True)
    for widget in (record.mirror.view, record.queue.field):
        widget.setFocus()
        widget.setVisible(True)
        assert QApplication.focusWidget() is widget
        for by_alt in (False, True):
            tap_alt(window) if by_alt else QTest.keyClick(widget, Qt.Key.Key_F10)
            assert open_menu() == window.menu.menus.actions()[0].text()
            assert QApplication.focusWidget() is widget
        tap_alt(window, with_key=Qt.Key.Key_L)
        assert open_menu() == ""
    monkeypatch.setattr("studio.widgets.window_frame.alt_key.QUICK_MS", 0)
    tap_alt(window)
    assert open_menu() == "", "who holds Alt looks at the nodes of the phone"


@pytest.fixture
def reading():
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def problems(studio) -> dict[str, list[str]]:
    """Unseen stops and nameless parts of all workspaces."""
    found = {}
    for page in WORKSPACES:
        studio.window.show_workspace(page)
        studio.window.activateWindow()
        assert QTest.qWaitForWindowActive(studio.window)
        lines = [f"unseen {line}" for line in unseen_stops(studio.window)]
        tree = QAccessible.queryAccessibleInterface(studio.window)
        found[page] = [*lines, *(f"nameless {line}" for line in nameless(tree))]
    return {page: lines for page, lines in found.items() if lines}


def test_the_first_pages_show_the_focus_and_name_everything(make, reading):
    studio = make()
    studio.window.resize(1440, 900)
    assert problems(studio) == {}


@pytest.mark.all_workspaces
def test_workspaces_with_content_show_the_focus_and_name_everything(make, qtbot, tmp_path, reading):
    make_project(tmp_path / "project")
    studio = make()
    studio.window.resize(1600, 1000)
    room = Room(studio, qtbot, tmp_path / "project")
    studio.project_library.open(tmp_path / "project")
    studio.window.show_workspace("rules")
    room.until(lambda: room.session.recorded is not None and room.workspace.matrix.rows.shown)
    room.until(lambda: studio.project_library.snapshot.recent)
    studio.commander.run("record.open-trajectory")
    record = studio.window.workspace("record")
    room.until(lambda: record.session.editor is not None)
    studio.commander.run("review.open")
    review = studio.window.workspace("review").session
    room.until(lambda: bool(review.stored))
    assert problems(studio) == {}


def test_a_field_that_a_command_gives_the_keyboard_is_scrolled_to(studio, qtbot):
    window = studio.window
    area, inner = QScrollArea(window), QWidget()
    inner.resize(200, 2_000)
    field = QLineEdit(inner)
    field.move(0, 1_900)
    area.setWidget(inner)
    area.resize(220, 300)
    area.show()
    window.activateWindow()
    field.setFocus()
    qtbot.waitUntil(lambda: not field.visibleRegion().isEmpty())
    area.hide()
    area.deleteLater()
