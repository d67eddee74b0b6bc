"""Register the built-in condition types and those that installed packages name as entry points."""

from __future__ import annotations

import importlib.metadata
import logging

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.backtest.condition_type import ConditionType
from collector.rules.conditions.action_was import ActionWasType
from collector.rules.conditions.current_activity_is import CurrentActivityIsType
from collector.rules.conditions.current_package_is import CurrentPackageIsType
from collector.rules.conditions.element_exists import ElementExistsType, ElementNotExistsType
from collector.rules.conditions.element_property import ElementPropertyContainsType, ElementPropertyType
from collector.rules.conditions.element_text import ElementTextContainsType, ElementTextEqualsType
from collector.rules.conditions.image_matches import ImageMatchesType
from collector.rules.conditions.min_step import MinStepType
from collector.rules.conditions.semantic_element_exists import SemanticElementExistsType
from collector.rules.conditions.state_reached import StateReachedType
from collector.rules.conditions.text_matches import TextMatchesType
from collector.rules.conditions.text_similar import TextSimilarType
from collector.rules.grammar.condition_registry import ENTRY_POINTS, ConditionRegistry
from collector.rules.grammar.errors import RuleError

_log = logging.getLogger(__name__)


def load_into(registry: ConditionRegistry) -> None:
    """Register all types, in the order menus show them; a package's type that is broken is left out."""
    for condition_type in (
        SemanticElementExistsType(),
        ElementExistsType(),
        ElementNotExistsType(),
        ElementPropertyType(),
        ElementPropertyContainsType(),
        ElementTextEqualsType(),
        ElementTextContainsType(),
        TextMatchesType(),
        TextSimilarType(),
        CurrentActivityIsType(),
        CurrentPackageIsType(),
        MinStepType(),
        ActionWasType(),
        StateReachedType(),
        ImageMatchesType(),
    ):
        registry.register(condition_type)
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        try:
            _register(entry, registry)
        except UserError as error:
            registry.problems.append(error)
            _log.warning("%s", error)


def _register(entry: importlib.metadata.EntryPoint, registry: ConditionRegistry) -> None:
    """Register the type that an entry point names. Raises RuleError."""
    try:
        plugin = entry.load()
        condition_type = plugin() if isinstance(plugin, type) else plugin
        if not isinstance(condition_type, ConditionType):
            raise RuleError(_("{value} is no ConditionType", value=entry.value))
        registry.register(condition_type)
    except Exception as error:
        why = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
        what = _("The condition type {name} of an installed package cannot be used", name=entry.name)
        raise RuleError(what, why) from error
