"""Back-tests of rules in the background; of several requests of one kind the newest is answered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from collector.model.cancellation import check_cancelled
from collector.model.geometry import Rect
from collector.model.task import Task
from collector.model.tree import Node
from collector.project_rules.project_rules import ProjectRules
from collector.project_rules.recording_choice import choose_recordings
from collector.rules.backtest.backtest import BackTest, BackTestResult, OutcomeDifference
from collector.rules.backtest.threshold_advice import ThresholdAlternative, threshold_alternatives
from collector.rules.columns.corpus import Corpus, TrajectoryRef
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.explanation import reason
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import WAYMARK, Rule
from collector.rules.lint.recorded_checks import RecordedChecks
from collector.rules.suggest.rule_proposals import RuleProposal, propose_rules
from collector.rules.suggest.samples import Sample, Samples, samples_of
from collector.rules.suggest.suggestions import Suggestion, suggest_for_nodes, suggest_for_region
from collector.states.work_files.blindness import visible_trajectories
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.shown_state import ShownState, read_shown_state


@dataclass(frozen=True, slots=True)
class RuleKey:
    """Names a rule among all files: the path of its file, and its key there."""

    file: str
    rule_id: str


@dataclass(frozen=True, slots=True)
class RuleTestResult:
    """The result of a rule on everything recorded, and the differences from its earlier version."""

    result: BackTestResult
    differences: tuple[OutcomeDifference, ...]


@dataclass(frozen=True, slots=True)
class ExplainedState:
    """The proof of a rule on one state, and the changes that would alter its outcome."""

    rule: Rule
    state: ShownState
    proof: Proof
    alternatives: tuple[ThresholdAlternative, ...]


@dataclass(frozen=True, slots=True)
class ProvedScreen:
    """The proof of a rule on a screen that is not recorded."""

    rule: Rule
    asked: StateView
    view: StateView
    """A copy of ``asked``, with what the evaluation worked out."""
    proof: Proof


@dataclass(frozen=True, slots=True)
class LoadedRecordings:
    """What rules are tried on, and how many runs are left out of it."""

    test: BackTest
    runs_left_out: int


class RuleBackTests(QObject):
    """Owns the corpus of the open project. Every answer arrives by signal on the GUI thread."""

    ready = Signal(object)
    """The :class:`Corpus`, or None while there is none."""
    progressed = Signal(int, int)
    tested = Signal(object)
    tested_all = Signal(object)
    """By :class:`RuleKey` the :class:`BackTestResult` of each rule."""
    explained = Signal(object)
    """An :class:`ExplainedState` of the state on show."""
    cell_explained = Signal(object)
    """An :class:`ExplainedState` of a cell of the matrix."""
    proved = Signal(object)
    """A :class:`ProvedScreen`."""
    shown = Signal(object)
    """A :class:`ShownState` that was asked for."""
    suggested = Signal(object)
    """A list of :class:`Suggestion`."""
    proposed = Signal(object)
    """A list of :class:`RuleProposal`."""
    linted = Signal(object)
    """The diagnostics that need the recordings."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self._engine = threading.Lock()  # views of a corpus are for one thread at a time
        self._test: BackTest | None = None
        self._recorded: RecordedChecks | None = None
        self._samples: tuple[BackTest | None, list[Sample]] = (None, [])
        self._unproposed: tuple[TrajectoryRef, str] | None = None
        self.runs_left_out = 0
        """Runs that rules are not tried on, because there are so many."""

    @property
    def semantics(self) -> str:
        """How rules are read: ``waymark`` or ``dgara``."""
        return self._test.semantics if self._test is not None else WAYMARK

    @property
    def corpus(self) -> Corpus | None:
        """The recorded states; None until they are read."""
        return self._test.corpus if self._test is not None else None

    # -- asking --------------------------------------------------------------
    def load(
        self, project: Project | None, tasks: Sequence[Task], states: Sequence[Rule], semantics: str,
        query: str = "", also: Path | None = None, person: str = "",
    ) -> None:  # fmt: skip
        """Read the recorded states of a project; ``ready`` follows. None closes the project.

        ``query`` and ``also`` choose trajectories, see
        :func:`~collector.project_rules.recording_choice.choose_recordings`. Golden trajectories that
        ``person`` may not see yet are left out.
        """
        self._test = None
        if project is None:
            self._unproposed = None
            self.ready.emit(None)
            return

        def work(job: Job) -> LoadedRecordings:
            project_rules = ProjectRules(project)
            choice = choose_recordings(project, query, also)
            corpus = project_rules.corpus(states, tasks, choice, visible_trajectories(project, person))
            with self._engine:
                test = project_rules.prepared_back_test(semantics, corpus, job.report, lambda: job.cancelled)
            return LoadedRecordings(test, choice.runs_left_out)

        self._answers.ask("load", work, self._loaded)

    def test(self, rule: Rule, before: Rule | None = None) -> None:
        """Back-test a rule; ``tested`` follows, with the differences from ``before``."""
        test = self._test
        if test is None:
            return

        def work(job: Job) -> RuleTestResult:
            with self._engine:
                result = test.run(rule, cancelled=lambda: job.cancelled)
                differences = tuple(test.compare(before, rule)) if before is not None else ()
            return RuleTestResult(result, differences)

        self._answers.ask("test", work, self.tested.emit)

    def test_all(self, rules: Mapping[RuleKey, Rule]) -> None:
        """Back-test every rule, for the list; ``tested_all`` follows."""
        test = self._test
        if test is None:
            return

        def work(job: Job) -> dict[RuleKey, BackTestResult]:
            results = {}
            for key, rule in rules.items():
                with self._engine:  # given up between rules, so that what is on show goes first
                    results[key] = test.run(rule, cancelled=lambda: job.cancelled)
            return results

        self._answers.ask("all", work, self.tested_all.emit)

    def show(self, position: int) -> None:
        """Read a recorded state with its screenshot; ``shown`` follows."""
        test = self._test
        if test is None or not 0 <= position < len(test.corpus):
            return

        def work(_job: Job) -> ShownState:
            with self._engine:
                return read_shown_state(test.corpus, position)

        self._answers.ask("show", work, self.shown.emit)

    def prove(self, rule: Rule, view: StateView, semantics: str) -> None:
        """Prove ``rule`` on a screen that is not recorded; ``proved`` follows."""
        own = view.copy()

        def work(_job: Job) -> ProvedScreen:
            proof = evaluate(rule, own, semantics)
            _work_out_reasons(proof, own)
            return ProvedScreen(rule, view, own, proof)

        self._answers.ask("prove", work, self.proved.emit)

    def explain(self, rule: Rule, position: int) -> None:
        """Explain ``rule`` on the state on show; ``explained`` follows."""
        self._explain("explain", rule, position, self.explained.emit)

    def explain_cell(self, rule: Rule, position: int) -> None:
        """Explain ``rule`` in a cell of the matrix; ``cell_explained`` follows."""
        self._explain("cell", rule, position, self.cell_explained.emit)

    def _explain(self, kind: str, rule: Rule, position: int, deliver: Callable[[Any], object]) -> None:
        test = self._test
        if test is None or not 0 <= position < len(test.corpus):
            return

        def work(_job: Job) -> ExplainedState:
            with self._engine:
                state = read_shown_state(test.corpus, position)
                proof = test.proof(rule, position)
                _work_out_reasons(proof, state.view)
                return ExplainedState(rule, state, proof, tuple(threshold_alternatives(test, rule, position)))

        self._answers.ask(kind, work, deliver)

    def suggest(
        self, view: StateView, nodes: Sequence[Node], trajectory: str = "", region: Rect | None = None
    ) -> None:
        """Suggest conditions for nodes, or for a region, of the screen ``view``; ``suggested`` follows."""
        test = self._test

        def work(_job: Job) -> list[Suggestion]:
            with self._engine:
                everything = self._samples_of(test) if test is not None else []
                samples = Samples(view, everything, trajectory, test.images if test is not None else None)
                if region is not None:
                    return suggest_for_region(region, nodes, samples)
                return suggest_for_nodes(nodes, samples)

        self._answers.ask("suggest", work, self.suggested.emit)

    def propose(self, trajectory: TrajectoryRef, interference_id: str) -> None:
        """Rules a whole trajectory suggests; ``proposed`` follows, success rules first.

        While what was recorded is read again the question waits for the end of that.
        """
        test = self._test
        if test is None:
            self._unproposed = (trajectory, interference_id)
            return

        def work(_job: Job) -> list[RuleProposal]:
            with self._engine:
                samples = self._samples_of(test)
                return propose_rules(samples, trajectory.id, trajectory.task_id, interference_id)

        self._answers.ask("propose", work, self.proposed.emit)

    def lint(self, judge: Callable[[RecordedChecks], Any]) -> None:
        """Lint with the recordings; ``linted`` follows, unless there are none."""
        test = self._test
        if test is None or not len(test.corpus):
            return

        def work(_job: Job) -> Any:
            with self._engine:
                if self._recorded is None or self._recorded.test is not test:
                    self._recorded = RecordedChecks(test)
                return judge(self._recorded)

        self._answers.ask("lint", work, self.linted.emit)

    def close(self) -> None:
        """Cancel all requests."""
        self._answers.forget()
        self._test = self._unproposed = None

    def _samples_of(self, test: BackTest) -> list[Sample]:
        """All recorded states as samples, kept for the next request."""
        if self._samples[0] is not test:
            self._samples = (test, samples_of(test.corpus))
        return self._samples[1]

    def _loaded(self, recordings: LoadedRecordings) -> None:
        self._test, self.runs_left_out = recordings.test, recordings.runs_left_out
        self.ready.emit(recordings.test.corpus)
        if self._unproposed is not None:
            asked, self._unproposed = self._unproposed, None
            self.propose(*asked)


def _work_out_reasons(proof: Proof, view: StateView) -> None:
    """Look for what each clause comes nearest to: the view keeps it, for the GUI thread. Raises Cancelled."""
    for clause in proof.leaves():
        check_cancelled()
        reason(clause, view)
