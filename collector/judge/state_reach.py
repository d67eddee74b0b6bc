"""Where along a recorded trajectory each essential state is reached, and where its conditions hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from collector.judge.rule_course import RuleCourse
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
    images: ImageFinder | None = None,
) -> Mapping[str, StateReach]:  # fmt: skip
    """By id what each state with conditions comes to along the screens of one trajectory, first screen first.

    Ids of several states are answered for the last of them.
    """
    course = RuleCourse(states, None, semantics, images)
    holding: dict[str, list[int]] = {state.id: [] for state in states if is_judged_by_rule(state)}
    for index, view in enumerate(views):
        course.see(view)
        for state in states:
            if state.id in holding and course.prove(state, view).holds:
                holding[state.id].append(index)
    tracker = course.tracker
    return {
        state.id: StateReach(
            tracker.reached[state.id] - 1 if state.id in tracker.reached else None,
            tuple(_stretches(holding.get(state.id, ()))),
            tuple(tracker.waits_for(state)),
            tracker.nearest[state.id][0] - 1 if state.id in tracker.nearest else None,
        )
        for state in states
        if state.id in holding or state.id in tracker.reached
    }


def _stretches(indexes: Sequence[int]) -> Iterable[tuple[int, int]]:
    """First and last of each run of numbers that follow each other."""
    start = None
    for place, index in enumerate(indexes):
        start = index if start is None else start
        if place + 1 == len(indexes) or indexes[place + 1] != index + 1:
            yield start, index
            start = None
