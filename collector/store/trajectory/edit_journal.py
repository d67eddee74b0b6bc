"""The edits journal ``edits.jsonl``: what was changed, so that undo survives a restart.

``steps.jsonl`` always holds the steps as they are now; nobody needs the journal to
read a trajectory. A recorded step is one appended line there and leaves no entry here. Any
other change is first one line here, its commit point, holding the lines it takes
out and puts in, and then one atomic rewrite of ``steps.jsonl``. ``base`` is the digest of
``steps.jsonl`` before the change: a change found here whose base is still the digest of
the file was cut short by a crash between the two, and is carried out on opening.

Undo and redo are changes like others (``target`` names the one they take back or
repeat), so replaying both files in the order of ``seq`` gives the same two stacks again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from collector.model.i18n import N_, _
from collector.store.trajectory.codec import Line

AnyLine = TypeVar("AnyLine")
"""A line, or what stands for one in memory."""

EDIT = "edit"
UNDO = "undo"
REDO = "redo"

_TEXTS = ("who", "time", "before", "text", "finished")
"""Keys of a line that are left out when they are empty."""

RECORD, REST = "record", "rest"
_TITLES = {
    RECORD: N_("record step {number}"),
    "delete": N_("delete step {number}"),
    "delete_many": N_("delete {count} steps"),
    "insert": N_("insert step {number}"),
    "insert_many": N_("insert {count} steps before step {number}"),
    "replace": N_("re-record step {number}"),
    REST: N_("re-record from step {number}"),
    "state": N_("replace the screen of step {number}"),
    "trim": N_("trim to {count} steps"),
    "words": N_("change the words of step {number}"),
    "change": N_("change step {number}"),
}


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace the lines ``removed`` at position ``at`` by ``added``."""

    at: int
    removed: tuple[Line, ...] = ()
    added: tuple[Line, ...] = ()

    @property
    def inverse(self) -> Splice:
        return Splice(self.at, self.added, self.removed)


@dataclass(frozen=True, slots=True)
class JournalEdit:
    """One edit in the journal; ``what`` and ``values`` make its title."""

    seq: int
    kind: str
    what: str
    values: Mapping[str, int] = field(default_factory=dict)
    splices: tuple[Splice, ...] = ()
    target: int = 0
    """The edit that is undone or redone; of an edit, the one that it continues, as typing does."""
    base: str = ""
    who: str = ""
    """Who made it; empty in journals of before, and where nobody said."""
    time: str = ""
    """When, ISO 8601, UTC; empty in journals of before."""
    before: str = ""
    """The contents of ``steps.jsonl`` before, where another program wrote its lines; else empty."""
    text: str = ""
    """The contents of ``steps.jsonl`` after an undo, as they were before the edit; else empty."""
    finished: str = ""
    """When a trajectory that is recorded again was finished before this change; else empty."""

    @property
    def title(self) -> str:
        """The edit in words, as in ``delete step 7``."""
        return title_of(self.what, self.values)

    @property
    def inverse(self) -> tuple[Splice, ...]:
        return tuple(splice.inverse for splice in reversed(self.splices))


def title_of(what: str, values: Mapping[str, int]) -> str:
    """The translated title of an edit."""
    return _(_TITLES.get(what, _TITLES["change"]), **{"number": "?", "count": "?", **values})


def change_to_line(change: JournalEdit) -> Line:
    """The journal line of an edit."""
    return {
        "seq": change.seq,
        "kind": change.kind,
        "what": change.what,
        "values": dict(change.values),
        "target": change.target,
        "base": change.base,
        **{key: text for key in _TEXTS if (text := getattr(change, key))},
        "splices": [
            {"at": splice.at, "removed": list(splice.removed), "added": list(splice.added)}
            for splice in change.splices
        ],
    }


def change_from_line(line: Mapping[str, Any]) -> JournalEdit:
    """The edit a journal line describes. Raises ValueError when it describes none."""
    try:
        return JournalEdit(
            seq=int(line["seq"]),
            kind=str(line["kind"]),
            what=str(line["what"]),
            values={str(key): int(value) for key, value in line["values"].items()},
            splices=tuple(map(_splice, line["splices"])),
            target=int(line["target"]),
            base=str(line["base"]),
            **{key: str(line.get(key) or "") for key in _TEXTS},
        )
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(f"not a change: {error}") from None


def _splice(values: Mapping[str, Any]) -> Splice:
    """The splice of a journal line. Raises ValueError and what a mapping of other kinds of values raises."""
    splice = Splice(int(values["at"]), tuple(values["removed"]), tuple(values["added"]))
    if splice.at < 0 or not all(isinstance(line, dict) for line in (*splice.removed, *splice.added)):
        raise ValueError("a splice of what are no lines")
    return splice


def splice_into(
    lines: Sequence[AnyLine],
    splices: Iterable[Splice],
    seq_of: Callable[[AnyLine], object],
    new: Callable[[Line], AnyLine],
) -> list[AnyLine]:
    """The lines after the splices. Raises ValueError when the splices do not fit."""
    result = list(lines)
    for splice in splices:
        end = splice.at + len(splice.removed)
        if [*map(seq_of, result[splice.at : end])] != [line.get("seq") for line in splice.removed]:
            raise ValueError(f"the change at step {splice.at} does not fit the steps")
        result[splice.at : end] = map(new, splice.added)
    return result


def apply(lines: Sequence[Line], splices: Iterable[Splice]) -> list[Line]:
    """The lines after the splices, with new indexes. Raises ValueError when the splices do not fit."""
    result = splice_into(lines, splices, lambda line: line.get("seq"), lambda line: line)
    return [line if line.get("index") == at else {**line, "index": at} for at, line in enumerate(result)]


