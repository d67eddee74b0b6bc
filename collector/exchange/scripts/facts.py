"""What held when a rule held, as facts that a program can look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from collector.exchange.scripts.locators import locator_of
from collector.exchange.scripts.script import ScreenFact
from collector.hierarchy.selectors import Term
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.element_exists import ElementExists, ElementNotExists
from collector.rules.conditions.element_property import ElementProperty, ElementPropertyContains
from collector.rules.conditions.element_text import ElementTextContains, ElementTextEquals
from collector.rules.conditions.state_reached import StateReached
from collector.rules.evaluation.proof import Proof
from collector.rules.grammar.model import Condition, Group


def facts_of(proof: Proof, leave_out: Callable[[Condition], None]) -> Iterator[ScreenFact]:
    """The facts of a rule that holds; of alternatives those of the first that holds.

    ``leave_out`` is called with each condition that a program on a phone cannot look at.
    """
    condition = proof.condition
    if not isinstance(condition, Group):
        yield from _fact(condition, leave_out)
    elif condition.kind == "not":
        for part in proof.parts:
            if isinstance(part.condition, Group):
                leave_out(part.condition)
                continue
            for fact in _fact(part.condition, leave_out):
                if fact.element is None:
                    leave_out(part.condition)
                else:
                    yield ScreenFact(fact.element, is_absent=not fact.is_absent)
    else:
        holding = [part for part in proof.parts if part.holds]
        for part in holding[:1] if condition.kind == "any" else holding:
            yield from facts_of(part, leave_out)


def _fact(condition: Condition, leave_out: Callable[[Condition], None]) -> Iterator[ScreenFact]:
    match condition:
        case CurrentActivityIs():
            yield ScreenFact(activity=condition.value.rpartition("/")[2])
            return
        case CurrentPackageIs():
            yield ScreenFact(package=condition.value)
            return
        case StateReached():
            return  # that state is checked itself
        case ElementExists() | ElementNotExists():
            found, term = locator_of(condition.selector), None
        case ElementTextEquals():  # also the subclass that contains
            operator = "*=" if isinstance(condition, ElementTextContains) else "="
            found, term = locator_of(condition.selector), Term("text", operator, condition.text)
        case ElementProperty():
            operator = "*=" if isinstance(condition, ElementPropertyContains) else "="
            term = Term(condition.attribute, operator, condition.value)
            found = locator_of(condition.selector)
        case _:
            found, term = None, None
    if found is None:
        leave_out(condition)
    else:
        found = found if term is None else found.having(term)
        yield ScreenFact(found, is_absent=isinstance(condition, ElementNotExists))
