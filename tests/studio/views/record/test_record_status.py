"""What the status bar calls the phone's picture and tree: a still screen is neither slow nor stale."""

from __future__ import annotations

import dataclasses
import json
import time

import pytest
from PySide6.QtCore import QObject, Signal

from collector.device.device_info import DeviceInfo
from collector.device.events import SessionStats
from collector.device.snapshot import TreeSnapshot
from collector.device.transport.shell_result import ShellResult
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Point, Position, Size
from studio.bridge.jobs import JobRunner
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.phones.practice_count import PracticeCount
from studio.views.record.phones.record_status import RecordStatus
from studio.widgets.window_frame.status_bar import StatusBar, StatusItem

# The plugin without a screen says so of every window.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


class QuietSession:
    """A phone whose tree is a minute old; ``changed_ns`` is when its picture last changed."""

    frame_source = "scrcpy"
    secure = False
    stats = SessionStats(58.6, 2.0, 1.0, 0, 60_000)

    def __init__(self, serial):
        self.info = DeviceInfo(serial)
        self.events = EventEmitter()
        self.asked_ns = time.monotonic_ns() - 60_000_000_000
        self.changed_ns = self.asked_ns - 1

    def newest_tree(self):
        return TreeSnapshot(b"", None, self.asked_ns, self.asked_ns + 1, "dump")


class EmptySession(QObject):
    step, steps, current = None, (), 0


@pytest.fixture
def bar(dressed, qtbot):
    bar = StatusBar()
    qtbot.addWidget(bar)
    return bar


@pytest.fixture
def shown_by(bar):
    """``shown_by(link)``: the texts of the status bar for a phone, by key."""

    def show(link):
        status = RecordStatus(bar, EmptySession())
        status.set_phone(link)
        status.show()
        status.tick(6.4)
        return {key: cell.accessibleName() for key, cell in bar.cells.items()}

    return show


def test_on_a_still_screen_an_old_tree_is_fresh_and_no_rate_is_shown(shown_by):
    link = PhoneLink("one", QuietSession)
    texts = shown_by(link)
    assert texts["source"] == "scrcpy  ·  still"
    assert texts["tree"] == "tree fresh"


def test_a_tree_is_stale_once_the_picture_changed_after_it_was_asked_for(shown_by):
    link = PhoneLink("one", QuietSession)
    link.session.changed_ns = time.monotonic_ns() + 60_000_000_000
    texts = shown_by(link)
    assert texts["source"] == "scrcpy 59 fps  ·  6 ms"
    assert texts["tree"] == "tree stale, 60.0 s old"


def test_no_place_is_told_while_the_pointer_is_elsewhere_and_others_stay_where_they_are(bar, qtbot):
    bar.resize(900, 24)
    bar.show()
    status = RecordStatus(bar, EmptySession())
    status.show()
    bar.set_item("saved", StatusItem("saved"), right=True)
    bar.layout().activate()
    place = bar.cells["saved"].geometry()
    assert bar.cells["cursor"].isHidden()
    status.show_cursor(Position(Point(596, 640), Size(1080, 2400)))
    bar.layout().activate()
    assert bar.cells["cursor"].accessibleName() == "x 596  y 640"
    assert bar.cells["cursor"].geometry().right() < place.left()
    assert bar.cells["saved"].geometry() == place
    status.show_cursor(None)
    assert bar.cells["cursor"].isHidden()


def test_a_tree_of_a_moment_ago_is_young_not_stale_as_the_recording_says_too(shown_by):
    link = PhoneLink("one", QuietSession)
    link.session.changed_ns = time.monotonic_ns() + 60_000_000_000
    link.session.stats = SessionStats(58.6, 2.0, 1.0, 0, 300)
    assert shown_by(link)["tree"] == "tree 0.3 s old"
    assert not link.tree_is_stale


class PlayingDevice:
    """A phone that plays a recording; ``off`` actions were done off the path."""

    off = 0

    def shell(self, command, *, cancel=None):
        assert (command, cancel.is_set()) == ("cmd waymark practice", False)
        report = {"recordings": [{"trajectory": "one", "followed": 3, "of": 9}], "off_path": self.off}
        return ShellResult(json.dumps(report).encode(), b"", 0)


class PhonesInUse(QObject):
    current_changed = Signal(object)
    current = None


def test_a_phone_that_plays_a_recording_says_how_far_it_was_followed_and_what_was_off_the_path(bar, qtbot):
    link = PhoneLink("one", QuietSession)
    link.session.device = PlayingDevice()
    link.session.info = dataclasses.replace(link.session.info, seed="1")
    runner, devices = JobRunner(), PhonesInUse()
    practice = PracticeCount(runner, devices)
    status = RecordStatus(bar, EmptySession(), practice=practice)
    status.show()
    with qtbot.waitSignal(practice.changed):
        devices.current_changed.emit(link)
    status.set_phone(link)
    assert bar.cells["practice"].accessibleName() == "3 / 9  ·  0 off the path"
    link.session.device.off = 2
    with qtbot.waitSignal(practice.changed):
        link.source_changed.emit("scrcpy")
    status.tick(None)
    assert bar.cells["practice"].accessibleName() == "3 / 9  ·  2 off the path"
    devices.current_changed.emit(None)
    status.set_phone(None)
    assert bar.cells["practice"].isHidden()
    runner.close()
