"""Videos of scrcpy or ``screenrecord``. A list of touches has the video's name and ``.csv`` or ``.jsonl``:
``t`` in seconds, ``x``, ``y`` in pixels, ``x2``, ``y2`` of a swipe, ``duration_ms`` (from 400 a long
press), or ``text``. Without a list the states are the pictures that differ, at most one a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from collector.exchange.datasets.touch_list import MOST_TOUCHES, Touch, list_of, read_touches
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import OF_PHONES, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import unknown_action
from collector.exchange.source.extracted import extraction_folder, write_bytes
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.pictures.decoding import Pixels
from collector.pictures.errors import PictureError
from collector.pictures.video_file import VIDEOS, VideoPicture, video_pictures

_MOST_STATES = 5_000
_BETWEEN_MS = 1_000
_SIDE = 64
_UNLIKE = 16
"""Steps of brightness, of 256, by which a pixel of a thumbnail has to differ ..."""
_UNLIKE_PIXELS = 12
"""... and so many of them for another state."""


def detect(path: Path) -> float:
    """Guess from a video; surer when touches lie beside it."""
    certainty = 0.2 if path.is_file() else 0.04
    found = [0.6 if list_of(video) else certainty for video in _videos(path)]
    return max(found, default=0.0)


def _videos(root: Path) -> Iterator[Path]:
    return (path for path in source_files.files(root) if path.suffix.lower() in VIDEOS)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One recording for each video."""
    for video in _videos(path):
        log.where = name = video.stem
        log.use(video)
        with extraction_folder() as folder:
            steps = _steps(video, folder, log)
            if steps:
                yield SourceTrajectory(name, Task(name, name), steps)


def _steps(video: Path, folder: Path, log: ExchangeLog) -> list[SourceStep]:
    touches = _touches(video, log)
    frames = _readable(video, log)
    steps: list[SourceStep] = []
    if not touches:
        log.add("no-actions", _("A video has no actions: the steps have states alone"))
    for picture, touch in _touched(frames, touches) if touches else _different(frames):
        if len(steps) >= _MOST_STATES:
            log.add("states-left-out", _("States after the first {limit} were left out", limit=_MOST_STATES))
            break
        steps.append(_step(len(steps), picture, touch, folder, log))
    return steps


def _touches(video: Path, log: ExchangeLog) -> list[Touch]:
    path = list_of(video)
    log.use(path)
    touches, bad = read_touches(path) if path else ([], [])
    for number in bad:
        log.add("touch-unreadable", _("A touch without a time was left out"), step=number)
    if len(touches) > MOST_TOUCHES:
        log.add("touches-left-out", _("Touches after the first {limit} were left out", limit=MOST_TOUCHES))
    return touches[:MOST_TOUCHES]


def _readable(video: Path, log: ExchangeLog) -> Iterator[VideoPicture]:
    """The pictures of a video, up to where it is damaged."""
    try:
        yield from video_pictures(video)
    except PictureError as error:
        log.add("video-damaged", str(error))
    except OSError as error:
        log.add("video-damaged", str(source_files.unreadable(video, error)))


def _step(
    number: int, picture: VideoPicture, touch: Touch | None, folder: Path, log: ExchangeLog
) -> SourceStep:
    shot = write_bytes(folder, f"{number}.png", picture.png())
    step = SourceStep(str(number), shot, t_ms=picture.t_ms)
    if touch is not None:
        try:
            step.action = touch.action(picture.size)
        except ValueError as error:
            step.extra["source_action"] = dict(touch.values)
            unknown_action(step, error, log)
    return step


def _touched(
    frames: Iterator[VideoPicture], touches: list[Touch]
) -> Iterator[tuple[VideoPicture, Touch | None]]:
    """Each touch with the picture shown when it began, and the last picture of all."""
    waiting = list(reversed(touches))
    shown: VideoPicture | None = None
    for picture in frames:
        while shown is not None and waiting and waiting[-1].t_ms < picture.t_ms:
            yield shown, waiting.pop()
        shown = picture
    if shown is not None:
        yield from ((shown, touch) for touch in reversed(waiting))
        yield shown, None


def _different(frames: Iterator[VideoPicture]) -> Iterator[tuple[VideoPicture, None]]:
    """The pictures that differ from the one before, at most one in ``_BETWEEN_MS``, and the last one."""
    kept: Pixels | None = None
    looked_at = -_BETWEEN_MS
    last: VideoPicture | None = None
    for picture in frames:
        last = picture
        if picture.t_ms >= looked_at + _BETWEEN_MS:
            looked_at, last = picture.t_ms, None
            thumbnail = picture.thumbnail(_SIDE)
            if kept is None or _differs(kept, thumbnail):
                kept = thumbnail
                yield picture, None
    if last is not None and kept is not None and _differs(kept, last.thumbnail(_SIDE)):
        yield last, None


def _differs(one: Pixels, other: Pixels) -> bool:
    unlike = np.abs(one.astype(np.int16) - other.astype(np.int16)) > _UNLIKE
    return int(unlike.sum()) >= _UNLIKE_PIXELS


FORMAT = Format(
    id="screen-videos",
    title=N_("Recordings of a screen, with touches"),
    use=OF_PHONES,
    holds=(TRAJECTORIES,),
    files=N_("Videos (.mp4, .mkv, .webm), each with its touches in .csv or .jsonl where there are any"),
    detect=detect,
    read=read,
)
