"""Clipboard messages between a phone and a scrcpy client, as a real server sends them."""

import threading

import pytest

from collector.adb.scrcpy.control import GetClipboard, InjectKey, SetClipboard
from collector.adb.scrcpy.device_message import Clipboard, ClipboardAck, encode_device_message
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.virtual.video.controller import Controller
from collector.virtual.video.scrcpy_session import DeviceMessageWriter
from tests.helpers.virtual import virtual_device

COPY = 278


@pytest.fixture
def phone():
    with virtual_device("settings", "todo") as device:
        yield device.phone


@pytest.fixture
def sent():
    return []


@pytest.fixture
def controller(phone, sent):
    controller = Controller(phone, ScrcpyVersion.parse("3.3.4"), None, None, None, sent.append, autosync=True)
    yield controller
    controller.release()


def test_what_others_copy_is_said_at_once(phone, sent, controller):
    phone.clipboard = "from adb"
    phone.clipboard = "from an app"
    assert sent == [Clipboard("from adb"), Clipboard("from an app")]


def test_what_the_client_sets_is_acknowledged_and_not_told_back(phone, sent, controller):
    controller.handle(SetClipboard("mine", sequence=7))
    controller.handle(InjectKey(0, 29, 0, 0))
    assert phone.clipboard == "mine"
    assert sent == [ClipboardAck(7)]


def test_two_clients_hear_of_each_other(phone, sent, controller):
    other_sent = []
    other = Controller(phone, ScrcpyVersion.parse("2.7"), None, None, None, other_sent.append, autosync=True)
    other.handle(SetClipboard("theirs"))
    assert (sent, other_sent) == ([Clipboard("theirs")], [])
    other.release()


def test_with_autosync_a_question_only_copies_and_without_it_is_answered(phone, sent, controller):
    controller.handle(GetClipboard(1))
    assert sent == []
    replies = []
    plain = Controller(phone, ScrcpyVersion.parse("3.3.4"), None, None, None, replies.append, autosync=False)
    phone.clipboard = "kept"
    assert replies == []
    plain.handle(GetClipboard(0))
    assert replies == [Clipboard("kept")]


def test_a_client_that_left_is_told_nothing(phone, sent, controller):
    controller.release()
    phone.clipboard = "later"
    assert sent == []


def test_messages_wait_for_a_slow_client_and_keep_their_order():
    open_gate, wrote, done = threading.Event(), [], threading.Event()

    def write(data):
        open_gate.wait(10)
        wrote.append(data)
        if len(wrote) == 3:
            done.set()

    messenger = DeviceMessageWriter(write)
    messages = [Clipboard("a"), ClipboardAck(2), Clipboard("b")]
    for message in messages:
        messenger.send(message)
    assert wrote == []
    open_gate.set()
    assert done.wait(10)
    messenger.close()
    assert wrote == [encode_device_message(message) for message in messages]
