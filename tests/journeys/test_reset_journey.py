"""The phone is reset before a recording, as the task declares it, and the header says what was done."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.device.transport.adb_device import AdbDevice
from collector.model.task import Task
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from studio.widgets.inject.confirmation_dialogs import TrustDialog

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
_SHOP = "com.waymark.shop"


def test_a_task_is_recorded_on_a_phone_that_was_reset(person, tmp_path):
    project = person.open_project(tmp_path / "posters", Task("shop-1", "Look", "Shop", _SHOP))
    person.take_phone()
    studio = person.studio
    device = AdbDevice(person.address)
    device.shell("settings put system font_scale 1.3")

    QTest.mouseClick(person.record.toolbar.buttons["record.reset"], Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    titles = {action.text().partition("\t")[0]: action for action in menu.actions()}
    assert titles["Before a recording: reset nothing"].isChecked()
    place = menu.actionGeometry(titles["Before a recording: reset the whole virtual phone"]).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
    person.until(lambda: studio.project_library.snapshot.task("shop-1").reset == "phone")
    # An edit is written behind, within 200 ms.
    person.until(lambda: Project.open(project.folder).task("shop-1").reset == "phone")

    person.start()
    assert device.shell("settings get system font_scale").text.strip() == "1.0"
    person.tap(person.sees("Shop"))
    stored = open_trajectory(person.finish())
    assert stored.header.extra["reset"]["kind"] == "phone"
    person.until(lambda: not person.recording.is_active)

    project.set(reset={"commands": ["settings put system font_scale 0.9"]})
    with person.qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(project.folder)
    person.run("record.next-task", task="shop-1")
    person.run("record.reset-before-project")
    person.until(lambda: studio.project_library.snapshot.task("shop-1").reset == "project")
    person.run("record.start")
    person.until(lambda: studio.window.findChild(TrustDialog))
    dialog = studio.window.findChild(TrustDialog)
    assert not person.recording.is_active
    assert device.shell("settings get system font_scale").text.strip() == "1.0"
    with person.qtbot.waitSignal(person.recording.begun, timeout=30_000):
        QTest.mouseClick(dialog.yes, Qt.MouseButton.LeftButton)
    assert device.shell("settings get system font_scale").text.strip() == "0.9"
    assert person.recording.header.extra["reset"]["commands"] == ["settings put system font_scale 0.9"]
    with person.qtbot.waitSignal(person.recording.finished, timeout=30_000):
        person.run("record.start")
    toasts = [toast.accessibleName() for toast in studio.window.toasts.shown]
    assert any("The recording is saved" in text and stored.folder.name in text for text in toasts)
    assert any("Nothing was recorded" in text for text in toasts)

    person.run("record.reset-before-nothing")
    device.shell("settings put system font_scale 1.3")
    person.run("record.reset-app")
    person.until(lambda: any("data of" in toast.accessibleName() for toast in studio.window.toasts.shown))
    assert device.shell("settings get system font_scale").text.strip() == "1.3"
    person.until(lambda: studio.project_library.snapshot.task("shop-1").reset == "")
    person.record.session.close()
    person.start()
    assert person.recording.header.extra["reset"]["package"] == _SHOP
    with person.qtbot.waitSignal(person.recording.finished, timeout=30_000):
        person.run("record.start")
    assert [f for f in check_project(project) if f.severity == "error"] == []
