"""An export as Inspect logs has the conversation, the pictures and the verdicts of every trajectory."""

from __future__ import annotations

import base64
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from collector.exchange.exports.exporting import ExportChoice, export_project
from collector.exchange.exports.selection import Selection
from collector.model.action import action_from_dict
from collector.store.trajectory.reader import StoredTrajectory
from tests.helpers.viewed_project import ACTIONS, viewed_project, viewed_trajectories

Exported = tuple[Path, dict[str, StoredTrajectory]]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    folder = tmp_path_factory.mktemp("inspect")
    project = viewed_project(folder / "p")
    result = export_project(project, "inspect", folder / "out")
    assert {finding.code for finding in result.losses} == {"trees-lost"}
    return folder / "out" / "logs", viewed_trajectories(project)


def entry(path: Path, name: str) -> Any:
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(name))


def test_there_is_a_log_for_each_agent_and_a_sample_for_each_trajectory(exported: Exported) -> None:
    assert sorted(path.name for path in exported[0].iterdir()) == ["bot-m-1.eval", "person.eval"]
    log = exported[0] / "bot-m-1.eval"
    with zipfile.ZipFile(log) as archive:
        assert sorted(archive.namelist()) == [
            "_journal/start.json", "header.json", "samples/t_epoch_1.json", "samples/t_epoch_2.json",
            "summaries.json",
        ]  # fmt: skip
    header = entry(log, "header.json")
    assert (header["version"], header["status"]) == (2, "success")
    assert (header["eval"]["model"], header["eval"]["solver"]) == ("m-1", "bot")
    assert header["eval"]["config"] == {"epochs": 2}
    assert header["eval"]["dataset"]["sample_ids"] == ["t"]
    results = header["results"]
    assert (results["total_samples"], results["completed_samples"]) == (2, 2)
    assert {score["name"]: score["metrics"]["accuracy"]["value"] for score in results["scores"]} == {
        "outcome": 0.5, "rules": 0.5,
    }  # fmt: skip
    assert header["stats"]["model_usage"] == {
        "m-1": {"input_tokens": 200, "output_tokens": 20, "total_tokens": 220, "total_cost": 1.0}
    }
    summaries = entry(log, "summaries.json")
    assert [(one["id"], one["epoch"], one["scores"]["rules"]["value"]) for one in summaries] == [
        ("t", 1, "C"), ("t", 2, "I"),
    ]  # fmt: skip


def test_a_sample_gives_back_actions_and_pictures(exported: Exported) -> None:
    sample = entry(exported[0] / "bot-m-1.eval", "samples/t_epoch_1.json")
    stored = exported[1][sample["metadata"]["trajectory"]]
    assert (sample["input"], sample["target"]) == ("Find the number", ["42"])
    calls = [call for message in sample["messages"] for call in message.get("tool_calls", ())]
    assert [action_from_dict({"kind": one["function"], **one["arguments"]}) for one in calls] == list(ACTIONS)
    answered = [message["tool_call_id"] for message in sample["messages"] if message["role"] == "tool"]
    assert answered == [call["id"] for call in calls]
    shown = [
        base64.b64decode(part["image"].removeprefix("data:image/png;base64,"))
        for message in sample["messages"]
        for part in message["content"]
        if part["type"] == "image"
    ]
    assert shown == [stored.screenshot(step) for step in stored.steps]
    assert sample["messages"][1]["content"] == [
        {"type": "reasoning", "reasoning": "I think"}, {"type": "text", "text": "do 0"},
    ]  # fmt: skip
    score = sample["scores"]["rules"]
    assert (score["value"], score["answer"], score["explanation"]) == ("C", "42", "ok")
    assert "lin" not in sample["scores"], "who could not say gives no score"
    assert sample["metadata"]["verdicts"]["lin"] == "undecided"
    assert sample["output"]["choices"][0]["message"]["content"][-1]["text"] == "do 4"


def test_a_selection_of_people_has_no_log_of_agents(tmp_path: Path) -> None:
    choice = ExportChoice(Selection(kinds=("golden",)))
    export_project(viewed_project(tmp_path / "p"), "inspect", tmp_path / "out", choice)
    assert [path.name for path in (tmp_path / "out" / "logs").iterdir()] == ["person.eval"]
    header = entry(tmp_path / "out" / "logs" / "person.eval", "header.json")
    assert header["eval"]["model"] == "none/none"
