"""The meaning of each condition type: proof, explanation and D-GARA reading."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from collector.model.i18n import _
from collector.model.tree import Node
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import C, ConditionGrammar, condition_types
from collector.rules.grammar.model import Condition


class DgaraInjectionCondition(ABC):
    """How D-GARA's rule engine reads a condition type."""

    @abstractmethod
    def prove(self, condition: Condition, raw: Mapping[str, Any], view: StateView) -> Proof:
        """The verdict on ``raw``, the condition as PyYAML reads it.

        Raises one of ``dgara_semantics.FAULTS`` where the original does.
        """


class DgaraElementCondition(ABC):
    """How D-GARA's success validator reads a condition type on the first matching element."""

    def attribute(self, _raw: Mapping[str, Any]) -> Any:
        """The only attribute of the element that is looked at."""
        return "text"

    @abstractmethod
    def prove(
        self,
        condition: Condition,
        raw: Mapping[str, Any],
        get: Callable[..., Any] | None,
        nodes: tuple[int, ...],
    ) -> Proof:
        """The verdict on ``raw``; ``get`` reads the element's attributes and is None without an element.

        Raises one of ``dgara_semantics.FAULTS`` where the original does.
        """


class ConditionSemantics(ConditionGrammar[C]):
    """What conditions of one type mean."""

    needs_tree = False
    """Whether it looks at nodes. On a screen without a tree neither it nor its opposite holds then."""
    dgara: DgaraInjectionCondition | DgaraElementCondition | None = None
    """How the original reads the type; None when it does not know it."""

    @abstractmethod
    def starter(self, view: StateView | None) -> C:
        """A condition to begin with, filled from the state on show if there is one."""

    @abstractmethod
    def prove(self, condition: C, view: StateView, images: ImageFinder | None) -> Proof:
        """The verdict on one state with its reasons, whatever the condition's ``min_step``.

        SelectorError and re.error are taken for a condition that cannot be evaluated.
        """

    def sentence(self, condition: C) -> str:
        """What the condition says, in one translated sentence without a full stop."""
        return _(self.doc)

    @abstractmethod
    def explain(self, proof: Proof, condition: C, view: StateView) -> str:
        """Why the condition holds or does not, in one translated sentence without a full stop."""

    def matching_nodes(self, proof: Proof, condition: C, view: StateView) -> list[Node]:
        """The nodes to light up because they satisfy the condition."""
        return [view.nodes[order] for order in proof.nodes if order < len(view.nodes)]

    def near_nodes(self, proof: Proof, condition: C, view: StateView) -> Iterable[tuple[Node, str]]:
        """Nodes that nearly satisfy a condition that does not hold, each with what is different."""
        return ()

    def other_thresholds(self, condition: C, proof: Proof | None) -> Iterable[tuple[float, C]]:
        """Other thresholds worth a try; ``proof`` is the one on the state of interest, if there is one."""
        return ()


def semantics_of(condition: Condition) -> ConditionSemantics[Any] | None:
    """The meaning of a condition's type; None for groups and conditions that could not be read."""
    condition_type = condition_types().type_of(condition)
    return condition_type if isinstance(condition_type, ConditionSemantics) else None


def all_semantics() -> Iterator[ConditionSemantics[Any]]:
    """The meaning of every condition type, in the order menus show them."""
    types = condition_types().by_name.values()
    return (condition_type for condition_type in types if isinstance(condition_type, ConditionSemantics))


def semantics_named(name: object) -> ConditionSemantics[Any] | None:
    """The meaning of the type that is written ``name``, which may be any value of a YAML file."""
    condition_type = condition_types().by_name.get(name) if isinstance(name, str) else None
    return condition_type if isinstance(condition_type, ConditionSemantics) else None
