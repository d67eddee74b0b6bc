"""The descriptor of a condition type: everything Waymark knows of it, in one class."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from collector.hierarchy.errors import SelectorError
from collector.rules.evaluation.condition_semantics import ConditionSemantics, DgaraInjectionCondition
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.condition_registry import C, condition_types
from collector.rules.grammar.model import Condition

if TYPE_CHECKING:  # these load numpy
    from collector.rules.columns.dgara_state_columns import DgaraStateColumns
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns


class DgaraInjectionColumns(DgaraInjectionCondition):
    """How D-GARA's rule engine reads a condition type, on all recorded states at once."""

    @abstractmethod
    def columns(self, raw: Mapping[str, Any], columns: DgaraStateColumns) -> VerdictColumns:
        """The verdict of :meth:`prove` on every state; ``raw`` has no ``min_step``."""


class ConditionType(ConditionSemantics[C]):
    """A condition type: derive from it, fill in what is abstract, and register it.

    A module of :mod:`collector.rules.conditions` holds each built-in type. An installed package names its
    own under the entry point group ``waymark.condition_types``.
    """

    def columns(self, condition: C, states: StateColumns) -> VerdictColumns:
        """The verdict of :meth:`prove` on every state; ``condition`` has no ``min_step``.

        This one asks :meth:`prove` of each state. Override it where columns can answer faster.
        May raise Cancelled; SelectorError and re.error are taken for a condition that cannot be read.
        """
        return states.prove_states(lambda view: prove(condition, view, states.images))

    def stamp(self, condition: C, images: ImageFinder | None) -> str:
        """A text that changes whenever something outside the corpus changes the verdict."""
        return ""


def verdicts_of(condition: Condition, states: StateColumns) -> VerdictColumns:
    """The verdicts of ``semantics: waymark`` on every state for a condition that is no group."""
    condition_type = condition_types().type_of(condition)
    if not isinstance(condition_type, ConditionType):
        return states.unknown()
    try:
        verdicts = condition_type.columns(condition, states)
    except (SelectorError, re.error):
        return states.unknown()
    unseen = states.without_tree if condition_type.needs_tree else None
    return verdicts if unseen is None else verdicts.where_seen(unseen)


def stamp_of(condition: Condition, images: ImageFinder | None) -> str:
    """As :meth:`ConditionType.stamp`."""
    condition_type = condition_types().type_of(condition)
    return condition_type.stamp(condition, images) if isinstance(condition_type, ConditionType) else ""
