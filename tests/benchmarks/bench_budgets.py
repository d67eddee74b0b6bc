"""The table of budgets: every bar of the design that applies, and the rival's figure of the same run.

    python -m tests.benchmarks.bench_budgets [--json FILE] [--report] [GROUP ...]

A group with a row over its budget is measured again, and of each row the better figure counts. The exit
status is 1 when something broke, or when a row is over its budget twice; with ``--report`` such rows are
reported and are no failure, for machines that others load.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from studio.theme import theme
from tests.benchmarks.budgets import (
    cycles,
    episodes,
    judges,
    large,
    library,
    metrics,
    mirror,
    phones,
    photon,
    proofs,
    recording,
    review,
    rules,
    runs,
    saving,
    stages,
    start,
    steps,
    training,
    trees,
    watching,
    window,
)
from tests.benchmarks.budgets.table import Row, better_rows, exit_status, table
from tests.helpers.machine import measured_machine

GROUPS: dict[str, Callable[[], Iterator[Row]]] = {
    "mirror": mirror.rows,
    "photon": photon.rows,
    "stages": stages.rows,
    "trees": trees.rows,
    "steps": steps.rows,
    "library": library.rows,
    "large": large.rows,
    "metrics": metrics.rows,
    "judges": judges.rows,
    "review": review.rows,
    "runs": runs.rows,
    "recording": recording.rows,
    "saving": saving.rows,
    "cycles": cycles.rows,
    "rules": rules.rows,
    "start": start.rows,
    "phones": phones.rows,
    "episodes": episodes.rows,
    "training": training.rows,
    "proofs": proofs.rows,
    "watching": watching.rows,
    "window": window.rows,
}


def main() -> int:
    """Measure the groups named, all when none is, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    parser.add_argument("--report", action="store_true", help="a row over its budget is no failure")
    chosen = parser.parse_args()
    if unknown := set(chosen.groups) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    rows, broken = _measure(chosen.groups or list(GROUPS))
    over = [row for row in rows if row.is_over]
    machine = measured_machine()
    print(f"\n{machine}\n\n{table(rows)}")
    print(f"\n{len(rows)} rows, {len(over)} over their budget, {len(broken)} groups broken")
    for row in over:
        print(f"over: {row.what}: {row.shortfall}")
    if chosen.json:
        chosen.json.parent.mkdir(parents=True, exist_ok=True)
        left_out = [name for name in GROUPS if chosen.groups and name not in chosen.groups]
        figures = {"machine": machine, "rows": [row.as_json() for row in rows], "broken": broken}
        figures["left_out"] = left_out
        chosen.json.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return exit_status(rows, broken, report=chosen.report)


def _measure(names: list[str]) -> tuple[list[Row], list[str]]:
    rows: list[Row] = []
    broken = []
    for name in names:
        try:
            of_group = _measure_group(name)
            if any(row.is_over for row in of_group):
                of_group = better_rows(of_group, _measure_group(name))
            rows += of_group
        except Exception:
            traceback.print_exc()
            broken.append(name)
    return rows, broken


def _measure_group(name: str) -> list[Row]:
    started = time.monotonic()
    # One process per group, so that the memory of one does not slow down the next.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        rows = [replace(row, group=name) for row in process.submit(_rows_of, name).result()]
    over = sum(row.is_over for row in rows)
    print(f"measured {name} in {time.monotonic() - started:.0f} s, {over} rows over", flush=True)
    return rows


def _rows_of(name: str) -> list[Row]:
    app = QApplication([])
    theme.install(app, "dark", motion=False)
    return list(GROUPS[name]())


if __name__ == "__main__":
    sys.exit(main())
