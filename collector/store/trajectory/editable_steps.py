"""The edits of a trajectory's steps: each is one change in the journal, and is undone from there."""

from __future__ import annotations

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from collector.model.i18n import _
from collector.model.trajectory import FINISHED, IMPORTED, RECORDING, Step, TrajectoryHeader
from collector.store.files import blobs, layout
from collector.store.files.errors import StoreError
from collector.store.trajectory import codec, trajectory_files
from collector.store.trajectory.codec import IMPORTED_AT, Line
from collector.store.trajectory.edit_journal import (
    EDIT,
    RECORD,
    REST,
    UNDO,
    EditHistory,
    JournalEdit,
    Splice,
)
from collector.store.trajectory.header_file import now
from collector.store.trajectory.read_only_runs import is_sealed, require_editable
from collector.store.trajectory.reviews.person_reviews import reviewers_of
from collector.store.trajectory.step_lines import StepLines, StepWithFiles

WORDS = ("description", "note", "intention")
"""The texts of a step that a person may change; everything else was recorded."""
WORDS_EDIT = "words"
"""The edit of a step's texts, on which no review stands."""


class ReviewedByOthers(StoreError):  # noqa: N818 - as the other refusals of the store
    """An edit of steps that another person has reviewed as they are."""


def require_unreviewed(folder: Path, header: TrajectoryHeader, who: str) -> None:
    """Raise ReviewedByOthers when somebody else than ``who`` has reviewed the steps as they are.

    Without ``who`` it is the person who recorded them.
    """
    own = {who or header.who.strip()}
    others = [name for name in reviewers_of(folder) if name not in own]
    if others:
        raise ReviewedByOthers(
            _("The steps of {id} stay as they are", id=header.id),
            _("{people} reviewed them", people=", ".join(others)),
            _("Edit a copy: `waymark trajectory duplicate {id} --without-reviews`", id=header.id),
        )


_DURATION = "duration_ms"
"""A value of the edit that lets steps be recorded again: how long the trajectory was before."""


