"""screenrecord through the shell and a real adb; its recordings are decoded by PyAV."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import av
import numpy as np
import pytest

from collector.model.geometry import Size
from collector.virtual.device import VirtualDevice
from collector.virtual.shell.process import CommandError
from collector.virtual.video.recording_options import RecordingOptions, parse_recording
from collector.virtual.video.screen import Fitted
from tests.helpers.shell import run
from tests.helpers.virtual import adb_server, virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")
SMALL = Size(240, 480)


@pytest.fixture(scope="module")
def device() -> Iterator[VirtualDevice]:
    with virtual_device(size=SMALL, density=160) as device:
        yield device


def frames(data: bytes, form: str) -> list[av.VideoFrame]:
    with av.open(io.BytesIO(data), format=form) as container:
        return list(container.decode(video=0))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("a.mp4", RecordingOptions("a.mp4")),
        ("--output-format=h264 -", RecordingOptions("-", raw=True)),
        ("--size 721x1601 --bit-rate 4M a", RecordingOptions("a", Size(720, 1600), 4_000_000)),
        ("a --time-limit=7 --bit-rate 250000", RecordingOptions("a", None, 250_000, 7)),
        ("--bugreport --verbose -- --a", RecordingOptions("--a", overlay=True, verbose=True)),
        ("--help whatever more", None),
    ],
)
def test_options_are_read_as_on_a_phone(words, expected):
    assert parse_recording(words.split()) == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "Must specify output file (see --help)."),
        ("a b", "Must specify output file (see --help)."),
        ("--size 7 a", "Invalid size '7', must be width x height"),
        ("--size 0x7 a", "Invalid size 0x7, width and height may not be zero"),
        ("--bit-rate 1 a", "Bit rate 1bps outside acceptable range [100000,200000000]"),
        ("--bit-rate much a", "Unexpected value: much"),
        ("--time-limit 181 a", "Time limit 181s outside acceptable range [1,180]"),
        ("--output-format=gif a", "Unknown format 'gif'"),
        ("--loud a", "screenrecord: unknown option -- loud"),
        ("--size", "screenrecord: option requires an argument -- size"),
    ],
)
def test_misuse_ends_with_status_2_and_the_real_words(device, words, message):
    with pytest.raises(CommandError) as caught:
        parse_recording(words.split())
    assert (str(caught.value), caught.value.status) == (message, 2)
    assert run(device.machine, f"screenrecord {words}") == ("", f"{message}\n", 2)


def test_a_file_that_cannot_be_made_is_said_at_once(device):
    _, err, status = run(device.machine, "screenrecord -")
    assert (err, status) == ("Unable to open '-': Read-only file system\n", 1)


def test_h264_on_stdout_begins_with_its_parameters_and_ends_at_its_limit(device):
    with adb_server() as adb:
        adb.connect(device.address)
        done = adb.run("exec-out", "screenrecord", "--output-format=h264", "--time-limit", "1", "-")
    assert done.stdout.startswith(b"\0\0\0\1\x67")
    assert done.stdout.find(b"\0\0\0\1\x68") < done.stdout.find(b"\0\0\0\1\x65")
    shown = frames(done.stdout, "h264")
    assert [(frame.width, frame.height) for frame in shown] == [(240, 480)] * 2, "the screen, and once more"


def test_recording_ends_when_nobody_reads(device):
    out, _, _ = run(device.machine, "screenrecord --output-format=h264 - | head -c 4 | wc -c")
    assert out == "4\n"
    assert not [process for process in device.machine.processes if process.name == "screenrecord"]


def test_an_interrupted_recording_is_a_whole_movie(device):
    with ThreadPoolExecutor(1) as pool:
        recording = pool.submit(run, device.machine, "screenrecord --verbose /sdcard/a.mp4")
        while run(device.machine, "pkill -INT screenrecord")[2]:
            assert not recording.done()
        _, err, status = recording.result()
    assert (err, status) == ("", 0)
    shown = frames(device.machine.files.read("/sdcard/a.mp4"), "mp4")
    assert {(frame.width, frame.height) for frame in shown} == {(240, 480)}
    assert shown[0].time == 0


def test_a_turned_screen_is_fitted_into_the_same_video():
    class Turned:
        size, secure, generation = SMALL.transposed, False, 1
        rgba = np.full((240, 480, 4), 255, np.uint8)

    planes = Fitted(SMALL).frame(Turned(), SMALL).to_ndarray()
    light = planes[:480] > 128
    assert light[240, :].all()
    assert not light[:160].any()
    assert not light[320:].any()


def test_a_secure_window_is_recorded_black():
    class Secret:
        size, secure, generation = SMALL, True, 1
        rgba = np.full((480, 240, 4), 255, np.uint8)

    assert (Fitted(SMALL).frame(Secret(), SMALL).to_ndarray()[:480] == 16).all()


def test_a_bug_report_shows_the_time():
    class Light:
        size, secure, generation = SMALL, False, 1
        rgba = np.full((480, 240, 4), 255, np.uint8)

    planes = Fitted(SMALL, lambda: "12:34:56.789").frame(Light(), SMALL).to_ndarray()
    assert planes[:15].min() == 16
    assert planes[:15].max() > 128, "text on a dark strip"
