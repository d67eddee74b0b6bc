"""Summarize why a rule holds or not in one line, by the clauses that decided."""

from __future__ import annotations

from collections.abc import Iterator

from collector.rules.evaluation.explanation import reason
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Group

_MOST = 3


def deciding_clauses(proof: Proof) -> list[Proof]:
    """The clauses without which the verdict would be another, in the order they are written."""
    return list(_deciding(proof))


def summarize_proof(proof: Proof, view: StateView) -> str:
    """The reasons of the deciding clauses, at most three of them."""
    deciding = deciding_clauses(proof)
    reasons = [reason(clause, view) for clause in deciding[:_MOST]]
    return "; ".join([*reasons, *(["…"] if len(deciding) > _MOST else [])])


def _deciding(proof: Proof) -> Iterator[Proof]:
    """The leaves without which the verdict would be another; an empty group decides itself."""
    condition = proof.condition
    if not isinstance(condition, Group) or not proof.parts:
        yield proof
        return
    # In an "all" the parts that fail decide, in an "any" one that holds; in a "not" the opposite.
    wanted = proof.holds if condition.kind != "not" else not proof.holds
    parts = [part for part in proof.parts if part.holds == wanted] or list(proof.parts)
    if condition.kind == "any" and proof.holds:
        parts = parts[:1]
    for part in parts:
        yield from _deciding(part)
