"""Another program uses the phone: the window says which, and goes on when that one ends."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from collector.device.identity import read_identity
from collector.device.transport.adb_device import AdbDevice
from collector.model.errors import UserError
from collector.model.task import Task
from studio.widgets.controls import Label
from tests.helpers.lease_owner import LeaseOwner

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def owner(phones, phone_address):
    with LeaseOwner(phone_address) as other:
        assert other.leased
        yield other


def test_a_phone_is_looked_at_until_the_other_program_is_killed_and_then_recorded(owner, person, tmp_path):
    person.open_project(tmp_path / "p", Task("todo-1", "Look", "To-do", "com.waymark.todo"))
    person.take_phone()
    studio, header = person.studio, person.record.mirror.header
    person.until(lambda: studio.owners.dialog is not None)
    dialog = studio.owners.dialog
    words = " ".join(label.text() for label in dialog.findChildren(Label))
    assert f"waymark trajectory replay, process {owner.pid}: replay of a trajectory, since " in words
    assert header.owner.isVisible()
    assert str(owner.pid) in header.owner.toolTip()
    QTest.mouseClick(dialog.yes, Qt.MouseButton.LeftButton)
    assert studio.owners.dialog is None
    with pytest.raises(UserError, match=rf"in use by waymark trajectory replay, process {owner.pid}"):
        person.run("record.start")
    device = AdbDevice(person.address)
    front = device.shell("dumpsys window | grep mCurrentFocus").text
    QTest.mouseClick(person.view, Qt.MouseButton.LeftButton)
    QTest.mouseClick(header.owner, Qt.MouseButton.LeftButton)
    person.until(lambda: studio.owners.dialog is not None)
    assert device.shell("dumpsys window | grep mCurrentFocus").text == front

    owner.kill()
    person.until(lambda: not header.owner.isVisible())
    assert studio.owners.dialog is None
    person.start()
    person.tap(person.sees("To-do"))
    with LeaseOwner(person.address) as late:
        assert not late.leased
        name = read_identity(device).name
        assert late.kill().startswith(f"{name} is in use by Waymark Studio, process ")
    person.finish()


def test_the_phone_is_used_anyway_when_the_person_says_so(owner, person):
    person.take_phone()
    studio = person.studio
    studio.window.show_workspace("project")
    person.until(lambda: studio.owners.dialog is not None)
    project = studio.window.workspace("project")
    person.until(  # its cards are made again as phones come and go
        lambda: any(f"process {owner.pid}" in label.toolTip() for label in project.findChildren(Label))
    )
    QTest.mouseClick(studio.owners.dialog.no, Qt.MouseButton.LeftButton)
    person.until(lambda: not studio.devices.current.busy)
    assert studio.owners.dialog is None
    assert studio.ownership.owner.pid == str(owner.pid)
    assert not studio.commander.enabled("device.use-anyway")
    studio.devices.current.require_free()
