"""The results of a solvability check as a table: tasks down, anomalies across; no painting."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.i18n import N_, _, join_sentences, ngettext
from collector.replay.solvability.plan import SolvabilityPlan
from collector.replay.solvability.report import result_words
from collector.replay.solvability.trials import SOLVED, SolvabilityTrial, TrialResult, TrialStep
from rule_editor.widgets.cell_grid import GridCell

FIRST_STEP = 1
"""The number of the first step, as the window counts them."""
RESULT_APPEARANCE = {
    TrialResult.SOLVABLE: ("state-ok", "ok"),
    TrialResult.RECOVERED: ("state-near", "warn"),
    TrialResult.STOPS: ("state-err", "err"),
    TrialResult.NOT_MET: ("state-never", "text-2"),
    TrialResult.BROKEN: ("state-warn", "warn"),
}
"""Each result's icon, whose shape tells it without its colour, and the tone of its words."""
RESULT_BACKGROUND = {
    TrialResult.SOLVABLE: "ok-weak",
    TrialResult.RECOVERED: "warn-weak",
    TrialResult.STOPS: "err-weak",
}
RESULT_LABELS = {
    TrialResult.SOLVABLE: N_("solvable"),
    TrialResult.RECOVERED: N_("with recovery"),
    TrialResult.STOPS: N_("stops"),
    TrialResult.NOT_MET: N_("not injected"),
    TrialResult.BROKEN: N_("cannot be replayed"),
}
_WORST = (
    TrialResult.BROKEN,
    TrialResult.STOPS,
    TrialResult.RECOVERED,
    TrialResult.SOLVABLE,
    TrialResult.NOT_MET,
)
"""Which of several trials a cell shows; a trial without injection comes last."""


class SolvabilityTable:
    """The cells of one check; trials are added as they end."""

    def __init__(self, plan: SolvabilityPlan | None = None, trials: Sequence[SolvabilityTrial] = ()) -> None:
        self.tasks = plan.tasks if plan is not None else ()
        self.anomalies = tuple(anomaly.id for anomaly in plan.anomalies) if plan is not None else ()
        self._trials: dict[tuple[str, str], list[SolvabilityTrial]] = {}
        self._broken: dict[str, SolvabilityTrial] = {}
        self.doing: TrialStep | None = None
        for trial in trials:
            self.add(trial)

    def add(self, trial: SolvabilityTrial) -> None:
        if trial.result is TrialResult.BROKEN and not trial.anomaly:
            self._broken[trial.task] = trial
        else:
            self._trials.setdefault((trial.task, trial.anomaly), []).append(trial)

    # -- what is known -------------------------------------------------------
    def has(self, cell: GridCell) -> bool:
        return 0 <= cell.row < len(self.tasks) and 0 <= cell.column < len(self.anomalies)

    def broken(self, row: int) -> SolvabilityTrial | None:
        """Return the trial that shows why a task cannot be replayed at all."""
        return self._broken.get(self.tasks[row])

    def trials(self, cell: GridCell) -> list[SolvabilityTrial]:
        """Return the trials of a cell in order; the broken one when its task cannot be replayed."""
        broken = self.broken(cell.row)
        if broken is not None:
            return [broken]
        return self._trials.get((self.tasks[cell.row], self.anomalies[cell.column]), [])

    def worst(self, cell: GridCell) -> SolvabilityTrial | None:
        """Return the trial that a cell shows; None before its first one."""
        return min(self.trials(cell), key=lambda trial: _WORST.index(trial.result), default=None)

    def is_doing(self, cell: GridCell) -> bool:
        """Tell whether the check is working on a cell."""
        doing = self.doing
        here = (self.tasks[cell.row], self.anomalies[cell.column])
        return doing is not None and (doing.task, doing.anomaly) == here

    def tally(self, row: int) -> tuple[int, int]:
        """Return under how many anomalies a task stays solvable, and how many were injected."""
        shown_trials = [self.worst(GridCell(row, column)) for column in range(len(self.anomalies))]
        met = [
            trial for trial in shown_trials if trial is not None and trial.result is not TrialResult.NOT_MET
        ]
        return sum(trial.result in SOLVED for trial in met), len(met)

    # -- in words ------------------------------------------------------------
    def words(self, cell: GridCell) -> str:
        """Return the few words painted in a cell."""
        worst = self.worst(cell)
        if worst is None:
            return _("running") if self.is_doing(cell) else ""
        words = short_words(worst)
        runs = self.trials(cell)
        if len(runs) > 1:
            same = sum(run.result is worst.result for run in runs)
            return f"{words} {same}/{len(runs)}"
        return words

    def description(self, cell: GridCell) -> str:
        """Return the sentences about a cell, for its tool tip."""
        runs = self.trials(cell)
        if not runs:
            what = _("it runs now") if self.is_doing(cell) else _("not tried yet")
            return f"{self.tasks[cell.row]} / {self.anomalies[cell.column]}: {what}"
        lines = [f"{self.tasks[cell.row]} / {self.anomalies[cell.column]}"]
        for run in runs[:8]:
            answer = f"{answer_text(run.answer)}: " if run.answer else ""
            lines.append(answer + join_sentences(result_words(run), run.why))
        return "\n".join(lines)


def short_words(trial: SolvabilityTrial) -> str:
    """Return how a trial ended, for a narrow place."""
    if trial.result is TrialResult.STOPS and trial.stops_at is not None:
        return _("step {step}", step=trial.stops_at + FIRST_STEP)
    if trial.result is TrialResult.STOPS:
        return _("not done")
    return _(RESULT_LABELS[trial.result])


def answer_text(answer: str) -> str:
    """Return the answer given to a dialog in words; empty when nothing was asked."""
    known = {"accept": _("accepted"), "deny": _("refused"), "dismiss": _("dismissed with BACK")}
    return known.get(answer, answer)


def summary_words(table: SolvabilityTable) -> str:
    """Return ``23 of 30 stay solvable``, followed by what was not injected or not replayed."""
    cells = [
        GridCell(row, column) for row in range(len(table.tasks)) for column in range(len(table.anomalies))
    ]
    shown_trials = [trial for trial in map(table.worst, cells) if trial is not None]
    met = [trial for trial in shown_trials if trial.result not in (TrialResult.NOT_MET, TrialResult.BROKEN)]
    solved = sum(trial.result in SOLVED for trial in met)
    parts = [_("{count} of {all} stay solvable", count=solved, all=len(met))] if met else []
    aside = sum(trial.result is TrialResult.NOT_MET for trial in shown_trials)
    if aside:
        parts.append(ngettext("{count} not injected", "{count} not injected", aside))
    broken = sum(table.broken(row) is not None for row in range(len(table.tasks)))
    if broken:
        parts.append(ngettext("one task cannot be replayed", "{count} tasks cannot be replayed", broken))
    return ", ".join(parts)
