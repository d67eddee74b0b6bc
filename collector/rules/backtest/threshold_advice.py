"""Compare a rule with other thresholds: where it would fire then, and how many of those places are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from collector.model.i18n import _, ngettext
from collector.rules.backtest.backtest import BackTest, BackTestResult
from collector.rules.evaluation.condition_semantics import semantics_of
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import Condition, Group, Rule


@dataclass(frozen=True, slots=True)
class ThresholdAlternative:
    """A rule with another threshold in one clause, and what that changes over the corpus."""

    condition: Condition
    """The clause as it is."""
    threshold: float
    rule: Rule
    """The rule as it would be."""
    gained: tuple[int, ...]
    """Positions where it would fire and does not now."""
    lost: tuple[int, ...]
    """Positions where it fires now and would not."""
    wrong: int
    """How many of ``gained`` it should not fire on."""
    position: int | None
    """The state that was asked about."""

    @property
    def here(self) -> bool:
        """Whether it changes the state that was asked about."""
        return self.position in self.gained or self.position in self.lost

    @property
    def sentence(self) -> str:
        """``Threshold 0.5 would fire here and in 4 more places, 1 of them wrong``."""
        value = f"{self.threshold:g}"
        if self.lost and not self.gained:
            return self._lost(value)
        more = len(self.gained) - (self.position in self.gained)
        places = ngettext("{count} more place", "{count} more places", more)
        if self.position not in self.gained:
            text = _("Threshold {value} would fire in {places}", value=value, places=places)
        elif not more:
            text = _("Threshold {value} would fire here and nowhere else", value=value)
        else:
            text = _("Threshold {value} would fire here and in {places}", value=value, places=places)
        return f"{text}, {self._wrong(more)}" if self.wrong else text

    def _lost(self, value: str) -> str:
        others = len(self.lost) - (self.position in self.lost)
        places = ngettext("{count} other place", "{count} other places", others)
        if self.position not in self.lost:
            return _("Threshold {value} would stay silent in {places}", value=value, places=places)
        if not others:
            return _("Threshold {value} would stay silent here and change nothing else", value=value)
        return _("Threshold {value} would stay silent here and in {places}", value=value, places=places)

    def _wrong(self, more: int) -> str:
        if self.position in self.gained and self.wrong == more + 1:
            return ngettext("which is wrong", "all of them wrong", self.wrong)
        return ngettext("{count} of them wrong", "{count} of them wrong", self.wrong)


def threshold_alternatives(
    test: BackTest, rule: Rule, position: int | None = None
) -> list[ThresholdAlternative]:
    """Thresholds that would change what ``rule`` does on the state at ``position``, or anywhere.

    Those that change the least elsewhere come first. One clause is changed at a time.
    """
    now = test.run(rule)
    alternatives = [
        alternative
        for clause in rule.conditions.walk()
        for threshold, changed in _changed(test, clause, position)
        if (alternative := _tried(test, now, clause, changed, threshold, position)) is not None
    ]
    if position is not None:
        alternatives = [alternative for alternative in alternatives if alternative.here]
    return sorted(
        alternatives,
        key=lambda alternative: (
            alternative.wrong,
            len(alternative.gained) + len(alternative.lost),
            -alternative.threshold,
        ),
    )


def _changed(test: BackTest, clause: Condition, position: int | None) -> Iterator[tuple[float, Condition]]:
    """The clause with other thresholds; one that changes nothing falls out later."""
    semantics = semantics_of(clause)
    if semantics is not None:
        proof = prove(clause, test.corpus.view(position), test.images) if position is not None else None
        yield from semantics.other_thresholds(clause, proof)


def _tried(
    test: BackTest,
    now: BackTestResult,
    clause: Condition,
    changed: Condition,
    threshold: float,
    position: int | None,
) -> ThresholdAlternative | None:
    rule = replace(now.rule, conditions=_replaced(now.rule.conditions, clause, changed), raw=None)
    then = test.run(rule)
    gained = np.flatnonzero(then.verdicts.holds & ~now.verdicts.holds)
    lost = np.flatnonzero(now.verdicts.holds & ~then.verdicts.holds)
    if not len(gained) and not len(lost):
        return None
    bad = {row.first + index for row in then.rows.misfiring() for index in row.wrong}
    wrong = sum(at in bad for at in gained.tolist())
    return ThresholdAlternative(
        clause, threshold, rule, tuple(gained.tolist()), tuple(lost.tolist()), wrong, position
    )  # fmt: skip


def _replaced(group: Group, old: Condition, new: Condition) -> Group:
    """``group`` with ``new`` in the place of ``old``, which is compared by identity."""

    def renewed(part: Condition) -> Condition:
        if part is old:
            return new
        return _replaced(part, old, new) if isinstance(part, Group) else part

    return replace(group, conditions=tuple(map(renewed, group.conditions)), raw=None)
