"""Tables of what was measured: the last bench and the last soak that were kept, with their machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import tables

KEPT = Path(__file__).with_name("measurements")
"""The folder of the results that `make measurements` kept."""


def bench() -> str:
    """A table of each group of the bench."""
    results = _read("bench.json")
    parts = [f"Measured: {results['machine']}.\n"]
    for group, rows in groupby(results["rows"], key=lambda row: row["group"]):
        cells = list(_bench_rows(list(rows)))
        head = ("What", "Unit", "Median", "95 of 100", "Budget", "Within it", "Rival", "Rival's median")
        parts.append(f"## {group}\n\n{tables.table(head, cells)}\n")
    if left_out := results.get("left_out"):
        parts.append(f"Not measured this time: {', '.join(left_out)}.\n")
    return "\n".join(parts)


def _bench_rows(rows: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for row in rows:
        rival = row["rival"] or {}
        within = {"ok": "yes", "over": "**no**"}.get(row["verdict"], "")
        median, p95 = (_figure(row["figures"][name]) for name in ("median", "p95"))
        of_rival = _figure(rival["median"]) if rival else ""
        yield row["what"], row["unit"], median, p95, row["budget"], within, rival.get("name", ""), of_rival


def soak() -> str:
    """What the soak did, broke and found."""
    result = _read("soak.json")
    faults = ", ".join(f"{name} ({count})" for name, count in sorted(result["faults"].items()))
    sizes = ", ".join("-".join(map(str, sizes)) for sizes in result["memory_mb"].values())
    rows = [
        ("Time", f"{result['seconds'] / 60:.0f} minutes, seed {result['seed']}"),
        ("Faults", f"{sum(result['faults'].values())}: {faults}"),
        ("Recordings that were begun", str(result["recorded"])),
        ("Episodes that were run", str(result["finished_cells"])),
        ("Trajectories read again at the end", str(result["trajectories"])),
        ("Messages of the windows, each compared with what is on the disk", str(result["toasts"])),
        ("Memory of each window: first, middle, last (MB)", sizes),
        ("What was wrong", str(len(result["wrong"])) if result["wrong"] else "nothing"),
    ]
    wrong = "".join(f"\n- {what.splitlines()[0]}" for what in result["wrong"])
    return f"Measured: {result['machine']}.\n\n{tables.table(('', ''), rows)}\n{wrong}"


def _figure(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def _read(name: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((KEPT / name).read_text("utf-8"))
    return result


GENERATORS = {"bench": bench, "soak": soak}
