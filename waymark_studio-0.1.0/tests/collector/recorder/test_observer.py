"""Picture and tree as one moment, with age and skew, with and without a video of the screen."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from collector.device.errors import CallCancelled, CaptureFailed
from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.device.transport.shell_result import ShellResult
from collector.device.video.pictures import ScreenshotPictures, StreamedPictures
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Size
from collector.recorder import observer as module
from collector.recorder.observer import Observer
from tests.helpers.dumps import hierarchy, node

SIZE = Size(36, 80)


class Phone:
    """A phone whose trees and pictures are given one after another; the last of each stays."""

    serial = name = "fake"
    rotation = 0

    def __init__(self, trees: list[str], shades: list[int]) -> None:
        self.trees, self.shades = list(trees), list(shades)
        self.log: list[str] = []
        self.asked: list[str] = []
        self.fails = False

    def snapshot(self, _cancel: threading.Event) -> TreeSnapshot:
        self.log.append("tree")
        text = self.trees.pop(0) if len(self.trees) > 1 else self.trees[0]
        xml = hierarchy(node(text=text), rotation=self.rotation).encode()
        return TreeSnapshot.of(xml, parse_tree(xml), module.time.monotonic_ns(), "fake", Front())

    def picture(self, _cancel: threading.Event) -> Frame:
        self.log.append("picture")
        if self.fails:
            raise CaptureFailed("no picture")
        shade = self.shades.pop(0) if len(self.shades) > 1 else self.shades[0]
        return Frame(np.full((SIZE.height, SIZE.width, 3), shade, np.uint8), sequence=1, received_ns=1)

    def shell(self, command: object, *, timeout: float = 10, cancel: object = None) -> ShellResult:
        self.asked.append(str(command))
        return ShellResult(b"Physical size: 36x80\norientation=0\n", b"", 0)


class Front:
    package, activity, keyboard, secure = "com.shop", ".Main", None, False


class Screenshots(Phone):
    is_stream = False


class Stream(Phone):
    is_stream = True


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(module, "PAUSE_S", 0.0)


def observe(phone: Phone) -> Observer:
    return Observer(phone, phone, threading.Event(), phone)  # type: ignore[arg-type]


def test_a_screenshot_lies_between_two_equal_trees():
    phone = Screenshots(["A", "B", "B"], [10, 200])
    moment = observe(phone).look()
    assert phone.log == ["tree", "picture", "tree", "picture", "tree"]
    assert moment.frame.rgb()[0, 0, 0] == 200, "the picture of the screen before is not used"
    assert [node.text for node in moment.tree if node.text] == ["B"]
    assert moment.skew == 0.0
    assert 0 <= moment.snapshot.age_ms(moment.time_ns) < 5000
    assert (moment.package, moment.screen, moment.frame_source) == ("com.shop", SIZE, "fake")


def test_a_screen_that_never_rests_has_a_measured_skew():
    phone = Screenshots(["A", "B"], [10, 200])
    moment = observe(phone).look(settle_s=0.0)
    assert phone.log == ["tree", "picture", "tree", "picture"]
    assert moment.skew > 0.9
    assert moment.frame.rgb()[0, 0, 0] == 200


def test_a_video_measures_what_the_tree_does_not_show():
    still, moving = Stream(["A"], [10]), Stream(["A"], [10, 200])
    assert observe(still).look().skew == 0.0
    moment = observe(moving).look()
    assert moment.skew > 0.9
    assert moment.frame.rgb()[0, 0, 0] == 200, "the newest frame is kept"


def test_without_pictures_only_trees_are_read():
    phone = Phone(["A", "B", "B"], [0])
    moment = Observer(phone, phone, threading.Event()).look()  # type: ignore[arg-type]
    assert phone.log == ["tree"] * 3
    assert (moment.frame, moment.skew, moment.frame_source) == (None, None, "")
    assert Observer(phone, phone, threading.Event()).glance().tree is not None  # type: ignore[arg-type]


def test_a_screen_without_a_picture_still_has_its_tree():
    phone = Screenshots(["A"], [0])
    phone.fails = True
    moment = observe(phone).look()
    assert (moment.frame, moment.skew) == (None, None)
    assert moment.tree is not None


def test_a_black_picture_is_asked_about_and_a_turned_screen_measured_again():
    phone = Screenshots(["A"], [0])
    observer = observe(phone)
    observer.look()
    assert sum("mCurrentFocus" in command for command in phone.asked) == 1
    assert sum("wm size" in command for command in phone.asked) == 1
    phone.shades = [90]
    observer.look()
    assert sum("wm size" in command for command in phone.asked) == 1
    phone.rotation = 1
    observer.look()
    assert sum("wm size" in command for command in phone.asked) == 2


def test_a_cancelled_look_ends():
    phone = Screenshots(["A"], [0])
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CallCancelled):
        Observer(phone, phone, cancel, phone).look()  # type: ignore[arg-type]


def test_pictures_come_from_the_stream_while_there_is_one(monkeypatch):
    taken = Frame(np.zeros((2, 2, 3), np.uint8), sequence=9, received_ns=9)
    monkeypatch.setattr("collector.device.video.pictures.take_screenshot", lambda _device, _cancel: taken)

    class Screen:
        frame_source, frame = "scrcpy", Frame(np.zeros((2, 2, 3), np.uint8), sequence=1, received_ns=1)

        def newest_frame(self) -> Frame | None:
            return self.frame

    screen, never = Screen(), threading.Event()
    pictures = StreamedPictures(screen, None)  # type: ignore[arg-type]
    assert (pictures.is_stream, pictures.name) == (True, "scrcpy")
    assert pictures.picture(never) is screen.frame
    screen.frame, screen.frame_source = None, ""  # type: ignore[assignment]
    assert (pictures.is_stream, pictures.name) == (False, "screencap")
    assert pictures.picture(never) is taken
    assert ScreenshotPictures(None).picture(never) is taken  # type: ignore[arg-type]
