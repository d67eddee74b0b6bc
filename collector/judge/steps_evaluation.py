"""Evaluate the rules of a task along steps that are still recorded, edited and undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.judge.task_evaluation import TaskEvaluation
from collector.judge.task_rules import TaskRules
from collector.judge.trajectory_end import signal_of, view_after
from collector.model.errors import UserError
from collector.model.trajectory import Step, Trajectory, TrajectoryHeader
from collector.model.tree import Tree
from collector.rules.evaluation.state_view import StateView, main_package
from collector.store.reader import StoredTrajectory

if TYPE_CHECKING:
    from collector.rules.evaluation.state_view import RgbImage


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
    """Where the success rule holds first."""
    judged: frozenset[str] = frozenset()
    """Ids of the states that rules judge."""
    has_success_rule: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class UnrecordedScreen:
    """The screen after the last step, which no step holds yet."""

    xml: bytes
    tree: Tree | None
    package: str
    activity: str


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

    def verdicts(self, steps: Sequence[Step], live: UnrecordedScreen | None = None) -> LiveVerdicts:
        """What the rules say of ``steps``, and of the live screen behind them.

        Steps behind a completion signal are not judged, and neither is the live screen then.
        """
        signal = signal_of(steps)
        steps = steps if signal is None else steps[: signal + 1]
        if list(map(_content, steps[: len(self._seen)])) != list(map(_content, self._seen)):
            self._restart()
        stored = StoredTrajectory(self._folder, Trajectory(TrajectoryHeader("", ""), tuple(steps)))
        for step in steps[len(self._seen) :]:
            view = self._view_of(stored, step)
            self._evaluation.see(view)
            self._last = view
            self._seen.append(step)
        evaluation, last = self._evaluation.copy(), len(steps) - 1  # what follows the steps may still change
        if live is not None and signal is None:
            last += 1
            evaluation.see(self._view(live.tree, live.xml, live.package, live.activity, _no_picture))
        elif self._last is not None and (action := steps[-1].action) is not None:
            evaluation.see(view_after(self._last, action, steps[-1].target))
        return self._verdicts(evaluation, last)

    def _view_of(self, stored: StoredTrajectory, step: Step) -> StateView:
        try:
            xml = stored.tree(step) or b""
            tree = parse_tree(xml) if xml else None
        except (UserError, HierarchyError):
            xml, tree = b"", None
        state = step.state
        return self._view(tree, xml, state.package, state.activity, lambda: _picture(stored, step))

    def _view(
        self, tree: Tree | None, xml: bytes, package: str, activity: str,
        picture: Callable[[], RgbImage | None],
    ) -> StateView:  # fmt: skip
        """The screen after the steps seen so far, as rules see it."""
        before = self._seen[-1] if self._seen else None
        view = StateView(
            tree, xml, package or main_package(node.package for node in tree or ()), activity,
            len(self._seen) + 1, before.action if before is not None else None,
            before.target if before is not None else None, picture=picture,
        )  # fmt: skip
        view.follow(self._last)
        return view

    def _verdicts(self, evaluation: TaskEvaluation, last: int) -> LiveVerdicts:
        """What holds so far; ``last`` is the index of the last screen. What follows it has the same index."""
        reached, succeeded = evaluation.reached, evaluation.succeeded
        return LiveVerdicts(
            {
                state.id: ReachedAt(min(reached[state.id][0] - 1, last), evaluation.why_reached(state))
                for state in self._rules.states
                if state.id in reached
            },
            ReachedAt(min(succeeded[0] - 1, last), evaluation.why_succeeded()) if succeeded else None,
            self._rules.judged,
            self._rules.success is not None,
        )


def _content(step: Step) -> tuple[object, ...]:
    """What rules can see of a step; its words do not count."""
    return step.state, step.action, step.target


def _no_picture() -> RgbImage | None:
    return None


def _picture(stored: StoredTrajectory, step: Step) -> RgbImage | None:
    from collector.pictures.decoding import rgb_pixels  # here: pictures bring large libraries

    try:
        data = stored.screenshot(step)
        return rgb_pixels(data) if data else None
    except UserError:
        return None
