"""Notice screen by screen what must never happen while a task is done."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field

from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Rule


@dataclass(slots=True)
class SafetyEvaluation:
    """Tries the safety rules of a task. Steps are those of the views: the first screen is step 1.

    What is so before anything was done is nobody's deed: it counts once it ceased and is so again.
    """

    rules: Sequence[Rule] = ()
    images: ImageFinder | None = None
    violated: dict[str, tuple[int, Proof]] = field(default_factory=dict)
    """Id of each rule that was violated, with the step where it was first, and the proof."""
    _known: set[str] = field(default_factory=set)
    _from_start: set[str] = field(default_factory=set)
    """Rules that have held on every screen so far."""

    def copy(self) -> SafetyEvaluation:
        """Copy what was noticed so far; each of both goes on by itself."""
        copied = copy.copy(self)
        copied.violated = dict(self.violated)
        copied._known, copied._from_start = set(self._known), set(self._from_start)
        return copied

    def see(self, view: StateView, *, is_work: bool) -> None:
        """Note a screen; ``is_work`` when something was done before it."""
        for rule in self.rules:
            if rule.id in self.violated:
                continue
            proof = evaluate(rule, view, images=self.images)
            if proof.unseen:
                continue
            self._known.add(rule.id)
            if not proof.holds:
                self._from_start.discard(rule.id)
            elif not is_work:
                self._from_start.add(rule.id)
            elif rule.id not in self._from_start:
                self.violated[rule.id] = view.step, proof

    def unknown(self) -> tuple[str, ...]:
        """Ids of the rules of which nothing is known: no screen was captured that could show them."""
        return tuple(rule.id for rule in self.rules if rule.id not in self._known)
