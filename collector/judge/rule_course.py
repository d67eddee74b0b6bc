"""Follow the rules of a task along one course of screens: of a recording, or of a phone while it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from collector.model.action import COMPLETION_SIGNALS, Action, Answer
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.trajectory_run import EssentialStateTracker
from collector.rules.grammar.model import WAYMARK, Rule


@dataclass(slots=True)
class RuleCourse:
    """Which essential states were reached, whether the success rule held, and what was claimed.

    Steps are those of the views: the first screen is step 1.
    """

    states: Sequence[Rule] = ()
    success: Rule | None = None
    semantics: str = WAYMARK
    images: ImageFinder | None = None
    reached: dict[str, tuple[int, Proof]] = field(default_factory=dict)
    """Id of each state that was reached, with the step and the proof."""
    succeeded: tuple[int, Proof] | None = None
    """The first step at which the success rule holds."""
    validated: tuple[int, Proof] | None = None
    """The last step at which the success rule was tried."""
    claimed: int | None = None
    """The step at which the task was said to be done."""
    answer: str | None = None
    """The answer that was given with it."""
    tracker: EssentialStateTracker = field(init=False)

    def __post_init__(self) -> None:
        self.tracker = EssentialStateTracker(self.states, self.semantics, self.images)

    def see(self, view: StateView, next_action: Action | None = None) -> None:
        """Note a screen. ``next_action`` is taken on it, and may be a completion signal.

        Success is validated after every action, and at once on a signal (D-GARA, section 3.3); the first
        screen is nobody's work.
        """
        for state, proof in self.tracker.step(view):
            self.reached[state.id] = view.step, proof
        is_claim = isinstance(next_action, COMPLETION_SIGNALS)
        if is_claim and self.claimed is None:
            self.claimed = view.step
            self.answer = next_action.text if isinstance(next_action, Answer) else None
        if self.success is not None and self.succeeded is None and (view.step > 1 or is_claim):
            self.validated = view.step, self.prove(self.success, view)
            self.succeeded = self.validated if self.validated[1].holds else None

    def prove(self, rule: Rule, view: StateView) -> Proof:
        """The proof of any rule on a screen that was noted."""
        return evaluate(rule, view, self.semantics, self.images)
