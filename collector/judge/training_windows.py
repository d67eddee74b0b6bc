"""Windows of trajectories as people labelled them: what A3 trains its reward model on (section 4.1).

A window of two states is positive for an essential state when the state is reached at its end: the transition
that people identified. All other windows of the trajectory are negative for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from collector.judge.judge import Window, sliding_windows
from collector.model.judgement import REACHED, STATE
from collector.model.voted_subject import VotedSubject

SIZE, STRIDE = 2, 1
"""A3RM's window and interval."""


@dataclass(frozen=True, slots=True)
class TrainingWindow:
    """What people say of one window and one essential state."""

    state: str
    window: Window
    is_positive: bool
    people: tuple[str, ...]


def training_windows(subjects: Iterable[VotedSubject], states: int) -> tuple[list[TrainingWindow], list[str]]:
    """The windows of a trajectory with ``states`` states, and the essential states that people are split on.

    ``subjects`` are those of this trajectory. A state that no person labelled gives no window.
    """
    windows = sliding_windows(states, SIZE, STRIDE)
    samples: list[TrainingWindow] = []
    split: list[str] = []
    for subject in subjects:
        if subject.kind != STATE or not subject.people:
            continue
        step = step_of_people(subject)
        if not subject.people_say or (subject.people_say == REACHED and step is None):
            split.append(subject.state)
            continue
        samples += [
            TrainingWindow(subject.state, window, _reaches(window, step), subject.people)
            for window in windows
        ]
    return samples, split


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


def _reaches(window: Window, step: int | None) -> bool:
    """Whether a state reached at ``step`` is reached by a window: at its end, or at the very first state."""
    return step is not None and (window.last == step or (step == 0 and window.first == 0))
