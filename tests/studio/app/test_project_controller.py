"""Projects are opened, made, imported into and remembered from the window."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QDir, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit, QMenu

from collector.device.device_entry import DeviceEntry
from collector.device.device_info import DeviceInfo
from collector.device.health.doctor import state_words
from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.resources import asset
from collector.model.task import Task
from collector.store.files import access
from collector.store.files.findings import recorded_problem
from collector.store.project.project import Project
from collector.task_library.generator import GenerationOptions, generated_tasks
from studio.app.project_controller import IMPORTED_FILES
from studio.theme import theme
from studio.views.exchange.exchange_report_dialog import ExchangeReportDialog
from studio.views.exchange.export_dialog import ExportDialog
from studio.views.exchange.import_dialog import ImportDialog
from studio.views.project.icon_line import IconLine
from studio.views.project.new_project_dialog import NewProjectDialog
from studio.views.project.tasks.task_model import COLUMNS
from studio.views.task_library.built_in_tasks_dialog import BuiltInTasksDialog
from studio.widgets.controls import Label

# The plugin without a screen says so of every dialog.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def opened(studio, qtbot, tmp_path):
    with qtbot.waitSignals([studio.project_library.opened, studio.project_library.changed]):
        studio.answer({"run": "project.new", "arguments": {"path": str(tmp_path / "mine"), "name": "Mine"}})
    return studio


def a_plain_folder(parent: Path) -> Path:
    """One screen and its tree, as people keep them."""
    source = parent / "shots"
    source.mkdir()
    Image.new("RGB", (72, 160), "white").save(source / "1.png")
    (source / "1.xml").write_text(
        '<hierarchy rotation="0"><node index="0" text="Hi" class="android.widget.TextView" '
        'bounds="[0,0][72,160]"/></hierarchy>'
    )
    return source


def drop(window, path: Path) -> None:
    """The events a file manager sends."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPointF(400, 300).toPoint(), action, data, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(400, 300), action, data, left, none))


def asked_import(studio, qtbot) -> ImportDialog:
    """The dialog that shows what an import brings."""
    qtbot.waitUntil(lambda: bool(dialogs(studio, ImportDialog)))
    return dialogs(studio, ImportDialog)[0]


def dialogs(studio, kind):
    return [widget for widget in studio.window.findChildren(kind) if widget.isVisible()]


@pytest.mark.all_workspaces
def test_the_sample_is_copied_before_it_is_opened(studio, qtbot):
    with qtbot.waitSignal(studio.project_library.opened):
        studio.answer({"run": "project.open-sample"})
    snapshot = studio.project_library.snapshot
    assert len(snapshot.tasks) >= 12
    assert asset() not in snapshot.folder.parents
    assert studio.window.menu.project.text() == snapshot.name


def test_the_project_open_last_is_opened_again(opened, make, qtbot, tmp_path):
    opened.settings.save()
    again = make()
    with qtbot.waitSignal(again.project_library.opened):
        again.projects.reopen()
    assert again.project_library.snapshot.folder == tmp_path / "mine"


def test_a_project_that_was_closed_stays_closed(opened, make):
    opened.answer({"run": "project.close"})
    assert opened.project_library.snapshot is None
    assert opened.window.menu.project.text() == "No project"
    opened.settings.save()
    again = make()
    again.projects.reopen()
    assert again.tasks.jobs == []


def test_a_folder_dropped_on_the_window_is_imported_with_a_report(opened, qtbot, tmp_path):
    drop(opened.window, a_plain_folder(tmp_path))
    dialog = asked_import(opened, qtbot)
    qtbot.waitUntil(lambda: "1 trajectory" in dialog.look.count.text())
    assert dialog.recognised.text() == "Plain folder of screenshots and dumps"
    assert dialog.look.table.topLevelItemCount() > 0
    assert not list(opened.project_library.project.trajectory_folders())
    with qtbot.waitSignal(opened.exchange.imported):
        QTest.mouseClick(dialog.yes, Qt.MouseButton.LeftButton)
    assert len(opened.project_library.snapshot.recent) == 1
    report = dialogs(opened, ExchangeReportDialog)[0]
    words = [label.text() for label in report.findChildren(Label)]
    assert words[:2] == ["The import is done", "Plain folder of screenshots and dumps"]
    rows = report.table.topLevelItemCount()
    assert sum(int(number) for number in re.findall(r"(\d+) thing", " ".join(words))) == rows
    report.close()


