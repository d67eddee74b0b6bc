"""Evaluate the rules of a task along steps that are still recorded, edited and undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collector.device.snapshot import TreeSnapshot
from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.evaluation.trajectory_end import signal_of, view_after
from collector.model.trajectory import Step, Trajectory, TrajectoryHeader
from collector.rules.columns.corpus import Corpus
from collector.rules.evaluation.state_view import StateView, main_package
from collector.store.trajectory.reader import StoredTrajectory


@dataclass(frozen=True, slots=True)
class ReachedAt:
    """The first screen on which something holds."""

    step: int
    """Index of its step, from 0. The number of steps is the index of the live screen."""
    reason: str
    """What held there, in a sentence."""


@dataclass(frozen=True, slots=True)
class LiveVerdicts:
    """What the rules say of the steps so far."""

    states: Mapping[str, ReachedAt] = field(default_factory=dict)
    """Id of each essential state that is reached."""
    done: ReachedAt | None = None
    """Where the success rule holds first, and the target is reached."""
    judged: frozenset[str] = frozenset()
    """Ids of the states that rules judge."""
    has_success_rule: bool = False


class StepsEvaluation:
    """Evaluates the rules of a task along the steps of the trajectory in ``folder``. Belongs to one thread.

    New steps go on where the last call ended. When an earlier step changed, all are read again.
    """

    def __init__(self, rules: TaskRules, folder: Path) -> None:
        self._rules, self._folder = rules, folder
        self._restart()

    def _restart(self) -> None:
        self._seen: list[Step] = []
        self._evaluation = TaskEvaluation(self._rules)
        self._last: StateView | None = None

    def verdicts(
        self, steps: Sequence[Step], live: TreeSnapshot | None = None, *, claimed: bool = False
    ) -> LiveVerdicts:
        """What the rules say of ``steps``, and of the live screen behind them.

        ``claimed`` when the task was said to be done at their end. Steps behind a completion signal are not
        judged, and neither is the live screen then.
        """
        signal = signal_of(steps)
        steps = steps if signal is None else steps[: signal + 1]
        if list(map(_content, steps[: len(self._seen)])) != list(map(_content, self._seen)):
            self._restart()
        corpus = Corpus([StoredTrajectory(self._folder, Trajectory(TrajectoryHeader("", ""), tuple(steps)))])
        for index in range(len(self._seen), len(steps)):
            self._last = corpus.view(index)
            self._evaluation.see(self._last)
            self._seen.append(steps[index])
        evaluation, last = self._evaluation.copy(), len(steps) - 1  # what follows the steps may still change
        if live is not None and signal is None:
            last += 1
            evaluation.see(self._view(live))
        elif self._last is not None and (action := steps[-1].action) is not None:
            evaluation.see(view_after(self._last, action, steps[-1].target), claimed=claimed)
        elif self._last is not None and claimed:
            evaluation.see(self._last, claimed=True)
        return self._verdicts(evaluation, last)

    def _view(self, live: TreeSnapshot) -> StateView:
        """The screen after the steps seen so far, as rules see it."""
        before = self._seen[-1] if self._seen else None
        return StateView(
            live.tree, live.xml, live.package or main_package(node.package for node in live.tree or ()),
            live.activity, len(self._seen) + 1, before.action if before is not None else None,
            before.target if before is not None else None, self._last,
            apps=live.apps, app_data=lambda: live.app_data,
        )  # fmt: skip

    def _verdicts(self, evaluation: TaskEvaluation, last: int) -> LiveVerdicts:
        """What holds so far; ``last`` is the index of the last screen. What follows it has the same index."""
        reached, done_at = evaluation.reached, evaluation.done_at
        return LiveVerdicts(
            {
                state.id: ReachedAt(min(reached[state.id][0] - 1, last), evaluation.why_reached(state))
                for state in self._rules.states
                if state.id in reached
            },
            ReachedAt(min(done_at - 1, last), evaluation.why_done()) if done_at is not None else None,
            self._rules.judged,
            self._rules.success is not None or self._rules.target is not None,
        )


def _content(step: Step) -> tuple[object, ...]:
    """What rules can see of a step; its words do not count."""
    return step.state, step.action, step.target
