"""Essential states that a person marked as reached in a trajectory, kept in that person's annotation file.

A mark belongs to a screen. The screen's file keeps its name while steps before it are inserted or deleted,
so the step of a mark is computed again whenever the steps change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.model.errors import UserError
from collector.model.essential_state import EssentialState
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import Step

ACHIEVED_STATES = "achieved_states"
"""The key of the marks in a file of annotations."""
MISSED_STATES = "missed_states"
"""The key of the ids of states that the person saw not reached."""
_NO_STEP = -1


@dataclass(frozen=True, slots=True)
class AchievedState:
    """The essential state with the id ``state`` is reached on the screen of step ``step``, counted from 0."""

    step: int
    state: str
    """Empty when its id is not known, as in a file of version 1 until :func:`with_state_ids`."""
    screen: str = ""
    """File of the screen; empty while its step is not taken yet, and in files that give the step alone."""
    sentence: str = ""
    """What a file says of the state in place of its id."""

    @property
    def name(self) -> str:
        """The id of the state, else what is said of it."""
        return self.state or self.sentence

    @property
    def has_step(self) -> bool:
        """Whether the trajectory still has a step with this screen."""
        return self.step != _NO_STEP


def state_names(task: Task, states: Mapping[str, EssentialState]) -> dict[str, str]:
    """Ids of the states of a task, by id and by sentence; of states with the same sentence the first."""
    ids = [state_id for state_id in task.essential_states if state_id in states]
    by_sentence = {states[state_id].sentence: state_id for state_id in reversed(ids)}
    return {**by_sentence, **{state_id: state_id for state_id in ids}}


def state_of_task(task: Task | None, wanted: str) -> str:
    """The id of an essential state of a task, given by id or by its number from 1. Raises UserError."""
    states = task.essential_states if task is not None else ()
    if wanted in states:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(states):
        return states[int(wanted) - 1]
    raise UserError(
        _("The task has no essential state {id}", id=wanted),
        "",
        _("Name one of: {known}", known=", ".join(states) or "-"),
    )


def with_state_ids(marks: Iterable[AchievedState], names: Mapping[str, str]) -> tuple[AchievedState, ...]:
    """Return the marks with the ids of their states, by the names of :func:`state_names`.

    A mark of a state that is not among them stays as it is.
    """
    return tuple(
        replace(mark, state=names[mark.sentence], sentence="")
        if not mark.state and mark.sentence in names
        else mark
        for mark in marks
    )


def mark_values(mark: AchievedState) -> dict[str, Any]:
    """The entry of a mark in a file of annotations."""
    values = {"state": mark.state, "sentence": mark.sentence, "screen": mark.screen}
    return {"step": mark.step, **{key: value for key, value in values.items() if value}}


def marks_of(annotations: Mapping[str, Any]) -> tuple[AchievedState, ...]:
    """The marks of loaded annotations; damaged entries are left out."""
    listed = annotations.get(ACHIEVED_STATES)
    return tuple(
        AchievedState(entry["step"], *(str(entry.get(key) or "") for key in ("state", "screen", "sentence")))
        for entry in (listed if isinstance(listed, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("step"), int)
    )


def screens_of(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return the file that names the screen of each step."""
    return tuple(step.state.screenshot or step.state.tree for step in steps)


def screen_of_step(steps: Sequence[Step], step: int) -> str:
    """The file of the screen of a step. Raises UserError for a step that is not there."""
    if not 0 <= step < len(steps):
        raise UserError(
            _("There is no step {step}", step=step + 1),
            "",
            _("The trajectory has steps from 1 to {last}", last=len(steps)),
        )
    return screens_of(steps)[step]


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
    is_rerecorded = (
        len(screens) == len(before) and 0 <= mark.step < len(screens) and screens[mark.step] not in before
    )
    return replace(mark, screen=screens[mark.step]) if is_rerecorded else replace(mark, step=_NO_STEP)
