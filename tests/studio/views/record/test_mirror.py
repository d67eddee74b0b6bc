"""The mirror shows the phone as it is known now: what is learned late changes what is on show."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from collector.device.device_info import DeviceInfo
from collector.device.events import DeviceEvent, SessionStats
from collector.device.frame import Frame
from collector.device.mailbox import Mailbox
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Point, Position, Size
from studio.bridge import JobRunner
from studio.bridge.phone_recording import PhoneRecording
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.recording import Recording
from studio.settings import Settings
from studio.theme import theme
from studio.views.record.phones.mirror import MirrorPane
from studio.widgets.device_view.events import ScrollEvent
from studio.widgets.device_view.highlight import Overlay
from studio.widgets.device_view.view import MirrorMode
from tests.helpers.dumps import hierarchy, node

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
SCREEN = Size(270, 600)


class BlackSession:
    """A phone whose screen is black and has one node in the middle; why it is black is not said yet."""

    frame_source = "scrcpy"
    screen_size, density, rotation = SCREEN, 480, 0
    stats = SessionStats(5.0, 2.0, 1.0, 0, 300)
    changed_ns = 0

    def __init__(self, serial):
        self.info = DeviceInfo(serial)
        self.events = EventEmitter()
        self.frames = Mailbox()
        self.secure = False
        self.frame = Frame(np.zeros((600, 270, 3), np.uint8), sequence=1, received_ns=1)
        xml = hierarchy(node(bounds="[20,500][250,580]")).encode()
        self.tree = TreeSnapshot(xml, parse_tree(xml), 1, 2, "dump")

    def newest_frame(self):
        return self.frame

    def newest_tree(self):
        return self.tree

    def set_view_size(self, size):
        self.wanted = size

    def refresh_tree(self):
        pass

    def close(self):
        pass


@pytest.fixture
def runner(qapp):
    runner = JobRunner()
    yield runner
    runner.close()


@pytest.fixture
def recording(runner, tmp_path):
    return Recording(runner, Settings(tmp_path / "s.yaml"))


@pytest.fixture
def mirror(dressed, qtbot, recording):
    pane = MirrorPane(recording, QLabel())
    qtbot.addWidget(pane)
    pane.resize(1000, 800)
    pane.view.set_overlay(Overlay.NODES, True)
    pane.show()
    yield pane
    pane.close_phone()


@pytest.fixture
def phone(mirror):
    link = PhoneLink("one", BlackSession)
    mirror.set_phone(link)
    return link


def colours(view):
    """Every colour seen inside the phone's screen."""
    image = view.grab(view.picture_rect()).toImage()
    return {image.pixel(x, y) for y in range(2, image.height() - 2) for x in range(2, image.width() - 2)}


def test_a_screen_found_protected_after_it_was_shown_says_so_and_lights_its_nodes(mirror, phone, qtbot):
    bright = theme.overlay("on_black_node").rgba()
    assert bright not in colours(mirror.view)
    before = len(colours(mirror.view))
    phone.session.secure = True
    phone.session.events.emit(DeviceEvent("secure", "This screen is protected"))
    qtbot.waitUntil(lambda: mirror.view.frame.secure)
    seen = colours(mirror.view)
    assert bright in seen
    assert theme.overlay("tag_text").rgba() in seen
    assert len(seen) > before
    phone.session.secure = False
    phone.session.events.emit(DeviceEvent("secure", ""))
    qtbot.waitUntil(lambda: not mirror.view.frame.secure)
    assert bright not in colours(mirror.view)


def test_the_pointer_card_tells_of_the_selected_node_when_none_is_under_the_pointer(mirror, phone):
    mirror.view.set_mode(MirrorMode.INSPECT)
    chosen = phone.session.tree.tree.nodes[0]
    mirror.selection.select(chosen)
    mirror.selection.hover(None)
    assert str(chosen.bounds) in [fact.value for fact in mirror.pointer_card.rows]


def test_keys_that_are_no_step_yet_are_told_instead_of_the_state_before(mirror, phone, monkeypatch):
    mirror.pill.show_captured(0.2, 26)
    monkeypatch.setattr(Recording, "records", lambda *_: True)
    monkeypatch.setattr(PhoneRecording, "target_for", lambda *_: NotingTarget())
    monkeypatch.setattr(Recording, "gathered", 3)
    place = mirror.view.picture_rect().center()
    QTest.mouseClick(mirror.view, Qt.MouseButton.LeftButton, pos=place)
    assert mirror.pill.text == "Typing 3 keys so far, one step"


class NotingTarget:
    """An InputTarget that notes what it is sent."""

    def __init__(self):
        self.sent = []

    def __getattr__(self, name):
        if name not in ("touch", "key", "text", "scroll", "open_app"):
            raise AttributeError(name)
        return lambda *_arguments: self.sent.append(name)


def test_all_input_goes_to_the_target_the_recording_names_for_the_phone(mirror, phone, monkeypatch):
    target, asked = NotingTarget(), []
    monkeypatch.setattr(PhoneRecording, "target_for", lambda _self, link: asked.append(link) or target)
    QTest.mouseClick(mirror.view, Qt.MouseButton.LeftButton, pos=mirror.view.picture_rect().center())
    mirror.press("back")
    mirror.view.text_committed.emit("milk")
    mirror.view.scrolled.emit(ScrollEvent(Position(Point(5, 5), SCREEN), 0, -1, 0))
    assert target.sent == ["touch", "touch", "key", "text", "scroll"]
    assert set(asked) == {phone}


def test_without_a_recording_the_target_is_the_phone_itself(recording, phone):
    assert recording.target_for(phone) is phone


def test_frames_that_nobody_sees_are_not_scaled(mirror, phone, qtbot):
    colours(mirror.view)  # painted: the view knows how large the picture is
    qtbot.waitUntil(lambda: not phone.session.wanted.is_empty)
    seen = phone.session.wanted
    mirror.hide()
    assert phone.session.wanted.is_empty
    mirror.show()
    assert phone.session.wanted == seen
    other = PhoneLink("two", BlackSession)
    mirror.set_phone(other)
    assert phone.session.wanted.is_empty
    assert other.session.wanted == seen


def test_each_phone_keeps_its_mode(mirror, phone):
    other = PhoneLink("two", BlackSession)
    mirror.view.set_mode(MirrorMode.INSPECT)
    mirror.set_phone(other)
    assert mirror.view.mode is MirrorMode.INTERACT
    mirror.set_phone(phone)
    assert mirror.view.mode is MirrorMode.INSPECT
    mirror.set_phone(None)
    other.close()
