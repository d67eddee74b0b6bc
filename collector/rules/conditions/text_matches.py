"""``text_matches``: a regular expression is found in the text or description of a node."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from collector.model.cancellation import check_cancelled
from collector.model.i18n import N_, _
from collector.model.tree import Node
from collector.rules.conditions.condition_type import ConditionType
from collector.rules.evaluation.explanation_text import cut, nodes_match
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof, orders_of
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.patterns import compile_pattern
from collector.rules.grammar.specs import PATTERN, SELECTOR

if TYPE_CHECKING:
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns


@dataclass(frozen=True, kw_only=True)
class TextMatches(Condition):
    """A regular expression is found in the text or description of a node."""

    type: ClassVar[str] = "text_matches"
    pattern: str = field(metadata=key(PATTERN, N_("Regular expression, searched for anywhere in the text")))
    selector: str = field(
        default="", metadata=key(SELECTOR, N_("Only nodes that match it are read; all when left out"))
    )


class TextMatchesType(ConditionType[TextMatches]):
    """Holds when one of the nodes has a text or description in which the pattern is found."""

    needs_tree = True
    condition = TextMatches
    doc = N_("A regular expression is found in the text or description of a node")
    example = "{type: text_matches, pattern: '[0-9]+ results'}"

    def starter(self, view: StateView | None) -> TextMatches:
        return TextMatches(pattern="[0-9]+")

    def prove(self, condition: TextMatches, view: StateView, images: ImageFinder | None) -> Proof:
        nodes: Iterable[Node] = view.find(condition.selector) if condition.selector else view.nodes
        found_in = compile_pattern(condition.pattern).found_in
        good = [node for node in nodes if _says(node, found_in)]
        return Proof(
            condition, bool(good), nodes=orders_of(good), have=len(good),
            deficit=not good, evidence=bool(good),
        )  # fmt: skip

    def columns(self, condition: TextMatches, states: StateColumns) -> VerdictColumns:
        import numpy as np

        found_in = compile_pattern(condition.pattern).found_in

        def fits(text: str) -> bool:
            check_cancelled()
            return bool(text) and found_in(text)

        nodes = None
        if condition.selector and (nodes := states.selected(condition.selector)) is None:
            return states.prove_dumps(lambda view: prove(condition, view))
        matched = np.zeros(states.columns.trees, np.bool_)
        for name in ("text", "content-desc"):
            hits = np.flatnonzero(states.values_fit(name, nodes, fits))
            matched |= states.with_nodes(hits if nodes is None else nodes[hits])
        return states.of_trees(states.verdicts_where(matched, matched))

    def sentence(self, condition: TextMatches) -> str:
        return _("A text matches {pattern}", pattern=condition.pattern)

    def explain(self, proof: Proof, condition: TextMatches, view: StateView) -> str:
        if proof.holds:
            return nodes_match(proof.have)
        return _("No text matches {pattern}", pattern=cut(condition.pattern))


def _says(node: Node, found_in: Callable[[str], bool]) -> bool:
    """Whether the text or description of a node fits. Raises Cancelled."""
    check_cancelled()
    return any(text and found_in(text) for text in (node.text, node.content_desc))
