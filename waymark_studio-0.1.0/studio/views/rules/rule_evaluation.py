"""Evaluate the selected rule on the state on the screen, and back-test the rules after each change."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from collector.rules.backtest.backtest import BackTestResult
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.document.text.text_document import TextDocument
from studio.bridge.rules.rule_backtests import ExplainedState, ProvedScreen, RuleKey, RuleTestResult
from studio.views.rules.session import RulesSession

_TEST_AFTER_MS = 40
_TEST_ALL_AFTER_MS = 600


class RuleEvaluation(QObject):
    """Puts the proof and the results into the session."""

    def __init__(self, session: RulesSession, parent: QObject) -> None:
        """Create it after the presenters: they have to show the rule before its proof."""
        super().__init__(parent)
        self._session = session
        self._test_timer = QTimer(self, singleShot=True, interval=_TEST_AFTER_MS)
        self._test_timer.timeout.connect(self._test)
        self._test_all_timer = QTimer(self, singleShot=True, interval=_TEST_ALL_AFTER_MS)
        self._test_all_timer.timeout.connect(self._test_all)
        session.selected.connect(self._rule_changed)
        session.rule_changed.connect(self._rule_changed)
        session.edit_refused.connect(self._rule_changed)
        session.text_changed.connect(self._text_changed)
        session.corpus_changed.connect(self._corpus_changed)
        session.state_changed.connect(self.evaluate)
        session.backtests.explained.connect(self._explained)
        session.backtests.proved.connect(self._proved)
        session.backtests.tested.connect(self._tested)
        session.backtests.tested_all.connect(self._tested_all)

    @Slot()
    def _rule_changed(self) -> None:
        if not self._session.shows_anomaly:
            self.evaluate()
            self._test_timer.start()

    @Slot(object)
    def _text_changed(self, document: TextDocument) -> None:
        if isinstance(document, RuleDocument):
            self._test_all_timer.start()

    @Slot()
    def _corpus_changed(self) -> None:
        if self._session.has_recordings:
            self.evaluate()
            self._test_timer.start()
            self._test_all_timer.start()

    # -- on the screen -------------------------------------------------------
    @Slot()
    def evaluate(self) -> None:
        """Find out what the selected rule does on the state on the screen."""
        session = self._session
        rule, state = session.rule, session.state
        if rule is None or state is None:
            session.set_proof(None)
        elif session.recorded is not None:
            session.backtests.explain(rule, session.recorded.position)
        else:
            cell = session.rehearsed.cells.get(rule.id) if session.rehearsed is not None else None
            known = cell.proof if cell is not None and cell.rule == rule else None
            if known is not None:
                session.set_proof(known)
            else:
                session.backtests.prove(rule, state, session.semantics)

    @Slot(object)
    def _explained(self, explained: ExplainedState) -> None:
        session, recorded = self._session, self._session.recorded
        is_current = recorded is not None and recorded.position == explained.state.position
        if is_current and explained.rule == session.rule:
            session.state = explained.state.view  # the same screen, with what the evaluation cached
            session.set_proof(explained.proof)

    @Slot(object)
    def _proved(self, proved: ProvedScreen) -> None:
        session = self._session
        if session.recorded is None and session.state is proved.asked and session.rule == proved.rule:
            session.state = proved.view
            session.set_proof(proved.proof)

    # -- on everything recorded ----------------------------------------------
    @Slot()
    def _test(self) -> None:
        session = self._session
        if session.rule is not None:
            session.backtests.test(session.rule, session.saved_rule() if session.is_comparing else None)

    @Slot()
    def _test_all(self) -> None:
        self._session.backtests.test_all(
            {
                RuleKey(document.path, entry.key): entry.rule
                for document in self._session.documents.rule_files
                for entry in document.parsed.entries
                if entry.rule is not None
            }
        )

    @Slot(object)
    def _tested(self, tested: RuleTestResult) -> None:
        if tested.result.rule == self._session.rule:
            self._session.set_result(tested.result)

    @Slot(object)
    def _tested_all(self, results: dict[RuleKey, BackTestResult]) -> None:
        self._session.set_results(results)
