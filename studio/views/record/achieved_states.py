"""Essential states a person says were reached, kept in that person's annotation file.

A mark belongs to a screen, whose file keeps its name while steps before it come and go;
the number of its step is found again each time the steps change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.trajectory import Step
from collector.store.annotations import read_annotations, write_annotations
from studio.bridge import JobRunner
from studio.widgets.recording_cards.task_card import Milestone
from studio.widgets.timeline.lanes import LaneMark, state_mark

KEY = "achieved_states"
_GONE = -1


@dataclass(frozen=True, slots=True)
class AchievedState:
    """``state`` is seen in the screen of step ``step``, from 0; _GONE when that is no longer a step."""

    step: int
    state: str
    screen: str = ""
    """The file of the screen; empty while the step is not yet taken, or is told by its number alone."""


class AchievedStates(QObject):
    """Follows one trajectory. Reading and writing run in the store's executor."""

    changed = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._folder: Path | None = None
        self._who = ""
        self._marks: tuple[AchievedState, ...] = ()
        self._screens: tuple[str, ...] = ()

    @property
    def reached(self) -> tuple[AchievedState, ...]:
        """Marks on steps there are, in order."""
        return tuple(sorted((mark for mark in self._marks if mark.step != _GONE), key=lambda mark: mark.step))

    def open(self, folder: Path | None, who: str) -> None:
        """Follow what ``who`` says of a trajectory; None follows nothing."""
        self._folder, self._who = folder, who or "annotator"
        self._marks, self._screens = (), ()
        self.changed.emit()
        if folder is not None:
            name = self._who
            self._runner.run(lambda _job: (folder, _read(folder, name)), success=self._took, serial=True)

    @Slot(object)
    def _took(self, result: tuple[Path, tuple[AchievedState, ...]]) -> None:
        folder, reached = result
        if folder == self._folder:
            self._marks = tuple(self._moved(one, ()) for one in reached)
            self.changed.emit()

    def follow(self, steps: Sequence[Step]) -> None:
        """The steps are these now: each mark stays with its screen, or waits until an undo brings it back."""
        before, self._screens = self._screens, tuple(map(_screen, steps))
        shown = self.reached
        self._marks = tuple(self._moved(mark, before) for mark in self._marks)
        if self.reached != shown:
            self._save()
            self.changed.emit()

    def _moved(self, mark: AchievedState, before: tuple[str, ...]) -> AchievedState:
        screens = self._screens
        if mark.screen in screens:
            return replace(mark, step=screens.index(mark.screen))
        if not mark.screen and mark.step < len(before):
            return mark
        if not mark.screen:  # on the live screen, which has a name once its step is taken
            place = mark.step if len(screens) > len(before) else len(screens)
            return replace(mark, step=place, screen="".join(screens[place : place + 1]))
        was_replaced = len(screens) == len(before) and mark.step >= 0 and screens[mark.step] not in before
        return replace(mark, screen=screens[mark.step]) if was_replaced else replace(mark, step=_GONE)

    def toggle(self, step: int, state: str) -> None:
        """Say that a state is reached at a step, or that it is not."""
        if self._folder is None:
            return
        rest = tuple(mark for mark in self._marks if mark.state != state)
        here = any((mark.step, mark.state) == (step, state) for mark in self._marks)
        mark = AchievedState(step, state, "".join(self._screens[step : step + 1]))
        self._marks = rest if here else (*rest, mark)
        self.changed.emit()
        self._save()

    def _save(self) -> None:
        folder, who, now = self._folder, self._who, self.reached
        if folder is not None:
            self._runner.run(lambda _job: _write(folder, who, now), serial=True)

    def of_task(self, states: Sequence[str]) -> list[Milestone]:
        """A task's states for its card, each with the step that reaches it."""
        steps = {one.state: one.step + 1 for one in self.reached}
        return [Milestone(state, steps.get(state, 0)) for state in states]

    def marks(self) -> list[LaneMark]:
        """For the timeline, in order."""
        return [state_mark(one.step, one.state) for one in self.reached]


def _screen(step: Step) -> str:
    return step.state.screenshot or step.state.tree


def _read(folder: Path, who: str) -> tuple[AchievedState, ...]:
    says: dict[str, Any] = dict(read_annotations(folder, who) or {})
    listed = [
        one for one in says.get(KEY) or () if isinstance(one, dict) and isinstance(one.get("step"), int)
    ]
    return tuple(
        AchievedState(one["step"], str(one.get("state", "")), str(one.get("screen", ""))) for one in listed
    )


def _write(folder: Path, who: str, reached: Sequence[AchievedState]) -> None:
    says = dict(read_annotations(folder, who) or {})
    says[KEY] = [
        {"step": one.step, "state": one.state, **({"screen": one.screen} if one.screen else {})}
        for one in reached
    ]
    write_annotations(folder, who, says)
