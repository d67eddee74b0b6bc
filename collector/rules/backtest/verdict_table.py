"""A cache of the verdicts of conditions on every state of a corpus."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace

import numpy as np

from collector.model.cancellation import check_cancelled
from collector.rules.backtest.dgara_columns import dgara_verdicts
from collector.rules.columns.corpus import Corpus
from collector.rules.columns.dump_columns import DumpColumns
from collector.rules.columns.state_columns import StateColumns
from collector.rules.columns.verdict_columns import GROUPS, VerdictColumns, from_step, same_verdict
from collector.rules.conditions.condition_type import stamp_of, verdicts_of
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.state_view import main_package
from collector.rules.grammar.model import DGARA, DGARA_KINDS, Condition, Group, Rule
from collector.rules.grammar.rule_values import with_values

CACHE_SIZE = 4000
"""Cached columns; each takes three bytes a state, or nine where it counts above what a byte holds."""
_PROGRESS_EVERY = 20
Progress = Callable[[int, int], None]


class VerdictTable:
    """Verdicts by condition, for one corpus; the columns used last stay in memory."""

    def __init__(
        self, corpus: Corpus, images: ImageFinder | None = None, dumps: DumpColumns | None = None
    ) -> None:
        self._corpus = corpus
        self._images = images
        self._dumps = dumps or DumpColumns()
        self._trees: list[int] = []
        self._states: StateColumns | None = None
        self._cache: OrderedDict[Hashable, VerdictColumns] = OrderedDict()
        self._lock = threading.RLock()

    def prepare(self, progress: Progress | None = None) -> StateColumns:
        """Read the dumps that were not read yet. Raises Cancelled; dumps read before that stay read."""
        with self._lock:
            if self._states is not None:
                return self._states
            count = len(self._corpus)
            for at in range(len(self._trees), count):
                if at % _PROGRESS_EVERY == 0:
                    check_cancelled()
                self._trees.append(self._dumps.number_of(self._corpus.key(at), self._reader(at)))
                if progress is not None and ((at + 1) % _PROGRESS_EVERY == 0 or at + 1 == count):
                    progress(at + 1, count)
            self._states = self._state_columns()
            return self._states

    def of_rule(self, rule: Rule, semantics: str) -> VerdictColumns:
        """The verdict of ``evaluate`` on every state. May raise Cancelled."""
        if semantics == DGARA and rule.kind in DGARA_KINDS:
            return dgara_verdicts(rule, self.prepare(), self._cached)
        if not rule.conditions.conditions:
            return same_verdict(len(self._corpus), holds=False, deficit=1)
        return self.of_condition(rule.conditions)

    def of_condition(self, condition: Condition) -> VerdictColumns:
        """The verdicts of ``semantics: waymark`` on every state. May raise Cancelled."""
        check_cancelled()
        if isinstance(condition, Group):
            parts = [self.of_condition(part) for part in condition.conditions]
            verdicts = GROUPS[condition.kind](len(self._corpus), parts)
        else:
            verdicts = self._of_part(replace(condition, min_step=0) if condition.min_step else condition)
        if condition.min_step > 1:
            return from_step(verdicts, self.prepare().step < condition.min_step)
        return verdicts

    def _of_part(self, part: Condition) -> VerdictColumns:
        """Of a condition that is no group, on each trajectory with the values of its task's parameters."""
        verdicts = self._of_filled(part)
        for values, ranges in self._corpus.values():
            if (filled := with_values(part, values)) is not part:
                places = np.concatenate([np.arange(places.start, places.stop) for places in ranges])
                verdicts = verdicts.replaced(places, self._of_filled(filled))
        return verdicts

    def _of_filled(self, part: Condition) -> VerdictColumns:
        key = part, stamp_of(part, self._images)
        return self._cached(key, lambda: verdicts_of(part, self.prepare()))

    def _cached(self, key: Hashable, work: Callable[[], VerdictColumns]) -> VerdictColumns:
        with self._lock:
            cached = self._cache.get(key)
            if cached is not None:
                self._cache.move_to_end(key)
                return cached
            verdicts = self._cache[key] = work().narrowed()
            if len(self._cache) > CACHE_SIZE:
                self._cache.popitem(last=False)
            return verdicts

    def _reader(self, position: int) -> Callable[[], bytes]:
        return lambda: self._corpus.xml(position)

    def _state_columns(self) -> StateColumns:
        corpus, columns = self._corpus, self._dumps.view
        main_packages: dict[int, str] = {}
        packages = []
        for at, tree in enumerate(self._trees):
            package = corpus.facts.packages[at]
            if not package and tree not in main_packages:
                own = columns.column("package")[columns.first[tree] : columns.first[tree + 1]]
                main_packages[tree] = main_package(
                    columns.values[number] for number in own.tolist() if number >= 0
                )
            packages.append(package or main_packages[tree])
        step = np.array([corpus.locate(at)[1] + 1 for at in range(len(corpus))], np.int32)
        activities = tuple(corpus.facts.activities)
        trees = np.array(self._trees, np.intp)
        return StateColumns(corpus, columns, trees, step, tuple(packages), activities, self._images)
