"""The conditions of a state in one short line."""

from __future__ import annotations

import re
from functools import reduce

from collector.model.i18n import _
from collector.rules.evaluation.explanation import title
from collector.rules.grammar.model import Condition, Group

_RESOURCE_ID = re.compile(r"resource-id='(?:[\w.]+:)?(id/[^']+)'")


def condition_line(group: Group) -> str:
    """``element_exists id/cart``, several joined by ``and``; a sentence when there are none."""
    if not group.conditions:
        return _("no conditions: people judge it")
    return _line(group)


def _line(condition: Condition) -> str:
    if not isinstance(condition, Group):
        return _RESOURCE_ID.sub(r"\1", title(condition))
    parts = [f"({_line(part)})" if isinstance(part, Group) else _line(part) for part in condition.conditions]
    if condition.kind == "not":
        return _("none of {conditions}", conditions=", ".join(parts))
    join = _either if condition.kind == "any" else _both
    return reduce(join, parts)


def _either(first: str, second: str) -> str:
    return _("{first} or {second}", first=first, second=second)


def _both(first: str, second: str) -> str:
    return _("{first} and {second}", first=first, second=second)
