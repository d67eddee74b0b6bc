"""Suggest states from the success rule of a task: each of its clauses, and the rule as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from collector.model.i18n import _, join_sentences
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.conditions.element_text import ElementTextContains, ElementTextEquals
from collector.rules.conditions.state_reached import StateReached
from collector.rules.evaluation.explanation import sentence
from collector.rules.grammar.model import Condition, Group, Rule, Unknown
from collector.states.suggestions.golden_table import GoldenTable

_WHOLE, _CLAUSE = 95, 90
_TEXT = re.compile(r"""(?:text|content-desc)\s*[*^$~]?=\s*(['"])((?:(?!\1)[^\\]|\\.)*)\1""")
_UNSEEN = 30
"""Points less where no golden trajectory shows that it is reached."""


@dataclass(frozen=True, slots=True, eq=False)
class ClauseState:
    """A clause of a success rule, or the rule itself, as a state."""

    conditions: Group
    sentence: str
    steps: tuple[int, ...]
    """In each golden trajectory of the table; empty when there is none."""
    score: int
    reason: str


@dataclass(frozen=True, slots=True)
class ClauseLeftOut:
    """A clause that makes no state, with the reason in a sentence."""

    reason: str


def states_of_rule(rule: Rule, table: GoldenTable) -> Iterator[ClauseState | ClauseLeftOut]:
    """The clauses of a success rule in their order, then the whole rule when it has several clauses.

    A clause is what has to hold beside others: a rule of ``any`` or ``not`` is one clause. Left out are
    clauses that hold at the start, or nowhere in one of the golden trajectories.
    """
    group = rule.conditions
    clauses = group.conditions if group.kind == "all" else (group,)
    if len(clauses) > 1 and not group.min_step:
        for place, clause in enumerate(clauses, start=1):
            about = _("Clause {number} of the success rule {rule}", number=place, rule=rule.id)
            yield _checked(clause, about, _says(clause), _CLAUSE, table)
    if clauses:
        about = _("The success rule {rule}", rule=rule.id)
        yield _checked(group, about, rule.description.strip() or _says(group), _WHOLE, table)


def _says(condition: Condition) -> str:
    """What is to be seen when a condition holds: the texts that its selectors name, where it names some."""
    if isinstance(condition, Group) and condition.kind == "all":
        return join_sentences(*map(_says, condition.conditions))
    if isinstance(condition, ElementExists):
        texts = [match[2].replace("\\", "") for match in _TEXT.finditer(condition.selector)]
        if texts:
            return _("'{text}' is shown", text="', '".join(texts))
    if isinstance(condition, (ElementTextEquals, ElementTextContains)):
        return _("'{text}' is shown", text=condition.text)
    return sentence(condition)


def _checked(
    condition: Condition, about: str, said: str, score: int, table: GoldenTable
) -> ClauseState | ClauseLeftOut:
    if any(isinstance(part, (StateReached, Unknown)) for part in condition.walk()):
        return ClauseLeftOut(
            _("{what} names states itself, or cannot be read: {said}", what=about, said=said)
        )
    is_all = isinstance(condition, Group) and condition.kind == "all"
    group = condition if isinstance(condition, Group) and is_all else Group(conditions=(condition,))
    if not table.own:
        unseen = _("No golden trajectory shows yet where it is reached")
        return ClauseState(group, said, (), score - _UNSEEN, join_sentences(about, unseen))
    holds = table.holds(group)
    if table.holds_at_start(holds):
        return ClauseLeftOut(_("{what} holds at the start already: {said}", what=about, said=said))
    steps = table.first_steps(holds)
    if steps is None:
        reason = _("A golden trajectory never comes to what {what} says: {said}", what=about, said=said)
        return ClauseLeftOut(reason)
    numbers = ", ".join(str(step + 1) for step in steps)
    if len(steps) == 1:
        seen = _("The golden trajectory comes to it at step {steps}", steps=numbers)
        return ClauseState(group, said, steps, score - _UNSEEN // 2, join_sentences(about, seen))
    seen = _("The golden trajectories come to it at steps {steps}", steps=numbers)
    return ClauseState(group, said, steps, score, join_sentences(about, seen))
