"""Evaluate ``semantics: dgara`` on all recorded states at once, with the verdicts of ``dgara_semantics``.

Dumps that ElementTree reads like the columns are evaluated together. All others, and conditions that only
ElementTree can answer, go one by one through the prover.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from collector.rules.columns.dgara_state_columns import DgaraStateColumns, Once
from collector.rules.columns.node_columns import ABSENT, Places
from collector.rules.columns.state_columns import StateColumns
from collector.rules.columns.verdict_columns import VerdictColumns, all_of, of_proofs, same_verdict
from collector.rules.conditions.attribute_condition import DgaraAttributeCondition
from collector.rules.conditions.condition_type import DgaraInjectionColumns
from collector.rules.evaluation.condition_semantics import semantics_named
from collector.rules.evaluation.dgara_semantics import (
    FAULTS,
    PLAIN_NAME,
    SELECTOR,
    DgaraSuccess,
    about_element,
    dgara_screen,
    element_reading,
)
from collector.rules.evaluation.proof import CRASHES, Proof
from collector.rules.grammar.model import SUCCESS, Rule, Unknown
from collector.rules.grammar.plain import plain_rule

_ANY = Unknown()


def dgara_verdicts(rule: Rule, states: StateColumns, once: Once) -> VerdictColumns:
    """The verdicts of D-GARA on ``rule`` for every state; ``once`` caches those of conditions."""
    raw = rule.raw if rule.raw is not None else plain_rule(rule)
    return (_Success if rule.kind == SUCCESS else _Injection)(states, once).rule(raw)


class _Injection(DgaraStateColumns):
    def rule(self, raw: Any) -> VerdictColumns:
        try:
            listed = list(raw.get("conditions", {}).get("all", []))
        except FAULTS:
            return self.nowhere()
        return all_of(len(self.states), [self._condition(raw_condition) for raw_condition in listed])

    def _condition(self, raw: Any) -> VerdictColumns:
        try:
            first = raw.get("min_step", 0)
            last = int(self.states.step.max(initial=1))
            early = np.array([bool(step < first) for step in range(last + 1)], np.bool_)[self.states.step]
        except FAULTS:
            return self.nowhere()
        bare = {key: value for key, value in raw.items() if key != "min_step"}
        in_time = self._once(("dgara injection", repr(bare)), lambda: self._in_time(bare))
        deficit = np.where(early, 1, in_time.deficit).astype(np.int32)
        return VerdictColumns(in_time.holds & ~early, deficit, in_time.evidence * ~early)

    def _in_time(self, raw: Mapping[str, Any]) -> VerdictColumns:
        semantics = semantics_named(raw.get("type"))
        reading = semantics.dgara if semantics is not None else None
        if isinstance(reading, DgaraInjectionColumns):
            return reading.columns(raw, self)
        return same_verdict(len(self.states), holds=True)


class _Success(DgaraStateColumns):
    def rule(self, raw: Any) -> VerdictColumns:
        try:
            listed = list(raw.get("conditions", []) or ())
        except FAULTS:
            return self.nowhere()
        if not listed:
            return self.nowhere()
        of_trees = all_of(self._columns.trees, [self._condition(raw_condition) for raw_condition in listed])
        unread = self._unread()
        of_trees.holds[unread], of_trees.deficit[unread], of_trees.evidence[unread] = False, len(listed), 0
        return self.states.of_trees(of_trees)

    def _unread(self) -> list[int]:
        """Trees whose dumps ElementTree does not read."""
        shown = self.states.shown
        view = self.states.corpus.view
        return [tree for tree in self.odd if tree in shown and dgara_screen(view(shown[tree])).root is None]

    def _condition(self, raw: Any) -> VerdictColumns:
        """Of every tree."""
        return self._once(("dgara success", repr(raw)), lambda: self._worked_out(raw))

    def _worked_out(self, raw: Any) -> VerdictColumns:
        try:
            kind = raw.get("type")
            if kind == "any_of":
                return _first_of(
                    self._columns.trees,
                    [self._condition(raw_condition) for raw_condition in raw.get("sub_conditions", []) or ()],
                )
            if not kind or not raw.get("selector"):
                return self.blank_trees()
            return self._on_element(raw)
        except FAULTS:
            return self._crashing()

    def _crashing(self) -> VerdictColumns:
        verdicts = self.blank_trees()
        return VerdictColumns(
            verdicts.holds, verdicts.deficit, verdicts.evidence, np.ones(self._columns.trees, np.bool_)
        )

    def _on_element(self, raw: Mapping[str, Any]) -> VerdictColumns:
        read = SELECTOR.match(raw["selector"])
        verdicts = self.blank_trees()
        odd: Sequence[int] = self.odd
        if read is not None and not PLAIN_NAME.match(read[1]):
            odd = list(self.states.shown)  # only ElementTree can evaluate such a name
        else:
            absent = about_element(_ANY, raw, None, ())
            verdicts.holds[:], verdicts.deficit[:] = absent.holds, absent.deficit
            if read is not None:
                self._about(*self._first(read[1], read[2]), raw, verdicts)
        self.states.prove_trees(odd, lambda view: DgaraSuccess(view, {}).condition(raw), verdicts)
        return verdicts

    def _first(self, key: str, value: str) -> tuple[Places, Places]:
        """Trees that have an element with this attribute, and the first such element of each."""
        number = self._columns.number(value)
        nodes = np.flatnonzero(self._columns.column(key) == (ABSENT - 1 if number is None else number))
        trees, firsts = np.unique(self._columns.tree_of[nodes], return_index=True)
        return trees.astype(np.intp), nodes[firsts]

    def _about(self, trees: Places, nodes: Places, raw: Mapping[str, Any], verdicts: VerdictColumns) -> None:
        """Judge one element of each tree: once for each value of the attribute that the condition reads."""
        reading = element_reading(raw)
        name = reading.attribute(raw) if reading is not None else "text"
        numbers = self._columns.column(name)[nodes] if isinstance(name, str) else np.full(len(nodes), ABSENT)
        used, which = np.unique(numbers, return_inverse=True)
        values = [self._columns.values[number] if number != ABSENT else None for number in used.tolist()]
        if isinstance(reading, DgaraAttributeCondition):
            judged = _of_attribute(reading, raw, values).taken(which)
        else:
            judged = of_proofs([_proof_of(raw, value) for value in values]).taken(which)
        verdicts.holds[trees], verdicts.deficit[trees] = judged.holds, judged.deficit
        verdicts.evidence[trees] = judged.evidence
        if verdicts.crashed is not None and judged.crashed is not None:
            verdicts.crashed[trees] = judged.crashed


def _of_attribute(
    reading: DgaraAttributeCondition, raw: Mapping[str, Any], values: Sequence[str | None]
) -> VerdictColumns:
    """The verdicts of ``first_match_proof`` on elements whose attribute has one of ``values`` each."""
    holds, crashed = np.zeros(len(values), np.bool_), np.zeros(len(values), np.bool_)
    for at, value in enumerate(values):
        try:
            holds[at] = reading.holds(raw, _only(value))
        except FAULTS:
            crashed[at] = True
    return VerdictColumns(holds, (~holds).astype(np.int32), (~crashed).astype(np.int32), crashed)


def _proof_of(raw: Mapping[str, Any], value: str | None) -> Proof:
    """The verdict on an element whose attribute that is looked at has this value."""
    try:
        return about_element(_ANY, raw, _only(value), ())
    except FAULTS:
        return Proof(_ANY, False, note=CRASHES, deficit=1)


def _only(value: str | None) -> Callable[..., Any]:
    """``get`` of an element of which only one attribute is read."""

    def get(name: Any, default: Any = None) -> Any:
        hash(name)  # raises for a list, as a dict does
        return value if value is not None else default

    return get


def _first_of(count: int, parts: Sequence[VerdictColumns]) -> VerdictColumns:
    """``any_of``: the first part that holds decides, unless one before it crashes."""
    holds, open_, crashed = np.zeros(count, np.bool_), np.ones(count, np.bool_), np.zeros(count, np.bool_)
    deficit, evidence = np.ones(count, np.int32), np.zeros(count, np.int32)
    for at, part in enumerate(parts):
        dies = part.crashed if part.crashed is not None else np.zeros(count, np.bool_)
        holds |= open_ & part.holds
        open_ &= ~(part.holds | dies)
        crashed |= dies
        nearer = (part.deficit < deficit) | ((part.deficit == deficit) & (part.evidence > evidence))
        nearer |= at == 0
        deficit[nearer], evidence[nearer] = part.deficit[nearer], part.evidence[nearer]
    deficit = np.where(holds, 0, np.maximum(1, deficit)).astype(np.int32)
    return VerdictColumns(holds, deficit, evidence, crashed & ~holds)