@dataclass(frozen=True, slots=True)
class UndoableEdit:
    """An edit or a recorded step that can be undone; ``splices`` is None for a recorded step."""

    seq: int
    what: str
    values: Mapping[str, int]
    splices: tuple[Splice, ...] | None
    text: str = ""
    """What ``steps.jsonl`` holds then, where that does not follow from the splices."""
    finished: str = ""
    """When the trajectory is finished then, where an undo of this edit says that."""

    @property
    def title(self) -> str:
        return title_of(self.what, self.values)


class EditHistory:
    """The undo and redo stacks of one trajectory, rebuilt from its two files."""

    def __init__(self, lines: Iterable[Line] = (), changes: Sequence[JournalEdit] = ()) -> None:
        self.undoable: list[UndoableEdit] = []
        self.redoable: list[UndoableEdit] = []
        self.last_seq = 0
        made_by_edits = {change.seq for change in changes}
        removed = (line for change in changes for splice in change.splices for line in splice.removed)
        recorded = {
            int(line["seq"]): line
            for line in (*lines, *removed)
            if isinstance(line.get("seq"), int) and line["seq"] not in made_by_edits
        }
        events: list[JournalEdit | Line] = [*changes, *recorded.values()]
        for event in sorted(
            events, key=lambda event: event.seq if isinstance(event, JournalEdit) else int(event["seq"])
        ):
            if isinstance(event, JournalEdit):
                self.note(event)
            else:
                self.note_recorded(event)

    def note_recorded(self, line: Line) -> None:
        """A step was appended."""
        self.last_seq = max(self.last_seq, int(line["seq"]))
        self.undoable.append(UndoableEdit(int(line["seq"]), RECORD, {"number": int(line["index"]) + 1}, None))
        self.redoable.clear()

    def note(self, change: JournalEdit) -> None:
        """An edit was committed."""
        self.last_seq = max(self.last_seq, change.seq)
        if change.kind == EDIT:
            text, joined = change.before, self._joined(change)
            if joined is not None:
                text = joined.text
            splices = change.inverse if joined is None else joined.splices
            self.undoable.append(
                UndoableEdit(change.seq, change.what, change.values, splices, text, change.finished)
            )
            self.redoable.clear()
        else:
            source, sink = (
                (self.undoable, self.redoable) if change.kind == UNDO else (self.redoable, self.undoable)
            )
            # What was recorded since goes with the edit.
            if any(edit.seq == change.target for edit in source):
                while source.pop().seq != change.target:
                    pass
            sink.append(
                UndoableEdit(
                    change.target, change.what, change.values, change.inverse, change.before, change.finished
                )
            )

    def _joined(self, change: JournalEdit) -> UndoableEdit | None:
        """Take away the edit that ``change`` continues; returns what undoes both, None for none."""
        newest = self.undoable[-1] if self.undoable else None
        if newest is None or newest.seq != change.target:
            return None
        before, after = newest.splices or (), change.inverse
        if len(before) != 1 or len(after) != 1 or before[0].at != after[0].at:
            return None
        self.undoable.pop()
        return replace(newest, splices=(Splice(after[0].at, after[0].removed, before[0].added),))

    def newest(self, *, is_sealed: bool) -> UndoableEdit | None:
        """What undo takes back now.

        Of a trajectory that ``is_sealed`` no recorded step, but the edit that let steps of a finished one be
        recorded again, with what was recorded since.
        """
        newest = self.undoable[-1] if self.undoable else None
        if newest is None or not is_sealed or newest.what != RECORD:
            return newest
        return next((edit for edit in reversed(self.undoable) if edit.what == REST and edit.finished), None)

    @property
    def continued(self) -> UndoableEdit | None:
        """The newest edit, when nothing happened since; None when something was recorded or undone."""
        newest = self.undoable[-1] if self.undoable else None
        return newest if newest is not None and newest.seq == self.last_seq else None

    def undo(self, lines: Sequence[Line], base: str, *, is_sealed: bool = False) -> JournalEdit | None:
        """The edit that undoes the :meth:`newest` one, or None."""
        done = self.newest(is_sealed=is_sealed)
        if done is None:
            return None
        splices = done.splices
        if done is not self.undoable[-1]:
            splices = self._back_to(done, lines)
        elif splices is None:
            splices = (Splice(len(lines) - 1, removed=(lines[-1],)),)
        return JournalEdit(
            self.last_seq + 1, UNDO, done.what, done.values, splices, done.seq, base, text=done.text
        )

    def _back_to(self, edit: UndoableEdit, lines: Sequence[Line]) -> tuple[Splice, ...]:
        """What brings back the lines from before an edit, whatever was recorded and edited since."""
        before = list(lines)
        for done in reversed(self.undoable[self.undoable.index(edit) :]):
            before = before[:-1] if done.splices is None else apply(before, done.splices)
        same = next(
            (at for at, (now, then) in enumerate(zip(lines, before, strict=False)) if now != then),
            min(len(lines), len(before)),
        )
        return (Splice(same, tuple(lines[same:]), tuple(before[same:])),)

    def finished_then(self, change: JournalEdit) -> str:
        """When the trajectory is finished once an undo or a redo is made, where it says so; else empty."""
        stack = self.undoable if change.kind == UNDO else self.redoable
        return next((edit.finished for edit in stack if edit.seq == change.target), "")

    def redo(self, base: str) -> JournalEdit | None:
        """The edit that redoes what was undone last, or None."""
        if not self.redoable:
            return None
        done = self.redoable[-1]
        return JournalEdit(
            self.last_seq + 1, REDO, done.what, done.values, done.splices or (), done.seq, base,
            text=done.text,
        )  # fmt: skip
