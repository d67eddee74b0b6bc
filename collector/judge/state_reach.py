"""Where along a recorded trajectory each essential state is reached, and where its conditions hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from collector.judge.rule_course import RuleCourse
from collector.judge.trajectory_end import judged_views, last_judged
from collector.model.trajectory import Step
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import WAYMARK, Rule, is_judged_by_rule


@dataclass(frozen=True, slots=True)
class StateReach:
    """What a trajectory says of one essential state. Indexes count the screens of the trajectory from 0."""

    reached: int | None = None
    """The first screen that reaches it; None when none does."""
    holds: tuple[tuple[int, int], ...] = ()
    """First and last screen of each stretch on which its own conditions hold, whatever it comes after."""
    waits_for: tuple[str, ...] = ()
    """Ids of the states it comes after and that are not reached."""
    nearest: int | None = None
    """Of a state that is missed: the screen on which the least was missing."""


def reach_of_states(
    states: Sequence[Rule], views: Iterable[StateView], semantics: str = WAYMARK,
    images: ImageFinder | None = None, steps: Sequence[Step] = (),
) -> Mapping[str, StateReach]:  # fmt: skip
    """By id what each state with conditions comes to along the screens of one trajectory, first screen first.

    With its ``steps`` it ends where the trajectory ends for judges, and the last action counts.
    Ids of several states are answered for the last of them.
    """
    course = RuleCourse(states, None, semantics, images)
    holding: dict[str, list[int]] = {state.id: [] for state in states if is_judged_by_rule(state)}
    last = last_judged(steps)
    for view in judged_views(views, steps) if steps else views:
        course.see(view)
        index = _index(view.step, last)
        for state in states:
            if state.id in holding and course.prove(state, view).holds and holding[state.id][-1:] != [index]:
                holding[state.id].append(index)
    tracker = course.tracker
    return {
        state.id: StateReach(
            _index(tracker.reached[state.id], last) if state.id in tracker.reached else None,
            tuple(_stretches(holding.get(state.id, ()))),
            tuple(tracker.waits_for(state)),
            _index(tracker.nearest[state.id][0], last) if state.id in tracker.nearest else None,
        )
        for state in states
        if state.id in holding or state.id in tracker.reached
    }


def _index(step: int, last: int) -> int:
    """Index of the screen of a step; what follows the last step shares its index. -1 = no last is known."""
    return step - 1 if last < 0 else min(step - 1, last)


def _stretches(indexes: Sequence[int]) -> Iterable[tuple[int, int]]:
    """First and last of each run of numbers that follow each other."""
    start = None
    for place, index in enumerate(indexes):
        start = index if start is None else start
        if place + 1 == len(indexes) or indexes[place + 1] != index + 1:
            yield start, index
            start = None