def test_a_copy_of_the_project_is_brought_in_from_the_menu(opened, qtbot, tmp_path):
    project = opened.project_library.project
    copy = tmp_path / "copy"
    shutil.copytree(project.folder, copy)
    other = Project.open(copy)
    other.save_tasks([*other.tasks, Task("added-01", "Added in the copy")])
    with qtbot.waitSignal(opened.exchange.brought_in) as brought:
        opened.answer({"run": "project.bring-in", "arguments": {"path": str(copy)}})
    assert (brought.args[0].merged[:1], brought.args[0].kept) == (["tasks.yaml"], [])
    qtbot.waitUntil(lambda: any(task.id == "added-01" for task in opened.project_library.edits.tasks))
    texts = [toast.accessibleName() for toast in opened.window.toasts.shown]
    assert any("Brought in: 0 trajectories" in text for text in texts), texts


def test_a_folder_is_imported_from_the_menu_and_its_report_is_shown_again(opened, qtbot, tmp_path):
    source = a_plain_folder(tmp_path)
    opened.answer({"run": "project.import-reports"})
    qtbot.waitUntil(
        lambda: any("Nothing was imported" in toast.accessibleName() for toast in opened.window.toasts.shown)
    )
    opened.answer({"run": "project.import-folder"})
    chooser = dialogs(opened, QFileDialog)[0]
    field = chooser.findChild(QLineEdit, "fileNameEdit")
    field.setText(str(source))  # typed letter by letter, Qt completes it to something else
    with qtbot.waitSignal(opened.exchange.import_formats_read):
        buttons = chooser.findChild(QDialogButtonBox)
        choose = next(
            button
            for button in buttons.buttons()
            if buttons.buttonRole(button) == QDialogButtonBox.ButtonRole.AcceptRole
        )
        QTest.mouseClick(choose, Qt.MouseButton.LeftButton)
    dialog = asked_import(opened, qtbot)
    dialog.formats.choose("plain")
    with qtbot.waitSignal(opened.exchange.imported):
        QTest.keyClick(dialog.yes, Qt.Key.Key_Return)
    first = dialogs(opened, ExchangeReportDialog)[0]
    assert first.choice.isHidden()
    QTest.mouseClick(first.copy, Qt.MouseButton.LeftButton)
    copied = QApplication.clipboard().text()
    assert copied.startswith("Import of shots as Plain folder")
    assert all(
        first.table.topLevelItem(row).text(0) in copied for row in range(first.table.topLevelItemCount())
    )
    first.close()
    with qtbot.waitSignal(opened.exchange.imported):
        opened.answer({"run": "project.import-folder", "arguments": {"path": str(source)}})
    dialogs(opened, ExchangeReportDialog)[0].close()
    qtbot.waitUntil(lambda: not dialogs(opened, ExchangeReportDialog))
    with qtbot.waitSignal(opened.exchange.import_reports_read):
        opened.answer({"run": "project.import-reports"})
    again = dialogs(opened, ExchangeReportDialog)[0]
    assert again.choice.count() == 2
    assert "imported before" in again.report.text
    QTest.keyClick(again.choice, Qt.Key.Key_Down)
    assert again.report.text == copied
    again.close()


def test_a_drop_with_no_project_open_offers_to_make_one_and_then_imports(studio, qtbot, tmp_path):
    drop(studio.window, a_plain_folder(tmp_path))
    dialog = dialogs(studio, NewProjectDialog)[0]
    dialog.folder.setText(str(tmp_path / "new"))
    with qtbot.waitSignal(studio.exchange.imported):
        dialog.accept()
    assert studio.project_library.snapshot.folder == tmp_path / "new"
    dialogs(studio, ExchangeReportDialog)[0].close()


