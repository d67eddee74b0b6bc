"""What was read from an entry alone, moved to where the entry stands in the file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from collector.located_yaml.diagnostics import Diagnostic, Place, QuickFix, TextEdit
from collector.rules.grammar.model import Condition, Group, Rule

Value = TypeVar("Value")


class Mover:
    """Adds ``offset`` characters and ``lines`` lines to places; columns stay."""

    def __init__(self, offset: int, lines: int) -> None:
        self._offset = offset
        self._lines = lines

    def place(self, place: Place) -> Place:
        return Place(
            place.start + self._offset, place.end + self._offset, place.line + self._lines, place.column
        )

    def rule(self, rule: Rule) -> Rule:
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
        place = self.place(condition.place)
        if isinstance(condition, Group):
            parts = tuple(self.condition(part) for part in condition.conditions)
            return _with(condition, place=place, conditions=parts)
        return _with(condition, place=place)

    def diagnostic(self, found: Diagnostic, path: str) -> Diagnostic:
        fixes = tuple(
            QuickFix(
                fix.title,
                tuple(
                    TextEdit(edit.start + self._offset, edit.end + self._offset, edit.text)
                    for edit in fix.edits
                ),
            )
            for fix in found.fixes
        )
        return replace(found, place=self.place(found.place), fixes=fixes, path=path)


def _with(value: Value, **changes: Any) -> Value:
    """As dataclasses.replace for the frozen ones of the model, without running their constructors again."""
    new = object.__new__(type(value))
    new.__dict__.update(value.__dict__)
    new.__dict__.update(changes)
    return new
