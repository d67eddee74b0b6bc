"""Shift the places of a rule that was parsed alone to where the rule stands in the file."""

from __future__ import annotations

from typing import Any, TypeVar

from collector.rules.grammar.model import Condition, Group, Rule
from rule_editor.document.entries.place_shifter import PlaceShifter

Value = TypeVar("Value")


class RuleShifter(PlaceShifter):
    """Copies rules and conditions with shifted places."""

    def rule(self, rule: Rule) -> Rule:
        """The rule with every place shifted."""
        return _with(
            rule,
            place=self.place(rule.place),
            id_place=self.place(rule.id_place),
            conditions=self.condition(rule.conditions),
            actions=tuple(
                _with(action, place=self.place(action.place), id_place=self.place(action.id_place))
                for action in rule.actions
            ),
        )

    def condition(self, condition: Condition) -> Condition:
        """The condition with every place shifted."""
        place = self.place(condition.place)
        if isinstance(condition, Group):
            parts = tuple(self.condition(part) for part in condition.conditions)
            return _with(condition, place=place, conditions=parts)
        return _with(condition, place=place)


def _with(value: Value, **changes: Any) -> Value:
    """As dataclasses.replace for the model's frozen classes, without running their constructors again."""
    new = object.__new__(type(value))
    new.__dict__.update(value.__dict__)
    new.__dict__.update(changes)
    return new
