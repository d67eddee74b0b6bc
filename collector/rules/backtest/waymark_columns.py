"""Evaluate ``semantics: waymark`` on all recorded states at once, with the verdicts of ``waymark_semantics``.

Conditions on the screen are worked out for each distinct dump, all others for each state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from collector.hierarchy.errors import SelectorError
from collector.rules.backtest.column_selectors import nodes_of
from collector.rules.backtest.columns import ABSENT, ColumnsView, Flags, Numbers, Places
from collector.rules.backtest.corpus import Corpus
from collector.rules.backtest.verdict_columns import Verdicts, always, counted, plain
from collector.rules.evaluation.proof import CRASHES, Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import keywords_needed, prove
from collector.rules.grammar.model import (
    ActionWas,
    Condition,
    CurrentActivityIs,
    CurrentPackageIs,
    ElementExists,
    ElementNotExists,
    ElementProperty,
    ElementPropertyContains,
    ElementTextContains,
    ElementTextEquals,
    MinStep,
    SemanticElementExists,
    StateReached,
    TextMatches,
)
from collector.rules.grammar.patterns import compile_pattern
from collector.rules.grammar.value_reader import ANY_ACTION, compiled_selector


@dataclass(frozen=True, eq=False)
class States:
    """The states of a corpus as columns: ``tree`` and ``step`` of each, and the dumps' own columns."""

    corpus: Corpus
    columns: ColumnsView
    tree: Places
    step: Numbers
    packages: tuple[str, ...]
    activities: tuple[str, ...]
    dgara_words: dict[int, str] = field(default_factory=dict)
    """Of trees that were asked for: all their words in one text, as D-GARA sees them."""

    def __len__(self) -> int:
        return len(self.tree)

    @cached_property
    def shown(self) -> dict[int, int]:
        """Of every tree of the corpus: the position of the first state that shows it."""
        trees, positions = np.unique(self.tree, return_index=True)
        return dict(zip(trees.tolist(), positions.tolist(), strict=True))

    def prove_trees(self, trees: Iterable[int], prove: Callable[[StateView], Proof], into: Verdicts) -> None:
        """Write what ``prove`` says of some trees into verdicts of trees; trees of other corpora are left."""
        for tree in trees:
            position = self.shown.get(tree)
            if position is not None:
                proof = prove(self.corpus.view(position))
                into.holds[tree], into.deficit[tree] = proof.holds, proof.deficit
                into.evidence[tree] = proof.evidence
                if into.crashed is not None:
                    into.crashed[tree] = proof.note == CRASHES

    def of_trees(self, verdicts: Verdicts) -> Verdicts:
        """Verdicts of trees as verdicts of states."""
        return verdicts.taken(self.tree)

    def with_nodes(self, nodes: Places) -> Flags:
        """Whether each tree has one of ``nodes``."""
        return self.columns.trees_with(nodes)


def strict_verdicts(condition: Condition, states: States) -> Verdicts:
    """The verdicts of one condition that is no group; pictures, which nobody looks for here, hold nowhere."""
    work = _WORKERS.get(type(condition))
    if work is None:
        return always(len(states), holds=False, deficit=1)
    try:
        return work(condition, states)
    except (SelectorError, re.error):
        return always(len(states), holds=False, deficit=1)


def _semantic(condition: SemanticElementExists, states: States) -> Verdicts:
    have = np.zeros(states.columns.trees, np.int32)
    for word in condition.keywords:
        have += states.columns.having_keyword(word)
    count = len(condition.keywords)
    need = keywords_needed(count, condition.match_threshold)
    return states.of_trees(counted(have, need, possible=count > 0))


def _selected(selector: str, states: States) -> Places | None:
    """The nodes of all trees that ``selector`` names; None for XPath, which needs the trees themselves."""
    compound = compiled_selector(selector).compound
    return None if compound is None else nodes_of(compound, states.columns)


def _by_view(condition: Condition, states: States) -> Verdicts:
    """One by one, once for each distinct dump."""
    verdicts = always(states.columns.trees, holds=False)
    states.prove_trees(states.shown, lambda view: prove(condition, view), verdicts)
    return states.of_trees(verdicts)


