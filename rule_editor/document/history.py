"""Undo without limit: named steps, typing gathered into one, one step across several documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from collector.located_yaml.diagnostics import TextEdit
from rule_editor.document.edits import Batch, joined


class Undoable(Protocol):
    """A document as a linked step sees it."""

    @property
    def history(self) -> History: ...
    def undo_here(self) -> None: ...
    def redo_here(self) -> None: ...


@dataclass(slots=True, eq=False)
class Link:
    """Ties the steps that one command made in several documents: they are undone and redone as one."""

    documents: list[Undoable] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Step:
    """One thing to undo. Batches were made in this order, each on the text the one before it left."""

    name: str
    forward: list[Batch]
    backward: list[Batch]
    """``backward[i]`` takes ``forward[i]`` back."""
    cursor: int = 0
    """Where to look before the step, in the text without it."""
    merge_key: object = None
    link: Link | None = None

    def add(self, forward: Batch, backward: Batch) -> None:
        """Go on with this step."""
        if self.forward:
            one = joined(self.forward[-1], forward)
            other = joined(backward, self.backward[-1])
            if one is not None and other is not None:
                self.forward[-1], self.backward[-1] = one, other
                return
        self.forward.append(forward)
        self.backward.append(backward)


class History:
    """Steps done and undone of one document; knows nothing of its text."""

    def __init__(self) -> None:
        self.done: list[Step] = []
        self.undone: list[Step] = []
        self._depth = 0
        self._group: Step | None = None

    def record(self, name: str, forward: Batch, backward: Batch, merge_key: object = None) -> None:
        """Remember an edit that was made; steps that were undone before it are gone."""
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
            self.done.append(Step(name, [forward], [backward], _first(forward), merge_key))

    def begin_group(self, name: str) -> None:
        """What is recorded until :meth:`end_group` is one step; groups may nest, the outermost counts."""
        if self._depth == 0:
            self._group = Step(name, [], [])
        self._depth += 1

    def end_group(self) -> Step | None:
        """The step that was made; None when nothing was, or an outer group goes on."""
        self._depth -= 1
        if self._depth:
            return None
        step, self._group = self._group, None
        return step if self.done and self.done[-1] is step else None

    def stop_merging(self) -> None:
        """The next edit begins a step of its own, whatever its merge key."""
        if self.done:
            self.done[-1].merge_key = None

    @property
    def in_group(self) -> bool:
        return self._depth > 0

    @property
    def undo_name(self) -> str:
        """What undo would take back; empty when there is nothing."""
        return self.done[-1].name if self.done else ""

    @property
    def redo_name(self) -> str:
        return self.undone[-1].name if self.undone else ""


def _first(edits: tuple[TextEdit, ...]) -> int:
    return min((edit.start for edit in edits), default=0)
