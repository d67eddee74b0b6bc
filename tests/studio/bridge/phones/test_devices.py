"""Phones come and go in the window as adb lists them, and one is in use."""

from __future__ import annotations

import queue
import threading
import weakref

import pytest
from PySide6.QtCore import QObject, Signal

from collector.device.device_entry import DeviceEntry
from collector.device.device_lease import EXPERIMENT_RUN, LeaseOwner
from collector.device.device_tracker import DevicesChanged
from collector.device.errors import DeviceOffline, UnreadableServer
from collector.device.identity import PhoneIdentity
from collector.device.transport.listed_devices import ListedDevice
from collector.model.event_emitter import EventEmitter
from studio.bridge.jobs import JobRunner
from studio.bridge.phones import devices as devices_module
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.followed_phone import FollowedPhone
from studio.settings import Settings


class FakeTracker:
    """Says what a test tells it to."""

    def __init__(self, _server=None):
        FakeTracker.newest = self
        self.events = EventEmitter()
        self.known = {}
        self.closed = False

    def start(self):
        pass

    def close(self):
        self.closed = True

    def connect(self, address, cancel):
        assert cancel is not None, "a window that closes could not end it"
        if address.startswith("10."):
            raise DeviceOffline(address, "no route")
        self.known[address] = "device"
        self.emit()

    def forget(self, address, _cancel):
        self.known.pop(address, None)
        self.emit()

    def emit(self, error=None):
        self.events.emit(DevicesChanged(tuple(ListedDevice(*pair) for pair in self.known.items()), error))


class FakeLink(QObject):
    source_changed = Signal(str)
    lost = Signal(str)

    def __init__(self, serial):
        super().__init__()
        self.serial, self.running = serial, None

    def start(self):
        self.running = True

    def close(self):
        self.running = False


@pytest.fixture
def runner(qapp):
    runner = JobRunner()
    yield runner
    runner.close()
    runner.deleteLater()


@pytest.fixture
def devices(qtbot, runner, tmp_path, monkeypatch):
    monkeypatch.setattr(devices_module, "check_host", lambda _server, _jar: [])
    monkeypatch.setattr(
        devices_module, "read_entry", lambda listed, _cancel: DeviceEntry(listed.serial, listed.state)
    )
    monkeypatch.setattr(devices_module, "_OWNER_AFTER_MS", 20)
    settings = Settings(tmp_path / "settings.yaml")
    devices = Devices(runner, settings, make_tracker=FakeTracker, make_link=FakeLink)
    devices.start()
    yield devices
    devices.close()
    devices.deleteLater()


def show(devices, qtbot, **states):
    tracker = FakeTracker.newest
    tracker.known = states
    with qtbot.waitSignal(devices.changed):
        tracker.emit()


def test_the_only_phone_comes_into_use_by_itself(devices, qtbot):
    show(devices, qtbot, one="device")
    assert devices.current.serial == "one"
    assert devices.current.running
    show(devices, qtbot, one="device", two="device")
    assert devices.current.serial == "one"


def test_the_phone_of_a_run_leaves_the_window_unless_a_person_chose_it(devices, qtbot, monkeypatch):
    identity = PhoneIdentity("one", "run-1", seed="7")
    owners = [LeaseOwner("waymark run", "1", "here", EXPERIMENT_RUN, None, identity.key)]
    monkeypatch.setattr(devices_module, "lease_owners", lambda: owners)
    monkeypatch.setattr(
        devices_module,
        "read_entry",
        lambda listed, _cancel: DeviceEntry(listed.serial, listed.state, identity=identity),
    )
    show(devices, qtbot, one="device")
    with qtbot.waitSignal(devices.current_changed):  # the run leases it a moment after adb lists it
        assert devices.current.serial == "one"
    assert devices.current is None
    show(devices, qtbot, one="device", two="offline")
    assert devices.current is None
    devices.use("one")
    show(devices, qtbot, one="device")
    assert devices.current.serial == "one"
    show(devices, qtbot)
    devices.links.remove("one")
    owners.clear()
    show(devices, qtbot, one="device")
    assert devices.current.serial == "one", "another phone may come at its address"


def test_of_several_phones_none_is_chosen_for_the_person(devices, qtbot):
    show(devices, qtbot, one="device", two="device")
    assert devices.current is None
    devices.use("two")
    assert devices.current.serial == "two"


def test_a_phone_that_is_not_trusted_is_shown_in_plain_words_and_not_used(devices, qtbot):
    show(devices, qtbot, one="unauthorized")
    assert devices.current is None
    assert devices.entries[0].words == "waiting for Allow on its screen"


def test_the_phone_connected_to_comes_into_use_and_its_address_is_kept(devices, qtbot):
    show(devices, qtbot, one="device")
    with qtbot.waitSignal(devices.current_changed):
        devices.connect_address("192.168.1.20")
    assert devices.current.serial == "192.168.1.20:5555"
    assert devices.addresses == ["192.168.1.20:5555"]


def test_a_virtual_phones_address_is_not_kept(devices, qtbot):
    with qtbot.waitSignal(devices.current_changed):
        devices.connect_address("127.0.0.1:40001", remember=False)
    assert devices.addresses == []


def test_an_address_that_does_not_answer_is_told(devices, qtbot):
    with qtbot.waitSignal(devices.failed) as failure:
        devices.connect_address("10.0.0.1:5555")
    assert isinstance(failure.args[0], DeviceOffline)
    assert devices.addresses == []