def test_edits_of_tasks_are_saved_at_once_and_undone_by_name(opened, qtbot):
    project_library = opened.project_library
    with qtbot.waitSignal(project_library.edits.saved):
        project_library.edits.edit("add three", [Task(f"t-{number}", "Do it") for number in range(3)])
    workspace = opened.window.workspace("project")
    workspace.table.selectAll()
    with qtbot.waitSignal(project_library.edits.saved):
        opened.answer({"run": "task.delete"})
    assert project_library.snapshot.tasks == ()
    menus = {menu.title(): menu for menu in opened.window.menu.findChildren(QMenu)}
    menus["Edit"].aboutToShow.emit()
    assert any(action.text().startswith("Undo delete 3 tasks") for action in menus["Edit"].actions())
    with qtbot.waitSignal(project_library.edits.saved):
        opened.answer({"run": "edit.undo"})
    assert len(project_library.snapshot.tasks) == 3


def test_the_first_page_says_live_which_phone_is_plugged_in(studio):
    start, devices = studio.window.workspace("project").start, studio.devices
    said = []
    for entry in (
        DeviceEntry("one", "unauthorized"),
        DeviceEntry("one", "device"),
        DeviceEntry("one", "device", DeviceInfo("one", model="Pixel 7")),
    ):
        devices.entries = (entry,)
        devices.changed.emit(devices.entries)
        said.append((start.real.sentence.text(), start.real.button.text()))
    plug_in = ("Allow USB debugging on it and plug it in: it appears here by itself", "Connect over Wi-Fi...")
    assert said == [(f"one: {state_words('unauthorized')}", plug_in[1]), plug_in,
                    ("Pixel 7 is connected", "New project...")]  # fmt: skip
    assert start.virtual.button.text() == "Start the virtual phone"
    start.real.button.click()
    assert dialogs(studio, NewProjectDialog)[0].name.text() == "My benchmark"


def test_the_status_bar_counts_tasks_only_while_they_are_in_sight(opened):
    cells = opened.window.status.cells
    assert not cells["tasks"].isHidden()
    opened.answer({"run": "view.record"})
    assert cells["tasks"].isHidden()
    opened.answer({"run": "view.project"})
    assert not cells["tasks"].isHidden()


def test_toasts_keep_off_the_panel_at_the_right(studio, qtbot):
    toast = studio.window.toasts.show("info", "Something happened")
    workspace = studio.window.workspace("project")
    assert toast.geometry().right() < workspace.devices_panel.geometry().left()
    studio.answer({"run": "view.right-panel"})
    qtbot.waitUntil(lambda: toast.geometry().right() > workspace.width() - 60)


def test_a_check_does_not_say_all_is_well_over_a_list_of_warnings(opened):
    project_library = opened.project_library
    opened.findings.checked.emit(())
    assert "nothing wrong" in opened.window.toasts.shown[-1].accessibleName()
    project_library.snapshot = replace(
        project_library.snapshot,
        findings=(recorded_problem("trajectories/gift-card/1", "The source has no readable tree", 1),),
    )
    opened.findings.checked.emit(())
    assert opened.window.toasts.shown[-1].accessibleName() == (
        "The project was checked. 1 problem is listed below"
    )


def test_built_in_tasks_are_added_and_undone(opened, qtbot):
    edits = opened.project_library.edits
    edits.edit("add open-maps", [Task("open-maps", "My own words")])
    opened.answer({"run": "task.add-built-in"})
    dialog = dialogs(opened, BuiltInTasksDialog)[0]
    assert not dialog.yes.isEnabled()
    dialog.list.field.setText("concert")
    dialog.list.all.click()
    dialog.list.field.clear()
    dialog.list.tick("open-maps", True)
    dialog.longer.setValue(2)
    with qtbot.waitSignal(edits.saved):
        dialog.yes.click()
    ids = [task.id for task in Project.open(opened.project_library.project.folder).tasks]
    longer = [task.id for task in generated_tasks(GenerationOptions(2))]
    assert ids == ["open-maps", "calendar-cancel-concert", *longer]
    assert edits.tasks[0].instruction == "My own words"
    table = opened.window.workspace("project").table
    assert [task.id for task in table.selected] == ["calendar-cancel-concert"]
    assert opened.window.toasts.shown[-1].accessibleName() == "Added 3 tasks"
    opened.answer({"run": "edit.undo"})
    assert [task.id for task in edits.tasks] == ["open-maps"]


