"""A complete condition type as an installed package would add it: ``element_count``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from collector.rules.conditions.condition_type import ConditionType
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof, orders_of
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import SELECTOR, WHOLE


@dataclass(frozen=True, kw_only=True)
class ElementCount(Condition):
    """At least so many nodes match the selector."""

    type: ClassVar[str] = "element_count"
    selector: str = field(metadata=key(SELECTOR, "Which nodes are counted"))
    least: int = field(default=2, metadata=key(WHOLE, "How many there must be", "at_least"))


class ElementCountType(ConditionType[ElementCount]):
    """Count the nodes that match."""

    condition = ElementCount
    doc = "At least so many nodes match the selector"
    example = "{type: element_count, selector: \"class='android.widget.Button'\", least: 3}"

    def starter(self, view: StateView | None) -> ElementCount:
        package = view.package if view is not None and view.package else "com.example"
        return ElementCount(selector=f"package='{package}'")

    def prove(self, condition: ElementCount, view: StateView, images: ImageFinder | None) -> Proof:
        nodes = view.find(condition.selector)
        have, need = len(nodes), condition.least
        return Proof(
            condition, have >= need, nodes=orders_of(nodes), have=have, need=need,
            deficit=max(0, need - have), evidence=have,
        )  # fmt: skip

    def explain(self, proof: Proof, condition: ElementCount, view: StateView) -> str:
        return f"{proof.have} nodes match, needs {proof.need}"
