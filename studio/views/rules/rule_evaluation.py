"""What the rule on show does: on the screen on show, on everything recorded, and why in one cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from collector.model.i18n import _
from collector.rules.backtest.backtest import BackTestResult
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.explanation import reason
from collector.rules.evaluation.proof import Outcome, Proof
from rule_editor.widgets.matrix.explanation_panel import Advice
from rule_editor.widgets.rule_form.condition_paths import negated, proof_at, walk
from rule_editor.widgets.yaml_view.line_annotations import ClauseTick
from studio.bridge.rule_backtests import ExplainedState, RuleTestResult
from studio.views.rules.completion_vocabulary import words_by_kind
from studio.views.rules.proof_marks import marks_of_clause
from studio.widgets.device_view.highlight import Overlay

if TYPE_CHECKING:
    from studio.views.rules.workspace import RulesWorkspace

_TEST_AFTER_MS = 40
_ALL_AFTER_MS = 600


class Verdicts(QObject):
    """Asks the tests, and hands what they answer to the screen, the form, the YAML and the matrix."""

    def __init__(self, home: RulesWorkspace) -> None:
        super().__init__(home)
        self._home = home
        self._proof: Proof | None = None
        self._testing = self._timer(_TEST_AFTER_MS)
        self._testing.timeout.connect(self.test)
        self._testing_all = self._timer(_ALL_AFTER_MS)
        self._testing_all.timeout.connect(self.test_all)
        tests = home.tests
        tests.tested.connect(self._tested)
        tests.tested_all.connect(self._tested_all)
        tests.explained.connect(self._explained)
        tests.told.connect(self._told)
        home.matrix.cell_chosen.connect(self._cell_chosen)
        home.live.state_changed.connect(self.judge)

    def _timer(self, after_ms: int) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(after_ms)
        return timer

    def renew(self) -> None:
        """The rule on show is another one, or has other values."""
        self.judge()
        self._testing.start()

    def renew_all(self) -> None:
        """Other rules may do something else now."""
        self._testing_all.start()

    @Slot()
    def judge(self) -> None:
        """What the rule on show does on the screen on show."""
        self._home.pane.form.offer(words_by_kind(self._home))
        rule, shown, state = self._home.rule, self._home.stage.shown, self._home.stage.state
        if rule is None and self._home.corpus is not None and len(self._home.corpus):
            self._home.matrix.set_result(None, _("Make or choose a rule, and see here where it fires"))
        if rule is None or state is None:
            self._show_proof(None)
        elif shown is not None:
            self._home.tests.explain(rule, shown.position)
        else:
            kept = self._home.rehearsal.proof_of(rule, state)
            self._show_proof(kept or evaluate(rule, state, self._home.deeds.semantics))

    @Slot(object)
    def _explained(self, explained: ExplainedState) -> None:
        shown = self._home.stage.shown
        if (
            shown is not None
            and shown.position == explained.state.position
            and explained.rule == self._home.rule
        ):
            self._home.stage.state = explained.state.view  # the same screen, with what was found out about it
            self._show_proof(explained.proof)

    def _show_proof(self, proof: Proof | None) -> None:
        self._proof = proof
        state = self._home.stage.state
        self._home.stage.show_verdict(proof)
        self._home.pane.form.show_proof(proof, state)
        ticks: list[ClauseTick] = []
        rule = self._home.rule
        if proof is not None and state is not None and rule is not None:
            for path, condition in walk(rule.conditions):
                clause = proof_at(proof, path)
                if path and clause is not None:
                    good = clause.holds != negated(rule.conditions, path)
                    ticks.append(ClauseTick(condition.place.line, good, reason(clause, state)))
        self._home.pane.yaml.set_ticks(ticks)
        self.light()

    def light(self) -> None:
        """Of a chosen condition only its own nodes are lit."""
        state, clause = self._home.stage.state, proof_at(self._proof, self._home.chosen or ())
        if self._home.chosen and clause is not None and state is not None:
            self._home.stage.view.set_marks(Overlay.RULES, marks_of_clause(clause, state))
        else:
            self._home.stage.show_verdict(self._proof)

    @Slot()
    def test(self) -> None:
        rule = self._home.rule
        if rule is not None:
            before = self._home.deeds.saved_rule() if self._home.compared else None
            self._home.tests.test(rule, before)

    @Slot()
    def test_all(self) -> None:
        self._home.tests.test_all(self._home.book.rules)

    @Slot(object)
    def _tested(self, tested: RuleTestResult) -> None:
        if tested.result.rule != self._home.rule:
            return
        self._home.matrix.set_result(tested.result)
        self._home.matrix.set_differences(tested.differences)
        shown = self._home.stage.shown
        self._home.matrix.set_current(shown.position if shown is not None else None)
        if shown is not None:
            self._home.tests.tell(tested.result.rule, shown.position)

    @Slot(object)
    def _tested_all(self, results: dict[tuple[str, str], BackTestResult]) -> None:
        self._home.show_results(results)

    @Slot(int)
    def _cell_chosen(self, position: int) -> None:
        if (rule := self._home.rule) is not None:
            self._home.tests.tell(rule, position)

    @Slot(object)
    def _told(self, told: ExplainedState) -> None:
        state = told.state
        name = f"{state.trajectory.task_id} \u00b7 {state.trajectory.title} \u00b7 " + _(
            "step {step}", step=state.index + 1
        )
        result = self._home.results.get((told.rule.kind, told.rule.id))
        row = (
            next((row for row in result.rows if row.trajectory == state.trajectory), None) if result else None
        )
        wrong = (row.wrong.get(state.index) or row.missed.get(state.index, "")) if row is not None else ""
        advice = [
            Advice(alternative.sentence, _("Try {value}", value=f"{alternative.threshold:g}"), alternative)
            for alternative in told.alternatives[:2]
        ]
        self._home.matrix.explain.show_proof(
            name, told.proof, state.view, state.position, wrong=wrong, advice=advice
        )
        self._home.matrix.explain.set_image(state.image)

    def next_fire(self) -> int | None:
        """Position of the next state on which the rule fires, around the end; None when there is none."""
        rows = self._home.matrix.rows.shown
        fires = [
            row.first + index for row in rows for index in range(len(row.outcomes))
            if row.outcome(index) is Outcome.FIRES
        ]  # fmt: skip
        shown = self._home.stage.shown
        here = shown.position if shown is not None else -1
        return next((fire for fire in fires if fire > here), fires[0] if fires else None)
