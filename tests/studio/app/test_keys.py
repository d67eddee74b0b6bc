"""Every key and every button of the window, pressed as a person does: the law of keys holds everywhere."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QMenu

from collector.model import i18n
from collector.model.geometry import Size
from collector.model.resources import asset
from rule_editor.widgets.cell_grid import GridCell
from studio.app.main_window.focus_order import focus_order
from studio.app.main_window.window_actions import keyboard_use
from studio.commands.command import GLOBAL
from studio.commands.keys import is_typed
from studio.widgets.controls import Button
from studio.widgets.device_view.view import MirrorMode
from studio.widgets.device_view.view_frame import ViewFrame
from studio.widgets.window_frame.command_palette import CommandPalette
from tests.helpers.rule_room import Room, make_project
from tests.helpers.sample_screen import SCREEN, sample_image

# The plugin without a screen says so of every dialog.
pytestmark = [
    pytest.mark.all_workspaces,
    pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True),
]
WORKSPACES = ("project", "record", "rules")


class Keyboard:
    """Presses keys in a window whose commands only count."""

    def __init__(self, studio, monkeypatch):
        self.studio, self.commander, self.monkeypatch = studio, studio.commander, monkeypatch
        self.ran = []
        for command_id in self.commander.handled:
            monkeypatch.setitem(
                self.commander.handlers, command_id, lambda of=command_id: self.ran.append(of)
            )

    def allow(self, *command_ids):
        """Let these commands run and no other."""
        self.monkeypatch.setattr(self.commander, "enabled", lambda command_id: command_id in command_ids)
        self.commander.changed.emit(None)

    def press(self, chord):
        """Press a chord where the keyboard is, and return what ran."""
        self.ran.clear()
        key = QKeySequence(chord.replace("Enter", "Return"))[0]
        QTest.keyClick(focused(), key.key(), key.keyboardModifiers())
        return list(self.ran)


def focused():
    """The widget with the focus; QTest aborts the whole run when it is given none."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def in_front(studio, workspace):
    studio.window.show_workspace(workspace)
    studio.window.activateWindow()
    assert QTest.qWaitForWindowActive(studio.window)
    return studio.window.workspace(workspace)


def show_phone(studio, workspace):
    """The device view of a workspace, with a screen that could be a phone's."""
    if workspace == "record":
        mirror = in_front(studio, workspace).mirror
        mirror.set_stored_open(True)
        view = mirror.view
    else:
        pane = in_front(studio, workspace).screen_pane
        pane.show_live("A phone", None)
        view = pane.view
        view.set_mode(MirrorMode.INTERACT)
    view.show_frame(ViewFrame(sample_image(Size(540, 1200)), SCREEN))
    return view


def bind(studio, chords):
    """Bind the shortcuts of a person, as the settings have them."""
    studio.commander.registry.bind(chords)
    studio.window.actions_of_window.bind()
    studio.commander.changed.emit(None)


def text_field(studio, workspace):
    """A field of a workspace that takes what is typed."""
    front = in_front(studio, workspace)
    field = {
        "project": lambda: front.search_row.search.field,
        "record": lambda: front.queue.field,
        "rules": lambda: front.list.filter,
    }[workspace]()
    field.setVisible(True)
    field.parentWidget().setVisible(True)
    return field


def works_in(commander, workspace):
    return [
        command
        for command in commander.registry
        if command.scope in (GLOBAL, workspace) and commander.exists(command.id)
    ]


@pytest.fixture
def wide(make):
    studio = make()
    studio.window.resize(1600, 1000)
    for workspace in WORKSPACES:
        studio.window.show_workspace(workspace)
    return studio


@pytest.mark.parametrize("workspace", ["record", "rules"])
def test_every_command_has_a_key_that_works_while_the_phone_has_the_keyboard(wide, monkeypatch, workspace):
    view, typed, pressed = show_phone(wide, workspace), [], []
    view.text_committed.connect(typed.append)
    view.key_pressed.connect(pressed.append)
    keyboard = Keyboard(wide, monkeypatch)
    registry, with_keys = wide.commander.registry, 0
    for command in works_in(wide.commander, workspace):
        chords = registry.keys(command.id)
        if not chords:
            continue
        with_keys += 1
        anywhere = registry.anywhere_keys(command.id)
        assert len(anywhere) == len(chords), f"{command.id} has no key while the phone has the keyboard"
        keyboard.allow(command.id)
        view.take_keyboard()
        assert wide.commander.shown_keys(command.id) == anywhere[0]
        for chord in anywhere:
            assert keyboard.press(chord) == [command.id], f"{chord} of {command.id}"
            assert view.has_keyboard
        for chord in filter(is_typed, chords):
            assert keyboard.press(chord) == [], f"{chord} ran {command.id} and not the phone's key"
    assert with_keys > 20
    assert "r" in "".join(typed).casefold() or workspace == "rules"
    typed.clear()
    pressed.clear()
    keyboard.press("Esc")
    keyboard.allow("help.shortcuts")
    assert keyboard.press("?") == ["help.shortcuts"]
    assert typed == pressed == []


