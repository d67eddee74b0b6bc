"""Matroska files of a phone's video: written as it arrives, read, and cut. No picture is encoded anew.

A file begins at 0 and says in the tag ``WAYMARK_FROM_MS`` when that was in its recording. A file whose writer
was killed can be read up to about its last second.
"""

from __future__ import annotations

import errno
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from collector.model.geometry import Size
from collector.model.i18n import _
from collector.pictures.limits import no_other_file
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, write_error
from collector.store.files.links import refuse_link
from collector.store.files.part_files import PartFile

FROM_TAG, LEFT_OUT_TAG = "WAYMARK_FROM_MS", "WAYMARK_LEFT_OUT"
_MILLISECOND = Fraction(1, 1000)
_CLUSTER_MS = 1000
"""A cluster reaches the disk once it is over."""
_WRITING = {"flush_packets": "1", "cluster_time_limit": str(_CLUSTER_MS)}
EARLY_MS = 250
"""A picture may reach this computer so much earlier or later than the touch that it answers."""
Interval = tuple[int, int]
"""From and to, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A place of a video that has a name."""

    start_ms: int
    title: str


@dataclass(frozen=True, slots=True)
class VideoFacts:
    """What a video says of itself."""

    length_ms: int
    """0 when its writer was killed: only a closed file knows its length."""
    size: Size
    pictures: int
    from_ms: int
    """When it begins in its recording."""
    left_out: tuple[Interval, ...]
    """What was cut out of it, in its own time."""
    chapters: tuple[Chapter, ...]


class MkvWriter:
    """Writes one stream of pictures. Not thread-safe. Every method may raise StoreError."""

    def __init__(self, path: Path, parameters: bytes, first: bytes, from_ms: int) -> None:
        """``parameters`` (SPS and PPS) and the key frame ``first`` describe the stream; none is written."""
        import av

        refuse_link(path)
        self._path = path
        with _explained(path):
            # A stream is copied from a template, so one is read of the first picture.
            template = av.open(io.BytesIO(parameters + first), format="h264")
            self._file: Any = av.open(path, "w", format="matroska", options=dict(_WRITING))
            try:
                self._stream = self._file.add_stream_from_template(template.streams.video[0])
            finally:
                template.close()
            self._stream.time_base = _MILLISECOND
            self._file.metadata[FROM_TAG] = str(from_ms)
            self._file.start_encoding()
        self._last = -1

    def write(self, data: bytes, t_ms: int, *, is_key: bool, lasts_ms: int = 0) -> None:
        """Add a picture at ``t_ms`` from the beginning of the file; times only grow."""
        from av import Packet

        self._last = max(t_ms, self._last + 1)
        with _explained(self._path):
            packet = Packet(data)
            packet.pts = packet.dts = self._last
            packet.time_base, packet.stream, packet.is_keyframe = _MILLISECOND, self._stream, is_key
            packet.duration = lasts_ms
            self._file.mux(packet)

    def close(self) -> None:
        """Write what is missing for players to seek. May be called twice."""
        file, self._file = self._file, None
        if file is not None:
            with _explained(self._path):
                file.close()


def read_facts(path: Path) -> VideoFacts:
    """Read a video without decoding it. Raises Damaged when it is none that can be played."""
    with _opened(path) as (file, stream):
        pictures = sum(1 for _packet in _packets(path, file, stream))
        titled = [(it, str(it["metadata"].get("title", ""))) for it in file.chapters()]
        chapters = tuple(Chapter(round(it["start"] * it["time_base"] * 1000), title) for it, title in titled)
        return VideoFacts(
            (file.duration or 0) // 1000, Size(stream.codec_context.width, stream.codec_context.height),
            pictures, _number(file.metadata.get(FROM_TAG)), _intervals(file.metadata.get(LEFT_OUT_TAG, "")),
            chapters,
        )  # fmt: skip


def cut_video(
    path: Path, intervals: Sequence[Interval], chapters: Sequence[Chapter] | None = None, *,
    never_written: Sequence[Interval] = (), disk: Disk | None = None,
) -> tuple[Interval, ...]:  # fmt: skip
    """Leave the pictures of ``intervals`` out of a video for good, and give it ``chapters``.

    Intervals are milliseconds of the file. All goes from :data:`EARLY_MS` before one to the next key frame
    after it: what comes before stands on earlier pictures alone, what comes after on none that went. So what
    is left can be decoded, and nothing of what was there is on the disk. Times stay as they were; the file
    says what is missing, with what was ``never_written``. Without ``chapters`` it keeps its own. A file of
    which nothing is left is removed. Returns everything that is missing now, also what was cut before. Raises
    StoreError, and then the file is as before.
    """
    disk, facts = disk or Disk(), read_facts(path)
    groups = _groups(path)
    gone = [lost for group in groups if (lost := _part_of(group, intervals)) is not None]
    missing = merged([*facts.left_out, *never_written, *gone])
    if all(group in gone for group in groups):
        disk.remove(path)
        return missing
    part = PartFile(path)
    try:
        with _explained(path):
            part.begin()
            _copy(path, part.path, gone, facts.chapters if chapters is None else chapters, missing)
        part.make_ready()
        disk.put_in_place(part.path, path)
    finally:
        part.close()
        part.path.unlink(missing_ok=True)
    return missing


