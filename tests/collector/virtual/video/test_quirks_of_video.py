"""A phone with a quirk refuses or changes what a scrcpy client asks of it."""

from __future__ import annotations

import pytest

from collector.adb.scrcpy.control import InjectKey, SetClipboard
from collector.adb.scrcpy.device_message import ClipboardAck
from collector.adb.scrcpy.options import parse_server_arguments
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Size
from collector.virtual.system.phone import Phone
from collector.virtual.video.controller import Controller
from collector.virtual.video.refusals import encoder_limit, video_refusal
from collector.virtual.video.server_log import ServerLog
from tests.helpers.virtual import profile

OPTIONS = parse_server_arguments(("3.3.4",))


@pytest.fixture
def controlled():
    """Makes a phone with quirks, its controller, and what the client is told and logged."""
    controllers = []

    def make(*quirks):
        phone, sent, log = Phone(profile("todo").with_quirks(quirks)), [], []
        server_log = ServerLog(log.append, log.append)
        controller = Controller(
            phone, ScrcpyVersion.parse("3.3.4"), None, None, server_log, sent.append, autosync=False
        )
        controllers.append(controller)
        return phone, controller, sent, log

    yield make
    for controller in controllers:
        controller.release()


def test_a_text_for_the_clipboard_is_acknowledged_and_does_not_arrive(controlled):
    phone, controller, sent, log = controlled("clipboard-refused")
    before = phone.clipboard
    controller.handle(SetClipboard("mine", sequence=7))
    assert phone.clipboard == before
    assert sent == [ClipboardAck(7)]
    assert "NoSuchMethodException" in log[0]


def test_injected_keys_are_refused_with_the_permission_that_lacks(controlled):
    phone, controller, _sent, log = controlled("input-refused")
    controller.handle(InjectKey(0, 26, 0, 0))
    assert phone.awake
    assert "INJECT_EVENTS" in log[0]


def test_a_watch_gives_no_video():
    phone = Phone(profile("launcher").with_quirks(["no-encoder"]))
    assert "Failed to initialize video/avc" in video_refusal(OPTIONS, phone).message
    assert video_refusal(OPTIONS, Phone(profile("launcher"))) is None


def test_an_encoder_that_is_too_small_takes_the_next_smaller_side():
    assert encoder_limit(Phone(profile("launcher"))) == 0
    sizes = [Size(720, 1600), Size(1080, 2400), Size(600, 800)]
    phones = [Phone(profile("launcher", size=size).with_quirks(["encoder-limit"])) for size in sizes]
    assert [encoder_limit(phone) for phone in phones] == [1280, 1920, 0]
