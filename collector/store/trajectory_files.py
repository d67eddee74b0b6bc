"""Read the header and the line files of a trajectory's folder as they are on the disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.model.i18n import _
from collector.store import format_versions as versions
from collector.store.codec import Line, load_json
from collector.store.edit_journal import JournalEdit, apply, change_from_line
from collector.store.errors import Damaged, NotFound
from collector.store.layout import EDITS, HEADER, STEPS, TRAJECTORY_ENTRIES
from collector.store.links import refuse_link

MAX_JSON_BYTES = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class LineFile:
    """A JSON-lines file: its valid lines, where they end, and what is damaged."""

    lines: tuple[Line, ...]
    committed: int
    """Bytes up to the end of the last whole line."""
    torn: bytes
    """What follows: a line that was cut off when the writer died, or nothing."""
    bad: tuple[int, ...]
    """Numbers, from 1, of whole lines that cannot be read."""
    digest: str
    """SHA-256 of the committed part."""


def refuse_links(folder: Path) -> None:
    """Raise UnsafePath when a file or folder that a writer uses there is a link."""
    for name in TRAJECTORY_ENTRIES:
        refuse_link(folder / name)


def read_lines(path: Path) -> LineFile:
    """Read a JSON-lines file; a missing one is empty. Only what follows the last newline counts as torn.

    A last line that ends in a newline but is no JSON (a power cut can leave zeros) is torn too.
    """
    refuse_link(path)
    try:
        if path.stat().st_size > MAX_JSON_BYTES:
            raise Damaged(_("{name} is too large to be read", name=path.name))
        data = path.read_bytes()
    except FileNotFoundError:
        data = b""
    except OSError as error:
        raise Damaged(_("{name} cannot be read", name=path.name), error.strerror or str(error)) from None
    committed = data.rfind(b"\n") + 1
    lines: list[Line] = []
    bad: list[int] = []
    number = start = 0
    last_start = 0
    for number, end in enumerate(_line_ends(data, committed), start=1):
        last_start, raw = start, data[start:end]
        start = end
        try:
            line = load_json(raw)
        except ValueError:
            line = None
        if isinstance(line, dict):
            lines.append(line)
        else:
            bad.append(number)
    if bad and bad[-1] == number:
        bad.pop()
        committed = last_start
    digest = hashlib.sha256(data[:committed]).hexdigest()
    return LineFile(tuple(lines), committed, data[committed:], tuple(bad), digest)


def _line_ends(data: bytes, stop: int) -> Iterator[int]:
    position = 0
    while position < stop:
        position = data.index(b"\n", position) + 1
        yield position


def read_document(path: Path) -> object:
    """The value of a small JSON file. Raises Damaged when it cannot be read, UnsafePath for a link."""
    refuse_link(path)
    try:
        return load_json(path.read_bytes())
    except ValueError as error:
        raise Damaged(_("{name} cannot be read", name=path.name), str(error)) from None
    except OSError as error:
        raise Damaged(_("{name} cannot be read", name=path.name), error.strerror or "") from None


def read_header(folder: Path) -> versions.Document:
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


@dataclass(frozen=True, slots=True)
class StepFiles:
    """The step lines and the journal of edits."""

    lines: tuple[Line, ...]
    file: LineFile
    journal: LineFile
    changes: tuple[JournalEdit, ...]
    unfinished: JournalEdit | None
    """A committed edit that a crash kept out of ``steps.jsonl``; ``lines`` includes it."""

    def blob_names(self) -> set[str]:
        """Files that a step or an undo refers to."""
        names = {name for line in self.lines for name in blob_names(line)}
        for change in self.changes:
            for splice in change.splices:
                names.update(name for line in (*splice.removed, *splice.added) for name in blob_names(line))
        return names


def read_steps(folder: Path) -> StepFiles:
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
