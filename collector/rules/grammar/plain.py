"""Rules and conditions as plain values, as a YAML file would hold them; reading them back gives the same."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

from collector.model.geometry import Rect
from collector.rules.grammar.model import INJECTION, SUCCESS, Condition, Group, Injection, Rule, Unknown

_SKIPPED = ("place", "raw", "min_step", "id_place")


def plain_condition(condition: Condition) -> dict[str, Any]:
    """One condition as a mapping without default values."""
    if isinstance(condition, Unknown):
        return dict(condition.raw) if isinstance(condition.raw, dict) else {"type": condition.written}
    if isinstance(condition, Group):
        parts = [plain_condition(part) for part in condition.conditions]
        plain: dict[str, Any] = (
            {"type": "any_of", "sub_conditions": parts}
            if condition.spelling == "any_of"
            else {condition.kind: parts}
        )
    else:
        plain = {"type": condition.type, **_own_fields(condition)}
    if condition.min_step:
        plain["min_step"] = condition.min_step
    return plain


def plain_rule(rule: Rule) -> dict[str, Any]:
    """The mapping of one rule; a success rule's id is its key in the file and not inside the mapping."""
    plain: dict[str, Any] = {} if rule.kind == SUCCESS else {"id": rule.id}
    if rule.task:
        plain["task"] = rule.task
    if rule.description:
        plain["description"] = rule.description
    if rule.priority != 99:
        plain["priority"] = rule.priority
    if not rule.once:
        plain["once"] = False
    if rule.after:
        plain["after"] = list(rule.after)
    if rule.optional:
        plain["optional"] = True
    if rule.alternatives:
        plain["alternatives"] = list(rule.alternatives)
    if rule.risk:
        plain["risk"] = rule.risk
    if rule.status:
        plain["status"] = rule.status
    if rule.every_task:
        plain["every_task"] = True
    plain["conditions"] = _top(rule)
    if rule.kind == INJECTION:
        plain["actions"] = [plain_action(action) for action in rule.actions]
    return plain


def plain_action(action: Injection) -> dict[str, Any]:
    """The mapping of one action."""
    plain: dict[str, Any] = {"type": action.type, "interference_id": action.interference_id}
    if action.trigger_probability != 1.0:
        plain["trigger_probability"] = action.trigger_probability
    if action.follow_up:
        plain["follow_up"] = dict(action.follow_up)
    return plain


def _top(rule: Rule) -> Any:
    group = rule.conditions
    parts = [plain_condition(part) for part in group.conditions]
    if rule.kind == INJECTION or group.kind != "all" or group.min_step:
        plain: dict[str, Any] = {group.kind: parts}
        return {**plain, "min_step": group.min_step} if group.min_step else plain
    return parts


def _own_fields(condition: Condition) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for field in fields(condition):
        value = getattr(condition, field.name)
        if field.name in _SKIPPED or (field.default is not MISSING and value == field.default):
            continue
        if isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, Rect):
            value = [value.left, value.top, value.right, value.bottom]
        plain[field.name] = value
    return plain
