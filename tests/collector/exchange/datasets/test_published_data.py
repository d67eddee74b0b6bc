"""Published data sets and agents' logs: what each sample becomes, action by action."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from collector.exchange.importing import import_into
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.dataset_samples import DATASET_SAMPLES
from tests.helpers.source_samples import write_source

EXPECTED: dict[str, tuple[str, str, list[str]]] = {
    "amex": ("golden", "Buy it", ["Tap 'Buy, buys it'", "Swipe down", "Type 'bread'", "Task complete"]),
    "android-lab": (
        "run",
        "Buy it",
        ["Tap 'Buy'", "Swipe up", "Type 'bread'", "Press Back", "Answer 'done'"],
    ),
    "gui-odyssey": (
        "golden",
        "Buy it",
        ["Tap at 10, 40", "Swipe up", "Press Back", "Type 'bread'", "Task complete"],
    ),
    "mobiagent": ("golden", "Buy it", ["Tap 'Buy'", "Swipe down", "Type 'bread'", "Task complete"]),
    "spa-bench": (
        "run",
        "Buy it",
        ["Tap at 10, 15", "Swipe down", "Type 'bread'", "Swipe up", "Press Back", "Task complete", ""],
    ),
}
"""Format -> kind, instruction, and what the steps say."""


def imported(folder: Path, files: dict[str, Any]) -> tuple[Any, dict[str, list[Any]]]:
    project = Project.create(folder / "p")
    result = import_into(project, write_source(folder / "s", files))
    assert {finding.code for finding in check_project(project)} <= {"action-missing"}
    found: dict[str, list[Any]] = {}
    for finding in result.findings:
        found.setdefault(finding.code, []).extend(finding.steps)
    return open_trajectory(result.folders[0]), found


@pytest.mark.parametrize("format_id", EXPECTED)
def test_a_sample_becomes_a_trajectory(tmp_path: Path, format_id: str) -> None:
    stored, _found = imported(tmp_path, DATASET_SAMPLES[format_id])
    header = stored.trajectory.header
    kind, instruction, captions = EXPECTED[format_id]
    assert header.extra["imported_from"] == format_id
    assert (header.kind, header.instruction) == (kind, instruction)
    assert [step.description for step in stored.steps] == captions


def test_places_of_a_scaled_screen_are_those_of_its_picture(tmp_path: Path) -> None:
    stored, _found = imported(tmp_path, DATASET_SAMPLES["amex"])  # of 80x160, shown at 40x80
    assert (stored.steps[0].action.x, stored.steps[0].action.y) == (10, 15)
    assert stored.steps[0].target.attributes["text"] == "Buy"


def test_androidlabs_own_evaluation_is_the_outcome(tmp_path: Path) -> None:
    stored, _found = imported(tmp_path, DATASET_SAMPLES["android-lab"])
    assert stored.trajectory.header.outcome.status == "success"
    assert stored.trajectory.header.outcome.claimed == "answer"
    assert stored.steps[0].agent.raw == 'do(action="Tap")'


@pytest.mark.parametrize(
    ("format_id", "file", "place", "value"),
    [
        ("gui-odyssey", "odyssey/annotations/7.json", ("steps", 0, "info"), [[250, 1500]]),
        ("gui-odyssey", "odyssey/annotations/7.json", ("steps", 0, "action"), "FLY"),
        ("amex", "AMEX/instruction_anno/e.json", ("steps", 0, "touch_coord"), [-1, -1]),
        ("mobiagent", "data/Shop/type1/1/actions.json", ("actions", 0, "position_x"), "here"),
        ("android-lab", "run/shop_1_x/traces/trace.jsonl", (0, "parsed_action", "action"), "Call_API"),
        ("spa-bench", "session-1/shop_0/CogAgent/log.json", (0, "action", 1, "detail"), [1]),
    ],
)
def test_an_action_that_is_none_is_reported_and_kept_as_it_is(
    tmp_path: Path, format_id: str, file: str, place: tuple[Any, ...], value: Any
) -> None:
    files = copy.deepcopy(DATASET_SAMPLES[format_id])
    holder = files[file]
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    stored, found = imported(tmp_path, files)
    assert len(found["action-unknown"]) == 1
    is_run = stored.trajectory.header.kind == "run"
    assert [step.action.kind for step in stored.steps[:1] if step.action] == ["invalid"] * is_run
    assert stored.steps[0].extra["source_action"]


def test_a_file_of_all_episodes_is_read_where_it_stands_alone(tmp_path: Path) -> None:
    sample = DATASET_SAMPLES["gui-odyssey"]
    episode = sample["odyssey/annotations/7.json"]
    others = {name: data for name, data in sample.items() if name.endswith(".png")}
    both = {**sample, "odyssey/all_anno.json": [episode]}
    alone = {**others, "odyssey/all_anno.json": [episode, {**episode, "episode_id": "8"}]}
    for number, (files, count) in enumerate(((both, 1), (alone, 2))):
        project = Project.create(tmp_path / f"p{number}")
        result = import_into(project, write_source(tmp_path / str(number), files))
        assert len(result.folders) == count
        assert "not-understood" not in {finding.code for finding in result.findings}
