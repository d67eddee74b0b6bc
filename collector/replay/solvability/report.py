"""The report of a solvability check: rows for people, one document for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from collector.model.i18n import N_, _
from collector.model.text.csv_cells import plain_cell
from collector.replay.outcomes import RecoveryMove
from collector.replay.solvability.trials import SolvabilityReport, SolvabilityTrial, TrialResult

RESULTS = {
    TrialResult.SOLVABLE: N_("solvable"),
    TrialResult.RECOVERED: N_("solvable with recovery"),
    TrialResult.STOPS: N_("stops"),
    TrialResult.NOT_MET: N_("not injected"),
    TrialResult.BROKEN: N_("cannot be replayed"),
}
_WAYS = {
    RecoveryMove.ANSWERED: N_("a dialog of the phone answered"),
    RecoveryMove.BACK: N_("BACK"),
    RecoveryMove.REOPENED: N_("the app opened again"),
    RecoveryMove.REPEATED: N_("earlier steps done again"),
}


def header() -> tuple[str, ...]:
    """The names of the columns of :func:`row`."""
    return (
        _("Task"),
        _("Anomaly"),
        _("Answer"),
        _("Before step"),
        _("Result"),
        _("What it took, or why not"),
        _("Run"),
    )


def row(trial: SolvabilityTrial) -> tuple[str, ...]:
    """One trial for people; steps are counted from 1."""
    met = "" if trial.met_at is None else str(trial.met_at + 1)
    words = result_words(trial), reason(trial)
    return trial.task, trial.anomaly, trial.answer, met, *words, trial.run


def result_words(trial: SolvabilityTrial) -> str:
    """The result, with the step it stops at."""
    words = _(RESULTS[trial.result])
    if trial.stops_at is None:
        return words
    return _("{result} at step {step}", result=words, step=trial.stops_at + 1)


def reason(trial: SolvabilityTrial) -> str:
    """The recovery moves it took, or why it stopped, and what failed of the anomaly."""
    ways = "" if trial.why else ways_words(trial)
    return "; ".join(part for part in (ways, trial.why, *trial.problems) if part)


def ways_words(trial: SolvabilityTrial) -> str:
    """The recovery moves, each with how often."""
    return ", ".join(_times(way, list(trial.ways).count(way)) for way in dict.fromkeys(trial.ways))


def as_dict(report: SolvabilityReport) -> dict[str, Any]:
    """The whole report."""
    return {
        "solvable": report.is_solvable,
        "counts": {str(result): report.count(result) for result in TrialResult},
        "trials": [trial_dict(trial) for trial in report.trials],
    }


def trial_dict(trial: SolvabilityTrial) -> dict[str, Any]:
    """One trial, with the words of :class:`TrialResult` and :class:`RecoveryMove` as they are."""
    return {
        "task": trial.task, "trajectory": trial.trajectory, "anomaly": trial.anomaly,
        "answer": trial.answer, "result": str(trial.result), "met_at": trial.met_at,
        "stops_at": trial.stops_at, "why": trial.why, "ways": [str(way) for way in trial.ways],
        "problems": list(trial.problems), "seconds": trial.seconds, "run": trial.run,
    }  # fmt: skip


def as_markdown(trials: Iterable[SolvabilityTrial]) -> str:
    """A table for a report or an issue."""
    rows = [header(), tuple("---" for _name in header()), *map(row, trials)]
    return "".join(f"| {' | '.join(_cell(text) for text in cells)} |\n" for cells in rows)


def as_csv(trials: Iterable[SolvabilityTrial]) -> str:
    """A table for other programs, no cell of which they take for a formula."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for cells in (header(), *map(row, trials)):
        writer.writerow([plain_cell(text) for text in cells])
    return file.getvalue()


def summary(trials: Iterable[SolvabilityTrial]) -> str:
    """How many of each, in one line."""
    report = SolvabilityReport(tuple(trials))
    counts = ((result, report.count(result)) for result in TrialResult)
    return ", ".join(f"{_(RESULTS[result])}: {count}" for result, count in counts if count)


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _times(way: RecoveryMove, count: int) -> str:
    return _(_WAYS[way]) if count == 1 else f"{_(_WAYS[way])} x {count}"
