"""Export the back-test matrix as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from collector.model.csv_cells import plain_cell
from collector.model.i18n import _
from collector.rules.backtest.backtest import BackTestRow
from studio.bridge import JobRunner
from studio.bridge.jobs import Job
from studio.widgets.toasts import Toasts


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

    runner.run(work, success=report, failure=toasts.show_error)
