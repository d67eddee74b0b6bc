"""Evaluate a task's rules screen by screen: along a recording, an episode, a replay, or a phone in use."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import InitVar, dataclass, field, replace

from collector.judge.evaluation.safety_evaluation import SafetyEvaluation
from collector.judge.evaluation.state_explanation import explain_holding, explain_missed, explain_reached
from collector.judge.evaluation.target_progress import TargetProgress, explain_target
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.evaluation.trajectory_end import judged_views
from collector.model.action import Invalid
from collector.model.trajectory import Step
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.task_states import replaced_by, states_judged_by_rules
from collector.rules.evaluation.trajectory_run import EssentialStateTracker
from collector.rules.grammar.model import Rule
from collector.targets.known_outcomes import KnownOutcomes


@dataclass(frozen=True, slots=True)
class TaskVerdict:
    """Whether what the rules of a task ask for was there."""

    done: bool | None
    """None when no rule can say."""
    tried: tuple[int, Proof] | None = None
    """With a success rule: the step that decides, and its proof."""
    missed: tuple[str, ...] = ()
    """Without one: the needed states that were not reached."""
    unjudged: tuple[str, ...] = ()
    """Without one: the needed states that no rule can judge."""
    is_decided_by_target: bool = False
    """Whether the success rule held, or there is none, so that the target decides."""


@dataclass(slots=True)
class TaskEvaluation:
    """Which essential states were reached, whether the success rule held, and why.

    Steps are those of the views: the first screen is step 1. Raises Cancelled, as all evaluation of rules.
    """

    rules: TaskRules = field(default_factory=TaskRules)
    outcomes: InitVar[KnownOutcomes | None] = None
    """Those of the target of the rules, when other trajectories share them."""
    reached: dict[str, tuple[int, Proof]] = field(default_factory=dict)
    """Id of each state that was reached, with the step and the proof."""
    succeeded: tuple[int, Proof] | None = None
    """The first step at which the success rule holds."""
    validated: tuple[int, Proof] | None = None
    """The last step at which the success rule was tried on a screen that was captured."""
    target: TargetProgress | None = field(init=False)
    """How far the target of the task is reached; None without a target."""
    safety: SafetyEvaluation = field(init=False)
    """What must never happen, and did."""
    _tracker: EssentialStateTracker = field(init=False)

    def __post_init__(self, outcomes: KnownOutcomes | None) -> None:
        if outcomes is None and self.rules.target is not None:
            outcomes = KnownOutcomes(self.rules.target)
        self.target = TargetProgress(outcomes) if outcomes is not None else None
        self.safety = SafetyEvaluation(self.rules.forbidden, self.rules.images)
        self._tracker = EssentialStateTracker(self.rules.states, self.rules.semantics, self.rules.images)

    def copy(self) -> TaskEvaluation:
        """Copy what was evaluated so far; each of both goes on by itself."""
        copied = copy.copy(self)
        copied.reached, copied._tracker = dict(self.reached), self._tracker.copy()
        copied.target = self.target.copy() if self.target is not None else None
        copied.safety = self.safety.copy()
        return copied

    # Screens

    def see(self, view: StateView, *, claimed: bool = False) -> None:
        """Note a screen, and the action that led to it.

        Success is validated after every action, and at once when the task is ``claimed`` to be done (D-GARA,
        section 3.3). Without a claim success on the first screen does not count, also when nothing was done
        on it but an invalid action.
        """
        for state, proof in self._tracker.step(view):
            self.reached[state.id] = view.step, proof
        is_work = view.screens > 1 or (view.follows_last and not isinstance(view.action, Invalid))
        self.safety.see(view, is_work=is_work)
        if self.target is not None:
            self.target.see(view, counts=is_work or claimed)
        if self.rules.success is None or self.succeeded is not None or not (is_work or claimed):
            return
        proof = self.prove(self.rules.success, view)
        if self.validated is None or not proof.unseen or self.validated[1].unseen:
            self.validated = view.step, proof
        self.succeeded = (view.step, proof) if proof.holds else None

    def see_recorded(
        self, views: Iterable[StateView], steps: Sequence[Step], *, claimed: bool = False
    ) -> None:
        """Note the screens of a trajectory up to its end for judges, and the moment after it.

        ``claimed`` when the task was said to be done there.
        """
        last: StateView | None = None
        for view in judged_views(views, steps):
            if last is not None:
                self.see(last)
            last = view
        if last is not None:
            self.see(last, claimed=claimed)

    def prove(self, rule: Rule, view: StateView) -> Proof:
        """The proof of any rule on a screen that was noted."""
        return evaluate(rule, view, self.rules.semantics, self.rules.images)

    # What they come to

    def verdict(self) -> TaskVerdict:
        """Whether the success rule held at some step; without one, whether the needed states were reached.

        What must never happen makes no difference to it: see :attr:`safety`.
        """
        states = self.rules.states
        if self.rules.success is not None:
            tried = self.succeeded or self.validated
            if tried is None:
                return TaskVerdict(False)
            return self._with_target(TaskVerdict(None if tried[1].unseen else tried[1].holds, tried))
        if self.target is not None:
            return self._with_target(TaskVerdict(True))
        needed = [state.id for state in states if not state.optional]
        needed = needed if self.rules.needed is None else list(self.rules.needed)
        judged = states_judged_by_rules(states) - self.unknown()
        done = set(self.reached)
        done |= replaced_by(states, done.intersection(needed))
        left = [name for name in needed if name not in done]
        missed = tuple(name for name in left if name in judged)
        unjudged = tuple(name for name in left if name not in judged)
        if missed:
            return TaskVerdict(False, None, missed, unjudged)
        return TaskVerdict(None if unjudged or not needed else True, None, (), unjudged)

    def _with_target(self, verdict: TaskVerdict) -> TaskVerdict:
        """The verdict of the success rule, and of the target: the task is done when both are."""
        if self.target is None or verdict.done is False:
            return verdict
        done = None if self.target.decisive is None else self.target.reached is not None
        return replace(verdict, done=verdict.done if done else done, is_decided_by_target=True)

    def unknown(self) -> frozenset[str]:
        """States not reached of which nothing is known: no screen was captured that could show them."""
        return self._tracker.unseen()

    def nearest(self, state: str) -> tuple[int, Proof] | None:
        """The step at which the least was missing of a state, and its proof; None when it was never tried."""
        return self._tracker.nearest.get(state)

    def waits_for(self, state: Rule) -> list[str]:
        """Ids of the states that must be reached before ``state`` can be, and are not."""
        return self._tracker.waits_for(state)

    # Reasons

    def why_reached(self, state: Rule) -> str:
        """Why a state was reached, in a sentence."""
        step, proof = self.reached[state.id]
        by_then = {name for name, (at, _proof) in self.reached.items() if at <= step}
        return explain_reached(state, proof, by_then)

    def why_missed(self, state: Rule, view_of: Callable[[int], StateView]) -> str:
        """What a state lacked, in a sentence; ``view_of`` gives the screen of a step again."""
        nearest = self.nearest(state.id)
        near = (nearest[1], view_of(nearest[0])) if nearest is not None else None
        return explain_missed(state, self.waits_for(state), self._tracker.waits, near)

    @property
    def done_at(self) -> int | None:
        """The first step at which the success rule holds, and the target is reached; None without one."""
        steps = [] if self.rules.success is None else [self.succeeded[0] if self.succeeded else None]
        steps += [] if self.target is None else [self.target.reached]
        known = [step for step in steps if step is not None]
        return max(known) if known and len(known) == len(steps) else None

    def why_done(self) -> str:
        """What held where the task was done first; empty before it was."""
        if self.done_at is None:
            return ""
        if self.succeeded is not None:
            return explain_holding(self.succeeded[1])
        assert self.target is not None
        return explain_target(self.target, lambda step: step)[0]
