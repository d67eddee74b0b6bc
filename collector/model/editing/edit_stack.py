"""Edits that can be undone and redone, in the order in which they were made."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from collector.model.event_emitter import EventEmitter
from collector.model.message import in_language

Call = Callable[[], object]
Run = Callable[[Call, Call, Call], object]
"""Makes the first call elsewhere, as behind a window; then the second, or the third when the first failed."""


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """An edit that was made. What others changed since stays when it is undone or redone.

    Both calls raise UserError and change nothing where others changed the same since.
    """

    title: str
    """What undo names, as in ``delete step 3``; a :class:`.Message` is shown in the language in use."""
    undo: Call
    redo: Call
    stands_on: object = None
    """What it changes, as a document: without that it can be neither undone nor redone."""
    run: Run | None = None
    """Makes the calls, when they wait for a disk; None makes them at once."""
    made: dt.datetime = field(default_factory=partial(dt.datetime.now, dt.UTC))


class EditStack:
    """What can be undone and redone. Not thread-safe: ``run`` of an edit comes back on the thread it left.

    Edits that wait for a disk keep their order, so the next can be undone before the last one is.
    """

    def __init__(self) -> None:
        self.changed: EventEmitter[None] = EventEmitter()
        """An edit was added or left out, or was undone or redone to its end."""
        self._done: list[Edit] = []
        self._undone: list[Edit] = []
        self._on_their_way = 0

    @property
    def undo_title(self) -> str:
        """What :meth:`undo` would undo; empty for nothing."""
        return in_language(self._done[-1].title) if self._done else ""

    @property
    def redo_title(self) -> str:
        """What :meth:`redo` would redo; empty for nothing."""
        return in_language(self._undone[-1].title) if self._undone else ""

    @property
    def newest_made(self) -> dt.datetime | None:
        """When the edit was made that :meth:`undo` would undo; None for nothing."""
        return self._done[-1].made if self._done else None

    @property
    def is_waiting(self) -> bool:
        """Whether an undo or a redo was asked for and has not reached its end."""
        return self._on_their_way > 0

    def is_newest(self, edit: Edit) -> bool:
        """Whether ``edit`` is the one that :meth:`undo` would undo."""
        return bool(self._done) and self._done[-1] is edit

    def holds(self, subject: object) -> bool:
        """Whether an edit that stands on ``subject`` can be undone."""
        return any(edit.stands_on is subject for edit in self._done)

    def add(self, edit: Edit) -> None:
        """Add an edit that was made; what was undone before can no longer be redone."""
        self._done.append(edit)
        self._undone.clear()
        self.changed.emit(None)

    def take_over(self, other: EditStack, again: Callable[[Edit], Edit]) -> None:
        """Go on where the stack of an owner that is gone was, with each edit as ``again`` makes it."""
        self._done, self._undone = [*map(again, other._done)], [*map(again, other._undone)]
        self.changed.emit(None)

    def join(self, edit: Edit) -> None:
        """Add an edit that belongs to the newest one: they are undone and redone together, at once."""
        newest = self._done[-1] if self._done else None
        if newest is None or newest.run is not None:
            self.add(edit)
            return

        def undo() -> None:
            newest.undo()
            edit.undo()

        def redo() -> None:
            newest.redo()
            edit.redo()

        self._done[-1] = replace(newest, undo=undo, redo=redo)

    def end_redo(self) -> None:
        """Forget what was undone: the newest edit was continued."""
        if self._undone:
            self._undone.clear()
            self.changed.emit(None)

    def forget(self, subject: object) -> None:
        """Leave out an edit, or all that stand on ``subject``."""
        for edits in (self._done, self._undone):
            edits[:] = [edit for edit in edits if edit is not subject and edit.stands_on is not subject]
        self.changed.emit(None)

    def clear(self) -> None:
        """Leave out every edit."""
        self._done.clear()
        self._undone.clear()
        self.changed.emit(None)

    def undo(self) -> None:
        """Take the newest edit back. What that raises is raised here, and the edit stays."""
        if self._done:
            self._move(self._done, self._undone, self._done[-1].undo)

    def redo(self) -> None:
        """Make the edit again that was undone last. What that raises is raised here, and the edit stays."""
        if self._undone:
            self._move(self._undone, self._done, self._undone[-1].redo)

    def _arrived(self, refused: Edit | None = None) -> None:
        """An undo or a redo elsewhere came to its end; one that was refused is left out."""
        self._on_their_way -= 1
        if refused is not None:
            self.forget(refused)
        else:
            self.changed.emit(None)

    def _move(self, source: list[Edit], target: list[Edit], call: Call) -> None:
        """Move the newest edit; one whose call fails elsewhere is left out: others changed the same since."""
        edit = source.pop()
        target.append(edit)
        if edit.run is not None:
            self._on_their_way += 1
            edit.run(call, self._arrived, partial(self._arrived, edit))
            return
        try:
            call()
        except BaseException:
            target.remove(edit)
            source.append(edit)
            raise
        self.changed.emit(None)
