"""The verdicts of conditions on every state of a corpus, each worked out once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace

import numpy as np

from collector.rules.backtest.corpus import Corpus
from collector.rules.backtest.dump_columns import DumpColumns
from collector.rules.backtest.image_columns import Asked, Seen, picture_verdicts
from collector.rules.backtest.image_columns import Cancelled as Cancelled
from collector.rules.backtest.verdict_columns import GROUPS, Verdicts, always, from_step
from collector.rules.backtest.waymark_columns import States, strict_verdicts
from collector.rules.evaluation.proof import PictureFinder
from collector.rules.evaluation.state_view import main_package
from collector.rules.grammar.model import DGARA, STATE, Condition, Group, ImageMatches, Rule

KEPT = 4000
"""Columns that are kept: nine bytes a state each."""
_TOLD_EVERY = 20
Progress = Callable[[int, int], None]


class VerdictTable:
    """Verdicts by condition, for one corpus; the columns asked for last are kept."""

    def __init__(
        self, corpus: Corpus, pictures: PictureFinder | None = None, dumps: DumpColumns | None = None
    ) -> None:
        self._corpus = corpus
        self._pictures = pictures
        self._dumps = dumps or DumpColumns()
        self._trees: list[int] = []
        self._states: States | None = None
        self._kept: OrderedDict[Hashable, Verdicts] = OrderedDict()
        self._seen: Seen = {}
        self._lock = threading.RLock()

    def prepare(self, progress: Progress | None = None, cancelled: Asked = None) -> States:
        """Read the dumps that were not read yet. Raises Cancelled; what was read by then stays read."""
        with self._lock:
            if self._states is not None:
                return self._states
            count = len(self._corpus)
            for at in range(len(self._trees), count):
                if at % _TOLD_EVERY == 0 and cancelled is not None and cancelled():
                    raise Cancelled
                self._trees.append(self._dumps.number_of(self._corpus.key(at), self._reader(at)))
                if progress is not None and ((at + 1) % _TOLD_EVERY == 0 or at + 1 == count):
                    progress(at + 1, count)
            self._states = self._laid_out()
            return self._states

    def of_rule(self, rule: Rule, semantics: str, cancelled: Asked = None) -> Verdicts:
        """The verdict of ``evaluate`` on every state. May raise Cancelled."""
        if semantics == DGARA and rule.kind != STATE:
            from collector.rules.backtest.dgara_columns import dgara_verdicts

            return dgara_verdicts(rule, self.prepare(), self._once)
        if not rule.conditions.conditions:
            return always(len(self._corpus), holds=False, deficit=1)
        return self.of_condition(rule.conditions, cancelled)

    def of_condition(self, condition: Condition, cancelled: Asked = None) -> Verdicts:
        """One condition on every state, strictly read."""
        if isinstance(condition, Group):
            parts = [self.of_condition(part, cancelled) for part in condition.conditions]
            verdicts = GROUPS[condition.kind](len(self._corpus), parts)
        else:
            bare = replace(condition, min_step=0) if condition.min_step else condition
            verdicts = self._once(self._key(bare), lambda: self._leaf(bare, cancelled))
        if condition.min_step > 1:
            return from_step(verdicts, self.prepare().step < condition.min_step)
        return verdicts

    def _key(self, condition: Condition) -> Hashable:
        if isinstance(condition, ImageMatches) and self._pictures is not None:
            return condition, self._pictures.stamp(condition)
        return condition

    def _leaf(self, condition: Condition, cancelled: Asked) -> Verdicts:
        states = self.prepare(cancelled=cancelled)
        if isinstance(condition, ImageMatches) and self._pictures is not None:
            return picture_verdicts(condition, states, self._pictures, self._seen, cancelled)
        return strict_verdicts(condition, states)

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

    def _reader(self, position: int) -> Callable[[], bytes]:
        return lambda: self._corpus.xml(position)

    def _laid_out(self) -> States:
        corpus, columns = self._corpus, self._dumps.view
        found: dict[int, str] = {}
        packages = []
        for at, tree in enumerate(self._trees):
            package = corpus.step(at).state.package
            if not package and tree not in found:
                own = columns.column("package")[columns.first[tree] : columns.first[tree + 1]]
                found[tree] = main_package(columns.values[one] for one in own.tolist() if one >= 0)
            packages.append(package or found[tree])
        step = np.array([corpus.place_of(at)[1] + 1 for at in range(len(corpus))], np.int32)
        activities = tuple(corpus.step(at).state.activity for at in range(len(corpus)))
        return States(corpus, columns, np.array(self._trees, np.intp), step, tuple(packages), activities)
