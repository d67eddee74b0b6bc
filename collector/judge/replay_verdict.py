"""Judge whether a replay did its task: by its rules, and where none can say, by the last recorded state."""

from __future__ import annotations

from dataclasses import dataclass

from collector.judge.evaluation.divergence import window_divergence
from collector.judge.evaluation.target_progress import explain_target
from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.screen_similarity import shared_text
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.recorder.screen_moment import ScreenMoment

BY_SAFETY, BY_RULE, BY_TARGET, BY_STATES, BY_LAST_STATE, BY_STEPS = (
    "safety", "rule", "target", "states", "likeness", "steps",
)  # fmt: skip
ENOUGH = 0.7
"""Share of the texts of the last recorded state from which it counts as reached."""


@dataclass(frozen=True, slots=True)
class SuccessVerdict:
    """Whether the task is done, and how that was judged."""

    holds: bool
    by: str
    """``safety`` (a safety rule was violated), ``rule`` (the task's success rule), ``target`` (its target,
    where the rule holds or there is none),
    ``states`` (without both its essential states), ``likeness`` (the last state recorded, where no rule
    judges) or ``steps`` (no state was recorded to compare with: that all steps could be done is all there
    is)."""
    rule: str = ""
    share: float | None = None
    """Of ``likeness``: share of the recorded words that are there, 0 to 1."""
    detail: str = ""


def replay_verdict(
    evaluation: TaskEvaluation, screen: ScreenMoment, final: Step | None, tree: Tree | None
) -> SuccessVerdict:
    """Judge ``screen``, the last one that ``evaluation`` has seen, on which the task is claimed to be done.

    ``final`` is the state recorded after the last action, with its ``tree``; None when there is none.
    """
    verdict = evaluation.verdict()
    if evaluation.safety.violated:
        rules = ", ".join(evaluation.safety.violated)
        return SuccessVerdict(False, BY_SAFETY, detail=_("What must never happen did: {rules}", rules=rules))
    if evaluation.target is not None and verdict.is_decided_by_target and verdict.done is not None:
        reason, _proof = explain_target(evaluation.target, lambda step: step)
        return SuccessVerdict(verdict.done, BY_TARGET, detail=reason)
    if evaluation.rules.success is not None:
        return SuccessVerdict(verdict.done is True, BY_RULE, evaluation.rules.success.id)
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
