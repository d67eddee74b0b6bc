"""What became other in the data of apps along a trajectory, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from collector.model.app_data.collections import AppData
from collector.model.app_data.document import with_changes
from collector.model.trajectory import Step
from collector.targets.data_changes import data_changes
from collector.targets.outcome import effect_text


@dataclass(frozen=True, slots=True)
class AppChange:
    """Something that an app keeps is other than on the screen before."""

    step: int
    """Index of the step on whose screen it shows first, from 0."""
    text: str
    """As in ``todo.tasks: 'Milk' was added``."""


def app_changes(first: AppData | None, steps: Sequence[Step]) -> Iterator[AppChange]:
    """Every change along ``steps``; ``first`` is what apps kept when they were read first.

    A step at which the phone did not say it is passed over. None for a phone that never does.
    """
    before: AppData | None = None
    for index, step in enumerate(steps if first is not None else ()):
        changed = step.state.app_data
        if first is None or changed is None:
            continue
        now = with_changes(first, changed)
        for one in data_changes(before, now) if before is not None else ():
            yield AppChange(index, effect_text(one))
        before = now
