"""The video beside the steps: which files it has, as the header says, and how they follow the steps.

A recording has a new part after each change of the stream (a turned screen, another connection) and each time
it is resumed. Times of a part are those of the steps, ``t_ms``; its file begins at ``from_ms``.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.trajectory import Step, TrajectoryHeader
from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged
from collector.store.files.names import inside
from collector.store.video.mkv import Chapter, Interval, cut_video, merged, read_facts

VIDEO_KEY = "video"
"""Key of the header."""
_SUFFIX = ".mkv"
_NO_SIZE = Size(0, 0)
_MOST_PARTS = 10_000
_EVER = 1 << 40
"""Milliseconds: after every recording."""


@dataclass(frozen=True, slots=True)
class VideoPart:
    """One file of a video."""

    file: str
    """Its name in the trajectory's folder; empty when nothing of it is left."""
    from_ms: int
    length_ms: int = 0
    size: Size = _NO_SIZE
    sha256: str = ""
    """Empty until the recording was closed."""
    left_out: tuple[Interval, ...] = ()
    """What is missing, because steps were redacted there."""

    def as_dict(self) -> dict[str, Any]:
        """As in the header; what is not known is absent."""
        values: dict[str, Any] = {"file": self.file, "from_ms": self.from_ms, "length_ms": self.length_ms}
        if not self.size.is_empty:
            values["size"] = [self.size.width, self.size.height]
        more = {"sha256": self.sha256, "left_out": [list(interval) for interval in self.left_out]}
        return {**values, **{key: value for key, value in more.items() if value}}

    def offset_of(self, t_ms: int) -> int | None:
        """Where a time of the recording is in the file, in milliseconds; None where it has no picture."""
        is_inside = self.from_ms <= t_ms <= self.from_ms + self.length_ms
        is_missing = any(begin <= t_ms < end for begin, end in self.left_out)
        return t_ms - self.from_ms if self.file and is_inside and not is_missing else None


def video_parts(header: TrajectoryHeader) -> tuple[VideoPart, ...]:
    """The parts of a trajectory's video, in order; none where it has no video. What is damaged is skipped."""
    value = header.extra.get(VIDEO_KEY)
    entries = value if isinstance(value, list) else []
    return tuple(part for entry in entries if (part := _part(entry)) is not None)


