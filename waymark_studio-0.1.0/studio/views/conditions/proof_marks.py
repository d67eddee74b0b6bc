"""Turn a proof into marks on the screen: nodes that satisfy a clause, and near misses."""

from __future__ import annotations

from collections.abc import Iterator

from collector.model.tree import Node
from collector.rules.conditions.element_exists import ElementNotExists
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.evaluation.explanation import matching_nodes, near_nodes
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Group
from studio.widgets.device_view.highlight import Highlight, HighlightStyle

_LONGEST_TAG = 24
_MOST = 24
"""The limit of marks on one screen; a keyword may match hundreds of nodes."""


def marks_of(proof: Proof, view: StateView) -> list[Highlight]:
    """Return the marks of every clause; misses come last, to be drawn on top."""
    hits: dict[int, Highlight] = {}
    misses: dict[int, Highlight] = {}
    for clause, required in _clauses(proof, required=True):
        if clause.holds and clause.area is not None:
            hits[-1 - len(hits)] = Highlight(clause.area, HighlightStyle.HIT, f"{clause.score or 0:.2f}")
        if clause.holds == required:
            _put(hits, HighlightStyle.HIT, _matches(clause, view) if required else [])
        else:
            _put(
                misses, HighlightStyle.MISS, near_nodes(clause, view) if required else _matches(clause, view)
            )
            if isinstance(clause.condition, SemanticElementExists):
                _put(hits, HighlightStyle.HIT, _matches(clause, view))
    return [*list(hits.values())[:_MOST], *list(misses.values())[:_MOST]]


def marks_of_clause(proof: Proof, view: StateView) -> list[Highlight]:
    """Return the marks of one clause."""
    return marks_of(Proof(Group(), proof.holds, parts=(proof,)), view)


def count_clauses(proof: Proof) -> tuple[int, int]:
    """Count the clauses that hold as the rule requires, and those that do not."""
    as_required = [clause.holds == required for clause, required in _clauses(proof, required=True)]
    return sum(as_required), len(as_required) - sum(as_required)


def _clauses(proof: Proof, *, required: bool) -> Iterator[tuple[Proof, bool]]:
    """Yield each clause that is no group, and whether the rule requires it to hold."""
    if not isinstance(proof.condition, Group):
        yield proof, required
        return
    inside = required != (proof.condition.kind == "not")
    for part in proof.parts:
        yield from _clauses(part, required=inside)


def _matches(clause: Proof, view: StateView) -> list[tuple[Node, str]]:
    if isinstance(clause.condition, ElementNotExists) and clause.holds:
        return []
    return [(node, _tag(clause, node)) for node in matching_nodes(clause, view)]


def _tag(clause: Proof, node: Node) -> str:
    if isinstance(clause.condition, SemanticElementExists):
        words = [word for word in clause.condition.keywords if _contains_word(node, word)]
        return words[0] if words else ""
    text = node.label or node.short_id
    return text if len(text) <= _LONGEST_TAG else text[: _LONGEST_TAG - 3] + "..."


def _contains_word(node: Node, word: str) -> bool:
    lower = word.lower()
    return any(lower in value.lower() for value in (node.text, node.content_desc, node.resource_id))


def _put(marks: dict[int, Highlight], style: HighlightStyle, matches: list[tuple[Node, str]]) -> None:
    for node, tag in matches:
        if node.bounds is not None and node.order not in marks:
            marks[node.order] = Highlight(node.bounds, style, tag)
