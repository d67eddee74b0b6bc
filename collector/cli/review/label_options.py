"""What ``waymark review`` is told of verdicts and states: states as ``ID=STEP``, a reason, a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import click

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.text.step_place import step_index
from collector.model.trajectory import Step
from collector.store.trajectory.achieved_states import screen_of_step, state_of_task
from collector.store.trajectory.reviews.labels import Labels

_MISSED, _NONE = "missed", "none"

states_option = click.option(
    "--state",
    "states",
    multiple=True,
    metavar="ID=STEP",
    help="The step that reaches an essential state, from 1; `missed` for one that was not reached, `none` to "
    "take the label back. The state is an id, or its number in the task from 1. May be repeated.",
)
reason_option = click.option("--reason", default="", help="Id of a reason of the project, or its name.")


@dataclass(frozen=True, slots=True)
class WantedState:
    """What is to be said of an essential state."""

    state: str
    step: int | None = None
    """The step that reaches it, counted from 0."""
    screen: str = ""
    is_missed: bool = False


def wanted_state(text: str, task: Task | None, steps: Sequence[Step]) -> WantedState:
    """What ``ID=STEP`` says of a state of a task. Raises UserError."""
    name, equals, value = text.rpartition("=")
    index = step_index(value)
    if not equals or not (index is not None or value in (_MISSED, _NONE)):
        raise UserError(_("{text} names no step", text=text), "", _("Write ID=STEP, ID=missed or ID=none"))
    state = state_of_task(task, name)
    if index is not None:
        return WantedState(state, index, screen_of_step(steps, index))
    return WantedState(state, is_missed=value == _MISSED)


def with_states(labels: Labels, wanted: Iterable[WantedState]) -> Labels:
    """The labels with what is wanted of each state."""
    for item in wanted:
        if item.step is not None:
            labels = labels.with_reached(item.state, item.step, item.screen)
        else:
            labels = labels.with_missed(item.state) if item.is_missed else labels.without(item.state)
    return labels
