"""``waymark judge study windows|quality|bias``: a simulated judge with known errors, against people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from collector.cli import main as command
from tests.helpers.chat_server import ChatServer
from tests.helpers.judged_by_model import answering, judged_project
from tests.helpers.simulated_judge import (
    FALSE_ALARMS,
    PLACES,
    RUNS,
    SENSITIVITY,
    Simulated,
    label,
    simulated_project,
)


@pytest.fixture
def printed(capsys):
    def call(*arguments: object, status: int = 0) -> Any:
        assert command.main([str(argument) for argument in arguments]) == status
        said = capsys.readouterr()
        return json.loads(said.out) if "--json" in arguments and said.out else said.out + said.err

    return call


def row_of(document: dict[str, Any], table: str, *labels: str) -> dict[str, Any]:
    rows = next(item["rows"] for item in document["tables"] if item["id"] == table)
    return next(row for row in rows if row["labels"] == list(labels))


def test_the_studies_find_the_rates_of_a_simulated_judge_within_their_intervals(
    tmp_path: Path, printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated()
    with ChatServer(answering(simulated.answer)) as server:
        folder = simulated_project(tmp_path / "p", simulated, server).project.folder
        monkeypatch.chdir(folder)
        priced = printed("judge", "study", "windows", "--judge", "mine", "--windows", "2", "--cost", "--json")
        assert server.requests == []
        tried = printed("judge", "study", "windows", "--judge", "mine", "--windows", "2", "--json")
        asked = len(server.requests)
        again = printed("judge", "study", "windows", "--judge", "mine", "--windows", "2", "--json")
        assert again["tables"][0]["rows"] == tried["tables"][0]["rows"]
        printed("judge", "run", "--judge", "mine")
        assert len(server.requests) == asked  # a run at 2/1 asks what the study asked

    rates = {"recall": SENSITIVITY, "accuracy": (SENSITIVITY + 1 - FALSE_ALARMS) / 2,
             "precision": SENSITIVITY / (SENSITIVITY + FALSE_ALARMS)}  # fmt: skip
    rates["f1"] = 2 * rates["precision"] * rates["recall"] / (rates["precision"] + rates["recall"])
    found = printed("judge", "study", "quality", "--json")
    row = row_of(found, "judge-quality", "mine", "Essential states")
    for name, rate in rates.items():
        cell = row["cells"][name]
        assert cell["low"] <= rate <= cell["high"], name
    right = sum(simulated.truth[key] == says for key, says in simulated.says.items())
    assert (row["cells"]["accuracy"]["hits"], row["cells"]["accuracy"]["count"]) == (right, 2 * len(RUNS))
    assert row_of(found, "judge-quality", "mine", "Process-related tasks")["cells"]["accuracy"]["count"] == 11
    parted = [item for item in row["subjects"] if len(set(item["verdicts"].values())) > 1]
    assert len(parted) == len(row["subjects"]) - right
    assert {item["window"] is not None for item in parted} == {True}
    alarm = next(item for item in parted if item["verdicts"]["mine"] == "reached")
    assert alarm["window"] == [0, 1]  # where the judge saw it

    rows = tried["tables"][0]["rows"]
    assert [row["labels"][:3] for row in rows] == [["mine", "2", "1"], ["mine", "2", "2"]]
    first = rows[0]["cells"]
    assert first["states"]["hits"] == right
    on_tasks = [item for item in rows[0]["subjects"] if not item["state"]]
    windows = {item["trajectory"]: item["window"] for item in rows[0]["subjects"][::-1] if item["window"]}
    for item in on_tasks:  # a task opens where the first of its states does
        is_disputed = len(set(item["verdicts"].values())) > 1
        assert item["window"] == (windows[item["trajectory"]] if is_disputed else None)
    assert any(item["window"] for item in on_tasks)
    assert first["states"]["low"] <= rates["accuracy"] <= first["states"]["high"]
    most = priced["tables"][0]["rows"][0]["cells"]["calls"]["value"]
    assert 0 < first["calls"]["value"] <= most
    assert first["usd"]["value"] > 0
    assert sum("best" in row["labels"][3] for row in rows) == 1

    bias = printed("judge", "study", "bias", "--json")
    optimism = row_of(bias, "judge-optimism", "mine", "All agents")
    judged = sum(all(simulated.says[run, state] for state in PLACES) for run in RUNS)
    true = sum(all(simulated.truth[run, state] for state in PLACES) for run in RUNS)
    assert optimism["cells"]["optimism"]["value"] == pytest.approx((judged - true) / len(RUNS))
    assert len(optimism["subjects"]) == len(RUNS)
    agent = row_of(bias, "judges", "alpha")
    assert agent["cells"]["sr-people"]["count"] == len(agent["cells"]["sr-people"]["subjects"]) == 12
    behind = [agent["subjects"][place] for place in agent["cells"]["sr-people"]["subjects"]]
    assert {"people", "mine"} <= set(behind[0]["verdicts"])
    ranks = row_of(bias, "judge-ranks", "mine", "people")
    assert len(ranks["cells"]["kendall"]["subjects"]) == len(ranks["subjects"]) == len(RUNS)
    assert "Optimism" in printed("judge", "study", "bias", "--format", "latex")
    assert "a bootstrap by task" in " ".join(printed("judge", "study", "bias").split())
    table = tmp_path / "quality.csv"
    printed("judge", "study", "quality", "--output", table)
    assert "accuracy_low" in table.read_text(encoding="utf-8")


def test_a_study_says_what_is_missing(tmp_path: Path, printed, monkeypatch: pytest.MonkeyPatch) -> None:
    project = judged_project(tmp_path / "p")
    monkeypatch.chdir(project.project.folder)
    assert "No person judged" in printed("judge", "study", "quality", status=1)
    label(project, "r1", {"found": 2, "paid": None})
    nobody = ("--where", "agent:nobody")
    assert "No trajectory fits agent:nobody" in printed("judge", "study", "bias", *nobody, status=1)
    assert "No judge judged" in printed("judge", "study", "quality", status=1)
    assert "does not judge by windows" in printed("judge", "study", "windows", "--judge", "rules", status=1)
    wide = ("--judge", "a3rm", "--windows", "2", "--intervals", "3")
    assert "No interval fits" in printed("judge", "study", "windows", *wide, status=1)
    assert "2,3,4" in printed("judge", "study", "windows", "--judge", "a3rm", "--windows", "x", status=2)
