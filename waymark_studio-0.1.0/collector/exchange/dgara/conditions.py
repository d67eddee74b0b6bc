"""Conditions in D-GARA's words: what its rule engine and its validator read as it is meant, or nothing.

The engine takes a list of conditions that all hold. The validator takes one too, with ``any_of`` for
alternatives; any other mixture of *all*, *any* and *not* is turned into alternatives that all hold.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.selectors import parse_selector
from collector.model.i18n import _
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.element_exists import ElementExists, ElementNotExists
from collector.rules.conditions.element_property import ElementProperty
from collector.rules.conditions.element_text import ElementTextEquals
from collector.rules.conditions.min_step import MinStep
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.evaluation.dgara_semantics import (
    SELECTOR,
    PathInNameError,
    element_path,
    selector_of_dgara,
)
from collector.rules.grammar.model import Condition, Group
from collector.rules.grammar.plain import plain_condition

Plain = dict[str, Any]
_MAX_CLAUSES = 64
"""Alternatives that must all hold, in one rule; more would be no rule a person can read."""
_MIN_STEP = "min_step"


class NotInDgara(Exception):  # noqa: N818 - reads as what is known of a condition
    """D-GARA has no words for a condition; the text says which."""


def engine_conditions(group: Group) -> list[Plain]:
    """The conditions of an injection rule for D-GARA's rule engine. Raises NotInDgara."""
    conditions: list[Plain] = []
    first = _collect(group, conditions)
    if first > 0 and not conditions:
        return [{"type": _MIN_STEP, "value": first, _MIN_STEP: first}]  # the engine reads this key alone
    if first > 0:
        conditions[0] = {**conditions[0], _MIN_STEP: max(first, conditions[0].get(_MIN_STEP, 0))}
    return conditions


def _collect(condition: Condition, conditions: list[Plain]) -> int:
    """Add the conditions that all hold. Returns the first step at which they may."""
    first = condition.min_step
    if isinstance(condition, MinStep):
        return max(first, condition.value)
    if isinstance(condition, Group):
        if condition.kind != "all" and not (condition.kind == "any" and len(condition.conditions) == 1):
            raise NotInDgara(condition.kind)
        return max([first, *(_collect(part, conditions) for part in condition.conditions)])
    keys: tuple[str, ...]
    if isinstance(condition, SemanticElementExists):
        keys = ("type", "keywords", "match_threshold", _MIN_STEP)
    elif isinstance(condition, CurrentActivityIs):
        keys = ("type", "value", _MIN_STEP)
    else:
        raise NotInDgara(condition.type or _("a condition that cannot be read"))
    plain = _as_written(condition, keys)
    if isinstance(condition, CurrentActivityIs) and "/" in condition.value:
        plain["value"] = condition.value.rpartition("/")[2]
    conditions.append(plain)
    return 0  # it carries its own first step


def validator_conditions(group: Group) -> list[Plain]:
    """The conditions of a success rule for D-GARA's validator. Raises NotInDgara."""
    if group.min_step:
        raise NotInDgara(_MIN_STEP)
    if group.kind == "all":
        return [entry for part in group.conditions for entry in _entries(part)]
    return _entries(group)


def _entries(condition: Condition) -> list[Plain]:
    """The entries of the list that say ``condition``, in its own form where the validator has it."""
    if _is_alternative(condition):
        return [_alternative(condition)]
    return [
        clause[0] if len(clause) == 1 else {"type": "any_of", "sub_conditions": clause}
        for clause in _clauses(condition)
    ]


def _is_alternative(condition: Condition) -> bool:
    """Whether it is one test, or alternatives of such tests."""
    if not isinstance(condition, Group):
        return True
    return condition.kind == "any" and all(map(_is_alternative, condition.conditions))


def _alternative(condition: Condition) -> Plain:
    if not isinstance(condition, Group):
        return _test(condition)
    _refuse_first_step(condition)
    return {"type": "any_of", "sub_conditions": [_alternative(part) for part in condition.conditions]}


def _clauses(condition: Condition, *, negated: bool = False) -> list[list[Plain]]:
    """``condition`` as alternatives that all hold."""
    if not isinstance(condition, Group):
        return [[_test(_opposite(condition) if negated else condition)]]
    _refuse_first_step(condition)
    is_inverted = negated != (condition.kind == "not")
    parts = [_clauses(part, negated=is_inverted) for part in condition.conditions]
    all_hold = is_inverted if condition.kind != "all" else not is_inverted
    if all_hold:
        return [clause for part in parts for clause in part]
    count = 1
    for part in parts:
        count *= len(part)
    if count > _MAX_CLAUSES:
        raise NotInDgara(_("more alternatives than can be written out"))
    return [[test for clause in chosen for test in clause] for chosen in itertools.product(*parts)]


def _opposite(condition: Condition) -> Condition:
    if isinstance(condition, ElementExists):
        return ElementNotExists(selector=condition.selector, min_step=condition.min_step)
    if isinstance(condition, ElementNotExists):
        return ElementExists(selector=condition.selector, min_step=condition.min_step)
    raise NotInDgara("not")


def _refuse_first_step(condition: Condition) -> None:
    if condition.min_step:
        raise NotInDgara(_MIN_STEP)


def _test(condition: Condition) -> Plain:
    _refuse_first_step(condition)
    keys: tuple[str, ...]
    if isinstance(condition, ElementExists | ElementNotExists):
        keys = ("type", "selector")
    elif isinstance(condition, ElementProperty):
        keys = ("type", "selector", "attribute", "value")
    elif isinstance(condition, ElementTextEquals):
        keys = ("type", "selector", "text")
    else:
        raise NotInDgara(condition.type or _("a condition that cannot be read"))
    plain = _as_written(condition, keys)
    plain["selector"] = _selector(condition.selector, is_absent=isinstance(condition, ElementNotExists))
    return plain


def _as_written(condition: Condition, keys: tuple[str, ...]) -> Plain:
    """The condition as its file has it, when it has no key that D-GARA does not read."""
    raw = condition.raw
    if isinstance(raw, Mapping) and set(raw) <= set(keys):
        return dict(raw)
    return {key: value for key, value in plain_condition(condition).items() if key in keys}


def _selector(text: str, *, is_absent: bool) -> str:
    """A selector that finds in D-GARA what it finds here, or nothing."""
    try:
        compound = parse_selector(text).compound
    except SelectorError:
        compound = None
    is_single = compound is not None and len(compound.terms) == 1
    if compound is not None and is_single and not compound.anchor and compound.position is None:
        term = compound.terms[0]
        if term.operator == "=":
            written = f"{term.attribute}='{term.value}'"
            for candidate in (text, written):
                if selector_of_dgara(candidate) == (term.attribute, term.value):
                    return candidate
            raise NotInDgara(text)
    if is_absent or not finds_nothing(text):
        raise NotInDgara(text)
    return text


def finds_nothing(selector: str) -> bool:
    """Whether D-GARA's validator finds nothing by a selector, on any screen, and goes on."""
    match = SELECTOR.match(selector)
    if match is None:
        return True
    if selector_of_dgara(selector) is not None:
        return False
    try:
        element_path(match[1], match[2])
    except (SyntaxError, PathInNameError):  # the validator would end here, or may find something
        return False
    return True
