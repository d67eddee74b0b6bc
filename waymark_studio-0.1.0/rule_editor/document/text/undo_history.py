"""Undo without limit: named steps, merged typing, and steps across several documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from collector.located_yaml.diagnostics import TextEdit
from rule_editor.document.text.edits import EditBatch, joined


class Undoable(Protocol):
    """A document with an undo history."""

    @property
    def history(self) -> UndoHistory: ...
    def undo_here(self) -> None: ...
    def redo_here(self) -> None: ...


@dataclass(slots=True, eq=False)
class UndoLink:
    """Ties steps of several documents that belong to one command; they are undone and redone together."""

    documents: list[Undoable] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class UndoStep:
    """One step to undo: batches in the order they were made, each on the text after the one before."""

    name: str
    forward: list[EditBatch]
    backward: list[EditBatch]
    """``backward[i]`` undoes ``forward[i]``."""
    cursor: int = 0
    """Where the step begins, in the text before it."""
    merge_key: object = None
    link: UndoLink | None = None

    def add(self, forward: EditBatch, backward: EditBatch) -> None:
        """Continue the step with one more batch."""
        if self.forward:
            forward_joined = joined(self.forward[-1], forward)
            backward_joined = joined(backward, self.backward[-1])
            if forward_joined is not None and backward_joined is not None:
                self.forward[-1], self.backward[-1] = forward_joined, backward_joined
                return
        self.forward.append(forward)
        self.backward.append(backward)


class UndoHistory:
    """The steps done and undone of one document; it does not hold the text."""

    def __init__(self) -> None:
        self.done: list[UndoStep] = []
        self.undone: list[UndoStep] = []
        self._depth = 0
        self._group: UndoStep | None = None

    def record(
        self, name: str, forward: EditBatch, backward: EditBatch, merge_key: object = None,
        link: UndoLink | None = None,
    ) -> None:  # fmt: skip
        """Add an edit that was made; forget the steps that were undone before it.

        An edit continues the last step when both have the same ``merge_key``.
        """
        self.undone.clear()
        last = self.done[-1] if self.done else None
        if self._group is not None:
            if last is not self._group:
                self.done.append(self._group)
                self._group.cursor = _first(forward)
            self._group.add(forward, backward)
        elif last is not None and merge_key is not None and last.merge_key == merge_key:
            last.add(forward, backward)
        else:
            self.done.append(UndoStep(name, [forward], [backward], _first(forward), merge_key, link))

    def begin_group(self, name: str) -> None:
        """Record one step until :meth:`end_group`; groups can nest, and the outermost one counts."""
        if self._depth == 0:
            self._group = UndoStep(name, [], [])
        self._depth += 1

    def end_group(self) -> UndoStep | None:
        """The recorded step; None when there was no edit, or an outer group continues."""
        self._depth -= 1
        if self._depth:
            return None
        step, self._group = self._group, None
        return step if self.done and self.done[-1] is step else None

    def stop_merging(self) -> None:
        """Let the next edit begin a new step, whatever its merge key."""
        if self.done:
            self.done[-1].merge_key = None

    @property
    def in_group(self) -> bool:
        return self._depth > 0


def _first(edits: tuple[TextEdit, ...]) -> int:
    return min((edit.start for edit in edits), default=0)
