"""Judge whether a replay did its task, as the judge ``rules`` judges the run that the replay leaves.

Where no rule can say, the last recorded state decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collector.judge.divergence import foreground_activity, window_divergence
from collector.judge.rule_course import RuleCourse
from collector.judge.screen_similarity import shared_text
from collector.judge.verdict import BY_LAST_STATE, BY_RULE, BY_STATES, BY_STEPS, SuccessVerdict
from collector.model.action import Action
from collector.model.i18n import _
from collector.model.trajectory import Step, Target
from collector.model.tree import Tree
from collector.recorder.screen_moment import ScreenMoment
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import WAYMARK, Rule

if TYPE_CHECKING:
    from collector.rules.evaluation.state_view import RgbImage

ENOUGH = 0.7
"""Share of the texts of the last recorded state from which it counts as reached."""


def _no_picture() -> RgbImage | None:
    return None


@dataclass(slots=True)
class SuccessJudge:
    """Follows one run from screen to screen and judges its end.

    ``states`` are the essential states that are followed, ``needed`` those without which the task is not
    done; None for all that are not optional.
    """

    rule: Rule | None = None
    """The success rule of the task."""
    states: Sequence[Rule] = ()
    semantics: str = WAYMARK
    images: ImageFinder | None = None
    take_picture: Callable[[], RgbImage | None] = _no_picture
    needed: Sequence[str] | None = None
    _course: RuleCourse = field(init=False)
    _last: StateView | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forget the screens so far: a run begins."""
        self._course = RuleCourse(self.states, self.rule, self.semantics, self.images, self.needed)
        self._last = None

    def see(
        self, screen: ScreenMoment, step: int, action: Action | None = None, target: Target | None = None
    ) -> StateView:
        """Note a screen and return it as rules see it; ``action`` led to it, and ``step`` counts from 1."""
        last = self._last
        if last is not None and last.step == step:
            last = last.previous  # the same state, looked at again
        elif last is not None:
            last.previous = None  # a rule looks back one state, and a run may be long
        frame = screen.frame
        view = StateView(
            screen.tree, screen.xml, screen.package, foreground_activity(screen), step, action, target,
            last, picture=self.take_picture if frame is None else frame.rgb,
        )  # fmt: skip
        self._course.see(view)
        self._last = view
        return view

    def holds(self, rule: Rule, view: StateView) -> bool:
        """Whether ``rule`` holds on a noted screen."""
        return self._course.prove(rule, view).holds

    def verdict(
        self, view: StateView, screen: ScreenMoment, final: Step | None, tree: Tree | None
    ) -> SuccessVerdict:
        """Judge the last screen, on which the task is said to be done.

        ``final`` is the state recorded after the last action, with its ``tree``; None when there is none.
        """
        self._course.see(view, claimed=True)
        verdict = self._course.verdict()
        if self.rule is not None:
            return SuccessVerdict(verdict.done is True, BY_RULE, self.rule.id)
        if verdict.done is not None:
            missed = _("Not reached: {states}", states=", ".join(verdict.missed)) if verdict.missed else ""
            return SuccessVerdict(verdict.done, BY_STATES, detail=missed)
        if final is None:
            return SuccessVerdict(True, BY_STEPS, detail=_("No final state was recorded"))
        divergence = window_divergence(final, screen)
        share = shared_text(tree, screen.tree)
        if divergence is not None:
            return SuccessVerdict(False, BY_LAST_STATE, share=share, detail=str(divergence))
        return SuccessVerdict(share is None or share >= ENOUGH, BY_LAST_STATE, share=share)
