"""Where along a recorded trajectory each essential state is reached, and where its conditions hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.evaluation.trajectory_end import judged_views, last_judged
from collector.model.trajectory import Step
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
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
    evaluation = TaskEvaluation(TaskRules(states, None, semantics, images))
    holding: dict[str, list[int]] = {state.id: [] for state in states if is_judged_by_rule(state)}
    last = last_judged(steps)
    for view in judged_views(views, steps) if steps else views:
        evaluation.see(view)
        index = _index(view.step, last)
        for state in states:
            known = holding.get(state.id, [index])
            if known[-1:] != [index] and evaluation.prove(state, view).holds:
                known.append(index)
    return {
        state.id: StateReach(
            _index_of(evaluation.reached.get(state.id), last),
            tuple(_stretches(holding.get(state.id, ()))),
            tuple(evaluation.waits_for(state)),
            _index_of(evaluation.nearest(state.id), last),
        )
        for state in states
        if state.id in holding or state.id in evaluation.reached
    }


def _index_of(found: tuple[int, Proof] | None, last: int) -> int | None:
    return _index(found[0], last) if found is not None else None


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
