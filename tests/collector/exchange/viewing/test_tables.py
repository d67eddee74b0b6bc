"""Tables as CSV have a line for each trajectory, step and verdict, and no cell that a table program runs."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from collector.exchange.exports.exporting import export_project
from collector.model.action import action_from_dict
from tests.helpers.viewed_project import ACTIONS, viewed_project


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_tables_give_back_values_and_actions(tmp_path: Path) -> None:
    result = export_project(viewed_project(tmp_path / "p"), "csv", tmp_path / "out")
    assert {finding.code for finding in result.losses} == {"screens-lost"}
    trajectories, steps, verdicts = (
        rows(tmp_path / "out" / f"{name}.csv") for name in ("trajectories", "steps", "verdicts")
    )
    run = trajectories[1]
    assert (run["trajectory"], run["agent"], run["seed"], run["status"]) == ("t/r0", "bot", "3", "success")
    assert (run["steps"], run["input_tokens"], run["cost"]) == ("5", "100", "0.5")
    assert run["note"] == "'=a note"
    own = [step for step in steps if step["trajectory"] == "t/r0"]
    done = [
        action_from_dict({"kind": step["action"], **json.loads(step["arguments"])})
        for step in own
        if step["action"]
    ]
    assert done == list(ACTIONS)
    assert (own[0]["thought"], own[0]["answer"], own[2]["t_ms"]) == ("I think", "do 0", "2000")
    judged = [one for one in verdicts if one["trajectory"] == "t/g"]
    assert [(one["judge"], one["subject"], one["verdict"]) for one in judged] == [
        ("lin", "task", "undecided"), ("rules", "task", "success"), ("rules", "state", "reached"),
    ]  # fmt: skip
