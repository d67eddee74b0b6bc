"""Evaluate ``semantics: waymark``: a rule means what it says and every matching node counts.

Neither a condition nor its opposite holds where nothing is known of what it looks at: of nodes on a screen
without a tree or where an XPath takes too many steps, of an app or an activity that was not recorded, of
anything when the condition cannot be read. In logic these are Kleene's three values.
"""

from __future__ import annotations

import re
from dataclasses import replace

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.xpath.evaluation import TooManyStepsError
from collector.model.cancellation import check_cancelled
from collector.rules.evaluation.condition_semantics import semantics_of
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import (
    NO_TREE,
    TOO_EARLY,
    TOO_MANY_STEPS,
    Proof,
    all_of,
    any_of,
    none_of,
)
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Condition, Group

UNREADABLE = "unreadable"
_GROUPS = {"all": all_of, "any": any_of, "not": none_of}


def prove(condition: Condition, view: StateView, images: ImageFinder | None = None) -> Proof:
    """Prove one condition on one state. Raises Cancelled, and nothing for anything a rule can say."""
    check_cancelled()
    if isinstance(condition, Group):
        parts = tuple(prove(part, view, images) for part in condition.conditions)
        proof = _GROUPS[condition.kind](condition, parts)
    else:
        proof = _prove_typed(condition, view, images)
    if condition.min_step > view.screens:
        return replace(proof, holds=False, note=TOO_EARLY, deficit=proof.deficit + 1, unseen=False)
    return proof


def _prove_typed(condition: Condition, view: StateView, images: ImageFinder | None) -> Proof:
    semantics = semantics_of(condition)
    if semantics is not None:
        if semantics.needs_tree and not view.has_nodes:
            return Proof(condition, False, note=NO_TREE, deficit=1, unseen=True)
        try:
            return semantics.prove(condition, view, images)
        except TooManyStepsError:
            return Proof(condition, False, note=TOO_MANY_STEPS, deficit=1, unseen=True)
        except (SelectorError, re.error):
            pass
    return Proof(condition, False, note=UNREADABLE, deficit=1, unseen=True)
