"""Read the header and the line files of a trajectory's folder as they are, on the disk or in a zip file."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.model.i18n import _
from collector.store.files import format_versions as versions
from collector.store.files import lock
from collector.store.files.errors import Damaged, NotFound
from collector.store.files.layout import (
    EDITS,
    EVENTS,
    HEADER,
    LOST,
    ORIGINALS,
    STATES,
    STEPS,
    TRAJECTORY_ENTRIES,
)
from collector.store.files.links import refuse_link
from collector.store.files.readable_path import ReadablePath
from collector.store.files.whole_file import read_whole
from collector.store.trajectory.codec import Line, load_json
from collector.store.trajectory.edit_journal import EditHistory, JournalEdit, apply, change_from_line

MAX_JSON_BYTES = 512 * 1024 * 1024
_BLOCK = 64 * 1024


@dataclass(frozen=True, slots=True)
class LineFile:
    """A JSON-lines file: its valid lines, where they end, and what is damaged."""

    lines: tuple[Line, ...]
    data: bytes
    """Everything up to the end of the last whole line."""
    torn: bytes
    """What follows: a line that was cut off when the writer died, or nothing."""
    bad: tuple[int, ...]
    """Numbers, from 1, of whole lines that cannot be read."""

    @property
    def committed(self) -> int:
        """Bytes up to the end of the last whole line."""
        return len(self.data)

    @property
    def digest(self) -> str:
        """SHA-256 of :attr:`data`."""
        return hashlib.sha256(self.data).hexdigest()

    def raw_lines(self) -> list[bytes]:
        """The bytes of each line with its line break, damaged ones included."""
        return _split(self.data)


def refuse_links(folder: Path) -> None:
    """Raise UnsafePath when a file or folder that a writer uses there is a link."""
    for name in TRAJECTORY_ENTRIES:
        refuse_link(folder / name)


def read_lines(path: ReadablePath) -> LineFile:
    """Read a JSON-lines file; a missing one is empty. Only what follows the last newline counts as torn.

    A last line that ends in a newline but is no JSON (a power cut can leave zeros) is torn too.
    """
    refuse_link(path)
    try:
        data = read_whole(path, MAX_JSON_BYTES)
    except FileNotFoundError:
        data = b""
    except OSError as error:
        raise Damaged(_("{name} cannot be read", name=path.name), error.strerror or str(error)) from None
    committed = data.rfind(b"\n") + 1
    values = _values_at_once(data[:committed])
    if values is not None:
        return LineFile(tuple(values), data[:committed], data[committed:], ())
    return _read_one_by_one(data, committed)


def ends_torn(path: Path) -> bool:
    """Whether :func:`read_lines` would find the last line of a file torn. Only the end of it is read."""
    refuse_link(path)
    try:
        with path.open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            tail, start = b"", end
            while start and b"\n" not in tail[:-1]:
                start = max(0, start - _BLOCK)
                file.seek(start)
                tail = file.read(end - start)
    except OSError as error:
        raise Damaged(_("{name} cannot be read", name=path.name), error.strerror or str(error)) from None
    if not tail.endswith(b"\n"):
        return bool(tail)
    try:
        return not isinstance(load_json(tail[:-1].rpartition(b"\n")[2]), dict)
    except ValueError:
        return True


def _values_at_once(data: bytes) -> list[Line] | None:
    """All lines parsed together, which is faster; None when they must be looked at one by one.

    No JSON value on a line has a line break in it, so the lines joined by commas are one array.
    """
    try:
        values: list[Line] = load_json(b"[" + data.replace(b"\n", b",").removesuffix(b",") + b"]")
    except ValueError:
        return None
    if len(values) != data.count(b"\n") or not all(type(value) is dict for value in values):
        return None
    return values


def _read_one_by_one(data: bytes, committed: int) -> LineFile:
    lines: list[Line] = []
    bad: list[int] = []
    raw_lines = _split(data[:committed])
    for number, raw in enumerate(raw_lines, start=1):
        try:
            line = load_json(raw)
        except ValueError:
            line = None
        if isinstance(line, dict):
            lines.append(line)
        else:
            bad.append(number)
    if bad and bad[-1] == len(raw_lines):
        bad.pop()
        committed -= len(raw_lines[-1])
    return LineFile(tuple(lines), data[:committed], data[committed:], tuple(bad))


def _split(data: bytes) -> list[bytes]:
    return [raw + b"\n" for raw in data.split(b"\n")[:-1]]


def read_document(path: ReadablePath, parse: Callable[[bytes], Any] = load_json) -> Any:
    """The value of a small file, JSON by default; ``parse`` raises ValueError for what it cannot read.

    Raises Damaged when it cannot be read, UnsafePath for a link.
    """
    refuse_link(path)
    try:
        return parse(read_whole(path))
    except ValueError as error:
        raise Damaged(_("{name} cannot be read", name=path.name), str(error)) from None
    except OSError as error:
        raise Damaged(_("{name} cannot be read", name=path.name), error.strerror or "") from None


def read_header(folder: ReadablePath) -> versions.Document:
    """The upgraded mapping of ``trajectory.json``."""
    path = folder / HEADER
    if not path.exists():
        raise NotFound(
            _("There is no trajectory in {folder}", folder=folder), _("it has no {name}", name=HEADER)
        )
    return versions.TRAJECTORY.upgrade(read_document(path), HEADER)


def blob_names(line: Line) -> tuple[str, ...]:
    """The files a step line refers to."""
    state = line.get("state")
    if not isinstance(state, dict):
        return ()
    return tuple(str(state[key]) for key in ("screenshot", "tree") if state.get(key))


def blobs_beside(folder: Path, names: Collection[str]) -> Iterator[Path]:
    """The files of states that are none of ``names``: of no step, set aside, or originals of an import."""
    for place in (STATES, LOST, ORIGINALS):
        for path in (folder / place).glob("*"):
            if path.relative_to(folder).as_posix() not in names:
                yield path


def event_blob_names(folder: Path) -> set[str]:
    """The files that the lines of ``events.jsonl`` refer to: of screens that no step has."""
    return {name for line in read_lines(folder / EVENTS).lines for name in blob_names(line)}


@dataclass(frozen=True, slots=True)
class StepFiles:
    """The step lines and the journal of edits."""

    lines: tuple[Line, ...]
    file: LineFile
    journal: LineFile
    changes: tuple[JournalEdit, ...]
    unfinished: JournalEdit | None
    """A committed edit that a crash kept out of ``steps.jsonl``; ``lines`` includes it."""

    @property
    def history(self) -> EditHistory:
        """What can be undone and redone."""
        return EditHistory(self.lines, self.changes)

    def blob_names(self) -> set[str]:
        """Files that a step or an undo refers to."""
        names = {name for line in self.lines for name in blob_names(line)}
        for change in self.changes:
            for splice in change.splices:
                names.update(name for line in (*splice.removed, *splice.added) for name in blob_names(line))
        return names


def read_steps(folder: ReadablePath) -> StepFiles:
    """Read ``steps.jsonl`` and ``edits.jsonl`` without changing either."""
    file, journal = read_lines(folder / STEPS), read_lines(folder / EDITS)
    changes: list[JournalEdit] = []
    for line in journal.lines:
        try:
            changes.append(change_from_line(line))
        except ValueError as error:
            raise Damaged(_("{name} cannot be read", name=EDITS), str(error)) from None
    unfinished = changes[-1] if changes and changes[-1].base == file.digest else None
    lines: tuple[Line, ...] = file.lines
    if unfinished:
        lines = tuple(apply(lines, unfinished.splices))
    return StepFiles(lines, file, journal, tuple(changes), unfinished)


def remove_if_empty(folder: Path) -> None:
    """Remove the folder of a trajectory that could not be created, unless it has files."""
    with contextlib.suppress(OSError):
        (folder / lock.LOCK_NAME).unlink(missing_ok=True)
        (folder / STATES).rmdir()
        folder.rmdir()
