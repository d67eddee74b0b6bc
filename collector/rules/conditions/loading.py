"""Register the built-in condition types and those that installed packages name as entry points."""

from __future__ import annotations

from typing import Any

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.plugins.entry_points import load_plugins
from collector.rules.conditions.action_was import ActionWasType
from collector.rules.conditions.app_data import AppDataType
from collector.rules.conditions.app_is_installed import AppIsInstalledType
from collector.rules.conditions.condition_type import ConditionType
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
        AppIsInstalledType(),
        MinStepType(),
        ActionWasType(),
        StateReachedType(),
        AppDataType(),
        ImageMatchesType(),
    ):
        registry.register(condition_type)

    def use(plugin: Any, value: str) -> None:
        condition_type = plugin() if isinstance(plugin, type) else plugin
        if not isinstance(condition_type, ConditionType):
            raise RuleError(_("{value} is no ConditionType", value=value))
        registry.register(condition_type)

    broken = load_plugins(ENTRY_POINTS, use).broken
    registry.problems.extend(UserError(plugin.problem) for plugin in broken)
