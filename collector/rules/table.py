"""The verdicts of conditions on every state of a corpus, each worked out once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

import numpy as np

from collector.rules.corpus import Corpus
from collector.rules.dgara import prove_dgara
from collector.rules.model import DGARA, STATE, Condition, Group, Rule
from collector.rules.plain import plain_rule
from collector.rules.proof import PictureFinder
from collector.rules.strict import prove
from collector.rules.verdicts import GROUPS, Verdicts, always, from_step, of_proofs

KEPT = 4000
"""Columns that are kept: nine bytes a state each."""
Progress = Callable[[int, int], None]


class Cancelled(Exception):  # noqa: N818 - what happened, not what went wrong
    """Whoever asked for the work wants it no longer."""


class VerdictTable:
    """Verdicts by condition, for one corpus; the columns asked for last are kept."""

    def __init__(self, corpus: Corpus, pictures: PictureFinder | None = None) -> None:
        self._corpus = corpus
        self._pictures = pictures
        self._kept: OrderedDict[Hashable, Verdicts] = OrderedDict()
        self._lock = threading.RLock()
        self._steps = np.array([corpus.place_of(at)[1] + 1 for at in range(len(corpus))], np.int64)

    def prepare(self, progress: Progress | None, cancelled: Callable[[], bool] | None) -> None:
        """Read what was not read yet, so that :meth:`of_rule` only looks things up. Raises Cancelled."""
        count = len(self._corpus)
        if cancelled is not None and cancelled():
            raise Cancelled
        if progress is not None:
            progress(count, count)

    def of_rule(self, rule: Rule, semantics: str) -> Verdicts:
        """What :func:`collector.rules.evaluate.evaluate` says of every state."""
        if semantics == DGARA and rule.kind != STATE:
            key = (rule.kind, repr(rule.raw if rule.raw is not None else plain_rule(rule)))
            return self._once(
                key, lambda: of_proofs(len(self._corpus), lambda at: prove_dgara(rule, self._corpus.view(at)))
            )
        if not rule.conditions.conditions:
            return always(len(self._corpus), holds=False, deficit=1)
        return self.of_condition(rule.conditions)

    def of_condition(self, condition: Condition) -> Verdicts:
        """One condition on every state, strictly read."""
        if isinstance(condition, Group):
            parts = [self.of_condition(part) for part in condition.conditions]
            verdicts = GROUPS[condition.kind](len(self._corpus), parts)
        else:
            verdicts = self._once(condition, lambda: self._leaf(condition))
        if condition.min_step > 1:
            return from_step(verdicts, self._steps < condition.min_step)
        return verdicts

    def _leaf(self, condition: Condition) -> Verdicts:
        return of_proofs(
            len(self._corpus), lambda at: prove(condition, self._corpus.view(at), self._pictures)
        )

    def _once(self, key: Hashable, work: Callable[[], Verdicts]) -> Verdicts:
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
            made = self._kept[key] = work()
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return made
