"""A phone that sends something else than a picture gets a sentence; its picture is never decoded."""

from __future__ import annotations

import struct
import threading
from collections.abc import Sequence

import pytest

from collector.device.errors import CaptureFailed, UnreadableScreenshot
from collector.device.frame import Frame
from collector.device.health.probes import probe_screenshot
from collector.device.transport.shell_result import ShellResult
from collector.device.video.screencap_source import ScreencapSource, take_screenshot
from collector.model.geometry import Size
from tests.helpers.hostile_pictures import HUGE, cut_png, encoded, garbage_png, huge_png
from tests.helpers.shell_device import shell_device
from tests.helpers.steps import png

LARGEST = 2**32 - 1


class Phone:
    """Answers ``screencap`` with one picture after the other, the last one for ever."""

    serial = "PHONE1"

    def __init__(self, *answers: bytes) -> None:
        self._answers = list(answers)

    def exec_out(self, command: Sequence[str], *, timeout: float = 10, cancel: object = None) -> bytes:
        assert command == ("screencap", "-p")
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    def shell(self, command: object, *, timeout: float = 10, cancel: object = None) -> ShellResult:
        raise NotImplementedError

    def push(self, data: object, target: object, *, timeout: float = 10) -> None:
        raise NotImplementedError


ANSWERS = {
    "a huge PNG": (huge_png(), f"too large: {HUGE} pixels"),
    "half a PNG": (cut_png(), "cut short"),
    "a PNG with a message after it": (png() + b"warning", "no whole PNG"),
    "a PNG without pixels": (garbage_png(), "cannot be decoded"),
    "a JPEG of a companion": (encoded("JPEG"), "no whole PNG"),
    "a JPEG that is cut": (encoded("JPEG")[:300], "is damaged"),
    "raw pixels": (struct.pack("<4I", 480, 1064, 1, 1) + bytes(1000), "no picture"),
    "a raw header of absurd size": (struct.pack("<4I", LARGEST, LARGEST, LARGEST, LARGEST), "no picture"),
    "words": (b"screencap: not found", "no picture"),
    "nothing": (b"", "no picture"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_is_no_picture_is_a_typed_error_in_plain_words(name: str) -> None:
    answer, words = ANSWERS[name]
    phone = Phone(answer)
    with pytest.raises(UnreadableScreenshot, match=words):
        take_screenshot(phone, threading.Event()).rgb()
    finding = probe_screenshot(phone)
    assert finding is not None
    assert (finding.code, finding.severity) == ("no_picture", "problem")
    assert words in finding.why


def test_a_mirror_reports_a_phone_whose_pictures_became_too_large() -> None:
    source, failed = ScreencapSource(Phone(png(40, 80), huge_png())), threading.Event()
    frames: list[Frame] = []
    errors: list[Exception] = []

    def fail(error: Exception) -> None:
        errors.append(error)
        failed.set()

    source.start(frames.append, fail)
    assert failed.wait(10)
    source.close()
    assert [frame.size for frame in frames] == [Size(40, 80)]
    assert isinstance(errors[0], CaptureFailed)


def test_a_mirror_does_not_start_with_a_picture_that_cannot_be_painted() -> None:
    source = ScreencapSource(Phone(garbage_png()))
    with pytest.raises(CaptureFailed):
        source.start(lambda _frame: None, lambda _error: None)


def test_a_warning_before_the_picture_is_skipped():
    with shell_device("launcher", quirks=frozenset({"screenshot-warning"})) as device:
        assert device.exec_out("screencap -p").startswith(b"[Warning]")
        assert take_screenshot(device, threading.Event()).size == device.phone.size
