"""Follow a trajectory while another process writes it: its new steps and events, its changes, its end.

Nothing is locked and nothing is written. A line counts once its newline is on the disk, as for its writer.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from collector.model.i18n import _
from collector.model.trajectory import RECORDING, Step, TrajectoryHeader
from collector.store.files import layout, lock
from collector.store.files.errors import Damaged, NotFound
from collector.store.trajectory import codec
from collector.store.trajectory.codec import Line
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.trajectory_files import MAX_JSON_BYTES


class TailState(Enum):
    """Whether anything may still come."""

    WRITING = "writing"
    ENDED = "ended"
    """It is finished, recovered or imported, and nobody has it open."""
    ABANDONED = "abandoned"
    """Its writer ended without finishing it; somebody may still recover it."""
    GONE = "gone"
    """It was moved or deleted."""


@dataclass(frozen=True, slots=True)
class TailNews:
    """What is new since the last :meth:`TrajectoryTail.poll`."""

    state: TailState
    steps: tuple[Step, ...] = ()
    """Steps that were appended; all steps when ``is_rewritten``."""
    events: tuple[Line, ...] = ()
    """Lines added to ``events.jsonl``; all of them when ``is_rewritten``."""
    header: TrajectoryHeader | None = None
    """The header, when it is new or has changed."""
    is_rewritten: bool = False
    """Whether steps that were known were edited, replaced or taken back."""
    problems: tuple[str, ...] = ()
    """One sentence for each new line that cannot be read and was passed over."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing but perhaps the state has changed."""
        return not (self.steps or self.events or self.header or self.is_rewritten or self.problems)


class TrajectoryTail:
    """Reads what is added to the trajectory in ``folder``. Any thread, one at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._steps = LineTail(folder / layout.STEPS)
        self._events = LineTail(folder / layout.EVENTS)
        self._header: TrajectoryHeader | None = None
        self._header_file: tuple[int, ...] = ()

    def poll(self) -> TailNews:
        """What is new; the first time everything there is. Raises Damaged, FromTheFuture or UnsafePath."""
        try:
            return self._news()
        except (NotFound, FileNotFoundError):
            if layout.is_trajectory(self.folder):
                raise
            return TailNews(TailState.GONE)

    def _news(self) -> TailNews:
        # The writer is asked first: what it wrote before it ended is read after.
        is_live = lock.is_live(self.folder)
        header = self._changed_header()
        new_steps, new_events = self._steps.poll(), self._events.poll()
        is_rewritten = new_steps is None or new_events is None
        if new_steps is None or new_events is None:
            new_steps, new_events, header = self._steps.all(), self._events.all(), self._header
        steps, problems = _steps_of(new_steps.lines)
        bad = _bad_lines(layout.STEPS, new_steps.bad) + _bad_lines(layout.EVENTS, new_events.bad)
        return TailNews(
            self._state(is_live), steps, new_events.lines, header, is_rewritten, (*bad, *problems)
        )

    def _state(self, is_live: bool) -> TailState:
        if is_live:
            return TailState.WRITING
        is_open = self._header is not None and self._header.status == RECORDING
        return TailState.ABANDONED if is_open else TailState.ENDED

    def _changed_header(self) -> TrajectoryHeader | None:
        signature = _signature(self.folder / layout.HEADER)
        if signature == self._header_file:
            return None
        self._header = read_header(self.folder)
        self._header_file = signature
        return self._header


@dataclass(frozen=True, slots=True)
class NewLines:
    """Whole lines that were added to a file, and the numbers, from 1, of those that cannot be read."""

    lines: tuple[Line, ...] = ()
    bad: tuple[int, ...] = ()


class LineTail:
    """Reads what is appended to one JSON-lines file, line by whole line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = self._offset = self._number = 0
        self._last = b""
        """The line before ``_offset``."""

    def all(self) -> NewLines:
        """All lines there are, known or not."""
        self._file = self._offset = self._number = 0
        self._last = b""
        return self.poll() or NewLines()

    def poll(self) -> NewLines | None:
        """The lines added since the last time; None when lines that were known are no longer there.

        A last line without its newline, or one that is no JSON yet, is left for later.
        """
        try:
            with self._path.open("rb", buffering=0) as file:
                data = self._read(file.fileno())
        except FileNotFoundError:
            return None if self._offset else NewLines()
        except OSError as error:
            raise Damaged(
                _("{name} cannot be read", name=self._path.name), error.strerror or str(error)
            ) from None
        return None if data is None else self._parse(data)

    def _read(self, handle: int) -> bytes | None:
        """The bytes behind the known lines; None when the file was replaced, cut or written over."""
        status = os.fstat(handle)
        if status.st_size > MAX_JSON_BYTES:
            raise Damaged(_("{name} is too large to be read", name=self._path.name))
        is_known = not self._offset or (status.st_ino == self._file and status.st_size >= self._offset)
        if not is_known:
            return None
        self._file = status.st_ino
        start = self._offset - len(self._last)
        os.lseek(handle, start, os.SEEK_SET)
        data = _read_all(handle)
        # A line that a failing disk did not take is cut off again, and another one takes its place.
        return data[len(self._last) :] if data.startswith(self._last) else None

    def _parse(self, data: bytes) -> NewLines:
        whole = data[: data.rfind(b"\n") + 1].split(b"\n")[:-1]
        values = [_value(raw) for raw in whole]
        if values and values[-1] is None:  # a power cut can leave zeros where a line is to come
            values.pop()
        bad = tuple(number for number, value in enumerate(values, start=self._number + 1) if value is None)
        self._number += len(values)
        taken = sum(len(raw) + 1 for raw in whole[: len(values)])
        if values:
            self._last = whole[len(values) - 1] + b"\n"
        self._offset += taken
        return NewLines(tuple(value for value in values if value is not None), bad)


def _read_all(handle: int) -> bytes:
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _value(raw: bytes) -> Line | None:
    try:
        value = codec.load_json(raw)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _steps_of(lines: tuple[Line, ...]) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """The steps of new lines, and a sentence for each that cannot be read."""
    steps, problems = [], []
    for line in lines:
        try:
            steps.append(codec.step_from_line(line))
        except ValueError as error:
            index = line.get("index")
            number = index + 1 if isinstance(index, int) else "?"
            problems.append(
                _("Step {number} cannot be read and was passed over: {why}", number=number, why=error)
            )
    return tuple(steps), tuple(problems)


def _bad_lines(name: str, numbers: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(
        _("Line {number} of {name} cannot be read and was passed over", number=number, name=name)
        for number in numbers
    )


def _signature(path: Path) -> tuple[int, ...]:
    """What changes when a file is replaced; empty for one that does not exist."""
    with contextlib.suppress(FileNotFoundError):
        status = path.stat()
        return status.st_ino, status.st_mtime_ns, status.st_size
    return ()
