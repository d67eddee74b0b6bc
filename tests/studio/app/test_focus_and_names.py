"""Every stop of Tab shows that it has the keyboard, and everything has a name that can be read aloud."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QWidget

from studio.app.main_window.focus_order import focus_order, scroll_to_focus
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from tests.helpers.accessible_parts import name_of, nameless, stops_of_dialog
from tests.helpers.rule_room import Room, make_project

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)
WORKSPACES = [entry.id for entry in AVAILABLE_WORKSPACES]
_AROUND, _CONTRAST, _PIXELS = 3, 3.0, 60
"""A focus is seen when so many pixels of the widget, or so near, have this contrast with those before."""
_WEIGHTS = (0.2126, 0.7152, 0.0722)


def place(widget: QWidget, window: QWidget) -> QRect:
    """The visible part of a widget, and what is right around it, in the window."""
    shown = widget.visibleRegion().boundingRect()
    around = QRect(widget.mapTo(window, shown.topLeft()), shown.size())
    return around.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) & window.rect()


def differs(one, other) -> bool:
    """Whether a person sees the difference of two pictures."""
    if one.size() != other.size():
        return True
    first, second = luminance(one), luminance(other)
    contrast = (np.maximum(first, second) + 0.05) / (np.minimum(first, second) + 0.05)
    return int((contrast >= _CONTRAST).sum()) >= _PIXELS


def luminance(picture: QImage):
    """The relative luminance of each pixel, as in WCAG 2."""
    picture = picture.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), -1, 4)
    share = rows[:, : picture.width(), 2::-1] / 255
    return np.where(share <= 0.03928, share / 12.92, ((share + 0.055) / 1.055) ** 2.4) @ _WEIGHTS


def unseen_stops(window, stops: list[QWidget]) -> list[str]:
    """The stops of the Tab key that look the same with and without the keyboard."""
    unseen = []
    for number, stop in enumerate(stops):
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        scroll_to_focus()
        assert QApplication.focusWidget() is stop, name_of(stop)
        area = place(stop, window)
        with_focus = window.grab(area).toImage()
        stops[number - 1].setFocus(Qt.FocusReason.TabFocusReason)
        if not differs(with_focus, window.grab(area).toImage()):
            unseen.append(f"{number + 1}: {name_of(stop)}")
    return unseen


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


class OtherWindows(QObject):
    """Watches for windows that are shown beside the one of the program."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self._window = window
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched is not self._window:
            self.shown += [type(watched).__name__] * watched.isWindow()
        return False


def problems(studio) -> dict[str, list[str]]:
    """Unseen stops and nameless parts of all workspaces."""
    found = {}
    for page in WORKSPACES:
        studio.window.show_workspace(page)
        studio.window.activateWindow()
        assert QTest.qWaitForWindowActive(studio.window)
        studio.window.setFocus()
        stops = list(focus_order(studio.window.centralWidget()))
        lines = [f"unseen {line}" for line in unseen_stops(studio.window, stops)]
        tree = QAccessible.queryAccessibleInterface(studio.window)
        found[page] = [*lines, *(f"nameless {line}" for line in nameless(tree))]
    return {page: lines for page, lines in found.items() if lines}


DIALOGS = (
    "project.new", "app.work-as", "device.connect", "project.redaction", "project.solvability",
    "task.add-built-in", "labels.edit-reasons", "rules.choose-tasks", "rules.rename", "record.new-task",
    "review.share",
)  # fmt: skip
"""Commands, each with a dialog, that run in their workspace in the room of rules."""


def problems_of_dialogs(studio, qtbot) -> dict[str, list[str]]:
    """What is wrong with the dialogs: not styled as the window, unseen stops, nameless parts."""
    found = {}
    for command in DIALOGS:
        scope = studio.commander.registry[command].scope
        studio.window.show_workspace(scope if scope in WORKSPACES else "project")
        studio.commander.run(command)
        qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
        dialog = QApplication.activeModalWidget()
        dialog.activateWindow()
        qtbot.waitUntil(lambda dialog=dialog: dialog.isAncestorOf(QApplication.focusWidget()))
        lines = [] if dialog.parentWidget().window() is studio.window else ["not of the window"]
        lines += [f"unseen {line}" for line in unseen_stops(dialog, stops_of_dialog(dialog))]
        lines += [f"nameless {line}" for line in nameless(QAccessible.queryAccessibleInterface(dialog))]
        if lines:
            found[command] = lines
        dialog.close()
        qtbot.wait(1)
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_pages_show_the_focus_and_name_everything(make, qapp, dressed, reading, scheme):
    dressed.use(scheme)
    studio = make()
    studio.window.resize(1440, 900)
    studio.window.activateWindow()
    qapp.installEventFilter(watch := OtherWindows(studio.window))
    for page in WORKSPACES:
        studio.window.show_workspace(page)
    qapp.removeEventFilter(watch)
    assert watch.shown == [], "what is shown before it has a parent is a window, which takes the keyboard"
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
    assert problems_of_dialogs(studio, qtbot) == {}


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
    field.move(0, 0)
    assert field in list(focus_order(window)), "it can be scrolled to"
    area.resize(220, 0)
    assert field not in list(focus_order(window)), "nothing is seen in a folded panel"
    area.hide()
    area.deleteLater()
