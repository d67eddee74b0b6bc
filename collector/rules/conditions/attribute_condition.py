"""What the condition types on one attribute of matching nodes share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, final

from collector.model.i18n import _
from collector.model.tree import Node
from collector.rules.conditions.condition_type import ConditionType
from collector.rules.evaluation.condition_semantics import DgaraElementCondition
from collector.rules.evaluation.dgara_semantics import first_match_proof
from collector.rules.evaluation.explanation_text import (
    cut,
    nearest_node_tagged,
    no_node_matches,
    quote,
    selector_words,
    tag,
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

A = TypeVar("A", bound=Condition)


@dataclass(frozen=True, slots=True)
class AttributeTest:
    """What an attribute of a node that matches ``selector`` must be, or contain."""

    selector: str
    attribute: str
    value: str
    contains: bool

    def fits(self, actual: str) -> bool:
        """Whether the attribute may have this value."""
        return self.value in actual if self.contains else actual == self.value


class DgaraAttributeCondition(DgaraElementCondition):
    """Look at one attribute of the first element that a selector finds."""

    def __init__(self, *, contains: bool) -> None:
        self.contains = contains

    @abstractmethod
    def holds(self, raw: Mapping[str, Any], get: Callable[..., Any]) -> bool:
        """The verdict on an element that is there; ``get`` reads its attributes."""

    @final
    def prove(
        self,
        condition: Condition,
        raw: Mapping[str, Any],
        get: Callable[..., Any] | None,
        nodes: tuple[int, ...],
    ) -> Proof:
        if get is None:
            return Proof(condition, False, nodes=nodes, deficit=1)
        return first_match_proof(condition, get, self.attribute(raw), nodes, holds=self.holds(raw, get))


class AttributeConditionType(ConditionType[A]):
    """A type of conditions that test one attribute of the nodes that match a selector."""

    needs_tree = True
    dgara: DgaraAttributeCondition

    @abstractmethod
    def test(self, condition: A) -> AttributeTest:
        """What the condition tests."""

    def prove(self, condition: A, view: StateView, images: ImageFinder | None) -> Proof:
        test = self.test(condition)
        nodes = view.find(test.selector)
        name = test.attribute
        good = [node for node in nodes if (have := node.attributes.get(name)) is not None and test.fits(have)]
        if good:
            return Proof(condition, True, nodes=orders_of(good), have=len(good), evidence=1)
        actual = next((node.attributes[name] for node in nodes if node.attributes.get(name)), "")
        return Proof(
            condition, False, actual=actual, near=orders_of(nodes), have=0, deficit=1, evidence=bool(nodes)
        )

    def columns(self, condition: A, states: StateColumns) -> VerdictColumns:
        test = self.test(condition)
        nodes = states.selected(test.selector)
        if nodes is None:
            return states.prove_dumps(lambda view: prove(condition, view))
        if test.contains:
            wanted = test.value
            fits = states.values_fit(test.attribute, nodes, lambda value: wanted in value)
        else:
            fits = states.columns.has_value(test.attribute, nodes, test.value)
        return states.of_trees(
            states.verdicts_where(states.with_nodes(nodes[fits]), states.with_nodes(nodes))
        )

    def sentence(self, condition: A) -> str:
        test = self.test(condition)
        what, name, value = selector_words(test.selector), test.attribute, quote(test.value)
        if test.contains:
            return _("The {name} of the node with {what} contains {value}", name=name, what=what, value=value)
        return _("The {name} of the node with {what} is {value}", name=name, what=what, value=value)

    def explain(self, proof: Proof, condition: A, view: StateView) -> str:
        test = self.test(condition)
        name, value = test.attribute, quote(cut(test.value))
        if proof.holds and test.contains:
            return _("{name} contains {value}", name=name, value=value)
        if proof.holds:
            return _("{name} is {value}", name=name, value=value)
        if not proof.near:
            return no_node_matches(test.selector, view)
        have = quote(cut(proof.actual)) if proof.actual else _("nothing")
        if test.contains:
            return _(
                "{name} is {have} here, which does not contain {value}", name=name, have=have, value=value
            )
        return _("{name} is {have} here, wanted {value}", name=name, have=have, value=value)

    def near_nodes(self, proof: Proof, condition: A, view: StateView) -> Iterable[tuple[Node, str]]:
        test = self.test(condition)
        if proof.near:
            return tagged(proof.near, view, tag(test.value, proof.actual))
        return nearest_node_tagged(test.selector, view)