def _part(entry: object) -> VideoPart | None:
    if not isinstance(entry, Mapping):
        return None
    try:
        size = Size(*map(int, entry.get("size") or (0, 0)))
        left_out = tuple((int(begin), int(end)) for begin, end in entry.get("left_out") or ())
        return VideoPart(
            str(entry.get("file") or ""), int(entry["from_ms"]), int(entry.get("length_ms") or 0), size,
            str(entry.get("sha256") or ""), left_out,
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def with_parts(extra: Mapping[str, Any], parts: Sequence[VideoPart]) -> dict[str, Any]:
    """The extra keys of a header with these parts; without any there is no key."""
    others = {key: value for key, value in extra.items() if key != VIDEO_KEY}
    return {**others, VIDEO_KEY: [part.as_dict() for part in parts]} if parts else others


def next_part_name(folder: Path) -> str:
    """The name of the next part: the first one that no file has."""
    numbers = ("" if number == 1 else f"-{number}" for number in range(1, _MOST_PARTS))
    names = (f"{layout.VIDEO}{number}{_SUFFIX}" for number in numbers)
    return next(name for name in names if not (folder / name).exists())


def video_files(folder: Path) -> list[str]:
    """The names of the files in a trajectory's folder that are parts of a video by their names."""
    return sorted(path.name for path in folder.glob(f"{layout.VIDEO}*{_SUFFIX}"))


def clock_text(ms: int) -> str:
    """A place in a video, as players show it: 1:02:03.4."""
    seconds, tenths = divmod(ms // 100, 10)
    minutes, hours = seconds // 60, seconds // 3600
    start = f"{hours}:{minutes % 60:02d}" if hours else f"{minutes}"
    return f"{start}:{seconds % 60:02d}.{tenths}"


def chapters_of(part: VideoPart, parts: Sequence[VideoPart], steps: Sequence[Step]) -> list[Chapter]:
    """A chapter for each step of a part, named after its action; it says so where no picture shows the step.

    A step belongs to the newest part that had begun, or to the first one.
    """
    files = [known for known in parts if known.file]
    chapters = []
    for step in steps:
        own = next((known for known in reversed(files) if known.from_ms <= step.t_ms), files[0])
        if own.file != part.file or not (step.action is not None or step.description):
            continue
        title = f"{step.index + 1}. {step.description}".strip()
        if part.offset_of(step.t_ms) is None:
            title = _("{step} (not in the video)", step=title)
        chapters.append(Chapter(min(max(0, step.t_ms - part.from_ms), part.length_ms), title))
    return chapters


def close_parts(
    folder: Path, parts: Sequence[VideoPart], steps: Sequence[Step], disk: Disk | None = None
) -> tuple[VideoPart, ...]:
    """Give parts that were not closed their chapters, length and digest. Raises StoreError.

    What was shown where a step is redacted by now is left out: it may have been hidden after it was written.
    The file of a part that cannot be read, because its writer was killed before its first second, goes to
    ``lost+found``.
    """
    disk, closed = disk or Disk(), []
    hidden = cut_of_steps(steps, [index for index, step in enumerate(steps) if step.redacted])
    for part in parts:
        if not part.file or part.sha256:
            closed.append(part)
            continue
        path = inside(folder, part.file)
        try:
            read_facts(path)
        except Damaged:
            if path.is_file():
                disk.make_folder(folder / layout.LOST)
                disk.move(path, folder / layout.LOST / path.name)
            continue
        closed.append(_rewritten(path, part, parts, hidden, steps, disk))
    return tuple(closed)


def cut_parts(
    folder: Path, parts: Sequence[VideoPart], intervals: Sequence[Interval], steps: Sequence[Step],
    disk: Disk | None = None,
) -> tuple[VideoPart, ...]:  # fmt: skip
    """Leave ``intervals`` (times of the recording) out of all parts for good, see :func:`cut_video`.

    Chapters are named after ``steps`` as they are now. A part that is being written stays, and is cut when
    it is closed. Raises StoreError; what was cut before stays cut.
    """
    disk = disk or Disk()
    return tuple(
        _rewritten(inside(folder, part.file), part, parts, intervals, steps, disk)
        if part.file and part.sha256
        else part
        for part in parts
    )


def cut_of_steps(steps: Sequence[Step], indexes: Sequence[int]) -> list[Interval]:
    """The times at which the screens of these steps were shown: from the step before to the one after."""
    times, last = [step.t_ms for step in steps], len(steps) - 1
    return [
        (times[index - 1] if index else 0, times[index + 1] if index < last else max(times[index], _EVER))
        for index in indexes
    ]


def _rewritten(
    path: Path, part: VideoPart, parts: Sequence[VideoPart], intervals: Sequence[Interval],
    steps: Sequence[Step], disk: Disk,
) -> VideoPart:  # fmt: skip
    begin = part.from_ms
    own = [(from_ms - begin, to_ms - begin) for from_ms, to_ms in intervals]
    never = [(max(0, from_ms - begin), to_ms - begin) for from_ms, to_ms in part.left_out if to_ms > begin]
    missing = cut_video(path, own, [], never_written=never, disk=disk)
    before = [interval for interval in part.left_out if interval[0] < begin]
    left_out = merged([*before, *((from_ms + begin, to_ms + begin) for from_ms, to_ms in missing)])
    if not path.exists():
        return dataclasses.replace(part, file="", sha256="", left_out=left_out)
    facts = read_facts(path)
    part = dataclasses.replace(part, length_ms=facts.length_ms, size=facts.size, left_out=left_out)
    cut_video(path, (), chapters_of(part, parts, steps), disk=disk)
    with path.open("rb") as file:
        return dataclasses.replace(part, sha256=hashlib.file_digest(file, "sha256").hexdigest())
