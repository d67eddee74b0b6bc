"""The window opens in both themes and languages, and its commands can be run."""

from __future__ import annotations

import shutil
import threading

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QToolButton
from shiboken6 import delete, isValid

from collector.model import i18n as words
from collector.model.errors import UserError
from collector.model.resources import asset
from collector.model.review_link import ReviewLink
from collector.model.task import Task
from collector.store.project.project import Project
from studio.app import entry as window_entry
from studio.app import main
from studio.app.main import has_display, parse_command
from studio.app.phone_controller import VirtualPhoneProcess
from studio.app.window_requests import WindowRequests
from studio.bridge.phone_recording import PhoneRecording
from studio.commands.commander import CommandUnavailableError
from studio.commands.workspaces import AVAILABLE_WORKSPACES, WORKSPACES
from studio.settings.table import GROUPS
from studio.theme import theme
from studio.views import settings_page
from studio.views.panel_layout import Panel
from studio.views.project.tasks import task_controller
from studio.views.project.tasks.task_dialog import TaskDialog
from studio.views.record.side_panel import DETAILS, STEPS
from studio.widgets.controls import Button
from studio.widgets.dialogs.shortcut_dialog import ShortcutDialog
from studio.widgets.window_frame.command_palette import CommandPalette
from studio.widgets.window_frame.shortcut_sheet import ShortcutSheet
from tests.helpers.panels import down
from tests.helpers.shown_texts import says
from tests.helpers.tasks import put_task

# The plugin without a screen says so of every dialog.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_window_opens_in_every_theme_and_language(make, scheme, language):
    theme.use(scheme)
    words.use_language(language, asset("translations"))
    try:
        studio = make()
        picture = studio.window.grab()
    finally:
        words.use_language("en", asset("translations"))
    assert picture.size().width() >= 960
    corner = picture.toImage().pixelColor(2, picture.height() - 3)
    assert corner.name() == theme.color("bg-2").name()


def test_the_rail_shows_all_workspaces(studio):
    items = studio.window.rail.items
    assert list(items) == [entry.id for entry in WORKSPACES]
    assert all(item.isEnabled() for item in items.values())


def test_bars_have_the_measures_of_the_design(studio):
    assert studio.window.menu.height() == 32
    assert studio.window.status.height() == 24
    assert studio.window.rail.width() == 64


def test_what_shows_commands_looks_at_them_once_when_a_workspace_comes(studio):
    changes = []
    remove = studio.commander.changed.subscribe(changes.append)
    for name in ("states", "rules", "states"):
        changes.clear()
        studio.window.show_workspace(name)
        assert len(changes) == 1
    remove()


def test_a_command_by_id_works_and_an_unknown_one_says_so(studio):
    before = theme.scheme
    studio.answer({"run": "view.theme"})
    assert theme.scheme != before
    with pytest.raises(CommandUnavailableError, match="no command"):
        studio.answer({"run": "make.coffee"})


def test_a_command_on_the_command_line_is_read():
    assert parse_command("project.open path=/a=b") == {"run": "project.open", "arguments": {"path": "/a=b"}}
    spaces = parse_command(" review.open folder=/my runs/a step=3 ")
    assert spaces == {"run": "review.open", "arguments": {"folder": "/my runs/a", "step": "3"}}
    for text in ("", "project.open /a", "project.open path /a"):
        with pytest.raises(UserError, match="is no command with arguments"):
            parse_command(text)


def test_no_command_takes_an_argument_that_it_does_not_have(studio):
    commander = studio.commander
    enabled = [name for name in commander.handled if commander.enabled(name)]
    assert len(enabled) > 20
    for name in enabled:
        with pytest.raises(CommandUnavailableError, match="no argument nonsense"):
            commander.run(name, nonsense="1")


def test_run_command_still_takes_the_former_id_of_a_renamed_command(studio):
    studio.answer(parse_command("help.keys"))
    assert studio.window.findChild(ShortcutSheet).isVisible()


