"""Proofs as marks on the screen: what satisfies a clause is lit, what nearly does says what is missing."""

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
"""Marks on one screen; a keyword may be in a hundred nodes."""


def marks_of(proof: Proof, view: StateView) -> list[Highlight]:
    """The marks of every clause, misses last so that they are drawn on top."""
    hits: dict[int, Highlight] = {}
    misses: dict[int, Highlight] = {}
    for clause, wanted in _clauses(proof, wanted=True):
        if clause.holds and clause.area is not None:
            hits[-1 - len(hits)] = Highlight(clause.area, HighlightStyle.HIT, f"{clause.score or 0:.2f}")
        if clause.holds == wanted:
            _put(hits, HighlightStyle.HIT, _lit(clause, view) if wanted else [])
        else:
            _put(misses, HighlightStyle.MISS, near_nodes(clause, view) if wanted else _lit(clause, view))
            if isinstance(clause.condition, SemanticElementExists):
                _put(hits, HighlightStyle.HIT, _lit(clause, view))
    return [*list(hits.values())[:_MOST], *list(misses.values())[:_MOST]]


def marks_of_clause(proof: Proof, view: StateView) -> list[Highlight]:
    """The marks of one clause alone."""
    return marks_of(Proof(Group(), proof.holds, parts=(proof,)), view)


def count_clauses(proof: Proof) -> tuple[int, int]:
    """How many clauses do what the rule wants of them, and how many do not."""
    good = [clause.holds == wanted for clause, wanted in _clauses(proof, wanted=True)]
    return sum(good), len(good) - sum(good)


def _clauses(proof: Proof, *, wanted: bool) -> Iterator[tuple[Proof, bool]]:
    """The clauses that are no groups, and whether the rule wants them to hold; in a ``not`` it does not."""
    if not isinstance(proof.condition, Group):
        yield proof, wanted
        return
    inside = wanted != (proof.condition.kind == "not")
    for part in proof.parts:
        yield from _clauses(part, wanted=inside)


def _lit(clause: Proof, view: StateView) -> list[tuple[Node, str]]:
    if isinstance(clause.condition, ElementNotExists) and clause.holds:
        return []
    return [(node, _tag(clause, node)) for node in matching_nodes(clause, view)]


def _tag(clause: Proof, node: Node) -> str:
    if isinstance(clause.condition, SemanticElementExists):
        words = [word for word in clause.condition.keywords if _says(node, word)]
        return words[0] if words else ""
    text = node.label or node.short_id
    return text if len(text) <= _LONGEST_TAG else text[: _LONGEST_TAG - 3] + "..."


def _says(node: Node, word: str) -> bool:
    lower = word.lower()
    return any(lower in value.lower() for value in (node.text, node.content_desc, node.resource_id))


def _put(marks: dict[int, Highlight], style: HighlightStyle, found: list[tuple[Node, str]]) -> None:
    for node, tag in found:
        if node.bounds is not None and node.order not in marks:
            marks[node.order] = Highlight(node.bounds, style, tag)