def test_without_a_project_the_toolbar_offers_only_what_can_be_done_there(studio, qtbot, tmp_path):
    workspace = studio.window.workspace("project")
    shown = {name for name, button in workspace.toolbar.buttons.items() if button.isVisible()}
    assert shown == {"task.new", "project.import"}
    with qtbot.waitSignal(studio.project_library.opened):
        studio.answer({"run": "project.new", "arguments": {"path": str(tmp_path / "mine"), "name": "Mine"}})
    assert workspace.toolbar.buttons["project.check"].isVisible()


def test_until_the_computer_is_looked_at_the_devices_say_that_it_is_being_done(studio, qtbot):
    panel = studio.window.workspace("project").devices_panel

    def lines():
        return [line for line in panel.findChildren(IconLine) if not line.isHidden()]

    assert [label.text() for line in lines() for label in line.findChildren(Label)] == [
        "Looking for adb and scrcpy",
        "on this computer",
    ]
    studio.devices.computer = (Finding("adb", "ok", "adb 36", "answers"),)
    studio.devices.computer_changed.emit(studio.devices.computer)
    qtbot.waitUntil(lambda: len(lines()) == 2)


def test_the_last_row_of_the_tasks_is_whole_and_no_trajectories_take_no_room(studio, qtbot):
    with qtbot.waitSignal(studio.project_library.opened):
        studio.answer({"run": "project.open-sample"})
    workspace = studio.window.workspace("project")
    table = workspace.table
    qtbot.waitUntil(lambda: table.viewport().height() % theme.size("row_task_table") == 0)

    gap = (
        workspace.bottom.mapTo(workspace, QPoint()).y() - workspace.search_row.mapTo(workspace, QPoint()).y()
    )
    assert gap - table.height() < 160
    for height in (701, 715, 730):
        studio.window.resize(1600, height)
        qtbot.waitUntil(lambda: table.viewport().height() % theme.size("row_task_table") == 0)
    table.verticalScrollBar().setValue(2)
    assert table.rowViewportPosition(2) == 0


@pytest.mark.all_workspaces
def test_an_opened_project_listens_to_the_keys_on_its_buttons(studio, qtbot):
    studio.window.activateWindow()
    with qtbot.waitSignal(studio.project_library.opened):
        studio.answer({"run": "project.open-sample"})
    workspace = studio.window.workspace("project")
    assert workspace.focusWidget() is workspace.table


def test_problems_leave_room_they_do_not_need_to_the_instruction(studio, qtbot):
    with qtbot.waitSignal(studio.project_library.opened):
        studio.answer({"run": "project.open-sample"})
    table = studio.window.workspace("project").table
    problems = next(number for number, column in enumerate(COLUMNS) if column.key == "problems")
    assert table.columnWidth(problems) < COLUMNS[problems].width
    assert table.horizontalHeader().length() == table.viewport().width()


