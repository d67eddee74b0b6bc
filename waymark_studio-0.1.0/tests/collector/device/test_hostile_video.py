"""Videos that no scrcpy server sends: each ends with a reason, and another source begins."""

from __future__ import annotations

import contextlib
import io
import queue
import struct
import threading
from collections.abc import Iterator

import pytest
from PIL import Image

from collector.adb.scrcpy.control import MAX_CLIPBOARD, SetClipboard
from collector.adb.scrcpy.stream import (
    CODECS,
    MAX_PACKET,
    VideoPacket,
    VideoSession,
    encode_codec_meta,
    encode_device_meta,
    encode_packet_header,
    encode_session,
)
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.adb.smart_socket import OKAY
from collector.device.errors import CaptureFailed
from collector.device.frame import Frame
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.video import (
    frame_supervisor,
    scrcpy_link,
    scrcpy_source,
    screenrecord_source,
    video_limits,
)
from collector.device.video.scrcpy_server_jar import ScrcpyServerJar
from collector.device.video.scrcpy_source import ScrcpySource
from collector.device.video.screenrecord_source import ScreenrecordSource
from collector.model.geometry import Size
from tests.helpers.h264 import access_units
from tests.helpers.hostile_adb import SERIAL, Answer, drip, endless, held, hostile_adb, reset, scrcpy, shell
from tests.helpers.watched import Watched

V3, V4 = ScrcpyVersion.parse("3.3.4"), ScrcpyVersion.parse("4.0")
META = OKAY + b"\0" + encode_device_meta(V3, "Pixel 7", Size(64, 64))
HEAD = META + encode_codec_meta(V3, "h264", Size(64, 64))
JUNK = bytes(range(256)) * 4
PROPERTIES = b"[ro.product.model]: [Pixel 7]\n[ro.waymark.seed]: [1]\n"
SIZE = b"Physical size: 64x64\nPhysical density: 160\n orientation=0\n"


SILENT = held(OKAY)


LIMITS = {
    "did not start": (scrcpy_link, "_START_S", 0.15),
    "sent no picture": (scrcpy_source, "_FIRST_FRAME", 0.15),
    "gave no picture": (screenrecord_source, "_FIRST_FRAME", 0.15),
    "rest of a packet": (video_limits.PacketLimit.__init__, "__defaults__", (0.1,)),
    "cannot be decoded": (video_limits.PictureLimit.__init__, "__defaults__", (0.1,)),
}
"""Words of an error -> the limit it speaks of, and what it is in a test that waits for it."""


@pytest.fixture
def hurry(monkeypatch):
    """Make the limits short that an error with such words speaks of; all others have time."""

    def shorten(words: str) -> None:
        for module in (scrcpy_source, screenrecord_source):
            monkeypatch.setattr(module, "_FIRST_FRAME", 60.0)
        for told, limit in LIMITS.items():
            if told in words:
                monkeypatch.setattr(*limit)

    return shorten


def packet(data: bytes, version: ScrcpyVersion = V3, **flags: object) -> bytes:
    made = VideoPacket(data, **flags)  # type: ignore[arg-type]
    return encode_packet_header(version, made) + data


def header(value: int, length: int) -> bytes:
    return struct.pack(">QI", value, length)


@contextlib.contextmanager
def scrcpy_source_of(
    video: Answer, control: Answer = OKAY, version: ScrcpyVersion = V3, printed: Answer = SILENT
) -> Iterator[ScrcpySource]:
    """A source whose server sends ``video`` and prints ``printed``."""
    answers = {"localabstract:": scrcpy(video, control), "sync:": OKAY + OKAY + bytes(4), "exec:": printed}
    with hostile_adb(answers) as server:
        source = ScrcpySource(AdbDevice(SERIAL, AdbServer(server.port)), ScrcpyServerJar(b"jar", version, ""))
        yield source
        source.close()