def _exists(condition: ElementExists, states: States) -> Verdicts:
    found = _selected(condition.selector, states)
    if found is None:
        return _by_view(condition, states)
    there = states.with_nodes(found)
    return states.of_trees(plain(there, there))


def _not_exists(condition: ElementNotExists, states: States) -> Verdicts:
    found = _selected(condition.selector, states)
    if found is None:
        return _by_view(condition, states)
    return states.of_trees(plain(~states.with_nodes(found)))


def _property(condition: ElementProperty, states: States) -> Verdicts:
    contains = isinstance(condition, ElementPropertyContains)
    return _on_nodes(condition, states, condition.attribute, condition.value, contains=contains)


def _text(condition: ElementTextEquals, states: States) -> Verdicts:
    contains = isinstance(condition, ElementTextContains)
    return _on_nodes(condition, states, "text", condition.text, contains=contains)


def _on_nodes(
    condition: ElementProperty | ElementTextEquals, states: States, name: str, wanted: str, *, contains: bool
) -> Verdicts:
    found = _selected(condition.selector, states)
    if found is None:
        return _by_view(condition, states)
    have = states.columns.column(name)[found]
    if contains:
        there = np.unique(have[have != ABSENT])
        good = there[[wanted in states.columns.values[number] for number in there.tolist()]]
        fits = np.isin(have, good)
    else:
        number = states.columns.number(wanted)
        fits = have == number if number is not None else np.zeros(len(have), np.bool_)
    return states.of_trees(plain(states.with_nodes(found[fits]), states.with_nodes(found)))


def _matches(condition: TextMatches, states: States) -> Verdicts:
    found_in = compile_pattern(condition.pattern).found_in
    values, nodes = states.columns.values, None
    if condition.selector and (nodes := _selected(condition.selector, states)) is None:
        return _by_view(condition, states)
    there = np.zeros(states.columns.trees, np.bool_)
    for name in ("text", "content-desc"):
        column = states.columns.column(name)
        have = column if nodes is None else column[nodes]
        used = np.unique(have[have != ABSENT])
        good = used[[bool(text := values[number]) and found_in(text) for number in used.tolist()]]
        hits = np.flatnonzero(np.isin(have, good))
        there |= states.with_nodes(hits if nodes is None else nodes[hits])
    return states.of_trees(plain(there, there))


def _activity(condition: CurrentActivityIs, states: States) -> Verdicts:
    return _by_name(condition, list(zip(states.packages, states.activities, strict=True)))


def _package(condition: CurrentPackageIs, states: States) -> Verdicts:
    return _by_name(condition, [(package, "") for package in states.packages])


def _by_name(condition: Condition, names: list[tuple[str, str]]) -> Verdicts:
    """Of a condition that looks at package and activity alone."""
    known = {
        (package, activity): prove(condition, StateView(package=package, activity=activity)).holds
        for package, activity in set(names)
    }
    return plain(np.array([known[name] for name in names], np.bool_))


def _min_step(condition: MinStep, states: States) -> Verdicts:
    return plain(states.step >= condition.value)


def _action_was(condition: ActionWas, states: States) -> Verdicts:
    verdicts = always(len(states), holds=False, deficit=1)
    for at in range(len(states)):
        action = states.corpus.action_before(at)
        if action is not None and condition.action in (action.kind, ANY_ACTION):
            proof = prove(condition, states.corpus.view(at))
            verdicts.holds[at], verdicts.deficit[at] = proof.holds, proof.deficit
            verdicts.evidence[at] = proof.evidence
    return verdicts


def _state_reached(condition: StateReached, states: States) -> Verdicts:
    there = np.array([condition.state in reached for reached in states.corpus.reached], np.bool_)
    return plain(there, there)


_WORKERS: dict[type[Condition], Callable[..., Verdicts]] = {
    SemanticElementExists: _semantic,
    ElementExists: _exists,
    ElementNotExists: _not_exists,
    ElementProperty: _property,
    ElementPropertyContains: _property,
    ElementTextEquals: _text,
    ElementTextContains: _text,
    TextMatches: _matches,
    CurrentActivityIs: _activity,
    CurrentPackageIs: _package,
    MinStep: _min_step,
    ActionWas: _action_was,
    StateReached: _state_reached,
}