@pytest.mark.parametrize("workspace", WORKSPACES)
def test_every_command_has_a_key_that_works_in_a_text_field(wide, monkeypatch, workspace):
    field = text_field(wide, workspace)
    keyboard = Keyboard(wide, monkeypatch)
    registry = wide.commander.registry
    for command in works_in(wide.commander, workspace):
        keyboard.allow(command.id)
        field.setFocus()
        for chord in registry.anywhere_keys(command.id):
            assert keyboard.press(chord) == [command.id], f"{chord} of {command.id}"
    assert field.text() == ""


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_key_on_a_button_works_whenever_the_button_can_be_pressed(make, monkeypatch, language):
    i18n.use_language(language, asset("translations"))
    try:
        studio = make()
        for workspace in WORKSPACES:
            studio.window.show_workspace(workspace)
        keyboard = Keyboard(studio, monkeypatch)
        for width in (1600, 1000):
            studio.window.resize(width, 800)
            for workspace in WORKSPACES:
                toolbar = in_front(studio, workspace).toolbar
                for typing in (False, True):
                    field = text_field(studio, workspace)
                    field.setFocus() if typing else field.clearFocus()
                    if not typing:
                        studio.window.setFocus()
                    press_all_buttons(keyboard, toolbar)
    finally:
        i18n.use_language("en", asset("translations"))


def press_all_buttons(keyboard, toolbar):
    """Press what every button of a toolbar shows, and see that it is shown whole."""
    registry = keyboard.commander.registry
    keyboard.allow(*toolbar.buttons)
    toolbar.layout().activate()
    for command_id, button in toolbar.buttons.items():
        if button.isHidden():
            continue
        assert button.width() >= button.sizeHint().width(), f"{command_id} is cut"
        assert bool(button.key) == bool(registry.keys(command_id)), f"{command_id} hides its key"
        if button.key and not (isinstance(QApplication.focusWidget(), QLineEdit) and button.key == "Ctrl+Z"):
            keyboard.allow(command_id)
            assert keyboard.press(button.key) == [command_id], f"{button.key} on {command_id}"
            keyboard.allow(*toolbar.buttons)


def test_a_persons_own_key_has_its_alt_chord_and_another_commands_own_chord_wins(wide, monkeypatch):
    registry = wide.commander.registry
    bind(wide, {"record.start": ["G"], "record.pause": ["Alt+G"]})
    try:
        view = show_phone(wide, "record")
        keyboard = Keyboard(wide, monkeypatch)
        view.take_keyboard()
        keyboard.allow("record.pause", "record.start")
        assert registry.anywhere_keys("record.start") == ()
        assert keyboard.press("Alt+G") == ["record.pause"]
        bind(wide, {"record.start": ["G"], "record.pause": ["P"]})
        keyboard.allow("record.start")
        assert keyboard.press("Alt+G") == ["record.start"]
        assert wide.window.workspace("record").toolbar.buttons["record.start"].key == "Alt+G"
    finally:
        registry.bind({})


