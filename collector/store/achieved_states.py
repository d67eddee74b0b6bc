"""Essential states that a person marked as reached in a trajectory, kept in that person's annotation file.

A mark belongs to a screen. The screen's file keeps its name while steps before it are inserted or deleted,
so the step of a mark is computed again whenever the steps change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from collector.model.trajectory import Step
from collector.store.annotations import read_annotations, write_annotations

_KEY = "achieved_states"
_NO_STEP = -1


@dataclass(frozen=True, slots=True)
class AchievedState:
    """The essential state ``state`` is reached on the screen of step ``step``, counted from 0."""

    step: int
    state: str
    screen: str = ""
    """File of the screen; empty while its step is not taken yet, and in files that give the step alone."""

    @property
    def has_step(self) -> bool:
        """Whether the trajectory still has a step with this screen."""
        return self.step != _NO_STEP


def screens_of(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return the file that names the screen of each step."""
    return tuple(step.state.screenshot or step.state.tree for step in steps)


def move_with_screen(mark: AchievedState, screens: Sequence[str], before: Sequence[str]) -> AchievedState:
    """Return a mark with its step among ``screens``; ``before`` are the screens it had its step among.

    A mark whose screen is gone keeps it, so that an undo brings the mark back.
    """
    if mark.screen in screens:  # of steps that share it the nearest
        steps = [step for step, screen in enumerate(screens) if screen == mark.screen]
        return replace(mark, step=min(steps, key=lambda step: abs(step - mark.step)))
    if not mark.screen and mark.step < len(before):
        return mark
    if not mark.screen:  # on the live screen, which gets its file once its step is taken
        step = mark.step if len(screens) > len(before) else len(screens)
        return replace(mark, step=step, screen="".join(screens[step : step + 1]))
    is_rerecorded = len(screens) == len(before) and mark.has_step and screens[mark.step] not in before
    return replace(mark, screen=screens[mark.step]) if is_rerecorded else replace(mark, step=_NO_STEP)


def read_achieved_states(folder: Path, who: str) -> tuple[AchievedState, ...]:
    """Return what ``who`` marked in the trajectory in ``folder``; damaged entries are left out."""
    annotations: dict[str, Any] = dict(read_annotations(folder, who) or {})
    return tuple(
        AchievedState(entry["step"], str(entry.get("state", "")), str(entry.get("screen", "")))
        for entry in annotations.get(_KEY) or ()
        if isinstance(entry, dict) and isinstance(entry.get("step"), int)
    )


def write_achieved_states(folder: Path, who: str, marks: Sequence[AchievedState]) -> None:
    """Replace what ``who`` marked in the trajectory in ``folder``; other annotations stay."""
    annotations = dict(read_annotations(folder, who) or {})
    annotations[_KEY] = [
        {"step": mark.step, "state": mark.state, **({"screen": mark.screen} if mark.screen else {})}
        for mark in marks
    ]
    write_annotations(folder, who, annotations)
