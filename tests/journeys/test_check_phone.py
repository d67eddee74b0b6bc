"""A person checks the phone from its card: asked first, each step live, verdicts, and a report to send."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

from collector.device.transport.adb_device import AdbDevice
from collector.device_check.report_page import read_report
from collector.device_check.results import CheckOutcome
from collector.device_check.steps import all_steps
from collector.model.task import Task
from studio.views.project.device_card import DeviceCard
from studio.views.project.phone_check.phone_check_controller import PhoneCheckController
from studio.widgets.controls import Button
from tests.helpers.shown_texts import shown_texts

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
QUICK = ("connection", "pictures", "trees", "appearance", "lock")


def press(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_phone_is_checked_from_its_card_and_the_report_is_saved(person, tmp_path, monkeypatch):
    monkeypatch.setattr(all_steps, "STEPS", all_steps.chosen_steps(QUICK))
    person.open_project(tmp_path / "posters", Task("shop-1", "Look", "Shop", "com.waymark.shop"))
    person.take_phone()
    studio = person.studio
    studio.window.show_workspace("project")
    device = AdbDevice(person.address)
    before = device.shell("settings list system; settings list secure; cmd uimode night").text
    checks = studio.window.findChild(PhoneCheckController)

    (card,) = studio.window.findChildren(DeviceCard)
    (button,) = [each for each in card.findChildren(Button) if "Check this phone" in each.text()]
    person.until(button.isVisible)
    press(button)
    dialog = checks.dialog
    person.until(dialog.isVisible)
    (lock,) = [box for box in dialog.findChildren(QCheckBox) if "lock" in box.text()]
    QTest.mouseClick(lock, Qt.MouseButton.LeftButton, pos=QPoint(8, lock.height() // 2))
    press(dialog.yes)
    person.until(lambda: studio.devices.current is None)
    person.until(dialog.report.isVisible)
    texts = " ".join(shown_texts(dialog))
    for said in ("Review works", "The phone is as it was before", "UI trees"):
        assert said in texts
    assert device.shell("settings list system; settings list secure; cmd uimode night").text == before

    press(dialog.report)
    checks.save(str(tmp_path / "phone.html"))
    toasts = studio.window.toasts
    person.until(lambda: any("is saved" in toast.accessibleName() for toast in toasts.shown))
    outcomes = {step.step: step.outcome for step in read_report(tmp_path / "phone.html").steps}
    assert outcomes == dict.fromkeys(QUICK, CheckOutcome.PASSED) | {"lock": CheckOutcome.SKIPPED}
    press(dialog.yes)
    person.until_in_use(person.address)
    person.until(lambda: checks.dialog is None)
