"""One rule on one state, under either semantics."""

from __future__ import annotations

from collector.rules.evaluation.dgara_semantics import prove_dgara
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import DGARA, DGARA_KINDS, WAYMARK, Rule


def evaluate(
    rule: Rule, view: StateView, semantics: str = WAYMARK, images: ImageFinder | None = None
) -> Proof:
    """The proof of ``rule`` on ``view``: ``holds`` is the verdict, ``outcome`` fires, near or silent.

    A rule without conditions never holds under ``waymark``. ``images`` finds images; without it an
    ``image_matches`` does not hold. D-GARA has neither essential states nor safety rules: they are always
    read strictly.
    """
    if semantics == DGARA and rule.kind in DGARA_KINDS:
        return prove_dgara(rule, view)
    proof = prove(rule.conditions, view, images)
    if not rule.conditions.conditions and proof.holds:
        return Proof(rule.conditions, False, deficit=1)
    return proof