def test_a_server_that_cannot_be_read_is_told_instead_of_no_phone(devices, qtbot):
    show(devices, qtbot, one="device")
    FakeTracker.newest.known = {}
    with qtbot.waitSignal(devices.changed):
        FakeTracker.newest.emit(UnreadableServer(5037, "nonsense"))
    assert devices.entries == ()
    assert "port 5037 answered what cannot be read" in str(devices.server_error)
    show(devices, qtbot, one="device")
    assert devices.server_error is None


def test_phones_that_do_not_answer_leave_room_for_other_work(devices, runner, qtbot, monkeypatch):
    asked, go_on = queue.Queue(), threading.Event()

    def read_entry(listed, _cancel):
        asked.put(listed.serial)
        go_on.wait(20)
        return DeviceEntry(listed.serial, listed.state)

    monkeypatch.setattr(devices_module, "read_entry", read_entry)
    show(devices, qtbot, **{f"phone{number}": "device" for number in range(50)})
    assert {asked.get(timeout=10), asked.get(timeout=10)} == {"phone0", "phone1"}
    with qtbot.waitSignal(runner.run(lambda _job: "other work").succeeded):
        pass
    show(devices, qtbot, last="device")
    go_on.set()
    qtbot.waitUntil(lambda: not asked.empty())
    assert asked.get() == "last"


def test_parting_from_the_phone_in_use_lets_it_go(devices, qtbot):
    with qtbot.waitSignal(devices.current_changed):
        devices.connect_address("127.0.0.1:40001")
    link = devices.current
    devices.disconnect_address("127.0.0.1:40001")
    qtbot.waitUntil(lambda: devices.entries == ())
    assert devices.current is None
    assert link.running is False
    assert devices.entries == ()


def test_a_phone_connected_again_at_once_comes_into_use_although_no_list_lacked_it(
    devices, qtbot, monkeypatch
):
    with qtbot.waitSignal(devices.current_changed):
        devices.connect_address("127.0.0.1:40001")
    monkeypatch.setattr(FakeTracker.newest, "forget", lambda _address, _cancel: None)
    devices.disconnect_address("127.0.0.1:40001")
    assert devices.current is None
    with qtbot.waitSignal(devices.current_changed):
        devices.connect_address("127.0.0.1:40001")
    assert devices.current.serial == "127.0.0.1:40001"


def test_another_server_is_followed_after_a_restart(devices, qtbot):
    show(devices, qtbot, one="device")
    before = FakeTracker.newest
    devices.restart()
    assert before.closed
    assert (devices.current, devices.entries) == (None, ())


def test_an_address_that_is_none_is_told_and_adb_is_not_asked(devices, qtbot):
    with qtbot.waitSignal(devices.failed) as failure:
        assert devices.connect_address("a b:1") is None
    assert "expected HOST:PORT" in str(failure.args[0])


def test_a_phone_that_said_nothing_yet_is_called_by_its_serial():
    assert DeviceEntry("R5CW30", "offline").name == "R5CW30"


def test_a_phone_beside_another_leaves_it_in_the_window_and_has_the_only_link(devices, qtbot):
    show(devices, qtbot, one="device", two="device", three="device")
    devices.use("one")
    first = devices.current
    devices.use("two", beside=True)
    assert devices.links.serials == ("one", "two")
    assert (devices.links.front, devices.current.serial) == ("two", "two")
    assert (first.running, devices.links.link("one")) == (False, None), (
        "nobody looks at it: it decodes nothing"
    )
    devices.use("three")  # of several, none gives way
    assert devices.links.serials == ("one", "two", "three")


def test_a_phone_that_somebody_needs_keeps_its_link_and_its_place(devices, qtbot):
    show(devices, qtbot, one="device", two="device")
    devices.use("one")
    first = devices.current
    devices.links.need("recording", ["one"])
    fronts = []
    devices.current_changed.connect(fronts.append)
    devices.use("two")
    assert devices.links.serials == ("one", "two")
    assert first.running
    assert devices.links.others == (first,)
    devices.use("one")
    assert devices.current is first
    assert [front.serial for front in fronts] == ["two", "one"]
    devices.disconnect_address("one")  # its recording waits for it
    assert (devices.links.serials, devices.current, first.running) == (("one", "two"), None, False)
    devices.links.need("tiles", ["two"])
    assert devices.links.link("one") is None, "who was disconnected is not connected again by itself"
    devices.use("one")
    assert devices.current.running
    devices.links.need("recording", [])
    devices.links.remove("one")
    assert (devices.links.serials, devices.links.front) == (("two",), "two")
    devices.links.remove("two")
    assert (devices.links.serials, devices.current) == ((), None)


def test_who_follows_a_phone_goes_at_once_when_nobody_needs_it(qapp):
    class Follower:
        def __init__(self):
            self.phone = FollowedPhone(source_changed=self.show)
            self.shown = []

        def show(self, source):
            self.shown.append(source)

    first, second, follower = FakeLink("one"), FakeLink("two"), Follower()
    follower.phone.follow(first)
    first.source_changed.emit("scrcpy")
    follower.phone.follow(second)
    first.source_changed.emit("screencap")
    assert follower.shown == ["scrcpy"]
    follower.phone.follow(None)
    gone = weakref.ref(follower)
    del follower
    assert gone() is None, "tiles of phones that left stayed, with their pictures"


def test_links_opened_anew_keep_the_window_as_it_is(devices, qtbot):
    show(devices, qtbot, one="device", two="device")
    devices.use("one")
    devices.links.need("tiles", ["one", "two"])
    devices.use("two", beside=True)
    before = [devices.links.link(serial) for serial in ("one", "two")]
    devices.links.renew()
    after = [devices.links.link(serial) for serial in ("one", "two")]
    assert [link.running for link in before] == [False, False]
    assert [link.running for link in after] == [True, True]
    assert devices.links.front == "two"
