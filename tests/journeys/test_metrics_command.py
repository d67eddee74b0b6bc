"""Somebody counts the sample's run by hand from its files, and ``waymark metrics`` says the same numbers."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
Share = tuple[int, int]


def waymark(*arguments: object) -> str:
    words = [sys.executable, "-m", "collector.cli.main", "metrics", *map(str, arguments)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, check=True, encoding="utf-8").stdout


def counted_by_hand(project: Path) -> dict[tuple[str, str], dict[str, Share]]:
    """Agent and measure by condition, from the JSON files alone."""
    numbers: dict[tuple[str, str], dict[str, Counter[bool]]] = defaultdict(lambda: defaultdict(Counter))
    entries = yaml.safe_load((project / "rules" / "states.yaml").read_text("utf-8"))["states"]
    optional = {entry["id"] for entry in entries if entry.get("optional")}
    runs = []
    for header in project.glob("trajectories/*/*/trajectory.json"):
        run = json.loads(header.read_text("utf-8"))
        if run["kind"] == "run" and not run["outcome"]["infrastructure"]:
            runs.append((header.parent, run, run["episode"]))
    unit = {
        (run["task"], own["agent"], own["seed"], own["repeat"]): run["outcome"]["status"]
        for _folder, run, own in runs
        if not own.get("condition")
    }
    for folder, run, own in runs:
        group = numbers[own["agent"], own.get("condition") or "baseline"]
        success = run["outcome"]["status"] == "success"
        group["sr"][success] += 1
        if (
            own.get("condition")
            and unit.get((run["task"], own["agent"], own["seed"], own["repeat"])) == "success"
        ):
            group["rsr"][success] += 1
        if not success:
            group["uncompleted"][run["outcome"]["status"] == "uncompleted"] += 1
        if run["outcome"]["status"] == "uncompleted":
            group["early-stop"][run["outcome"]["early_stop"]] += 1
        for state, verdict in _states(folder).items():
            if state not in optional:
                group["esar"][verdict == "reached"] += 1
    return {
        key: {name: (counts[True], counts.total()) for name, counts in group.items()}
        for key, group in numbers.items()
    }


def _states(folder: Path) -> dict[str, str]:
    lines = (folder / "judgements" / "rules.jsonl").read_text("utf-8").splitlines()[1:]
    given: list[dict[str, Any]] = list(map(json.loads, lines))
    return {each["subject"]["state"]: each["verdict"] for each in given if each["subject"]["kind"] == "state"}


def printed(project: Path) -> dict[tuple[str, str], dict[str, Share]]:
    """The table as the program prints it, for a spreadsheet."""
    measures = ("sr", "rsr", "uncompleted", "early-stop", "esar")
    text = waymark(project, "--measures", ",".join(measures), "--format", "csv")
    numbers = {}
    for row in csv.DictReader(io.StringIO(text)):
        shares = {name: (int(row[f"{name}_hits"] or 0), int(row[f"{name}_count"])) for name in measures}
        for name, (hits, count) in shares.items():
            assert row[name] == (str(round(hits / count, 12)) if count else "")
        counted = {name: share for name, share in shares.items() if share[1]}
        numbers[row["Agent"], row["Condition"]] = counted
    return numbers


def test_the_program_counts_what_a_person_counts_in_the_files(tmp_path: Path) -> None:
    project = tmp_path / "sample"
    ignored = shutil.ignore_patterns(".cache", "*.png", "*.xml*")
    shutil.copytree(ROOT / "assets" / "sample", project, ignore=ignored)
    by_hand = counted_by_hand(project)
    assert by_hand["golden", "baseline"]["sr"] == (3, 3)
    assert printed(project) == by_hand

    # A fault takes a baseline away, and with it its pair; a stopped episode becomes uncompleted.
    for cell, change in (("s1", {"infrastructure": "The phone was lost"}), ("app-crash", _STOPPED)):
        (header,) = project.glob(f"trajectories/todo-04/quick__golden__todo-04__{cell}__*/trajectory.json")
        run = json.loads(header.read_text("utf-8"))
        run["outcome"].update(change)
        header.write_text(json.dumps(run, indent=2), encoding="utf-8")
    changed = counted_by_hand(project)
    assert changed["golden", "baseline"]["sr"] == (2, 2)
    assert changed["golden", "app-crash"]["early-stop"] == (1, 1)
    assert printed(project) == changed


_STOPPED = {"status": "uncompleted", "claimed": "", "early_stop": True, "ended_by": "early_stop"}
