"""Fill the back-test matrix with the selected rule, explain its cells, find where the rule fires."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from collector.model.i18n import _, ngettext
from collector.model.text.csv_cells import plain_cell
from collector.rules.backtest.backtest_rows import BackTestRow
from collector.rules.evaluation.proof import ProofOutcome
from rule_editor.widgets.matrix.explanation_panel import Advice
from rule_editor.widgets.matrix.panel import BackTestPanel
from studio.bridge import JobRunner
from studio.bridge.jobs import Job
from studio.bridge.rules.rule_backtests import ExplainedState, RuleTestResult
from studio.bridge.while_alive import while_alive
from studio.commands.commander import Commander
from studio.views.conditions.popup_menus import ask_for_text
from studio.views.rules.session import RulesSession
from studio.widgets.dialogs.file_dialog import dress_file_dialog
from studio.widgets.window_frame.toasts import Toasts

_MOST_ADVICE = 2


class BacktestController(QObject):
    """Shows the newest back-test of the selected rule; the matrix follows the state on the screen."""

    def __init__(
        self, session: RulesSession, matrix: BackTestPanel, commander: Commander, runner: JobRunner,
        toasts: Toasts, host: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(host)
        self._session, self._matrix, self._host = session, matrix, host
        self._runner, self._toasts = runner, toasts
        self._left_out = 0
        session.project_opened.connect(self._clear)
        session.corpus_changed.connect(self._corpus_changed)
        session.selected.connect(self._ask_for_a_rule)
        session.rule_changed.connect(self._ask_for_a_rule)
        session.state_changed.connect(self._state_changed)
        session.backtests.tested.connect(self._show_result)
        session.backtests.cell_explained.connect(self._show_explanation)
        matrix.cell_chosen.connect(self._explain)
        matrix.cell_opened.connect(session.go_to)
        matrix.exported.connect(self.export)
        commander.handle("rules.backtest", session.load_corpus)
        commander.handle("rules.choose-trajectories", self.choose_trajectories)
        commander.handle("rules.compare", session.toggle_compare)
        commander.handle("rules.next-fire", self.go_to_next_fire)

    @Slot()
    def _clear(self) -> None:
        reading = _("Reading the recorded states...") if self._session.is_reading else ""
        self._matrix.set_result(None, reading)

    def choose_trajectories(self) -> None:
        """Ask which trajectories rules are tried on."""
        ask_for_text(
            self._host,
            _("Choose trajectories"),
            _("Try rules on the trajectories that fit this search, such as agent:x outcome:failure"),
            self._session.recordings_query,
            self._session.choose_recordings,
        )

    def _say_what_is_left_out(self) -> None:
        """Say once for each number of runs that they are left out."""
        count, self._left_out = self._left_out, self._session.backtests.runs_left_out
        if self._left_out and self._left_out != count:
            what = ngettext("{count} run is left out", "{count} runs are left out", self._left_out)
            why = _("Rules are tried on golden trajectories, because there are so many runs")
            self._toasts.show("info", what, why, action=_("Choose..."), act=self.choose_trajectories)

    @Slot()
    def _corpus_changed(self) -> None:
        self._say_what_is_left_out()
        if self._session.has_recordings:
            self._ask_for_a_rule()
        else:
            self._clear()

    @Slot()
    def _ask_for_a_rule(self) -> None:
        session = self._session
        if session.rule is None and session.has_recordings and not session.shows_anomaly:
            self._matrix.set_result(None, _("Make or choose a rule, and see here where it fires"))

    @Slot()
    def _state_changed(self) -> None:
        recorded = self._session.recorded
        if recorded is not None:
            self._matrix.set_current(recorded.position)
            self._explain(recorded.position)

    @Slot(object)
    def _show_result(self, tested: RuleTestResult) -> None:
        if tested.result.rule != self._session.rule:
            return
        recorded = self._session.recorded
        self._matrix.set_result(tested.result)
        self._matrix.set_differences(tested.differences)
        self._matrix.set_current(recorded.position if recorded is not None else None)
        if recorded is not None:
            self._explain(recorded.position)

    # -- one cell ------------------------------------------------------------
    @Slot(int)
    def _explain(self, position: int) -> None:
        if self._session.rule is not None:
            self._session.backtests.explain_cell(self._session.rule, position)

    @Slot(object)
    def _show_explanation(self, explained: ExplainedState) -> None:
        state = explained.state
        step = _("step {step}", step=state.index + 1)
        title = f"{state.trajectory.task_id} \u00b7 {state.trajectory.title} \u00b7 {step}"
        result = self._session.result
        row = result.rows.at(state.position) if result is not None else None
        wrong = (row.wrong.get(state.index) or row.missed.get(state.index, "")) if row is not None else ""
        advice = [
            Advice(alternative.sentence, _("Try {value}", value=f"{alternative.threshold:g}"), alternative)
            for alternative in explained.alternatives[:_MOST_ADVICE]
        ]
        self._matrix.explain.show_proof(
            title, explained.proof, state.view, state.position, wrong=wrong, advice=advice
        )
        self._matrix.explain.set_image(state.image)

    # -- all rows ------------------------------------------------------------
    def go_to_next_fire(self) -> None:
        """Show the next state, in any trajectory, on which the rule fires; around the end."""
        fires = [
            row.first + index
            for row in self._matrix.rows.shown
            for index in range(len(row.outcomes))
            if row.outcome(index) is ProofOutcome.FIRES
        ]
        recorded = self._session.recorded
        current = recorded.position if recorded is not None else -1
        if fires:
            self._session.go_to(next((fire for fire in fires if fire > current), fires[0]))
        else:
            self._toasts.show("info", _("The rule fires nowhere"))

    @Slot()
    def export(self) -> None:
        """Ask for a file and write the matrix to it."""
        dialog = QFileDialog(self._host, _("Save the matrix"), "backtest.csv", "CSV (*.csv)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dress_file_dialog(dialog)
        dialog.fileSelected.connect(self._export_to)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _export_to(self, path: str) -> None:
        export_matrix(self._runner, path, self._matrix.rows.shown, self._toasts)


def export_matrix(runner: JobRunner, path: str, rows: Sequence[BackTestRow], toasts: Toasts) -> None:
    """Write the shown rows to a file, off the GUI thread; a message reports the result."""
    shown = list(rows)

    def work(_job: Job) -> str:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["task", "trajectory", "who", "fires", "near", "first fire", "outcomes"])
            for row in shown:
                trajectory = row.trajectory
                outcomes = " ".join(row.outcome(index).value for index in range(len(row.outcomes)))
                first = "" if row.first_fire is None else row.first_fire + 1
                names = [plain_cell(text) for text in (trajectory.task_id, trajectory.title, trajectory.who)]
                writer.writerow([*names, row.fires, row.near, first, outcomes])
        return path

    def report(written: str) -> None:
        toasts.show("ok", _("The matrix is saved"), written)

    runner.run(work, success=while_alive(toasts, report), failure=toasts.show_error)
