"""The table of budgets: every bar of the design that applies, and the rival's figure of the same run.

    python -m tests.benchmarks.bench_budgets [--json FILE] [GROUP ...]

A row over its budget is reported and is no failure; the exit status is 1 only when something broke.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from studio.theme import theme
from tests.benchmarks.budgets import (
    cycles,
    episodes,
    large,
    library,
    metrics,
    mirror,
    phones,
    review,
    rules,
    runs,
    saving,
    start,
    steps,
    trees,
    watching,
)
from tests.benchmarks.budgets.table import Row, table

GROUPS: dict[str, Callable[[], Iterator[Row]]] = {
    "mirror": mirror.rows,
    "trees": trees.rows,
    "steps": steps.rows,
    "library": library.rows,
    "large": large.rows,
    "metrics": metrics.rows,
    "review": review.rows,
    "runs": runs.rows,
    "saving": saving.rows,
    "cycles": cycles.rows,
    "rules": rules.rows,
    "start": start.rows,
    "phones": phones.rows,
    "episodes": episodes.rows,
    "watching": watching.rows,
}


def main() -> int:
    """Measure the groups named, all when none is, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    chosen = parser.parse_args()
    if unknown := set(chosen.groups) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    rows, broken = _measure(chosen.groups or list(GROUPS))
    print(f"\n{_machine()}\n\n{table(rows)}")
    over = sum(row.verdict == "over" for row in rows)
    print(f"\n{len(rows)} rows, {over} over their budget, {len(broken)} groups broken")
    if chosen.json:
        chosen.json.parent.mkdir(parents=True, exist_ok=True)
        figures = {"machine": _machine(), "rows": [row.as_json() for row in rows], "broken": broken}
        chosen.json.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 1 if broken else 0


def _measure(names: list[str]) -> tuple[list[Row], list[str]]:
    rows: list[Row] = []
    broken = []
    for name in names:
        started = time.monotonic()
        # One process per group, so that the memory of one does not slow down the next.
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            try:
                rows += process.submit(_rows_of, name).result()
            except Exception:
                traceback.print_exc()
                broken.append(name)
        print(f"measured {name} in {time.monotonic() - started:.0f} s", flush=True)
    return rows, broken


def _rows_of(name: str) -> list[Row]:
    app = QApplication([])
    theme.install(app, "dark", motion=False)
    return list(GROUPS[name]())


def _machine() -> str:
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"Python {platform.python_version()} on {platform.system()}, {os.cpu_count()} cores{load}"


if __name__ == "__main__":
    sys.exit(main())
