"""Steps as they were before edits: around an edit, and the one that followed the last step at some time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from collector.model.trajectory import Step
from collector.store.trajectory import codec
from collector.store.trajectory.codec import Line
from collector.store.trajectory.edit_journal import REST, JournalEdit, splice_into
from collector.store.trajectory.trajectory_files import StepFiles, blob_names, read_steps

_MOST_EVENTS = 100
"""So far back edits and recorded steps are looked through."""


def undone_step(folder: Path) -> Step | None:
    """The step that followed the last one of a trajectory at some time; None where none is known.

    Raises Damaged, and ValueError for a journal that does not fit the steps.
    """
    files = read_steps(folder)
    for _seq, there in islice(_earlier(files), _MOST_EVENTS):
        place = _place_behind(files.lines, there)
        if place is None:
            return None
        if place < len(there):
            return codec.step_from_line(there[place])
    return None


def steps_around(files: StepFiles, seq: int) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """The steps before and after the edit numbered ``seq``. Raises ValueError for one that is not there.

    After one that let steps be recorded again are those that were recorded then.
    """
    edits = {change.seq: change for change in files.changes}
    with_recorded = seq in edits and edits[seq].what == REST
    after: Sequence[Line] = files.lines
    for number, before in _earlier(files):
        if number == seq:
            return tuple(map(codec.step_from_line, before)), tuple(map(codec.step_from_line, after))
        if number in edits or not with_recorded:
            after = before
    raise ValueError(f"no edit {seq}")


def steps_before_edits(files: StepFiles) -> tuple[Step, ...]:
    """The steps as they were before the first edit."""
    edits = {change.seq for change in files.changes}
    lines: Sequence[Line] = files.lines
    for number, before in _earlier(files):
        if number in edits:
            lines = before
    return tuple(map(codec.step_from_line, lines))


def _earlier(files: StepFiles) -> Iterator[tuple[int, Sequence[Line]]]:
    """Each event from the newest on, by its number, and the lines as they were before it."""
    edits = {change.seq: change for change in files.changes}
    there: list[Line] = list(files.lines)
    newest = max((int(line.get("seq") or 0) for line in there), default=0)
    for seq in range(max(newest, max(edits, default=0)), 0, -1):
        change = edits.get(seq)
        if change is not None:
            there = _before(there, change)
        elif there and there[-1].get("seq") == seq:
            there = there[:-1]
        yield seq, there


def _before(lines: Sequence[Line], change: JournalEdit) -> list[Line]:
    return splice_into(lines, change.inverse, lambda line: line.get("seq"), lambda line: line)


def _place_behind(lines: Sequence[Line], there: Sequence[Line]) -> int | None:
    """The place behind the last of ``lines`` among others; None when it is not among them."""
    if not lines:
        return 0
    last = _name(lines[-1])
    return next((place + 1 for place, line in enumerate(there) if _name(line) == last), None)


def _name(line: Line) -> object:
    """What a step keeps when its words or its number change."""
    return blob_names(line) or (line.get("wall_time"), line.get("t_ms"))
