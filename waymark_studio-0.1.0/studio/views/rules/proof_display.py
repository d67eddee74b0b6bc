"""Bring the verdict of the selected rule to the screen, the form and the YAML."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.rules.evaluation.explanation import reason
from rule_editor.widgets.rule_form.condition_paths import negated, proof_at, walk
from rule_editor.widgets.yaml_view.line_annotations import ClauseTick
from studio.views.conditions.proof_marks import marks_of_clause
from studio.views.conditions.screen_pane import ScreenPane
from studio.views.rules.rule_pane import RulePane
from studio.views.rules.session import RulesSession
from studio.widgets.device_view.highlight import Overlay


class ProofDisplay(QObject):
    """Shows the proof of the session: marks on the screen, reasons in the form, ticks in the YAML."""

    def __init__(self, session: RulesSession, screen: ScreenPane, pane: RulePane, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._screen, self._pane = session, screen, pane
        session.proof_changed.connect(self._show_proof)
        session.condition_chosen.connect(self._show_marks)

    @Slot()
    def _show_proof(self) -> None:
        session = self._session
        proof, state, rule = session.proof, session.state, session.rule
        self._pane.form.show_proof(proof, state)
        ticks: list[ClauseTick] = []
        if proof is not None and state is not None and rule is not None:
            for path, condition in walk(rule.conditions):
                clause = proof_at(proof, path)
                if path and clause is not None:
                    as_wanted = clause.holds != negated(rule.conditions, path)
                    ticks.append(ClauseTick(condition.place.line, as_wanted, reason(clause, state)))
        self._pane.yaml.set_ticks(ticks)
        self._screen.show_verdict(proof, state)
        self._show_marks()

    @Slot()
    def _show_marks(self) -> None:
        """Mark the nodes of the chosen condition alone; of all conditions when none is chosen."""
        session = self._session
        clause = proof_at(session.proof, session.condition or ())
        if session.condition and clause is not None and session.state is not None:
            marks = marks_of_clause(clause, session.state)
            self._screen.view.set_marks(Overlay.RULES, marks)
        else:
            self._screen.show_verdict(session.proof, session.state)
