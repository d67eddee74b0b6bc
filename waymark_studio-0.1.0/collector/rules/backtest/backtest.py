"""Try rules on all recorded states: where each fires, nearly fires or is silent, and where it misfires.

Verdicts are cached per condition: after an edit only the edited clause is evaluated, and rules with equal
conditions share the work. Proofs are made on request.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from collector.model.cancellation import cancellable
from collector.rules.backtest.misfires import misfires
from collector.rules.backtest.verdict_table import Progress, VerdictTable
from collector.rules.columns.corpus import Corpus, TrajectoryRef
from collector.rules.columns.dump_columns import DumpColumns
from collector.rules.columns.verdict_columns import FIRES, NEAR, OUTCOMES, VerdictColumns
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof, ProofOutcome
from collector.rules.grammar.model import WAYMARK, Condition, Rule


@dataclass(frozen=True, slots=True)
class BackTestRow:
    """One trajectory of a back-test."""

    trajectory: TrajectoryRef
    first: int
    """Position of its first state."""
    outcomes: bytes
    """``SILENT``, ``NEAR`` or ``FIRES`` of ``verdict_columns``, a byte a state."""
    wrong: Mapping[int, str] = field(default_factory=dict)
    """Index of a state on which the rule fires and should not -> why."""
    missed: Mapping[int, str] = field(default_factory=dict)
    """Index of a state on which it should fire and does not -> why."""

    def outcome(self, index: int) -> ProofOutcome:
        return OUTCOMES[self.outcomes[index]]

    @property
    def fires(self) -> int:
        return self.outcomes.count(FIRES)

    @property
    def near(self) -> int:
        return self.outcomes.count(NEAR)

    @property
    def first_fire(self) -> int | None:
        """Index of the first state it fires on, from 0."""
        index = self.outcomes.find(FIRES)
        return index if index >= 0 else None


@dataclass(frozen=True, slots=True)
class BackTestResult:
    """A rule on every recorded state; one row a trajectory, in the order of the corpus."""

    rule: Rule
    semantics: str
    rows: tuple[BackTestRow, ...]
    seconds: float
    verdicts: VerdictColumns

    @property
    def states(self) -> int:
        return len(self.verdicts.holds)

    @property
    def fires(self) -> int:
        return sum(row.fires for row in self.rows)

    @property
    def near(self) -> int:
        return sum(row.near for row in self.rows)

    @property
    def wrong(self) -> int:
        """How many states it should not fire on."""
        return sum(len(row.wrong) for row in self.rows)

    @property
    def missed(self) -> int:
        return sum(len(row.missed) for row in self.rows)


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
        rows = tuple(self._rows(rule, outcomes))
        return BackTestResult(rule, self.semantics, rows, time.perf_counter() - began, verdicts)

    def run_all(
        self,
        rules: Sequence[Rule],
        *,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> list[BackTestResult]:
        """Every one of ``rules``, as :meth:`run`."""
        return [self.run(rule, progress=progress, cancelled=cancelled) for rule in rules]

    def verdicts(self, condition: Condition) -> VerdictColumns:
        """One condition by itself on every state, strictly read."""
        return self._table.of_condition(condition)

    def proof(self, rule: Rule, position: int) -> Proof:
        """The proof of ``rule`` on one state."""
        return evaluate(rule, self.corpus.view(position), self.semantics, self.images)

    def compare(self, before: Rule, after: Rule) -> list[OutcomeDifference]:
        """The states on which two versions of a rule do different things."""
        first = self._table.of_rule(before, self.semantics).outcomes
        second = self._table.of_rule(after, self.semantics).outcomes
        return [
            OutcomeDifference(int(at), OUTCOMES[first[at]], OUTCOMES[second[at]])
            for at in np.flatnonzero(first != second)
        ]

    def _rows(self, rule: Rule, outcomes: bytes) -> Iterator[BackTestRow]:
        for number, ref in enumerate(self.corpus.trajectories):
            positions = self.corpus.positions_of(number)
            own = outcomes[positions.start : positions.stop]
            fires = [index for index, outcome in enumerate(own) if outcome == FIRES]
            judged = misfires(rule, self.corpus, number, fires)
            yield BackTestRow(ref, positions.start, own, judged.wrong, judged.missed)