def test_commands_on_the_command_line_wait_for_their_project(studio, qtbot, tmp_path, monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(task_controller, "read_rule_names", lambda _folder: go_on.wait(10) and ())
    put_task(Project.create(tmp_path / "p"), Task("shop-1", "Buy"))
    library = studio.project_library
    requests = [parse_command(f"project.open path={tmp_path / 'p'}"), parse_command("task.new")]
    asked = WindowRequests(studio)
    asked.run(requests)
    assert studio.window.findChild(TaskDialog) is None, "no project is open yet"
    qtbot.waitUntil(lambda: studio.window.findChild(TaskDialog) is not None)
    assert [task.id for task in library.edits.tasks] == ["shop-1"]
    dialog = studio.window.findChild(TaskDialog)
    dialog.reject()
    qtbot.waitUntil(lambda: not isValid(dialog))
    go_on.set()  # the names of the rules come when nobody needs them
    qtbot.waitUntil(lambda: not studio.tasks.jobs)
    requests[0] = parse_command(f"project.open path={tmp_path / 'nowhere'}")
    requests[1] = parse_command("help.keys")
    asked.run(requests)
    qtbot.waitUntil(lambda: studio.window.findChild(ShortcutSheet) is not None)


def test_a_link_of_a_later_start_opens_in_the_project_that_is_open(studio, qtbot, monkeypatch, tmp_path):
    library, folder = studio.project_library, Project.create(tmp_path / "p").folder
    place = "trajectories/todo-01/todo-01-lin"
    shutil.copytree(asset("sample") / place, folder / place)
    library.open(folder)
    qtbot.waitUntil(lambda: library.project is not None)
    asked, sent, project = WindowRequests(studio), [], library.project
    monkeypatch.setattr(main.single_instance, "send", lambda requests: sent.extend(requests) or [])
    link = ReviewLink((place,), 1, 0, str(folder)).text
    assert window_entry.main([link]) == 0
    assert [request.get("run") for request in sent] == [None, "project.open", "review.open"]
    for request in sent:
        asked.answer(request)
    session = studio.window.workspace("review").session
    qtbot.waitUntil(lambda: session.count > 0)
    assert ([stored.header.id for stored in session.stored], session.slot) == (["todo-01-lin"], 1)
    library.edits.edit("name it", [Task("shop-1", "Buy")])
    studio.answer({"run": "project.open", "arguments": {"path": str(folder)}})
    qtbot.waitUntil(lambda: not studio.tasks.jobs)
    assert library.project is project, "it is not opened anew: what can be undone stays"
    assert library.history.undo_title == "name it"
    assert session.count > 0
    session.go(0)
    asked.answer(sent[-1])
    assert session.slot == 1, "what is open is not read again"


def test_the_palette_finds_and_runs(studio, qtbot):
    studio.commander.run("view.palette")
    palette = studio.window.findChild(CommandPalette)
    assert palette.isVisible()
    QTest.keyClicks(palette.field, "se")
    first = {hit.entry.id: hit.entry for hit in palette.list.entries if hit.entry.kind == "command"}
    QTest.keyClicks(palette.field, "tt")
    assert palette.list.entries
    kept = [hit.entry for hit in palette.list.entries if hit.entry.id in first]
    assert kept, "a key costs the search alone"
    assert all(entry is first[entry.id] for entry in kept)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert studio.window.current is None
    assert not palette.isVisible()


def test_the_palette_closes_when_what_had_the_keyboard_is_gone(studio):
    field = QLineEdit(studio.window.workspace("project"))
    field.show()
    field.setFocus()
    studio.commander.run("view.palette")
    palette = studio.window.findChild(CommandPalette)
    delete(field)
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()


@pytest.mark.all_workspaces
def test_esc_leaves_the_fields_of_every_workspace(studio, qtbot):
    window, tried = studio.window, []
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for entry in AVAILABLE_WORKSPACES:
        window.show_workspace(entry.id)
        for field in window.current.findChildren(QLineEdit):
            field.setFocus()
            if QApplication.focusWidget() is field and not field.isReadOnly():
                tried.append(entry.id)
                assert studio.commander.keyboard.types
                QTest.keyClick(window.windowHandle(), Qt.Key.Key_Escape)
                assert not studio.commander.keyboard.types, f"{entry.id}: {field.accessibleName()}"
    assert {"project", "record", "rules"} <= set(tried)


@pytest.mark.parametrize("workspace", ["project", "record"])
def test_no_two_entries_of_the_palette_read_the_same(studio, workspace):
    studio.answer({"run": f"view.{workspace}"})
    studio.commander.set_context(task__selected=True, device__live=True)
    entries = studio.window.palette_entries("e")
    shown = [(entry.title, entry.detail, entry.problem, entry.keys) for entry in entries]
    assert len(shown) == len(set(shown))


def test_letters_are_off_while_somebody_writes(studio, qtbot):
    field = QLineEdit(studio.window)
    field.show()

    def enabled(command: str, keys: str) -> list[bool]:
        found = studio.window.findChildren(QShortcut)
        alike = [
            each for each in found if (each.property("command"), each.key().toString()) == (command, keys)
        ]
        return [each.isEnabled() for each in alike]

    studio.window.activateWindow()
    studio.window.setFocus()
    qtbot.waitUntil(lambda: enabled("view.left-panel", "[") == [True])
    field.setFocus()
    qtbot.waitUntil(lambda: enabled("view.left-panel", "[") == [False])
    assert enabled("view.palette", "Ctrl+K") == [True]


def test_custom_shortcuts_work_at_once_and_a_clash_is_shown(studio):
    page = studio.window.settings_page
    editor = page.editor("keys:view.theme")
    editor.setKeySequence("Ctrl+J")
    editor.editingFinished.emit()
    assert studio.commander.registry.keys("view.theme") == ("Ctrl+J",)
    editor.setKeySequence("Ctrl+K")
    editor.editingFinished.emit()
    dialog = studio.window.findChildren(ShortcutDialog)[-1]
    assert says(dialog, "already runs 'Command palette'")
    assert studio.commander.registry.keys("view.theme") == ("Ctrl+J",)
    dialog.accept()
    assert studio.commander.registry.keys("view.theme") == ("Ctrl+K",)
    assert studio.commander.registry.keys("view.palette") == ("Ctrl+P",)
    assert page.editor("keys:view.palette").keySequence().toString() == "Ctrl+P"


def test_the_palette_sets_keys_and_buttons_show_them(studio):
    palette = studio.window.findChild(CommandPalette)
    palette.open()
    palette.field.setText("import")
    QTest.keyClick(palette.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    dialog = studio.window.findChildren(ShortcutDialog)[-1]
    dialog.editor.setKeySequence("Ctrl+Shift+I")
    dialog.accept()
    assert studio.window.workspace("project").toolbar.buttons["project.import"].key == "Ctrl+Shift+I"


def test_less_motion_asked_for_by_the_system_wins(studio):
    theme.set_motion(True)
    studio.motion_known(False)
    assert theme.duration("panel") == 0
    studio.settings.set("appearance.motion", False)
    studio.settings.set("appearance.motion", True)
    assert theme.duration("panel") == 0
    studio.motion_known(True)
    assert theme.duration("panel") > 0
    theme.set_motion(False)


def test_a_qt_that_cannot_change_its_scale_offers_a_new_start(studio, monkeypatch):
    monkeypatch.setattr("studio.app.window_renewal.can_change_scale", lambda: False)
    studio.settings.set("appearance.scale", 1.5)
    toast = studio.window.toasts.shown[-1]
    assert "next start" in toast.accessibleName()
    assert not studio.restarts
    toast.findChild(Button).click()
    assert studio.restarts
    assert not studio.window.isVisible()


def test_a_recording_is_not_cut_short_by_a_restart(studio, monkeypatch):
    monkeypatch.setattr(PhoneRecording, "is_active", True)
    studio.restart()
    monkeypatch.undo()
    assert not studio.restarts
    assert "Finish it first" in studio.window.toasts.shown[-1].accessibleName()


def test_a_restart_runs_the_same_command_at_the_scale_of_the_settings(monkeypatch):
    ran = []
    monkeypatch.setattr(main, "replace_process", ran.append)
    monkeypatch.setattr(main.sys, "orig_argv", ["python", "-m", "waymark", "studio"])
    monkeypatch.setenv("QT_SCALE_FACTOR", "1.5")
    main.start_again()
    assert main.os.environ["QT_SCALE_FACTOR"] == "1.5"
    monkeypatch.setenv("WAYMARK_SCALED", "1")
    main.start_again()
    assert "QT_SCALE_FACTOR" not in main.os.environ
    assert ran == 2 * [[main.sys.executable, "-m", "waymark", "studio"]]


def test_a_setting_changed_on_the_page_holds_at_once(studio):
    combo = studio.window.settings_page.editor("appearance.theme")
    combo.setCurrentIndex(combo.findData("light"))
    assert theme.scheme == "light"
    assert studio.settings["appearance.theme"] == "light"


def test_settings_open_before_the_keys_of_all_commands_have_rows_and_a_search_finds_those_too(studio, qtbot):
    """A row for each of hundreds of commands, all at once, stalled the window for two seconds."""
    studio.window.show_settings()
    page = studio.window.settings_page
    assert page.editor("appearance.theme").isVisible()
    assert len(page.rows) < 40
    page.focusProxy().setText("tool bottom panel")
    none = next(label for label in page.findChildren(QLabel) if "no key has these" in label.text())
    assert none.isHidden(), "it is not known yet"
    qtbot.waitUntil(lambda: not none.isHidden(), timeout=20_000)
    assert {f"keys:{command.id}" for command in studio.commander.registry} <= set(page.editors)
    assert all(row.isHidden() for row in page.rows)
    page.focusProxy().setText("adb port")
    assert len([row for row in page.rows if not row.isHidden()]) == 1
    page.focusProxy().clear()
    assert not any(row.isHidden() for row in page.rows)


def test_settings_open_with_their_first_rows_and_add_those_that_are_scrolled_to_in_turns(
    studio, monkeypatch, qtbot
):
    """All settings at once took a turn of 166 ms, and 40 MB as long as they were open."""
    monkeypatch.setattr(settings_page, "_TURN_S", 0)
    studio.window.show_settings()
    page = studio.window.settings_page
    assert len(page.rows) <= 1
    page.focusProxy().setText("no row has these words")
    page.focusProxy().clear()
    assert page.editor("recording.settle-ms").isVisible(), "it is made when it is asked for"
    assert "keys:view.theme" not in page.editors
    bar, few = page.verticalScrollBar(), len(page.rows)
    qtbot.waitUntil(lambda: len(page.rows) > few and page.rows[-1].geometry().isValid())
    qtbot.waitUntil(lambda: bar.maximum() > 10 * page.height(), timeout=20_000)
    assert "keys:view.theme" not in page.editors
    monkeypatch.setattr(settings_page, "_TURN_S", 0.05)
    bar.setValue(bar.maximum() // 2)
    qtbot.waitUntil(lambda: page.widget().childAt(400, bar.value() + page.height() - 1) is not None)
    assert f"keys:{list(studio.commander.registry)[-1].id}" not in page.editors
    monkeypatch.setattr(settings_page, "_TURN_S", 60)
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: "keys:view.theme" in page.editors and bar.value() == bar.maximum())
    headings = [label for label in page.findChildren(QLabel) if label.text() in GROUPS.values()]
    assert not any(label.isHidden() for label in headings)
    assert {"Appearance", "Recording", "Shortcuts"} <= {label.text() for label in headings}


def test_settings_that_were_left_take_no_memory_and_keep_their_search(studio, qtbot):
    studio.window.show_settings()
    page = studio.window.settings_page
    page.focusProxy().setText("adb port")
    studio.answer({"run": "view.project"})
    qtbot.waitUntil(lambda: not isValid(page))
    studio.window.show_settings()
    page = studio.window.settings_page
    assert page.focusProxy().text() == "adb port"
    assert page.editor("device.adb-port").isVisible()
    assert not page.editor("appearance.theme").isVisible()


def test_the_settings_can_be_opened_at_the_keys_of_any_command(studio):
    studio.window.show_settings()
    last = list(studio.commander.registry)[-1].id
    studio.window.show_setting(f"keys:{last}")
    page = studio.window.settings_page
    editor = page.editor(f"keys:{last}")
    assert not editor.visibleRegion().isEmpty()


@pytest.mark.all_workspaces
def test_panels_and_places_are_remembered(make):
    first = make()
    first.window.resize(QSize(1300, 700))
    first.commander.run("view.right-panel")
    first.commander.run("view.record")
    first.window.close()
    places = first.settings["window.layout"]
    assert places["project"]["right"] == "hidden"
    first.settings.save()
    again = make()
    assert not again.window.workspace("project").panel_shown("right")
    assert again.window.current is again.window.workspace("record")


def test_toasts_of_errors_stay_and_never_pile_up(studio):
    toasts = studio.window.toasts
    for number in range(7):
        toasts.show_error(UserError(f"thing {number}", "why", "do"))
    assert len(toasts.shown) == 4
    assert not toasts.shown[0].timer.isActive()
    toasts.shown[0].close_toast()
    assert len(toasts.shown) == 3


def test_a_new_recording_comes_back_to_the_steps(studio):
    workspace = studio.window.workspace("record")
    workspace.side.tabs.set_current(DETAILS)
    studio.recording.begun.emit()
    assert workspace.side.tabs.current == STEPS


def test_the_gear_is_lit_while_the_settings_are_in_front(studio):
    gear = studio.window.rail.gear
    gear.click()
    assert gear.isChecked()
    gear.click()
    assert gear.isChecked()
    studio.answer({"run": "view.project"})
    assert not gear.isChecked()


def test_settings_open_on_their_search_and_leave_no_ring_on_the_rail(studio):
    studio.window.activateWindow()
    studio.answer({"run": "app.settings"})
    assert studio.window.focusWidget() is studio.window.settings_page.focusProxy()


def test_only_changed_settings_offer_to_be_put_back(studio):
    page = studio.window.settings_page
    keys = page.editor("keys:view.theme")
    rows = dict(zip(page.editors, page.rows, strict=True))
    assert all(row.reset.isHidden() for key, row in rows.items() if studio.settings.is_default(key))
    page.editor("recording.settle-ms").setValue(700)
    reset = rows["recording.settle-ms"].reset
    assert not reset.isHidden()
    reset.click()
    assert reset.isHidden()
    keys.setKeySequence(QKeySequence("F7"))
    keys.editingFinished.emit()
    assert not rows["keys:view.theme"].reset.isHidden()
    rows["keys:view.theme"].reset.click()
    assert rows["keys:view.theme"].reset.isHidden()


def test_a_switch_of_the_theme_does_not_dress_settings_nobody_sees(studio):
    studio.window.show_settings()
    page = studio.window.settings_page
    studio.settings.set("appearance.theme", "light")
    assert studio.window.settings_page is page
    studio.answer({"run": "view.project"})
    studio.answer({"run": "view.theme"})
    assert not isValid(page)
    studio.window.show_settings()
    assert studio.window.settings_page.editor("appearance.theme").currentData() == theme.scheme


def test_the_sheet_tries_no_rule_on_every_widget_but_for_surfaces():
    sheet = asset("style", "studio.qss").read_text(encoding="utf-8")
    for_all = [line for line in sheet.splitlines() if line.startswith("*")]
    assert all(line.startswith(("*[surface=", "*[edge=")) for line in for_all)


def test_toasts_lie_above_the_timeline_and_follow_it(studio, qtbot):
    studio.answer({"run": "view.record"})
    toast = studio.window.toasts.show("info", "Something happened")
    workspace = studio.window.workspace("record")

    def lowest():
        return workspace.timeline.mapTo(workspace, workspace.timeline.rect().topLeft()).y()

    assert toast.geometry().bottom() < lowest()
    workspace.show_panel(Panel.BOTTOM)
    down(workspace).moveSplitter(400, 1)
    assert lowest() < 500
    qtbot.waitUntil(lambda: toast.geometry().bottom() < lowest())


def test_a_phone_that_does_not_start_is_reported_in_a_toast(studio, monkeypatch):
    monkeypatch.setattr(VirtualPhoneProcess, "start", lambda *_options: None)
    studio.phones.start_virtual().failed.emit("no such port")
    assert studio.window.toasts.shown[-1].accessibleName() == "The virtual phone did not start. no such port"


def test_enter_on_the_first_page_starts_the_phone(studio, monkeypatch):
    started = []
    monkeypatch.setattr(
        studio.commander,
        "handlers",
        studio.commander.handlers | {"device.start-virtual": lambda: started.append(1)},
    )
    studio.window.activateWindow()
    button = next(button for button in studio.window.findChildren(Button) if "virtual phone" in button.text())
    QTest.keyClick(button, Qt.Key.Key_Return)
    assert started == [1]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_recent_projects_open_from_the_switcher(studio, monkeypatch):
    opened = []
    handlers = studio.commander.handlers | {"project.open": lambda path="": opened.append(path)}
    monkeypatch.setattr(studio.commander, "handlers", handlers)
    studio.settings.set("window.recent-projects", ["/somewhere/Q&A"])
    studio.window.menu.project.click()
    menu = next(menu for menu in studio.window.findChildren(QMenu) if menu.isVisible())
    first = menu.actions()[0]
    assert first.text() == "Q&&A"  # a single one would mark a key
    first.trigger()
    menu.close()
    assert opened == ["/somewhere/Q&A"]


def test_no_display_is_seen_before_qt_aborts(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert not has_display()
    monkeypatch.setenv("DISPLAY", ":7")
    assert has_display()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_menu_fits_the_bar_in_the_narrowest_window(make, language):
    words.use_language(language, asset("translations"))
    try:
        studio = make()
    finally:
        words.use_language("en", asset("translations"))
    studio.window.resize(studio.window.minimumSize())
    bar = studio.window.menu.menus
    shown = [action for action in bar.actions() if action.isVisible()]
    assert len(shown) >= 3
    assert all(bar.actionGeometry(action).width() > 20 for action in shown)
    assert not bar.findChild(QToolButton, "qt_menubar_ext_button").isVisible()