class Frames:
    """The frames of a source."""

    def __init__(self) -> None:
        self._arrived: queue.Queue[Frame] = queue.Queue()

    def take(self, count: int) -> list[Frame]:
        return [self._arrived.get(timeout=10) for _number in range(count)]

    def __call__(self, frame: Frame) -> None:
        self._arrived.put(frame)


def why_not(video: Answer, version: ScrcpyVersion = V3) -> str:
    """Start a source on such a video; return why it does not start."""
    with scrcpy_source_of(video, version=version) as source, pytest.raises(CaptureFailed) as failure:
        source.start(Frames(), lambda _error: None)
    assert str(failure.value).isprintable()
    return str(failure.value)


@pytest.mark.parametrize(
    ("video", "words"),
    [
        (OKAY, "did not start"),
        (OKAY + b"\1", "did not start"),
        (held(OKAY), "did not start"),
        (drip(OKAY + b"\0" + bytes(64)), "sent no picture"),
        (OKAY + b"\0", "sent no picture"),
        (META + b"\0\0\0\0", "gives no video"),
        (META + b"\0\0\0\1", "could not configure"),
        (META + b"\xff\xff\xff\xff", "could not configure"),
        (META + struct.pack(">III", CODECS["h265"], 64, 64), "the video is h265, not h264"),
        (META + struct.pack(">III", CODECS["opus"], 64, 64), "the video is opus, not h264"),
        (META + struct.pack(">III", CODECS["h264"], 0, 0), "sent no picture"),
        (META + struct.pack(">III", CODECS["h264"], 0xFFFFFFFF, 0xFFFFFFFF), "sent no picture"),
        (HEAD + header(0, 0), "a packet of 0 bytes"),
        (HEAD + header(0, 0xFFFFFFFF), "a packet of 4294967295 bytes"),
        (HEAD + header(0, MAX_PACKET + 1), "a packet of 16777217 bytes"),
        (HEAD + header(0, MAX_PACKET) + b"x", "rest of a packet did not come"),
        (drip(HEAD + header(0, 9000) + b"x" * 900), "rest of a packet did not come"),
        (reset(HEAD + header(0, 9)), "stopped"),
        (HEAD + packet(access_units(1)[0], config=True), "sent no picture"),
        (endless(bytes(4096), first=HEAD), "a packet of 0 bytes"),
    ],
)
def test_a_video_without_a_picture_is_given_up_with_the_reason(hurry, video, words):
    hurry(words)
    assert words in why_not(video)


@pytest.mark.parametrize(
    "repeated",
    [packet(JUNK), packet(JUNK, config=True), packet(access_units(2)[1])],
    ids=["junk", "configuration", "never-a-key-frame"],
)
def test_a_video_that_never_decodes_ends_before_the_time_for_a_first_picture(hurry, repeated):
    hurry("cannot be decoded")
    assert "what cannot be decoded" in why_not(endless(repeated, first=HEAD))


def test_sizes_of_sessions_are_no_sizes_of_pictures(hurry):
    hurry("sent no picture")
    meta = OKAY + b"\0" + encode_device_meta(V4, "x", Size(1, 1)) + encode_codec_meta(V4, "h264", Size(1, 1))
    sizes = b"".join(encode_session(VideoSession(Size(*size))) for size in ((0, 0), (0xFFFFFFFF, 1)))
    assert "sent no picture" in why_not(meta + sizes, version=V4)


@pytest.mark.parametrize(
    "control",
    [
        OKAY + b"\0\xff\xff\xff\xff" + b"x" * 900,
        OKAY + b"\0\x7f\xff\xff\xff",
        OKAY + b"\x02\0\1\xff\xff",
        OKAY + b"\xff" * 900,
        endless(b"\1" + bytes(8)),
        drip(OKAY + b"\0\0\0\1\0"),
    ],
)
def test_messages_of_the_phone_cannot_stop_its_video(control):
    times = (0, (1 << 61) - 1, 5, 5, 0, 1 << 60, 3, 2)  # they jump back and forth
    packets = [packet(unit, pts_us=pts) for unit, pts in zip(access_units(8), times, strict=True)]
    frames = Frames()
    with scrcpy_source_of(HEAD + b"".join(packets), control) as source:
        source.start(frames, lambda _error: None)
        assert frames.take(1)[0].size == Size(64, 64)


