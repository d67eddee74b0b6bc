"""An export as MLflow's folder has a run for each trajectory, and artifacts that give the trajectory back."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import yaml

from collector.exchange.exports.exporting import export_project
from collector.model.task import Task
from collector.store.trajectory.codec import header_from_document, step_from_line
from tests.helpers.viewed_project import ACTIONS, WALL, viewed_project, viewed_trajectories


def values(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def meta(folder: Path) -> dict[str, Any]:
    return yaml.safe_load((folder / "meta.yaml").read_bytes())


def test_a_run_has_parameters_metrics_tags_and_artifacts(tmp_path: Path) -> None:
    project = viewed_project(tmp_path / "p")
    assert export_project(project, "mlflow", tmp_path / "out").losses == []
    store, stored = tmp_path / "out" / "mlruns", viewed_trajectories(project)
    experiments = {meta(folder)["name"]: folder for folder in store.iterdir()}
    assert set(experiments) == {"e", "golden trajectories"}
    runs = {
        meta(run)["run_name"]: run
        for folder in experiments.values()
        for run in folder.iterdir()
        if run.is_dir()
    }
    assert set(runs) == set(stored)
    run = runs["t/r1"]
    about = meta(run)
    assert (about["experiment_id"], about["run_id"], about["status"]) == (run.parent.name, run.name, 3)
    assert about["artifact_uri"] == f"mlruns/{run.parent.name}/{run.name}/artifacts"
    assert about["start_time"] == round(dt.datetime.fromisoformat(WALL).timestamp() * 1000)
    assert about["end_time"] >= about["start_time"]
    assert values(run / "params") == {
        "task": "t", "kind": "run", "app": "Shop", "level": "easy", "experiment": "e", "agent": "bot",
        "model": "m-1", "seed": "3",
    }  # fmt: skip
    metrics = {
        name: [line.split() for line in text.splitlines()] for name, text in values(run / "metrics").items()
    }
    assert {name: float(lines[-1][1]) for name, lines in metrics.items()} == {
        "steps": 5, "duration_s": stored["t/r1"].header.duration_ms / 1000, "success": 0, "success.rules": 0,
        "states_reached.rules": 1, "input_tokens": 100, "output_tokens": 10, "cost": 0.5,
        "step.input_tokens": 100, "step.output_tokens": 10, "step.cost": 0.5, "step.time_ms": 900,
    }  # fmt: skip
    assert [(int(at) - about["start_time"], int(step)) for at, _value, step in metrics["step.time_ms"]] == [
        (1000 * index, index) for index in range(len(ACTIONS))
    ]
    tags = values(run / "tags")
    assert tags["mlflow.note.content"] == "Find the number"
    assert (tags["verdict.outcome"], tags["verdict.rules"], tags["verdict.lin"]) == (
        "failure", "failure", "undecided",
    )  # fmt: skip
    artifacts = run / "artifacts"
    lines = [json.loads(line) for line in (artifacts / "steps.jsonl").read_text("utf-8").splitlines()]
    header = json.loads((artifacts / "trajectory.json").read_bytes())
    assert header_from_document(header) == stored["t/r1"].header
    for line, step in zip(lines, stored["t/r1"].steps, strict=True):
        assert (artifacts / "states" / line["state"]["screenshot"]).read_bytes() == stored["t/r1"].screenshot(
            step
        )
        assert (artifacts / "states" / line["state"]["tree"]).read_bytes() == stored["t/r1"].tree(step)
        line["state"] |= {"screenshot": step.state.screenshot, "tree": step.state.tree}
        assert step_from_line(line) == step


def test_a_value_that_is_too_long_is_cut_and_named(tmp_path: Path) -> None:
    project = viewed_project(tmp_path / "p")
    project.save_tasks([Task("t", "x", category="long " * 2000)])
    result = export_project(project, "mlflow", tmp_path / "out")
    assert {finding.code for finding in result.losses} == {"value-cut"}
