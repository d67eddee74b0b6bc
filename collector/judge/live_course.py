"""Follow the rules of a task along steps that are still recorded, edited and undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.judge.rule_course import RuleCourse
from collector.judge.state_explanation import explain_proof, explain_reached
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


@dataclass(slots=True)
class _Reasons:
    """A course of rules with the reason of everything that holds, in the words of its screen."""

    rules: TaskRules
    course: RuleCourse
    of_states: dict[str, str] = field(default_factory=dict)
    of_success: str = ""

    @classmethod
    def begin(cls, rules: TaskRules) -> _Reasons:
        return cls(rules, RuleCourse(rules.states, rules.success, rules.semantics, rules.images))

    def see(self, view: StateView) -> None:
        course = self.course
        known, was_done = set(course.reached), course.succeeded is not None
        course.see(view)
        for state in course.states:
            if state.id in course.reached and state.id not in known:
                proof = course.reached[state.id][1]
                self.of_states[state.id] = explain_reached(state, proof, view, course.reached)
        if course.succeeded is not None and not was_done:
            self.of_success = explain_proof(course.succeeded[1], view)

    def copy(self) -> _Reasons:
        """Copy the evaluation; each goes on by itself."""
        old, copy = self.course, _Reasons.begin(self.rules)
        copy.of_states, copy.of_success = dict(self.of_states), self.of_success
        new = copy.course
        new.reached, new.succeeded, new.validated = dict(old.reached), old.succeeded, old.validated
        new.tracker.reached, new.tracker.nearest = dict(old.tracker.reached), dict(old.tracker.nearest)
        return copy

    def verdicts(self, last: int) -> LiveVerdicts:
        """What holds so far; ``last`` is the index of the last screen, which what follows it shares."""
        reached, succeeded = self.course.reached, self.course.succeeded
        return LiveVerdicts(
            {
                state: ReachedAt(min(step - 1, last), self.of_states[state])
                for state, (step, _proof) in reached.items()
            },
            ReachedAt(min(succeeded[0] - 1, last), self.of_success) if succeeded is not None else None,
            self.rules.judged,
            self.rules.success is not None,
        )


class LiveCourse:
    """The course of the trajectory in ``folder``. Belongs to one thread.

    New steps go on where the last call ended. When an earlier step changed, all are read again.
    """

    def __init__(self, rules: TaskRules, folder: Path) -> None:
        self._rules, self._folder = rules, folder
        self._restart()

    def _restart(self) -> None:
        self._seen: list[Step] = []
        self._course = _Reasons.begin(self._rules)
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
            self._course.see(view)
            view.previous = None  # rules look back one state, and a recording may be long
            self._last = view
            self._seen.append(step)
        course, last = self._course.copy(), len(steps) - 1  # what follows the steps may still change
        if live is not None and signal is None:
            last += 1
            course.see(self._view(live.tree, live.xml, live.package, live.activity, _no_picture))
        elif self._last is not None and (after := view_after(self._last, steps[-1])) is not None:
            course.see(after)
        return course.verdicts(last)

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
        return StateView(
            tree, xml, package or main_package(node.package for node in tree or ()), activity,
            len(self._seen) + 1, before.action if before is not None else None,
            before.target if before is not None else None, self._last, picture=picture,
        )  # fmt: skip


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
