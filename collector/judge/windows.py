"""Windows of trajectories, and as people labelled them: what A3 trains its reward model on (section 4.1).

A window is positive for an essential state when it shows the transition that people identified: with two
states, when the state is reached at its end. All other windows of the trajectory are negative for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from collector.model.verdicts.judgement import REACHED, STATE
from collector.model.verdicts.voted_subject import VotedSubject

SIZE, STRIDE = 2, 1
"""A3RM's window and interval."""


@dataclass(frozen=True, slots=True)
class Window:
    """States of a trajectory that a judge sees together, counted from 0, both ends included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class TrainingWindow:
    """What people say of one window and one essential state."""

    state: str
    window: Window
    is_positive: bool
    people: tuple[str, ...]
    screen: int | None = None
    """The screen of a positive window that reaches the state, from 1."""


def sliding_windows(states: int, size: int, stride: int) -> list[Window]:
    """Windows of ``size`` states, ``stride`` apart, over all states of a trajectory (A3, section 3.2).

    The last window ends at the last state, so that none is left out. A3 uses 4 and 2 for commercial models,
    2 and 1 for its own. Raises ValueError for a size or stride under 1.
    """
    if size < 1 or stride < 1:
        raise ValueError(f"no windows of {size} states, {stride} apart")
    if states <= 0:
        return []
    last = max(0, states - size)
    firsts = sorted({*range(0, last + 1, min(stride, size)), last})
    return [Window(first, min(first + size, states) - 1) for first in firsts]


def training_windows(
    subjects: Iterable[VotedSubject], states: int, size: int = SIZE, stride: int = STRIDE
) -> tuple[list[TrainingWindow], list[str]]:
    """The windows of a trajectory with ``states`` states, and the essential states that people are split on.

    ``subjects`` are those of this trajectory. A state that no person labelled gives no window.
    """
    windows = sliding_windows(states, size, stride)
    samples: list[TrainingWindow] = []
    split: list[str] = []
    for subject in subjects:
        if subject.kind != STATE or not subject.people:
            continue
        step = step_of_people(subject)
        if not subject.people_say or (subject.people_say == REACHED and step is None):
            split.append(subject.state)
            continue
        samples += [_labelled(subject, window, step) for window in windows]
    return samples, split


def _labelled(subject: VotedSubject, window: Window, step: int | None) -> TrainingWindow:
    if step is None or not is_reached_in(window, step):
        return TrainingWindow(subject.state, window, False, subject.people)
    return TrainingWindow(subject.state, window, True, subject.people, step - window.first + 1)


def step_of_people(subject: VotedSubject) -> int | None:
    """The step that was settled, else the one that most people name, the earliest of several.

    None for a state that is not reached.
    """
    if subject.people_say != REACHED:
        return None
    if subject.settled_step is not None:
        return subject.settled_step
    steps = [subject.steps[who] for who in subject.people if who in subject.steps]
    if not steps:
        return None
    counts = Counter(steps)
    return min(step for step in counts if counts[step] == max(counts.values()))


def is_reached_in(window: Window, step: int | None) -> bool:
    """Whether a window shows how a state is reached at ``step``: the transition to it, or the first state."""
    return step is not None and (window.first < step <= window.last or (step == 0 and window.first == 0))
