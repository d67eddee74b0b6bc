"""Explain in sentences why an essential state was reached, or what it lacked."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from collector.model.i18n import _
from collector.rules.evaluation import explanation
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.proof_summary import deciding_clauses
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Rule

_MOST = 3


def explain_reached(state: Rule, proof: Proof, reached: Container[str]) -> str:
    """Why a state was reached on a screen; ``reached`` are the ids of all states that were by then."""
    instead = [other for other in state.alternatives if other in reached]
    if not proof.holds and instead:
        return _("{state} was reached, which counts as this one", state=instead[0])
    return explain_holding(proof)


def explain_proof(proof: Proof, view: StateView) -> str:
    """Why conditions hold on a screen, or what they lack, a sentence for each of the first that decide."""
    return explain_holding(proof) if proof.holds else "; ".join(_lacking(proof, view))


def explain_missed(
    state: Rule, waits: Sequence[str], befores: Mapping[str, Sequence[str]],
    nearest: tuple[Proof, StateView] | None,
) -> str:  # fmt: skip
    """What a state lacked.

    ``waits`` are ids of states that had to be reached before it and were not, ``befores`` gives by id what
    each state waits for; ``nearest`` is the proof on the screen that came nearest, None when it was tried on
    none.
    """
    if (circle := _circle(state, befores)) is not None:
        return _("These states wait for each other: {states}", states=" -> ".join(circle))
    if gone := [name for name in waits if name not in befores]:
        return _("It waits for {states}, which no file defines", states=", ".join(gone))
    if waits:
        return _("It waits for {states}, not reached", states=", ".join(waits))
    if nearest is None:
        return _("The trajectory has no states")
    return explain_proof(*nearest)


def _circle(state: Rule, befores: Mapping[str, Sequence[str]]) -> list[str] | None:
    """The way from a state through those that it waits for back to itself; None without one."""
    ways, seen = [[state.id]], set[str]()
    while ways:
        way = ways.pop(0)
        for before in befores.get(way[-1], ()):
            if before == state.id:
                return [*way, before]
            if before not in seen:
                seen.add(before)
                ways.append([*way, before])
    return None


def explain_holding(proof: Proof) -> str:
    """What was there, and what was not there and must not be."""
    sentences = []
    for clause in deciding_clauses(proof)[:_MOST]:
        said = explanation.sentence(clause.condition)
        sentences.append(said if clause.holds else _("Not so: {condition}", condition=said))
    return "; ".join(sentences)


def _lacking(proof: Proof, view: StateView) -> list[str]:
    """What was missing on a screen, or there and must not be, a sentence for each of the first conditions."""
    sentences = []
    for clause in deciding_clauses(proof)[:_MOST]:
        wanted = explanation.sentence(clause.condition)
        if clause.holds:
            sentences.append(_("It must not be so: {condition}", condition=wanted))
            continue
        said = f"{wanted}: {explanation.reason(clause, view)}"
        near = [
            f"{node.label or node.short_id} ({tag})" for node, tag in explanation.near_nodes(clause, view)[:1]
        ]
        sentences.append(_("{said}, nearest {node}", said=said, node=near[0]) if near else said)
    return sentences
