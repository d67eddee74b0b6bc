"""``waymark trajectory show`` and ``judge`` on a run."""

from __future__ import annotations

import json

import pytest

from collector.cli import main as command
from collector.store.project.project import Project
from tests.helpers.sample_run import write_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    project = Project.create(tmp_path_factory.mktemp("runs") / "p")
    write_run(project)
    return project.folder


@pytest.fixture
def run(capsys, folder):
    def call(*arguments):
        status = command.main(["trajectory", *arguments, "--project", str(folder)])
        output = capsys.readouterr()
        return status, output.out + output.err

    return call


def test_show_prints_who_ran_how_it_ended_what_was_thought_and_every_verdict(run):
    status, output = run("show", "run-1")
    assert status == 0
    for line in (
        "Agent: OpenAI · UI-TARS-7B",
        "Condition: low_battery",
        "Modality: screenshot and tree",
        "Outcome: failure",
        "Claim: the task is done",
        "Early stop: after identical actions",
        "Tokens: 1,200 in, 80 out",
        "Anomaly: low_battery, injected at 0.9 s, answered Ignore at 1.4 s",
    ):
        assert line in output.splitlines()
    row = next(line for line in output.splitlines() if line.startswith("2 "))
    assert "Sort by price" in row
    assert "predicted: tap 34, 52" in row
    assert "invalid (malformed): The answer has no action" in output
    verdicts = [line.split() for line in output.splitlines() if line.startswith(("rules", "sara"))]
    assert ["sara", "person", "task", "uncompleted", "It", "stopped"] in verdicts
    assert ["rules", "rule", "sorted", "reached"] in verdicts
    assert "observe" not in output
    thoughts = run("show", "run-1", "--thoughts")[1]
    assert "Step 1: Tap 'Shop'\n  Open the <b>shop</b>\n  Tokens: 600 in, 40 out" in thoughts


def test_list_names_agent_condition_and_outcome_of_runs(run):
    head, line = run("list")[1].splitlines()
    assert head.split()[3:7] == ["WHO", "AGENT", "CONDITION", "OUTCOME"]
    assert "OpenAI · UI-TARS-7B  low_battery  failure, early stop" in line


def test_show_as_json_has_all_of_it(run):
    document = json.loads(run("show", "run-1", "--json")[1])
    assert document["header"]["episode"]["agent"] == "OpenAI"
    assert document["header"]["outcome"]["early_stop"] is True
    assert document["steps"][1]["agent"]["predicted"] == {"kind": "tap", "x": 34, "y": 52, "duration_ms": 0}
    assert document["anomalies"][0]["button"] == "Ignore"
    assert [line["verdict"] for line in document["judgements"]].count("missed") == 2