def test_a_read_only_project_is_shown_and_every_change_names_the_reason(studio, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    folder = tmp_path / "shared"
    Project.create(folder).save_tasks([Task("a", "Do it")])
    monkeypatch.setattr(access, "is_read_only", lambda _folder: True)
    before = (folder / "tasks.yaml").read_bytes()
    with qtbot.waitSignal(studio.project_library.changed):
        studio.answer({"run": "project.open", "arguments": {"path": str(folder)}})
    assert not studio.window.status.cells["read-only"].isHidden()
    studio.window.workspace("project").table.selectAll()
    for command in ("task.new", "task.edit", "task.delete", "project.import", "rules.new"):
        assert not studio.commander.enabled(command)
    with pytest.raises(UserError, match="the project is read-only"):
        studio.answer({"run": "task.new"})
    with qtbot.waitSignal(studio.project_library.failed):
        studio.project_library.edits.edit("delete a", [])
    assert [task.id for task in studio.project_library.edits.tasks] == ["a"]
    editor = studio.window.workspace("rules").rule_pane.yaml
    qtbot.waitUntil(editor.isReadOnly)
    assert (folder / "tasks.yaml").read_bytes() == before
    studio.answer({"run": "project.close"})
    assert studio.window.status.cells["read-only"].isHidden()


def test_a_project_is_exported_from_the_menu_and_nothing_is_replaced_unasked(opened, qtbot, tmp_path):
    library = opened.project_library
    library.project.save_tasks([Task("a", "Do it", note="n")])
    opened.answer({"run": "project.export-reports"})
    qtbot.waitUntil(
        lambda: any("not exported yet" in toast.accessibleName() for toast in opened.window.toasts.shown)
    )

    def dialog():
        with qtbot.waitSignal(opened.exchange.export_formats_read):
            opened.answer({"run": "project.export"})
        return dialogs(opened, ExportDialog)[0]

    first = dialog()
    first.formats.choose("dgara")
    assert first.target.text() == str(tmp_path / "mine-dgara")
    first.formats.choose("dgara-tasks")
    assert first.target.text() == str(tmp_path / "mine-dgara-tasks.json")
    first.formats.choose("dgara")
    with qtbot.waitSignal(opened.exchange.exported):
        QTest.keyClick(first.target, Qt.Key.Key_Return)
    out = tmp_path / "mine-dgara"
    assert '"description": "Do it"' in (out / "D-GARA-152.json").read_text("utf-8")
    report = dialogs(opened, ExchangeReportDialog)[0]
    words = " ".join(label.text() for label in report.findChildren(Label))
    assert "The export is done" in words
    assert f"Exported to {out}: 0 trajectories, 1 task" in words
    assert any("`note`" in report.table.topLevelItem(row).text(0) for row in range(5))
    report.close()
    qtbot.waitUntil(lambda: not dialogs(opened, ExchangeReportDialog))
    (out / "D-GARA-152.json").write_text("old", "utf-8")
    second = dialog()
    second.formats.choose("dgara")
    QTest.mouseClick(second.yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "already" in second.problem.text())
    assert second.yes.text() == "Replace"
    assert (out / "D-GARA-152.json").read_text("utf-8") == "old"
    QTest.keyClicks(second.target, "x")
    assert second.yes.text() == "Export"
    second.target.setText(str(out))
    QTest.mouseClick(second.yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: second.yes.text() == "Replace")
    with qtbot.waitSignal(opened.exchange.exported):
        QTest.mouseClick(second.yes, Qt.MouseButton.LeftButton)
    assert (out / "D-GARA-152.json").read_text("utf-8") != "old"
    dialogs(opened, ExchangeReportDialog)[0].close()
    qtbot.waitUntil(lambda: not dialogs(opened, ExchangeReportDialog))
    (out / "main.py").write_text("mine", "utf-8")
    third = dialog()
    third.formats.choose("dgara")
    for _press in range(2):
        third.problem.setText("")
        QTest.mouseClick(third.yes, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: "no such export" in third.problem.text())
        assert third.yes.text() == "Export"
    third.reject()
    with qtbot.waitSignal(opened.exchange.export_reports_read):
        opened.answer({"run": "project.export-reports"})
    again = dialogs(opened, ExchangeReportDialog)[0]
    assert again.choice.count() == 2
    assert again.report.text.startswith(f"Export to {out} as D-GARA")
    again.close()


def test_the_import_of_files_shows_every_kind_that_one_file_can_be():
    names = (
        "ContactsAddContact_0.pkl.gz", "android_control-00000-of-00020", "general.tfrecord", "screen.mp4",
        "window_dump.uix", "dump.txt", "ProBench.csv", "0.jpg", "traj.json",
    )  # fmt: skip
    assert [name for name in names if not QDir.match(IMPORTED_FILES, name)] == []
