"""Try rules on all recorded states: where each fires, nearly fires or is silent, and where it misfires.

Verdicts are cached per condition: after an edit only the edited clause is evaluated, and rules with equal
conditions share the work. Proofs are made on request.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from collector.model.cancellation import cancellable
from collector.rules.backtest.backtest_rows import BackTestRows
from collector.rules.backtest.misfires import Misfires, misfires_in
from collector.rules.backtest.verdict_table import Progress, VerdictTable
from collector.rules.columns.corpus import Corpus
from collector.rules.columns.dump_columns import DumpColumns
from collector.rules.columns.state_columns import StateColumns
from collector.rules.columns.verdict_columns import FIRES, NEAR, OUTCOMES, VerdictColumns
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof, ProofOutcome
from collector.rules.grammar.model import WAYMARK, Condition, Rule
from collector.rules.grammar.rule_values import with_values


@dataclass(frozen=True, slots=True)
class BackTestResult:
    """A rule on every recorded state; one row a trajectory, in the order of the corpus."""

    rule: Rule
    semantics: str
    rows: BackTestRows
    seconds: float
    verdicts: VerdictColumns

    @property
    def states(self) -> int:
        return len(self.rows.outcomes)

    @property
    def fires(self) -> int:
        return self.rows.outcomes.count(FIRES)

    @property
    def near(self) -> int:
        return self.rows.outcomes.count(NEAR)

    @property
    def wrong(self) -> int:
        """How many states it should not fire on."""
        return sum(len(found.wrong) for found in self.rows.misfires.values())

    @property
    def missed(self) -> int:
        return sum(len(found.missed) for found in self.rows.misfires.values())


@dataclass(frozen=True, slots=True)
class OutcomeDifference:
    """A state on which two rules do different things."""

    position: int
    before: ProofOutcome
    after: ProofOutcome


class BackTest:
    """Tries rules on ``corpus`` under ``semantics``. May be used from several threads, one at a time each."""

    def __init__(
        self,
        corpus: Corpus,
        semantics: str = WAYMARK,
        images: ImageFinder | None = None,
        dumps: DumpColumns | None = None,
    ) -> None:
        """``dumps`` are those read before, by another back-test or another run of the program."""
        self.corpus = corpus
        self.semantics = semantics
        self.images = images
        self._table = VerdictTable(corpus, images, dumps)

    def prepare(self, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> None:
        """Read all dumps now, so that the first :meth:`run` is fast. Raises Cancelled."""
        with cancellable(cancelled):
            self._table.prepare(progress)

    def run(
        self, rule: Rule, *, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None
    ) -> BackTestResult:
        """``rule`` on every state.

        ``progress`` is called with how many of how many states were read, while they are read for the first
        time; ``cancelled`` is called as often, for each condition, and for each state that one looks at by
        itself. Raises Cancelled when it returns True.
        """
        began = time.perf_counter()
        with cancellable(cancelled):
            self._table.prepare(progress)
            verdicts = self._table.of_rule(rule, self.semantics)
        outcomes = verdicts.outcomes.tobytes()
        misfires = dict(self._misfires(rule, outcomes))
        rows = BackTestRows(self.corpus.trajectories, self.corpus.starts, outcomes, misfires)
        seconds = time.perf_counter() - began
        return BackTestResult(rule, self.semantics, rows, seconds, verdicts.narrowed())

    def run_all(
        self,
        rules: Sequence[Rule],
        *,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> list[BackTestResult]:
        """Every one of ``rules``, as :meth:`run`."""
        return [self.run(rule, progress=progress, cancelled=cancelled) for rule in rules]

    def states(self) -> StateColumns:
        """The recorded states as columns; reads all dumps that were not read yet. Raises Cancelled."""
        return self._table.prepare()

    def verdicts(self, condition: Condition) -> VerdictColumns:
        """One condition by itself on every state, strictly read."""
        return self._table.of_condition(condition)

    def proof(self, rule: Rule, position: int) -> Proof:
        """The proof of ``rule`` on one state, with the values of its task's parameters."""
        filled = with_values(rule, self.corpus.values_at(position))
        return evaluate(filled, self.corpus.view(position), self.semantics, self.images)

    def compare(self, before: Rule, after: Rule) -> list[OutcomeDifference]:
        """The states on which two versions of a rule do different things."""
        first = self._table.of_rule(before, self.semantics).outcomes
        second = self._table.of_rule(after, self.semantics).outcomes
        return [
            OutcomeDifference(int(at), OUTCOMES[first[at]], OUTCOMES[second[at]])
            for at in np.flatnonzero(first != second)
        ]

    def _misfires(self, rule: Rule, outcomes: bytes) -> Iterator[tuple[int, Misfires]]:
        """The number of each trajectory with misfires, and them."""
        for number in range(len(self.corpus.trajectories)):
            positions = self.corpus.positions_of(number)
            own = outcomes[positions.start : positions.stop]
            fires = [index for index, outcome in enumerate(own) if outcome == FIRES]
            found = misfires_in(rule, self.corpus, number, fires)
            if found.wrong or found.missed:
                yield number, found
