"""Which essential states are reached at each recorded state, worked out along whole trajectories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.rules.evaluation.trajectory_run import EssentialStateTracker

if TYPE_CHECKING:
    from collector.rules.backtest.corpus import Corpus


def reached_states(corpus: Corpus) -> list[frozenset[str]]:
    """For every position of ``corpus``, the ids of the states reached there or before it."""
    reached: list[frozenset[str]] = []
    for number, ref in enumerate(corpus.trajectories):
        task = corpus.task_of(number)
        named = task.essential_states if task is not None else ()
        states = [
            essential_state
            for essential_state in corpus.essential_states
            if essential_state.task in ("", ref.task_id) or essential_state.id in named
        ]
        run = EssentialStateTracker(states)
        for position in corpus.positions_of(number):
            if len(run.reached) < len(states):
                run.step(corpus.view(position))
            reached.append(frozenset(run.reached))
    return reached
