"""A virtual phone that another program started is found by its name, whatever its port."""

import contextlib

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from collector.virtual.fleet.registry import Registration
from collector.virtual.system.phone_state.profile import PhoneProfile
from studio.views.project.connect_dialog import ConnectDialog
from studio.widgets.controls import Label

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def test_a_running_virtual_phone_is_chosen_by_name_and_its_port_is_not_remembered(phones, person):
    studio = person.studio
    with (
        phones.phone() as address,
        contextlib.closing(Registration(address, PhoneProfile(serial="phone-2", seed=2))),
    ):
        # Listed before it goes, so that no older list of adb comes after the dialog.
        person.until(lambda: (entry := studio.devices.entry(address)) is not None and entry.info is not None)
        phones.adb.run("disconnect", address)
        person.until(lambda: studio.devices.entry(address) is None)
        person.run("device.connect")
        person.until(lambda: studio.window.findChild(ConnectDialog))
        dialog = studio.window.findChild(ConnectDialog)
        name = f"phone-2, seed 2, at {address}"
        assert dialog.field.findText(name) >= 0
        dialog.field.setCurrentText(name)
        QTest.mouseClick(dialog.yes, Qt.MouseButton.LeftButton)
        person.until_in_use(address)
        person.until(lambda: studio.devices.current.is_live)
        assert studio.devices.addresses == []
        person.until(lambda: studio.devices.current.whereabouts == f"WAYMARK0001, seed 1, at {address}")
        studio.window.show_workspace("project")
        project = studio.window.workspace("project")
        person.until(
            lambda: "WAYMARK0001 (virtual)" in {label.text() for label in project.findChildren(Label)}
        )
        studio.devices.disconnect_address(address)
        person.until(lambda: studio.devices.entry(address) is None)
