"""Follow the rules of a task along one course of screens: of a recording, or of a phone while it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.task_states import replaced_by, states_judged_by_rules
from collector.rules.evaluation.trajectory_run import EssentialStateTracker
from collector.rules.grammar.model import WAYMARK, Rule


@dataclass(frozen=True, slots=True)
class CourseVerdict:
    """Whether what the rules of a task ask for was there."""

    done: bool | None
    """None when no rule can say."""
    tried: tuple[int, Proof] | None = None
    """With a success rule: the step that decides, and its proof."""
    missed: tuple[str, ...] = ()
    """Without one: the needed states that were not reached."""
    unjudged: tuple[str, ...] = ()
    """Without one: the needed states that no rule can judge."""


@dataclass(slots=True)
class RuleCourse:
    """Which essential states were reached, and whether the success rule held.

    Steps are those of the views: the first screen is step 1.
    """

    states: Sequence[Rule] = ()
    success: Rule | None = None
    semantics: str = WAYMARK
    images: ImageFinder | None = None
    needed: Sequence[str] | None = None
    """Ids of the states without which the task is not done; None for all that are not optional."""
    reached: dict[str, tuple[int, Proof]] = field(default_factory=dict)
    """Id of each state that was reached, with the step and the proof."""
    succeeded: tuple[int, Proof] | None = None
    """The first step at which the success rule holds."""
    validated: tuple[int, Proof] | None = None
    """The last step at which the success rule was tried on a screen that was captured."""
    tracker: EssentialStateTracker = field(init=False)

    def __post_init__(self) -> None:
        self.tracker = EssentialStateTracker(self.states, self.semantics, self.images)

    def see(self, view: StateView, *, claimed: bool = False) -> None:
        """Note a screen, and the action that led to it.

        Success is validated after every action, and at once when the task is ``claimed`` to be done (D-GARA,
        section 3.3). Without a claim the first screen is nobody's work.
        """
        for state, proof in self.tracker.step(view):
            self.reached[state.id] = view.step, proof
        is_work = view.step > 1 or claimed
        if self.success is None or self.succeeded is not None or not is_work:
            return
        proof = self.prove(self.success, view)
        if self.validated is None or not proof.unseen or self.validated[1].unseen:
            self.validated = view.step, proof
        self.succeeded = (view.step, proof) if proof.holds else None

    def prove(self, rule: Rule, view: StateView) -> Proof:
        """The proof of any rule on a screen that was noted."""
        return evaluate(rule, view, self.semantics, self.images)

    def verdict(self) -> CourseVerdict:
        """Whether the success rule held at some step; without one, whether the needed states were reached."""
        if self.success is not None:
            tried = self.succeeded or self.validated
            if tried is None:
                return CourseVerdict(False)
            return CourseVerdict(None if tried[1].unseen else tried[1].holds, tried)
        needed = [state.id for state in self.states if not state.optional]
        needed = needed if self.needed is None else list(self.needed)
        judged = states_judged_by_rules(self.states) - self.unknown()
        done = set(self.reached)
        done |= replaced_by(self.states, done.intersection(needed))
        left = [name for name in needed if name not in done]
        missed = tuple(name for name in left if name in judged)
        unjudged = tuple(name for name in left if name not in judged)
        if missed:
            return CourseVerdict(False, None, missed, unjudged)
        return CourseVerdict(None if unjudged or not needed else True, None, (), unjudged)

    def unknown(self) -> frozenset[str]:
        """States not reached of which nothing is known: no screen was captured that could show them."""
        left = [state for state in self.states if state.id not in self.reached]
        nearest = self.tracker.nearest
        waiting = [state.id for state in left if state.id in nearest and nearest[state.id][1].unseen]
        after: dict[str, list[str]] = {}
        for state in left:
            for before in self.tracker.waits_for(state):
                after.setdefault(before, []).append(state.id)
        unknown: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name not in unknown:
                unknown.add(name)
                waiting += after.get(name, ())
        return frozenset(unknown)
