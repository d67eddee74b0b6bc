"""Budget of a step: <= 100 ms off the GUI thread, without the phone's own dump; on it, next to nothing."""

from __future__ import annotations

import datetime as dt
import time
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.action import Tap
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from collector.model.trajectory import TrajectoryHeader
from collector.pictures.encoded_picture import EncodedPictures
from collector.recorder.recorder import Recorder
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.settle import MAP_SIZE, FrameHistory
from collector.recorder.step_builder import CapturedAction, build_step
from collector.recorder.video.held_pictures import HeldPictures
from collector.store.trajectory.writer import TrajectoryWriter
from collector.store.video.mkv import MkvWriter
from tests.helpers.dumps import large_dump
from tests.helpers.fake_source import SCREEN, FakeClock, FakeSource
from tests.helpers.h264 import access_units

PHONE = Size(1080, 2400)


def _screen() -> np.ndarray:
    """Cards, lines of letters and a photograph: what a phone's screen costs to encode."""
    rng = np.random.default_rng(3)
    pixels = np.full((PHONE.height, PHONE.width, 3), 245, np.uint8)
    for top in range(100, 2300, 150):
        pixels[top : top + 130, 40:1040] = 255
        letters = rng.integers(0, 2, (40, 400, 1), np.uint8) * 200
        pixels[top + 30 : top + 70, 80:480] = letters
    pixels[400:900, 100:900] = rng.normal(128, 12, (500, 800, 3)).astype(np.uint8)
    return pixels


@pytest.mark.benchmark(group="a step at 1080x2400 with 400 nodes (budget 100 ms)", timer=time.perf_counter)
def test_develop_and_write(benchmark: BenchmarkFixture, tmp_path: Path, within) -> None:
    xml = large_dump(400)
    snapshot = TreeSnapshot(xml, parse_tree(xml), 0, 1, "fake")
    frame = Frame(_screen(), sequence=1, received_ns=2)
    moment = ScreenMoment(3, dt.datetime.now(dt.UTC), frame, snapshot, "a", "b", PHONE, 0, "fake")
    history = FrameHistory()
    history.add(0, frame.luma(MAP_SIZE))
    writer = TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "task"))

    def step() -> None:
        written = build_step(CapturedAction(moment, Tap(500, 500)), history)
        writer.append(written.step, written.png, written.xml)

    benchmark.pedantic(step, rounds=20)
    writer.close()
    within(0.1)


@pytest.mark.benchmark(group="what the person waits for at a touch-down")
def test_touch_down(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    clock = FakeClock()
    source = FakeSource(clock)
    source.show(40)
    source.dump()
    writer = TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "task"))
    recorder = Recorder(source, writer, clock=clock)
    place = Position(Point(50, 50), SCREEN)

    def touch() -> None:
        recorder.touch(TouchAction.DOWN, 0, place)
        recorder.touch(TouchAction.CANCEL, 0, place)

    benchmark(touch)
    recorder.close()
    writer.close()


@pytest.mark.benchmark(
    group="10 s of video at 60 fps and 8 Mbit/s (budget 3 % of a core)", timer=time.process_time
)
def test_video_beside_the_steps(benchmark: BenchmarkFixture, tmp_path: Path, within) -> None:
    """From the packets of the stream to the file; a step a second lets them go."""
    units, size = access_units(60, gop=60), 8_000_000 // 8 // 60
    padded = [unit + b"\x80" * max(0, size - len(unit)) for unit in units]
    numbers = count()

    def record() -> None:
        marker, held, file = EncodedPictures(), HeldPictures(), None
        for number in range(600):
            t_ms = number * 1000 // 60
            picture = marker.picture(padded[number % 60], t_ms * 1_000_000)
            assert picture is not None
            held.take(picture, t_ms)
            for group in held.step(t_ms, redacted=False) if number % 60 == 0 else ():
                if file is None:
                    path = tmp_path / f"{next(numbers)}.mkv"
                    file = MkvWriter(path, group.parameters, group.pictures[0][1], 0)
                for shown, data in group.pictures:
                    file.write(data, shown, is_key=shown == group.start_ms)
        assert file is not None
        file.close()

    benchmark.pedantic(record, rounds=5)
    within(0.3)
