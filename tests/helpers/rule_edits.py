"""Random edits of a rule document, for tests of what must hold after any of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from collector.model.errors import UserError
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, SUCCESS, Condition
from rule_editor.document.rules.rule_document import RuleDocument
from tests.helpers.rule_strategies import (
    CONDITIONS,
    INJECTION_RULES,
    INJECTIONS,
    NAMES,
    SAFETY_RULES,
    STATE_RULES,
    SUCCESS_RULES,
    WORDS,
)

Draw = Callable[[st.SearchStrategy[Any]], Any]
RULES = {INJECTION: INJECTION_RULES, SUCCESS: SUCCESS_RULES, STATE: STATE_RULES, SAFETY: SAFETY_RULES}
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "description": WORDS | st.none(),
    "priority": st.integers(-2, 900) | st.none(),
    "once": st.booleans() | st.none(),
    "selector": st.sampled_from(("text='a'", "class='b'")),
    "value": WORDS,
    "keywords": st.lists(WORDS, max_size=4).map(tuple),
    "match_threshold": st.floats(0, 1) | st.none(),
    "min_step": st.integers(0, 9) | st.none(),
}
RULE_KEYS = ("description", "priority", "once")
EDITS = (
    "set_field", "rename", "add_condition", "set_condition_field", "delete_condition",
    "move_condition", "set_group", "wrap", "add_action", "set_action_field", "delete_action", "add_rule",
    "duplicate_rule", "delete_rule",
)  # fmt: skip


def paths_of(condition: Condition, above: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Paths of a condition and of all inside it."""
    inside = [path for at, part in enumerate(condition.parts) for path in paths_of(part, (*above, at))]
    return [above, *inside]


def edit_at_random(document: RuleDocument, draw: Draw) -> str:
    """One edit with drawn arguments; the id of the rule it was about, or empty when it was refused."""
    keys = list(document.parsed.by_key)
    if not keys:
        return ""
    rule_id = draw(st.sampled_from(keys))
    rule = document.rule(rule_id)
    paths = paths_of(rule.conditions) if rule is not None else [()]
    path, other = draw(st.sampled_from(paths)), draw(st.sampled_from(paths))
    name = draw(st.sampled_from(EDITS))
    index = draw(st.integers(0, 3))
    arguments: dict[str, Callable[[], tuple[Any, ...]]] = {
        "set_field": lambda: (rule_id, *_field(draw, RULE_KEYS)),
        "rename": lambda: (rule_id, draw(NAMES)),
        "add_condition": lambda: (rule_id, path, draw(CONDITIONS), draw(st.none() | st.just(index))),
        "set_condition_field": lambda: (rule_id, path, *_field(draw, tuple(FIELDS)[3:])),
        "delete_condition": lambda: (rule_id, path),
        "move_condition": lambda: (rule_id, path, other, index),
        "set_group": lambda: (rule_id, path, draw(st.sampled_from(("all", "any", "not", "any_of")))),
        "wrap": lambda: (rule_id, path, draw(st.sampled_from(("all", "any", "not", "any_of")))),
        "add_action": lambda: (rule_id, draw(INJECTIONS)),
        "set_action_field": lambda: (rule_id, index, "interference_id", draw(WORDS)),
        "delete_action": lambda: (rule_id, index),
        "add_rule": lambda: (draw(RULES[document.kind]), draw(st.none() | st.sampled_from(keys))),
        "duplicate_rule": lambda: (rule_id,),
        "delete_rule": lambda: (rule_id,),
    }
    with contextlib.suppress(UserError):
        getattr(document, name)(*arguments[name]())
        return str(rule_id)
    return ""


def _field(draw: Draw, keys: tuple[str, ...]) -> tuple[str, Any]:
    key = draw(st.sampled_from(keys))
    return key, draw(FIELDS[key])