class EditableSteps(ABC):
    """The edits of a trajectory's steps; :class:`.writer.TrajectoryWriter` has the files they go to."""

    folder: Path
    _who: str
    _header: TrajectoryHeader
    _lines: StepLines
    _history: EditHistory
    _used: set[str]
    """The stems of files in ``states/``."""

    @property
    @abstractmethod
    def _base(self) -> str:
        """The digest of ``steps.jsonl`` as it is committed."""

    @abstractmethod
    def _store(self, step: Step, stem: str, screenshot: bytes | None, tree: bytes | None) -> Step:
        """Write the files of a step. Returns the step with their names and digests."""

    @abstractmethod
    def _commit(self, change: JournalEdit, lines: StepLines) -> str:
        """Write a change to the journal, then the steps as ``lines``. Returns its title."""

    @abstractmethod
    def update_header(self, **changes: Any) -> TrajectoryHeader:
        """Change fields of the header, by their names in :class:`TrajectoryHeader`."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The current steps."""
        return self._lines.steps()

    # Edits

    def delete(self, *indexes: int) -> None:
        """Delete steps; their files stay for undo."""
        require_editable(self._header)
        gone = sorted({self._checked(index) for index in indexes}, reverse=True)
        if len(gone) == 1:
            self._edit("delete", {"number": gone[0] + 1}, self._without(gone))
        elif gone:
            self._edit("delete_many", {"count": len(gone)}, self._without(gone))

    def trim(self, start: int, stop: int, end: Step | None = None) -> None:
        """Keep the steps from ``start`` up to, not including, ``stop``, in whose place ``end`` comes."""
        require_editable(self._header)
        remaining = range(len(self._lines))[start:stop]
        ends = [stop] if end is not None else []
        gone = [at for at in reversed(range(len(self._lines))) if at not in remaining and at not in ends]
        splices = [*self._without([at for at in gone if at > stop])]
        if end is not None:
            line = codec.step_to_line(dataclasses.replace(end, index=self._checked(stop)))
            splices.append(Splice(stop, (self._lines[stop],), (line,)))
        splices += self._without([at for at in gone if at <= stop])
        if splices:
            self._edit("trim", {"count": len(remaining)}, splices)

    def drop_rest(self, start: int) -> None:
        """Delete the steps from ``start`` on, to be recorded again; the trajectory is not finished then."""
        require_editable(self._header)
        gone = range(len(self._lines) - 1, self._checked(start) - 1, -1)
        self._edit(REST, {"number": start + 1}, self._without(gone))

    def insert_all(self, index: int, steps: Sequence[StepWithFiles]) -> tuple[Step, ...]:
        """Insert steps at ``index`` as one edit; the later ones move back."""
        require_editable(self._header)
        index = min(max(index, 0), len(self._lines))
        before, after, stored = self._stem_at(index - 1), self._stem_at(index), []
        for place, new in enumerate(steps, start=index):
            bare = dataclasses.replace(new.step.state, screenshot="", tree="", sha256={})
            step = dataclasses.replace(new.step, index=place, state=bare)
            before = blobs.stem_between(before, after, self._used)
            stored.append(self._store(step, before, new.screenshot, new.tree))
        if stored:
            lines = tuple(map(codec.step_to_line, stored))
            what, values = "insert_many", {"number": index + 1, "count": len(lines)}
            self._edit(what, values, (Splice(index, added=lines),))
        return tuple(stored)

    def insert(
        self, index: int, step: Step, screenshot: bytes | None = None, tree: bytes | None = None
    ) -> Step:
        """Insert a step at ``index``; the later ones move back by one."""
        require_editable(self._header)
        index = min(max(index, 0), len(self._lines))
        stem = blobs.stem_between(self._stem_at(index - 1), self._stem_at(index), self._used)
        stored = self._store(dataclasses.replace(step, index=index), stem, screenshot, tree)
        line = codec.step_to_line(stored)
        self._edit("insert", {"number": index + 1}, (Splice(index, added=(line,)),))
        return stored

    def replace(
        self, index: int, step: Step, screenshot: bytes | None = None, tree: bytes | None = None
    ) -> Step:
        """Re-record the step at ``index``. A blob that is None keeps what ``step.state`` names."""
        return self._replaced("replace", index, step, screenshot, tree)

    def replace_state(self, index: int, step: Step, screenshot: bytes | None, tree: bytes | None) -> Step:
        """Replace the state of the step at ``index``, and what follows from it, as :meth:`replace` does."""
        return self._replaced("state", index, step, screenshot, tree)

    def _replaced(
        self, what: str, index: int, step: Step, screenshot: bytes | None, tree: bytes | None
    ) -> Step:
        require_editable(self._header)
        index = self._checked(index)
        stem = blobs.stem_between(self._stem_at(index), self._stem_at(index + 1), self._used)
        stored = self._store(dataclasses.replace(step, index=index), stem, screenshot, tree)
        line = codec.step_to_line(stored)
        self._edit(what, {"number": index + 1}, (Splice(index, (self._lines[index],), (line,)),))
        return stored

    def reword(self, index: int, *, continues: bool = False, **words: str) -> Step:
        """Set ``description``, ``note`` or ``intention`` of a step.

        With ``continues`` one undo takes this back together with the same words' edit just before.
        """
        require_editable(self._header)
        index = self._checked(index)
        unknown = set(words) - set(WORDS)
        if unknown:
            raise TypeError(f"not words of a step: {', '.join(sorted(unknown))}")
        line = {**self._lines[index], **words}
        if "description" in words:  # a person's words are in one language
            line.pop("description_message", None)
        if line != self._lines[index]:
            values, splice = {"number": index + 1}, Splice(index, (self._lines[index],), (line,))
            newest = self._history.continued if continues else None
            same = newest is not None and (newest.what, newest.values) == (WORDS_EDIT, values)
            self._edit(WORDS_EDIT, values, (splice,), newest.seq if newest is not None and same else 0)
        return self._lines.step(index)

    @property
    def undo_title(self) -> str:
        """What :meth:`undo` would undo, as in ``delete step 7``; empty for nothing."""
        newest = self._history.newest(is_sealed=self._is_sealed)
        return newest.title if newest is not None else ""

    @property
    def redo_title(self) -> str:
        """What :meth:`redo` would redo; empty for nothing."""
        return self._history.redoable[-1].title if self._history.redoable else ""

    def undo(self) -> str:
        """Undo the newest edit or recorded step, also from before a restart. Returns its title.

        Of a finished trajectory only edits are undone: its recorded steps, and its final state, stay, unless
        they were recorded in place of others.
        """
        require_editable(self._header)
        change = self._history.undo(self._lines, self._base, is_sealed=self._is_sealed)
        return self._move(change) if change else ""

    def _move(self, change: JournalEdit) -> str:
        """Undo or redo an edit. Raises ReviewedByOthers where somebody reviewed what it changes."""
        if change.what != WORDS_EDIT:
            self._require_unreviewed()
        return self._change(change)

    @property
    def undoes_step(self) -> bool:
        """Whether :meth:`undo` takes back a recorded step, and not an edit."""
        newest = self._history.newest(is_sealed=self._is_sealed)
        return newest is not None and newest.what == RECORD

    @property
    def _is_sealed(self) -> bool:
        """Whether recorded steps stay: the trajectory is finished, or a run."""
        return is_sealed(self._header)

    def redo(self) -> str:
        """Redo what was undone last. Returns its title."""
        require_editable(self._header)
        change = self._history.redo(self._base)
        return self._move(change) if change else ""

    # The journal

    def _require_unreviewed(self) -> None:
        require_unreviewed(self.folder, self._header, self._who)

    def _edit(
        self, what: str, values: dict[str, int], splices: Collection[Splice], continued: int = 0
    ) -> None:
        if what != WORDS_EDIT:
            self._require_unreviewed()
        seq = self._history.last_seq + 1
        stamped = tuple(
            dataclasses.replace(
                splice, added=tuple({"seq": seq, **without_seq(line)} for line in splice.added)
            )
            for splice in splices
        )
        self._change(JournalEdit(seq, EDIT, what, values, stamped, continued or seq, self._base))

    def _with_finish(self, change: JournalEdit) -> tuple[JournalEdit, dict[str, Any]]:
        """Note in what lets steps be recorded again when the trajectory was finished, and for how long.

        Returns with it the fields of the header that an undo or a redo of that brings back.
        """
        header = self._header
        if change.what != REST or header.status != FINISHED or not header.finished:
            return change, {}
        then = self._history.finished_then(change)
        back = {"finished": then, "duration_ms": change.values.get(_DURATION, header.duration_ms)}
        values = {**change.values, _DURATION: header.duration_ms}
        return dataclasses.replace(change, values=values, finished=header.finished), back if then else {}

    def _change(self, change: JournalEdit) -> str:
        """Commit an edit; a recording whose end it takes is not finished, until it is brought back."""
        change, finish = self._with_finish(change)
        lines, status = self._lines.spliced(change.splices), self._header.status
        had_end, has_end = _has_end(self._lines), _has_end(lines)
        is_undo = change.kind == UNDO
        loses_end = had_end > has_end or (change.what == REST and not is_undo)
        if self._header.is_golden and loses_end and not finish:
            self.update_header(status=RECORDING)
        try:
            title = self._commit(change, lines)
        except StoreError:
            if self._header.status != status:
                self.update_header(status=status)
            raise
        if self._header.status == RECORDING and change.kind != EDIT:
            was_imported = not self._header.finished and IMPORTED_AT in self._header.extra
            if has_end > had_end or (was_imported and is_undo and change.what == REST):
                finished = "" if was_imported else self._header.finished or now()
                self.update_header(status=IMPORTED if was_imported else FINISHED, finished=finished)
        elif finish:
            self.update_header(**finish)
        return title

    def _foreign_text(self, change: JournalEdit) -> str:
        """The contents of ``steps.jsonl`` when an undo would write them otherwise, else empty."""
        gone = {line.get("seq") for splice in change.splices for line in splice.removed}
        is_same = hashlib.sha256(self._lines.data()).hexdigest() == self._base
        if is_same and self._lines.are_ours(gone):
            return ""
        return trajectory_files.read_lines(self.folder / layout.STEPS).data.decode(errors="replace")

    def _checked(self, index: int) -> int:
        if not 0 <= index < len(self._lines):
            raise IndexError(f"step {index} of {len(self._lines)}")
        return index

    def _stem_at(self, index: int) -> str:
        if not 0 <= index < len(self._lines):
            return ""
        state = self._lines.step(index).state
        return Path(state.screenshot or state.tree).stem

    def _without(self, falling_indexes: Sequence[int]) -> tuple[Splice, ...]:
        return tuple(Splice(index, removed=(self._lines[index],)) for index in falling_indexes)


def _has_end(lines: StepLines) -> bool:
    """Whether the last step is the final state, after which nobody did anything."""
    return len(lines) > 0 and lines[-1].get("action") is None


def without_seq(line: Line) -> Line:
    """A line without the number of its commit."""
    return {key: value for key, value in line.items() if key != "seq"}
