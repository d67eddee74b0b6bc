"""A proof for the terminal and for JSON: every clause with its tick, its reason and its nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from collector.model.text.one_line import one_line
from collector.rules.evaluation.explanation import matching_nodes, near_nodes, reason, title
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView

_MOST_NODES = 5
_WIDTH = 160


def proof_lines(proof: Proof, view: StateView, depth: int = 0) -> Iterator[str]:
    """One line a clause, inner ones indented; under it the nodes that satisfy it or nearly do."""
    indent = "  " * depth
    tick = "\N{CHECK MARK}" if proof.holds else "\N{BALLOT X}"
    yield one_line_indented(indent, f"{tick} {title(proof.condition)}: {reason(proof, view)}")
    if not proof.parts:
        for node in matching_nodes(proof, view)[:_MOST_NODES]:
            yield one_line_indented(indent + "    ", f"{node!r}")
        for node, tag in near_nodes(proof, view)[:_MOST_NODES]:
            yield one_line_indented(indent + "    ", f"~ {node!r} {tag}")
    for part in proof.parts:
        yield from proof_lines(part, view, depth + 1)


def one_line_indented(indent: str, text: str) -> str:
    """``text`` on one line, cut to a readable width."""
    return indent + one_line(text, _WIDTH)


def proof_as_dict(proof: Proof, view: StateView) -> dict[str, Any]:
    """The proof with all of its parts; nodes by their place in document order."""
    document: dict[str, Any] = {
        "condition": title(proof.condition),
        "holds": proof.holds,
        "reason": reason(proof, view),
        "nodes": [node.order for node in matching_nodes(proof, view)],
    }
    if proof.need:
        document |= {"have": proof.have, "need": proof.need}
    if proof.missing:
        document["missing"] = list(proof.missing)
    if near := near_nodes(proof, view):
        document["near"] = [{"node": node.order, "why": tag} for node, tag in near]
    if proof.score is not None:
        document["score"] = round(proof.score, 4)
    if proof.parts:
        document["parts"] = [proof_as_dict(part, view) for part in proof.parts]
    return document
