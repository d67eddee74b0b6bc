"""Explain proofs: one sentence for each clause, with its nearest miss."""

from __future__ import annotations

from dataclasses import fields

from collector.hierarchy.errors import SelectorError
from collector.model.i18n import N_, _, ngettext
from collector.model.tree import Node
from collector.rules.evaluation import dgara_semantics as dgara
from collector.rules.evaluation.condition_semantics import semantics_of
from collector.rules.evaluation.explanation_text import cut
from collector.rules.evaluation.proof import (
    CRASHES,
    NO_TREE,
    TOO_EARLY,
    TOO_MANY_STEPS,
    Proof,
    ProofOutcome,
)
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import UNREADABLE
from collector.rules.grammar.model import Condition, Group, Unknown

_NOTES = {
    UNREADABLE: N_("It cannot be evaluated as it is written"),
    NO_TREE: N_("No tree of this screen was captured"),
    TOO_MANY_STEPS: N_("Its XPath takes too many steps on this screen and was given up"),
    CRASHES: N_("D-GARA's engine would stop here with an error"),
    dgara.IGNORED: N_("D-GARA takes no notice of it"),
    dgara.EMPTY: N_("D-GARA never passes a rule without conditions"),
    dgara.BAD_SELECTOR: N_("D-GARA cannot read the selector, so it finds nothing"),
    dgara.PATH_IN_NAME: N_("The name of the attribute holds a path of its own, which is not followed"),
    dgara.UNKNOWN_TYPE: N_("D-GARA does not know it, so it is false"),
    dgara.NO_TREE: N_("D-GARA sees no nodes in this dump"),
}
OUTCOMES = {
    ProofOutcome.FIRES: N_("fires"),
    ProofOutcome.NEAR: N_("near miss"),
    ProofOutcome.SILENT: N_("silent"),
}
"""The outcome of a rule on a state, in words."""
_LONGEST_VALUE = 160
_NOT_SHOWN = ("place", "raw", "min_step")


def title(condition: Condition) -> str:
    """A condition in one line: ``element_exists resource-id='app:id/cart'``."""
    if isinstance(condition, Group):
        return {"all": _("all of"), "any": _("any of"), "not": _("none of")}[condition.kind]
    if isinstance(condition, Unknown):
        return condition.written or _("a condition without a type")
    names = [field.name for field in fields(condition) if field.name not in _NOT_SHOWN]
    values = [value for name in names if (value := getattr(condition, name))]
    shown = [", ".join(value) if isinstance(value, tuple) else str(value) for value in values]
    return " ".join((condition.type, *(cut(value, _LONGEST_VALUE) for value in shown)))


def sentence(condition: Condition) -> str:
    """What a condition says, in words: ``There is a node with the id cart``."""
    if isinstance(condition, Group):
        parts = "; ".join(map(sentence, condition.conditions))
        if condition.kind == "not":
            return _("None of: {conditions}", conditions=parts)
        return _("At least one of: {conditions}", conditions=parts) if condition.kind == "any" else parts
    semantics = semantics_of(condition)
    return semantics.sentence(condition) if semantics is not None else title(condition)


def reason(proof: Proof, view: StateView) -> str:
    """Why this clause holds or does not, in one sentence with what is on the screen."""
    if proof.note in _NOTES:
        return _(_NOTES[proof.note])
    if proof.note == TOO_EARLY:
        return _too_early(proof, view)
    sentence = _explained(proof, view)
    if proof.note == dgara.FIRST_MATCH and not proof.holds and (count := _matching(proof, view)) > 1:
        return _("{said}; D-GARA looks at the first of {count} nodes alone", said=sentence, count=count)
    return sentence


def _explained(proof: Proof, view: StateView) -> str:
    condition = proof.condition
    if isinstance(condition, Group):
        return _group(proof, condition)
    semantics = semantics_of(condition)
    return semantics.explain(proof, condition, view) if semantics is not None else _unknown(proof)


def _too_early(proof: Proof, view: StateView) -> str:
    first = proof.condition.min_step
    if first <= view.screens:  # D-GARA compares min_step with values that are no whole numbers
        return _("This step comes too early")
    return _("Step {step} comes before step {first}", step=view.screens, first=first)


def _matching(proof: Proof, view: StateView) -> int:
    try:
        return len(view.find(getattr(proof.condition, "selector", "")))
    except SelectorError:
        return 0


def _group(proof: Proof, condition: Group) -> str:
    total = len(proof.parts)
    if not total:
        return _("There is nothing in it")
    count = sum(part.holds for part in proof.parts)
    if condition.kind == "not" and not proof.holds:
        return ngettext("One holds, and none may", "{count} hold, and none may", count)
    return _("{count} of {total} hold", count=count, total=total)


def _unknown(proof: Proof) -> str:
    """A condition only D-GARA can evaluate; under ``waymark`` a note explains it."""
    if proof.holds:
        return _("D-GARA takes it for true as it is written")
    return _("D-GARA takes it for false as it is written")


def matching_nodes(proof: Proof, view: StateView) -> list[Node]:
    """The nodes to light up because they satisfy a clause."""
    semantics = semantics_of(proof.condition)
    if semantics is not None:
        return semantics.matching_nodes(proof, proof.condition, view)
    return [view.nodes[order] for order in proof.nodes if order < len(view.nodes)]


def near_nodes(proof: Proof, view: StateView) -> list[tuple[Node, str]]:
    """Nodes that nearly satisfy a clause that does not hold, each with what is different."""
    semantics = semantics_of(proof.condition)
    if proof.holds or semantics is None:
        return []
    return list(semantics.near_nodes(proof, proof.condition, view))
