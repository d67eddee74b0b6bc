"""Evaluate ``semantics: dgara`` on all recorded states at once, with the verdicts of ``dgara_semantics``.

Dumps that ElementTree reads as the columns hold them are worked out together. The others, and what
only ElementTree itself can answer, go one by one through the prover.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from collector.rules.backtest.columns import ABSENT, ColumnsView, Flags, Places
from collector.rules.backtest.verdict_columns import Verdicts, all_of, always, of_proofs, plain
from collector.rules.backtest.waymark_columns import States
from collector.rules.evaluation.dgara_semantics import (
    FAULTS,
    PLAIN_NAME,
    SELECTOR,
    DgaraInjection,
    DgaraSuccess,
    about_element,
    enough_keywords,
    seen_by_dgara,
    shown_activity,
)
from collector.rules.evaluation.proof import CRASHES, Proof
from collector.rules.evaluation.state_view import WORDS_OF
from collector.rules.grammar.model import SUCCESS, Rule, Unknown
from collector.rules.grammar.plain import plain_rule

Once = Callable[[Hashable, Callable[[], Verdicts]], Verdicts]
_ANY = Unknown()
_GAP = " "
"""What D-GARA puts between the words of a node, and after them."""


def dgara_verdicts(rule: Rule, states: States, once: Once) -> Verdicts:
    """What D-GARA says of ``rule`` on every state; ``once`` keeps the verdicts of conditions."""
    raw = rule.raw if rule.raw is not None else plain_rule(rule)
    return (_Success if rule.kind == SUCCESS else _Injection)(states, once).rule(raw)


class _Columns:
    def __init__(self, states: States, once: Once) -> None:
        self._states = states
        self._once = once
        self._columns = states.columns

    def _nowhere(self, deficit: int = 1) -> Verdicts:
        return always(len(self._states), holds=False, deficit=deficit)

    def _no_tree(self) -> Verdicts:
        """To be filled in: trees, of which none holds and none crashes."""
        count = self._columns.trees
        verdicts = always(count, holds=False, deficit=1)
        return Verdicts(verdicts.holds, verdicts.deficit, verdicts.evidence, np.zeros(count, np.bool_))

    @property
    def _odd(self) -> list[int]:
        """Trees that ElementTree reads otherwise, or not at all."""
        found: list[int] = np.flatnonzero(~self._columns.plain).tolist()
        return found


class _Injection(_Columns):
    def rule(self, raw: Any) -> Verdicts:
        try:
            listed = list(raw.get("conditions", {}).get("all", []))
        except FAULTS:
            return self._nowhere()
        return all_of(len(self._states), [self._condition(one) for one in listed])

    def _condition(self, raw: Any) -> Verdicts:
        try:
            first = raw.get("min_step", 0)
            last = int(self._states.step.max(initial=1))
            early = np.array([bool(step < first) for step in range(last + 1)], np.bool_)[self._states.step]
        except FAULTS:
            return self._nowhere()
        bare = {key: value for key, value in raw.items() if key != "min_step"}
        found = self._once(("dgara injection", repr(bare)), lambda: self._in_time(bare))
        deficit = np.where(early, 1, found.deficit).astype(np.int32)
        return Verdicts(found.holds & ~early, deficit, found.evidence * ~early)

    def _in_time(self, raw: Mapping[str, Any]) -> Verdicts:
        kind = raw.get("type")
        if kind == "semantic_element_exists":
            return self._states.of_trees(self._semantic(raw))
        if kind == "current_activity_is":
            wanted = raw.get("value")
            shown = [shown_activity(activity) for activity in self._states.activities]
            return plain(np.array([bool(wanted) and one == wanted for one in shown], np.bool_))
        return always(len(self._states), holds=True)

    def _semantic(self, raw: Mapping[str, Any]) -> Verdicts:
        verdicts = self._no_tree()
        try:
            keywords = list(raw.get("keywords", []))
            hits = [self._having(word.lower()) for word in keywords]
            enough = [enough_keywords(raw, have) for have in range(len(keywords) + 1)]
        except FAULTS:
            pass  # the original dies wherever there is a word to look at, and where not it is false too
        else:
            have = np.sum(hits, axis=0, dtype=np.int32) if hits else np.zeros(self._columns.trees, np.int32)
            worded = self._columns.plain & (np.diff(self._columns.first) > 0)
            verdicts.holds[:] = np.array([one[0] for one in enough])[have] & worded
            verdicts.deficit[:] = np.where(worded, np.array([one[1] for one in enough])[have], 1)
            verdicts.evidence[:] = have * worded
        self._states.prove_trees(self._odd, lambda view: DgaraInjection(view, {}).condition(raw), verdicts)
        return verdicts

    def _having(self, word: str) -> Flags:
        """Whether each plain tree has ``word`` in what D-GARA makes of all its words."""
        within = self._columns.having_keyword(word)
        if _GAP not in word:
            return within
        maybe = self._columns.plain & ~within & self._straddled(word)
        found = within.copy()
        for tree in np.flatnonzero(maybe).tolist():
            words = self._states.dgara_words.get(tree)
            if words is None:
                words = self._states.dgara_words[tree] = _words_of(tree, self._columns)
            found[tree] = word in words
        return found

    def _straddled(self, word: str) -> Flags:
        """Where ``word`` may reach over values: some value ends and another begins with a part of it."""
        pieces = word.split(_GAP)
        ends, begins = np.zeros(self._columns.trees, np.bool_), np.zeros(self._columns.trees, np.bool_)
        for at in range(1, len(pieces)):
            ends |= self._columns.having_end(_GAP.join(pieces[:at]))
            begins |= self._columns.having_beginning(_GAP.join(pieces[at:]))
        return ends & begins


def _words_of(tree: int, columns: ColumnsView) -> str:
    start, end = columns.first[tree], columns.first[tree + 1]
    rows = zip(*(columns.column(name)[start:end].tolist() for name in WORDS_OF), strict=True)
    said = ("".join(f"{columns.values[one] if one != ABSENT else ''} " for one in row) for row in rows)
    return "".join(said).lower()


class _Success(_Columns):
    def rule(self, raw: Any) -> Verdicts:
        try:
            listed = list(raw.get("conditions", []) or ())
        except FAULTS:
            return self._nowhere()
        if not listed:
            return self._nowhere()
        found = all_of(self._columns.trees, [self._condition(one) for one in listed])
        unread = self._unread()
        found.holds[unread], found.deficit[unread], found.evidence[unread] = False, len(listed), 0
        return self._states.of_trees(found)

    def _unread(self) -> list[int]:
        """Trees whose dumps ElementTree does not read."""
        shown = self._states.shown
        view = self._states.corpus.view
        return [tree for tree in self._odd if tree in shown and seen_by_dgara(view(shown[tree])).root is None]

    def _condition(self, raw: Any) -> Verdicts:
        """Of every tree."""
        return self._once(("dgara success", repr(raw)), lambda: self._worked_out(raw))

    def _worked_out(self, raw: Any) -> Verdicts:
        try:
            kind = raw.get("type")
            if kind == "any_of":
                return _first_of(
                    self._columns.trees,
                    [self._condition(one) for one in raw.get("sub_conditions", []) or ()],
                )
            if not kind or not raw.get("selector"):
                return self._no_tree()
            return self._on_element(raw)
        except FAULTS:
            return self._crashing()

    def _crashing(self) -> Verdicts:
        verdicts = self._no_tree()
        return Verdicts(
            verdicts.holds, verdicts.deficit, verdicts.evidence, np.ones(self._columns.trees, np.bool_)
        )

    def _on_element(self, raw: Mapping[str, Any]) -> Verdicts:
        read = SELECTOR.match(raw["selector"])
        verdicts = self._no_tree()
        odd: Sequence[int] = self._odd
        if read is not None and not PLAIN_NAME.match(read[1]):
            odd = list(self._states.shown)  # only ElementTree knows what it makes of such a name
        else:
            absent = about_element(_ANY, raw, None, ())
            verdicts.holds[:], verdicts.deficit[:] = absent.holds, absent.deficit
            if read is not None:
                self._about(*self._first(read[1], read[2]), raw, verdicts)
        self._states.prove_trees(odd, lambda view: DgaraSuccess(view, {}).condition(raw), verdicts)
        return verdicts

    def _first(self, key: str, value: str) -> tuple[Places, Places]:
        """Trees that have an element with this attribute, and the first such element of each."""
        number = self._columns.number(value)
        nodes = np.flatnonzero(self._columns.column(key) == (ABSENT - 1 if number is None else number))
        trees, firsts = np.unique(self._columns.tree_of[nodes], return_index=True)
        return trees.astype(np.intp), nodes[firsts]

    def _about(self, trees: Places, nodes: Places, raw: Mapping[str, Any], verdicts: Verdicts) -> None:
        """Judge an element of each tree: once for each value of the one attribute that is looked at."""
        name = raw.get("attribute") if str(raw["type"]).startswith("element_property") else "text"
        numbers = self._columns.column(name)[nodes] if isinstance(name, str) else np.full(len(nodes), ABSENT)
        used, which = np.unique(numbers, return_inverse=True)
        values = [self._columns.values[number] if number != ABSENT else None for number in used.tolist()]
        found = of_proofs([_proof_of(raw, value) for value in values]).taken(which)
        verdicts.holds[trees], verdicts.deficit[trees] = found.holds, found.deficit
        verdicts.evidence[trees] = found.evidence
        if verdicts.crashed is not None and found.crashed is not None:
            verdicts.crashed[trees] = found.crashed


def _proof_of(raw: Mapping[str, Any], value: str | None) -> Proof:
    """The verdict on an element whose attribute that is looked at has this value."""
    try:
        return about_element(_ANY, raw, _only(value), ())
    except FAULTS:
        return Proof(_ANY, False, note=CRASHES, deficit=1)


def _only(value: str | None) -> Callable[..., Any]:
    """``get`` of an element of which one attribute alone is ever asked for."""

    def get(name: Any, default: Any = None) -> Any:
        hash(name)  # as a dict does, which raises for a list
        return value if value is not None else default

    return get


def _first_of(count: int, parts: Sequence[Verdicts]) -> Verdicts:
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
    return Verdicts(holds, deficit, evidence, crashed & ~holds)