def test_tab_reads_the_window_row_by_row_and_chooses_nothing(wide):
    project = in_front(wide, "project")
    stops = list(focus_order(wide.window.centralWidget()))
    toolbar = [project.toolbar.buttons[name] for name in ("task.new", "project.check") if not
               project.toolbar.buttons[name].isHidden()]  # fmt: skip
    places = [stop.mapTo(wide.window, QPoint(0, 0)) for stop in toolbar]
    assert sorted(places, key=lambda at: at.x()) == places
    assert len(stops) == len(set(stops)) > 8
    assert all(stop.isVisible() and stop.isEnabled() for stop in stops)
    stops[0].setFocus()
    for stop in stops[1:]:
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is stop
    for stop in reversed(stops[:-1]):
        QTest.keyClick(focused(), Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
        assert QApplication.focusWidget() is stop


def click(widget, at):
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def cell_of(view, row, index):
    """The middle of a cell of the back-test matrix."""
    rect = view.cell_rect(GridCell(row, index))
    return rect.center()


def test_letters_run_commands_after_a_click_on_the_matrix(make, qtbot, tmp_path, monkeypatch):
    make_project(tmp_path / "project")
    studio = make()
    studio.window.resize(1500, 950)
    room = Room(studio, qtbot, tmp_path / "project")
    studio.project_library.open(tmp_path / "project")
    rules = in_front(studio, "rules")
    room.until(lambda: room.session.recorded is not None and rules.matrix.rows.shown)
    room.until(lambda: studio.project_library.snapshot.recent)
    view = rules.matrix.view
    click(view.viewport(), cell_of(view, 0, 1))
    assert QApplication.focusWidget() is view
    room.until(lambda: room.session.recorded.position == rules.matrix.rows.position_of(GridCell(0, 1)))
    QTest.keyClick(view, Qt.Key.Key_Comma)
    room.until(lambda: room.session.recorded.index == 0)
    QTest.keyClick(view, Qt.Key.Key_Period)
    room.until(lambda: room.session.recorded.index == 1)
    undo_says_what_it_undid(studio, room)
    enter_and_double_click_open_a_trajectory(studio, room)
    the_palette_goes_everywhere(studio, room)
    keyboard = Keyboard(studio, monkeypatch)
    in_front(studio, "rules")
    view.setFocus()
    for chord, command in (("P", "rules.propose"), ("N", "rules.new"), (",", "rules.previous-state")):
        assert keyboard.press(chord) == [command]


def said(studio):
    return [toast.accessibleName() for toast in studio.window.toasts.shown]


def edit_menu(studio):
    menu = next(menu for menu in studio.window.menu.findChildren(QMenu) if menu.title() == "Edit")
    menu.aboutToShow.emit()
    return [action.text().partition("\t")[0] for action in menu.actions() if action.isVisible()]


def undo_says_what_it_undid(studio, room):
    """One Undo for rules, tasks and text: named in the menu and the tooltip, told in a toast."""
    studio.commander.run("rules.duplicate")
    room.until(lambda: any(title.startswith("Undo ") for title in edit_menu(studio)))
    undo = next(title for title in edit_menu(studio) if title.startswith("Undo "))
    assert studio.commander.tip("edit.undo").startswith(undo)
    assert sum(title.startswith(("Undo", "Redo")) for title in edit_menu(studio)) == 2
    count = len(room.session.documents.rules)
    QTest.keyClick(studio.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    room.until(lambda: len(room.session.documents.rules) == count - 1)
    assert said(studio)[-1] == f"Undone: {undo.removeprefix('Undo ')}"
    project = in_front(studio, "project")
    project.table.select(["look"])
    with room.qtbot.waitSignal(studio.project_library.edits.saved):
        QTest.keyClick(project.table, Qt.Key.Key_Delete)
    assert "Undo delete look" in edit_menu(studio)
    field = project.search_row.search.field
    field.setFocus()
    QTest.keyClicks(field, "pos")
    assert "Undo typing" in edit_menu(studio)
    studio.commander.run("edit.undo")
    assert field.text() == ""
    assert len(studio.project_library.edits.tasks) == 1
    project.table.setFocus()
    with room.qtbot.waitSignal(studio.project_library.edits.saved):
        QTest.keyClick(project.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert said(studio)[-1] == "Undone: delete look"
    with room.qtbot.waitSignal(studio.project_library.edits.saved):
        studio.window.toasts.shown[-1].findChild(Button).click()
    assert said(studio)[-1] == "Redone: delete look"
    redone = studio.window.toasts.shown[-1]
    studio.window.show_workspace("metrics")
    redone.findChild(Button).click()  # there is nothing to undo here
    assert any("cannot be run now" in text for text in said(studio))
    studio.window.show_workspace("project")
    with room.qtbot.waitSignal(studio.project_library.edits.saved):
        studio.commander.run("edit.undo")


def enter_and_double_click_open_a_trajectory(studio, room):
    """Enter and a double click on a task open its trajectory; Tab to the cards chooses none."""
    project = in_front(studio, "project")
    cards = project.recent.cards
    project.table.select(["buy"])
    cards.setFocus(Qt.FocusReason.TabFocusReason)
    assert cards.current is None
    assert [task.id for task in project.table.selected] == ["buy"]
    project.table.setFocus()
    session = studio.window.workspace("record").session
    QTest.keyClick(project.table, Qt.Key.Key_Return)
    room.until(lambda: session.editor is not None and session.header.task_id == "buy")
    project = in_front(studio, "project")
    index = project.model.index(project.model.row_of("look"), 1)
    at = project.table.visualRect(index).center()
    click(project.table.viewport(), at)
    QTest.mouseDClick(project.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    room.until(lambda: session.header is not None and session.header.task_id == "look")
    assert studio.window.current.scope == "record"
    queue = studio.window.workspace("record").queue
    queue.reveal("buy")
    QTest.keyClick(queue.list, Qt.Key.Key_Return)
    room.until(lambda: session.header is not None and session.header.task_id == "buy")
    row = queue.list.visualRect(queue.rows.index(queue.rows.row_of("look"))).center()
    click(queue.list.viewport(), row)
    QTest.mouseDClick(queue.list.viewport(), Qt.MouseButton.LeftButton, pos=row)
    room.until(lambda: session.header is not None and session.header.task_id == "look")


def the_palette_goes_everywhere(studio, room):
    """Commands of all workspaces with their reason, settings, tasks, rules and trajectories."""
    palette = studio.window.findChild(CommandPalette)

    def find(query):
        QTest.keyClick(studio.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(palette.field, query)
        return [hit.entry for hit in palette.list.entries]

    entries = find("theme")
    assert (entries[0].kind, entries[0].id) == ("setting", "appearance.theme")
    assert "view.theme" in [entry.id for entry in entries]
    assert "project.open-sample" not in [entry.id for entry in entries]
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    page = studio.window.settings_page
    assert QApplication.focusWidget() is page.editor("appearance.theme")
    assert (
        page.viewport().rect().contains(page.editor("appearance.theme").mapTo(page.viewport(), QPoint(2, 2)))
    )
    in_front(studio, "project")
    assert next(entry for entry in find("finish") if entry.id == "record.finish").problem == (
        "nothing is being recorded"
    )
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert "nothing is being recorded" in said(studio)[-1]
    in_front(studio, "project")
    find("on_resu")
    room.until(lambda: any(hit.entry.kind == "rule" for hit in palette.list.entries))
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert studio.window.current.scope == "rules"
    assert room.session.rule_id == "on_results"
    find("buy-golden")
    room.until(lambda: any(hit.entry.kind == "trajectory" for hit in palette.list.entries))
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    review = studio.window.workspace("review").session
    room.until(lambda: [stored.header.task_id for stored in review.stored] == ["buy"])
    in_front(studio, "rules")
    assert find("look at posters")[0].id == "look"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert studio.window.current.scope == "project"
    assert [task.id for task in studio.window.workspace("project").table.selected] == ["look"]
    find("find a rule")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert studio.window.current.scope == "rules"
    assert QApplication.focusWidget() is room.workspace.list.filter


def test_the_keyboard_leaves_a_field_that_has_lost_its_signals(studio, qtbot):
    """As one that Qt is destroying: to name its signal then was an error."""
    field, next_one = QLineEdit(studio.window), QLineEdit(studio.window)
    for one in (field, next_one):
        one.show()
    studio.window.activateWindow()
    field.setFocus()
    field.setText("a")
    field.textChanged.disconnect()
    next_one.setFocus()
    assert QApplication.focusWidget() is next_one
    field.deleteLater()
    next_one.deleteLater()


def test_esc_leaves_a_choice_that_can_be_typed_into(studio):
    choice = QComboBox(studio.window)
    choice.show()
    choice.setEditable(True)
    studio.window.activateWindow()
    choice.setFocus()
    assert keyboard_use(choice).takes("N")
    QTest.keyClick(choice, Qt.Key.Key_Escape)
    assert not choice.hasFocus()
    choice.setEditable(False)
    assert not keyboard_use(choice).takes("N")
    choice.deleteLater()


def test_the_workspace_takes_the_keyboard_from_what_is_hidden_or_disabled(studio):
    studio.answer({"run": "view.project"})
    studio.window.activateWindow()
    assert QTest.qWaitForWindowActive(studio.window)
    for hide in (QLineEdit.hide, lambda field: field.setEnabled(False)):
        field = QLineEdit(studio.window)
        field.show()
        field.setFocus()
        assert field.hasFocus()
        hide(field)
        assert studio.window.current.isAncestorOf(QApplication.focusWidget())
        field.deleteLater()
