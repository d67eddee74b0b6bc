"""Videos as sources: which picture belongs to a touch, which are states, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from collector.exchange.datasets.screen_videos import FORMAT
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source.model import SourceStep, SourceTrajectory
from collector.model.action import LongPress, Tap, Type
from collector.model.geometry import Size
from collector.pictures.video_file import video_pictures
from tests.helpers.h264 import video

SCREEN = Size(40, 80)


def read(folder: Path, files: dict[str, bytes]) -> tuple[list[SourceStep], dict[str, str]]:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    log = ExchangeLog()
    assert FORMAT.read is not None
    items = list(FORMAT.read(folder, log))
    found = {finding.code: finding.what for finding in log.findings}
    steps = [step for item in items if isinstance(item, SourceTrajectory) for step in item.steps]
    return steps, found


def lines(*touches: Any) -> bytes:
    return "\n".join(json.dumps(touch) for touch in touches).encode()


def test_a_touch_has_the_picture_that_was_shown_when_it_began(tmp_path: Path) -> None:
    touches = [{"t": 2.0, "x": 1, "y": 2}, {"t": 0.9, "x": 3, "y": 4}, {"t": 99, "x": 5, "y": 6}]
    steps, found = read(tmp_path, {"a.mp4": video((0, 1, 2, 3), SCREEN), "a.jsonl": lines(*touches)})
    assert [(step.t_ms, getattr(step.action, "x", None)) for step in steps] == [
        (0, 3), (2000, 1), (3000, 5), (3000, None),
    ]  # fmt: skip
    assert not found


def test_a_held_touch_is_a_long_press_and_a_text_has_its_length(tmp_path: Path) -> None:
    touches = [{"t": 1, "x": 1, "y": 2, "duration_ms": 399}, {"t": 2, "x": 1, "y": 2, "duration_ms": 900},
               {"t": 3, "text": "bread"}]  # fmt: skip
    steps, _found = read(tmp_path, {"a.mp4": video((0, 1, 2, 3), SCREEN), "a.jsonl": lines(*touches)})
    assert [step.action for step in steps] == [
        Tap(1, 2, duration_ms=399), LongPress(1, 2, 900), Type("bread", 5), None,
    ]  # fmt: skip


def test_without_touches_the_states_are_the_pictures_that_differ(tmp_path: Path) -> None:
    steps, found = read(tmp_path, {"a.mkv": video((0, 0.2, 1.2, 2.4, 2.6), SCREEN, "matroska")})
    assert [step.t_ms for step in steps] == [0, 1200, 2400, 2600]
    assert list(found) == ["no-actions"]


@pytest.mark.parametrize(
    "touch",
    [{"t": 1, "x": 40, "y": 2}, {"t": 1, "x": "?", "y": 2}, {"t": 1, "x": 1, "y": 1e400}, {"t": 1}],
)
def test_a_touch_beside_the_picture_is_reported(tmp_path: Path, touch: Any) -> None:
    steps, found = read(tmp_path, {"a.mp4": video((0, 1), SCREEN), "a.jsonl": lines(touch)})
    assert steps[0].action is None
    assert steps[0].extra["source_action"] == touch
    assert list(found) == ["action-unknown"]


def test_lines_without_a_time_are_reported(tmp_path: Path) -> None:
    files = {"a.mp4": video((0, 1), SCREEN), "a.csv": b"t,x,y\nsoon,1,2\n0.5,1,2,3,4\n-1,1,1\n0.6,7,8"}
    steps, found = read(tmp_path, files)
    assert [getattr(step.action, "x", None) for step in steps] == [1, 7, None]
    assert list(found) == ["touch-unreadable"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n",
        b"ffconcat version 1.0\nfile /etc/passwd\n",
        b"\0\0\0\x18ftypisom" + b"\xff" * 64,
        b"\x1a\x45\xdf\xa3" + b"\0" * 64,
    ],
)
def test_what_is_no_video_is_one_sentence(tmp_path: Path, data: bytes) -> None:
    steps, found = read(tmp_path, {"a.mp4": data})
    assert steps == []
    assert found["video-damaged"].startswith("The video cannot be decoded")


def test_a_video_that_is_cut_short_gives_what_it_has(tmp_path: Path) -> None:
    data = video([number * 1.0 for number in range(8)], Size(640, 640), "matroska")
    steps, _found = read(tmp_path, {"a.mkv": data[: len(data) * 2 // 3]})
    assert 0 < len(steps) < 8


def test_a_codec_that_no_screen_is_recorded_with_is_refused(tmp_path: Path) -> None:
    import io

    import av
    import numpy as np

    data = io.BytesIO()
    with av.open(data, "w", format="matroska") as container:
        stream = container.add_stream("mjpeg", rate=1)
        stream.width, stream.height, stream.pix_fmt = 40, 80, "yuvj420p"
        frame = av.VideoFrame.from_ndarray(np.zeros((80, 40, 3), np.uint8), format="rgb24")
        container.mux(stream.encode(frame))
        container.mux(stream.encode())
    _steps, found = read(tmp_path, {"a.mkv": data.getvalue()})
    assert "mjpeg" in found["video-damaged"]


def test_pictures_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(video((0, 1), SCREEN))
    first, second = video_pictures(path)
    assert (first.size, second.t_ms) == (SCREEN, 1000)
    assert first.png().startswith(b"\x89PNG")
    assert abs(int(second.thumbnail(8)[0, 0]) - int(first.thumbnail(8)[0, 0])) > 16
