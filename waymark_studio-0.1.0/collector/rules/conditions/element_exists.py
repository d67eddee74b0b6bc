"""``element_exists`` and ``element_not_exists``: whether a node matches a selector."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from collector.model.i18n import N_, _
from collector.model.tree import Node
from collector.rules.conditions.condition_type import ConditionType
from collector.rules.conditions.keys import ANY_ID, SELECTOR_KEY
from collector.rules.evaluation.condition_semantics import DgaraElementCondition
from collector.rules.evaluation.explanation_text import (
    nearest_node_tagged,
    no_node_matches,
    nodes_match,
    selector_words,
    tagged,
)
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof, orders_of
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import Condition

if TYPE_CHECKING:
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns


@dataclass(frozen=True, kw_only=True)
class ElementExists(Condition):
    """A node matches the selector."""

    type: ClassVar[str] = "element_exists"
    selector: str = field(metadata=SELECTOR_KEY)


class ElementExistsType(ConditionType[ElementExists]):
    """Holds when at least one node matches."""

    needs_tree = True
    condition = ElementExists
    doc = N_("A node matches the selector")
    origin = "success"
    example = "{type: element_exists, selector: \"resource-id='com.example.shop:id/cart'\"}"

    def starter(self, view: StateView | None) -> ElementExists:
        return ElementExists(selector=ANY_ID)

    def prove(self, condition: ElementExists, view: StateView, images: ImageFinder | None) -> Proof:
        nodes = view.find(condition.selector)
        return Proof(
            condition, bool(nodes), nodes=orders_of(nodes), have=len(nodes),
            deficit=not nodes, evidence=bool(nodes),
        )  # fmt: skip

    def columns(self, condition: ElementExists, states: StateColumns) -> VerdictColumns:
        nodes = states.selected(condition.selector)
        if nodes is None:
            return states.prove_dumps(lambda view: prove(condition, view))
        matched = states.with_nodes(nodes)
        return states.of_trees(states.verdicts_where(matched, matched))

    def sentence(self, condition: ElementExists) -> str:
        return _("There is a node with {what}", what=selector_words(condition.selector))

    def explain(self, proof: Proof, condition: ElementExists, view: StateView) -> str:
        return nodes_match(max(1, proof.have)) if proof.holds else no_node_matches(condition.selector, view)

    def near_nodes(self, proof: Proof, condition: ElementExists, view: StateView) -> list[tuple[Node, str]]:
        return nearest_node_tagged(condition.selector, view)

    class Dgara(DgaraElementCondition):
        """Holds when the selector finds an element."""

        def prove(
            self,
            condition: Condition,
            raw: Mapping[str, Any],
            get: Callable[..., Any] | None,
            nodes: tuple[int, ...],
        ) -> Proof:
            matched = get is not None
            return Proof(condition, matched, nodes=nodes, deficit=not matched, evidence=matched)

    dgara = Dgara()


@dataclass(frozen=True, kw_only=True)
class ElementNotExists(Condition):
    """No node matches the selector."""

    type: ClassVar[str] = "element_not_exists"
    selector: str = field(metadata=SELECTOR_KEY)


class ElementNotExistsType(ConditionType[ElementNotExists]):
    """Holds when no node matches; that something is absent is no evidence."""

    needs_tree = True
    condition = ElementNotExists
    doc = N_("No node matches the selector")
    origin = "success"
    example = "{type: element_not_exists, selector: \"text='Sign in'\"}"

    def starter(self, view: StateView | None) -> ElementNotExists:
        return ElementNotExists(selector=ANY_ID)

    def prove(self, condition: ElementNotExists, view: StateView, images: ImageFinder | None) -> Proof:
        nodes = view.find(condition.selector)
        return Proof(condition, not nodes, nodes=orders_of(nodes), have=len(nodes), deficit=bool(nodes))

    def columns(self, condition: ElementNotExists, states: StateColumns) -> VerdictColumns:
        nodes = states.selected(condition.selector)
        if nodes is None:
            return states.prove_dumps(lambda view: prove(condition, view))
        return states.of_trees(states.verdicts_where(~states.with_nodes(nodes)))

    def sentence(self, condition: ElementNotExists) -> str:
        return _("There is no node with {what}", what=selector_words(condition.selector))

    def explain(self, proof: Proof, condition: ElementNotExists, view: StateView) -> str:
        return _("No node matches") if proof.holds else nodes_match(max(1, proof.have))

    def near_nodes(
        self, proof: Proof, condition: ElementNotExists, view: StateView
    ) -> list[tuple[Node, str]]:
        return tagged(proof.nodes, view, _("should not be here"))

    class Dgara(DgaraElementCondition):
        """Holds when the selector finds no element."""

        def prove(
            self,
            condition: Condition,
            raw: Mapping[str, Any],
            get: Callable[..., Any] | None,
            nodes: tuple[int, ...],
        ) -> Proof:
            return Proof(condition, get is None, nodes=nodes, deficit=get is not None)

    dgara = Dgara()
