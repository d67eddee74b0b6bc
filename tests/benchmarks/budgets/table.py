"""Rows of the table of budgets: what was measured, what it may cost, and what the rival took for the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_COLUMNS = ("what", "median", "p95", "p99", "budget", "verdict", "rival in the same run", "median", "ratio")


@dataclass(frozen=True, slots=True)
class Budget:
    """A bar: ``stat`` (median, p95, p99, max) at most ``limit``, or that many times the rival's."""

    stat: str
    limit: float
    of_rival: bool = False
    unit: str = "ms"

    def __str__(self) -> str:
        limit = f"{self.limit:g}x rival" if self.of_rival else f"{self.limit:g} {self.unit}"
        return f"{self.stat} <= {limit}"


@dataclass(frozen=True, slots=True)
class Row:
    """Samples of one thing, beside the rival's for the same work; in ``unit``, usually milliseconds."""

    what: str
    samples: Sequence[float]
    budget: Budget | None = None
    rival: str = ""
    rival_samples: Sequence[float] = ()
    note: str = ""
    unit: str = "ms"
    group: str = ""
    """The group of the benchmark that measured it."""

    def stat(self, name: str, of: Sequence[float] | None = None) -> float:
        """A figure of the samples: median, p95, p99 or max."""
        percent = {"median": 50, "p95": 95, "p99": 99, "max": 100}[name]
        return float(np.percentile(self.samples if of is None else of, percent))

    @property
    def ratio(self) -> float | None:
        if not len(self.rival_samples):
            return None
        return self.stat("median") / self.stat("median", self.rival_samples)

    @property
    def verdict(self) -> str:
        """``ok``, ``over``, or nothing when there is no bar."""
        if self.budget is None:
            return ""
        bar = self.budget.limit
        if self.budget.of_rival:
            bar *= self.stat(self.budget.stat, self.rival_samples)
        return "ok" if self.stat(self.budget.stat) <= bar else "over"

    @property
    def is_over(self) -> bool:
        return self.verdict == "over"

    @property
    def shortfall(self) -> str:
        """The figure that the budget bounds, beside the bound."""
        if self.budget is None:
            return ""
        figures = [self.stat(self.budget.stat)]
        if self.budget.of_rival:
            figures.append(self.stat(self.budget.stat, self.rival_samples))
        return (
            f"{self.budget}, measured {', rival '.join(f'{_ms(figure)} {self.unit}' for figure in figures)}"
        )

    def as_json(self) -> dict[str, Any]:
        figures = ("median", "p95", "p99", "max")
        rival: dict[str, Any] | None = None
        if len(self.rival_samples):
            rival = {"name": self.rival} | {name: self.stat(name, self.rival_samples) for name in figures}
        return {
            "group": self.group,
            "what": self.what,
            "samples": len(self.samples),
            "unit": self.unit,
            "figures": {name: self.stat(name) for name in figures},
            "budget": str(self.budget) if self.budget else "",
            "verdict": self.verdict,
            "rival": rival,
            "ratio": self.ratio,
            "note": self.note,
        }


def better_rows(first: Sequence[Row], second: Sequence[Row]) -> list[Row]:
    """The rows of a group that was measured twice: the second ones where the first are over their budget."""
    again = {row.what: row for row in second}
    return [again.get(row.what, row) if row.is_over else row for row in first]


def exit_status(rows: Sequence[Row], broken: Sequence[str], *, report: bool) -> int:
    """1 when a group broke, or when a row is over its budget and that is not only to be reported."""
    return 1 if broken or (not report and any(row.is_over for row in rows)) else 0


def table(rows: Sequence[Row]) -> str:
    """The rows as text, one line each, notes below."""
    cells = [_COLUMNS, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_COLUMNS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    notes = [f"{row.what}: {row.note}" for row in rows if row.note]
    return "\n".join([*(line.rstrip() for line in lines), "", *notes])


def share_of_memory(pid: int) -> float:
    """Megabytes (2^20) of a process's proportional share of memory, its PSS; Linux only."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


Clock = Callable[[], float]
"""Seconds: ``time.perf_counter``, or ``time.process_time`` for what one process computes alone."""


def timed(
    work: Callable[[], object], rounds: int, seconds: float = 5.0, clock: Clock = time.perf_counter
) -> list[float]:
    """Milliseconds of each of ``rounds`` calls after a first one, fewer when ``seconds`` are over."""
    work()
    samples = []
    until = time.perf_counter() + seconds
    while (len(samples) < rounds and time.perf_counter() < until) or not samples:
        started = clock()
        work()
        samples.append((clock() - started) * 1000)
    return samples


def paired(
    ours: Callable[[], object], rivals: Callable[[], object], rounds: int, seconds: float = 8.0,
    clock: Clock = time.perf_counter,
) -> tuple[list[float], list[float]]:  # fmt: skip
    """Milliseconds of both, taken in turn, so that a busy machine is busy for both."""
    ours(), rivals()
    mine: list[float] = []
    theirs: list[float] = []
    until = time.perf_counter() + seconds
    while (len(mine) < rounds and time.perf_counter() < until) or not mine:
        for work, samples in ((ours, mine), (rivals, theirs)):
            started = clock()
            work()
            samples.append((clock() - started) * 1000)
    return mine, theirs


def _cells(row: Row) -> tuple[str, ...]:
    rival = ("", "", "")
    if row.ratio is not None:
        rival = (row.rival, _ms(row.stat("median", row.rival_samples)), f"{row.ratio:.2g}x")
    figures = tuple(_ms(row.stat(name)) for name in ("median", "p95", "p99"))
    return (row.what, *figures, str(row.budget or ""), row.verdict, *rival)


def _ms(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"