def test_pictures_that_change_their_size_are_shown_as_they_come():
    sizes = (Size(64, 64), Size(2, 2), Size(640, 16), Size(16, 640))
    next_one = threading.Semaphore(0)

    def video(client):
        client.send(HEAD)
        for size in sizes:
            client.send(packet(access_units(1, size=size)[0]))
            next_one.acquire(timeout=10)
        client.hold()

    frames = Frames()
    with scrcpy_source_of(video) as source:
        source.set_view_size(Size(32, 32))
        source.start(frames, lambda _error: None)
        shown = []
        for _size in sizes:
            shown += frames.take(1)
            next_one.release()
    assert [frame.size for frame in shown] == list(sizes)


def test_a_control_socket_nobody_reads_ends_the_source_and_not_the_input(monkeypatch):
    monkeypatch.setattr(scrcpy_link, "_SEND_S", 0.1)
    failures: list[Exception] = []

    def read_nothing(client):
        client.send(OKAY)
        client.pause(60)

    with scrcpy_source_of(HEAD + packet(access_units(1)[0]), read_nothing) as source:
        source.start(Frames(), failures.append)
        while not failures:
            source.send(SetClipboard("x" * MAX_CLIPBOARD))
    assert "takes no input" in str(failures[0])


def test_a_server_that_prints_without_an_end_keeps_no_lines():
    picture = HEAD + packet(access_units(1)[0])
    with scrcpy_source_of(picture, printed=endless(b"x" * 4096)) as source:
        lines: list[str] = []
        source.server_lines.subscribe(lines.append)
        source.start(Frames(), lambda _error: None)
        assert lines == []


@pytest.mark.parametrize(
    ("recording", "words"),
    [
        (OKAY + b"\x1b[2Jno such option\n", r"no such option"),
        (held(OKAY), "gave no picture"),
        (endless(JUNK), "cannot be decoded"),
        (OKAY + b"".join(access_units(3)), "stopped"),
        (reset(OKAY + JUNK), ""),
    ],
)
def test_a_recording_without_a_picture_is_given_up_with_the_reason(hurry, recording, words):
    hurry(words)
    failures, failed = [], threading.Event()
    answers = {"exec:screenrecord": recording, "shell,v2,raw:wm size": shell(SIZE)}
    with hostile_adb(answers) as server:
        source = ScreenrecordSource(AdbDevice(SERIAL, AdbServer(server.port)))
        try:
            source.start(lambda _frame: None, lambda error: (failures.append(error), failed.set()))
            assert failed.wait(10)
        except CaptureFailed as error:
            failures.append(error)
        source.close()
    assert words in str(failures[0])
    assert str(failures[0]).isprintable()


def test_the_mirror_goes_on_with_the_next_source(monkeypatch, hurry):
    monkeypatch.setattr(frame_supervisor, "_BETWEEN_STOPS", 0.0)
    hurry("cannot be decoded")
    picture = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(picture, "PNG")
    answers = {
        "localabstract:": scrcpy(endless(packet(JUNK), first=HEAD)),
        "sync:": OKAY + OKAY + bytes(4),
        "exec:CLASSPATH": held(OKAY),
        "exec:screenrecord": endless(JUNK),
        "exec:screencap": OKAY + picture.getvalue(),
        "shell,v2,raw:getprop": shell(PROPERTIES),
        "shell,v2,raw:wm size": shell(SIZE),
    }
    with hostile_adb(answers) as server, Watched(SERIAL, server=AdbServer(server.port)) as watched:
        assert "what cannot be decoded" in watched.wait("message")
        assert "cannot be decoded" in watched.wait("message")
        assert watched.wait("source") == "screencap"