def _copy(
    path: Path, part: Path, gone: Sequence[Interval], chapters: Sequence[Chapter],
    missing: Sequence[Interval],
) -> None:  # fmt: skip
    import av

    with _opened(path) as (file, stream), av.open(part, "w", format="matroska") as copy:
        target = copy.add_stream_from_template(stream)
        copy.metadata.update({FROM_TAG: str(_number(file.metadata.get(FROM_TAG)))})
        if missing:
            copy.metadata[LEFT_OUT_TAG] = ", ".join(f"{begin}-{end}" for begin, end in missing)
        copy.set_chapters(_listed(chapters))
        for packet in _packets(path, file, stream):
            ms, lasts_ms = _ms(packet), _lasts_ms(packet)
            if not any(begin <= ms < end for begin, end in gone):
                cut = min((begin for begin, _end in gone if begin > ms), default=ms + lasts_ms)
                if cut < ms + lasts_ms:  # the last picture before what goes
                    packet.duration = round((cut - ms) / 1000 / packet.time_base)
                packet.stream = target
                copy.mux(packet)


def _listed(chapters: Sequence[Chapter]) -> list[Any]:
    """Chapters as the library takes them: each begins after the one before and ends where the next begins."""
    starts: list[int] = []
    for chapter in chapters:
        # Of chapters that begin at once, readers know the first alone.
        starts.append(max(chapter.start_ms, starts[-1] + 1 if starts else 0))
    ends = [*starts[1:], starts[-1] + 1] if starts else []
    return [
        {
            "id": number, "start": start, "end": end, "time_base": _MILLISECOND,
            "metadata": {"title": chapter.title},
        }
        for number, (chapter, start, end) in enumerate(zip(chapters, starts, ends, strict=True), start=1)
    ]  # fmt: skip


def _groups(path: Path) -> list[Interval]:
    """When each key frame and the pictures that need it are shown.

    A group ends when its last picture does, which is before the next one where something was left out.
    """
    begins, ends, newest = list[int](), list[int](), 0
    with _opened(path) as (file, stream):
        for packet in _packets(path, file, stream):
            begin, lasts = _ms(packet), _lasts_ms(packet)
            if packet.is_keyframe or not begins:
                begins.append(begin)
                ends.append(0)
            ends[-1] = begin + lasts if lasts else 0  # a file that does not say it: until the next group
            newest = begin
    following = [*begins[1:], newest + 1][: len(begins)]
    known = zip(begins, ends, following, strict=True)
    return [(begin, max(begin + 1, end or after)) for begin, end, after in known]


def _part_of(group: Interval, intervals: Sequence[Interval]) -> Interval | None:
    """What goes of a group: all from the first of ``intervals`` in it on, as it stands on that."""
    begins = [begin for begin, end in intervals if group[0] <= end and group[1] > begin]
    return (max(group[0], min(begins) - EARLY_MS), group[1]) if begins else None


def merged(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Intervals in order, those that meet as one."""
    apart: list[Interval] = []
    for begin, end in sorted(intervals):
        if apart and begin <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((begin, end))
    return tuple(apart)


def _ms(packet: Any) -> int:
    return round(float((packet.pts or packet.dts or 0) * packet.time_base) * 1000)


def _lasts_ms(packet: Any) -> int:
    """How long a picture is shown; 0 where the file does not say it."""
    return round(float((packet.duration or 0) * packet.time_base) * 1000)


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 16 else 0


def _intervals(text: str) -> tuple[Interval, ...]:
    parts = (part.strip().partition("-") for part in text.split(",") if part.strip())
    return tuple((_number(begin), _number(end)) for begin, _dash, end in parts)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Any, Any]]:
    """A file and its video stream. Raises Damaged when there is none; no other file is opened for it."""
    import av

    refuse_link(path)
    with ExitStack() as stack:
        with _readable(path):
            data = stack.enter_context(path.open("rb"))
            file = stack.enter_context(av.open(data, format="matroska", io_open=no_other_file))
        if not file.streams.video:
            raise Damaged(_("{name} has no video", name=path.name))
        yield file, file.streams.video[0]


def _packets(path: Path, file: Any, stream: Any) -> Iterator[Any]:
    """The pictures of a stream in order, as they are encoded. Raises Damaged."""
    packets = iter(file.demux(stream))
    while True:
        with _readable(path):
            packet = next(packets, None)
        if packet is None:
            return
        if packet.size:
            yield packet


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    from av.error import FFmpegError

    try:
        yield
    except (FFmpegError, OSError) as error:
        raise Damaged(_("{name} cannot be read", name=path.name), str(error)) from None


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    from av.error import FFmpegError

    try:
        yield
    except (FFmpegError, OSError) as error:
        number = error.errno or errno.EIO
        raise write_error(path, OSError(number, error.strerror or str(error))) from error
