"""Essential states a person says were reached, kept in that person's annotation file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from collector.store.annotations import read_annotations, write_annotations
from studio.bridge import TaskRunner
from studio.widgets.capture_card.task import Milestone
from studio.widgets.timeline.lanes import LaneMark, state_mark

KEY = "achieved_states"


@dataclass(frozen=True, slots=True)
class Reached:
    """``state`` is seen in the screen of step ``step``, from 0."""

    step: int
    state: str


class Milestones(QObject):
    """Follows one trajectory. Reading and writing run in the store's executor."""

    changed = Signal()

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._folder: Path | None = None
        self._who = ""
        self.reached: tuple[Reached, ...] = ()

    def open(self, folder: Path | None, who: str) -> None:
        """Follow what ``who`` says of a trajectory; None follows nothing."""
        self._folder, self._who = folder, who or "annotator"
        self.reached = ()
        self.changed.emit()
        if folder is not None:
            name = self._who
            self._runner.run(lambda _job: (folder, _read(folder, name)), success=self._took, serial=True)

    @Slot(object)
    def _took(self, result: tuple[Path, tuple[Reached, ...]]) -> None:
        folder, reached = result
        if folder == self._folder:
            self.reached = reached
            self.changed.emit()

    def toggle(self, step: int, state: str) -> None:
        """Say that a state is reached at a step, or that it is not."""
        folder, who = self._folder, self._who
        if folder is None:
            return
        rest = tuple(one for one in self.reached if one.state != state)
        here = Reached(step, state) in self.reached
        self.reached = (
            rest if here else tuple(sorted((*rest, Reached(step, state)), key=lambda one: one.step))
        )
        self.changed.emit()
        now = self.reached
        self._runner.run(lambda _job: _write(folder, who, now), serial=True)

    def of_task(self, states: Sequence[str]) -> list[Milestone]:
        """A task's states for its card, each with the step that reaches it."""
        steps = {one.state: one.step + 1 for one in self.reached}
        return [Milestone(state, steps.get(state, 0)) for state in states]

    def marks(self) -> list[LaneMark]:
        """For the timeline, in order."""
        return [state_mark(one.step, one.state) for one in self.reached]


def _read(folder: Path, who: str) -> tuple[Reached, ...]:
    says: dict[str, Any] = dict(read_annotations(folder, who) or {})
    listed = [
        one for one in says.get(KEY) or () if isinstance(one, dict) and isinstance(one.get("step"), int)
    ]
    found = [Reached(one["step"], str(one.get("state", ""))) for one in listed]
    return tuple(sorted(found, key=lambda one: one.step))


def _write(folder: Path, who: str, reached: Sequence[Reached]) -> None:
    says = dict(read_annotations(folder, who) or {})
    says[KEY] = [{"step": one.step, "state": one.state} for one in reached]
    write_annotations(folder, who, says)
