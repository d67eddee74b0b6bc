"""An export as ATIF has every action, screen, thought, token and verdict, under keys of ATIF alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from collector.exchange.exports.exporting import export_project
from collector.exchange.imports.importing import import_into
from collector.model.action import Tap, action_from_dict
from collector.model.geometry import Rect
from collector.model.trajectory import GOLDEN, State, Step, Target, TrajectoryHeader
from collector.store.project.project import Project
from collector.store.trajectory.codec import state_from_dict
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.steps import png
from tests.helpers.taught import SCREEN, dump, new_project, node
from tests.helpers.viewed_project import ACTIONS, WALL, viewed_project, viewed_trajectories

KEYS = {
    "root": {
        "schema_version", "session_id", "trajectory_id", "agent", "steps", "notes", "final_metrics", "extra",
    },
    "agent": {"name", "version", "model_name"},
    "step": {
        "step_id", "timestamp", "source", "message", "reasoning_content", "tool_calls", "observation",
        "metrics", "extra", "llm_call_count",
    },
    "call": {"tool_call_id", "function_name", "arguments"},
    "result": {"source_call_id", "content", "extra"},
    "metrics": {"prompt_tokens", "completion_tokens", "cost_usd", "extra"},
    "total": {"total_prompt_tokens", "total_completion_tokens", "total_cost_usd", "total_steps", "extra"},
}  # fmt: skip
"""Keys of ATIF 1.7 that are used; its models refuse any other."""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("atif")
    project = viewed_project(folder / "p")
    result = export_project(project, "atif", folder / "out")
    assert result.losses == []
    return folder / "out" / "trajectories", viewed_trajectories(project)


@pytest.mark.parametrize("name", ["t/g", "t/r0", "t/r1"])
def test_a_document_gives_back_the_trajectory(exported: tuple[Path, dict[str, Any]], name: str) -> None:
    folder, stored = exported[0] / name, exported[1][name]
    document = json.loads((folder / "trajectory.json").read_bytes())
    assert set(document) <= KEYS["root"]
    assert set(document["agent"]) <= KEYS["agent"]
    assert document["schema_version"] == "ATIF-v1.7"
    assert [step["step_id"] for step in document["steps"]] == list(range(1, len(ACTIONS) + 2))
    assert [step["source"] for step in document["steps"]] == ["user", *["agent"] * len(ACTIONS)]
    user, *acts = document["steps"]
    assert user["message"][0] == {"type": "text", "text": "Find the number"}
    shown = [(user["message"][1:], user["extra"])]
    for act, action in zip(acts, ACTIONS, strict=True):
        assert set(act) <= KEYS["step"]
        (call,) = act["tool_calls"]
        assert set(call) == KEYS["call"]
        assert action_from_dict({"kind": call["function_name"], **call["arguments"]}) == action
        assert act["timestamp"] == WALL
        (result,) = act["observation"]["results"]
        assert set(result) <= KEYS["result"]
        assert result["source_call_id"] == call["tool_call_id"]
        shown.append((result["content"], result["extra"]))
    for step, (content, extra) in zip(stored.steps, shown, strict=True):
        state = extra["waymark"]["state"]
        (picture,) = content
        assert picture["source"] == {"media_type": "image/png", "path": state["screenshot"]}
        assert (folder / state["screenshot"]).read_bytes() == stored.screenshot(step)
        assert (folder / state["tree"]).read_bytes() == stored.tree(step)
        assert state_from_dict(state) == step.state


def test_a_person_used_no_model_and_an_agent_says_what_it_thought_and_took(
    exported: tuple[Path, dict[str, Any]],
) -> None:
    person, run = (
        json.loads((exported[0] / name / "trajectory.json").read_bytes()) for name in ("t/g", "t/r0")
    )
    assert person["agent"] == {"name": "person", "version": "waymark 1.2"}
    assert all(step["llm_call_count"] == 0 and "metrics" not in step for step in person["steps"][1:])
    assert run["agent"] == {"name": "bot", "version": "waymark 1.2", "model_name": "m-1"}
    step = run["steps"][1]
    assert (step["message"], step["reasoning_content"]) == ("do 0", "I think")
    assert step["metrics"] == {
        "prompt_tokens": 100, "completion_tokens": 10, "cost_usd": 0.5, "extra": {"time_ms": 900},
    }  # fmt: skip
    assert set(run["final_metrics"]) <= KEYS["total"]
    assert run["final_metrics"]["total_prompt_tokens"] == 100
    assert run["final_metrics"]["extra"]["verdicts"] == {
        "outcome": "success", "rules": "success", "lin": "undecided",
    }  # fmt: skip
    judged = run["extra"]["waymark"]["judgements"]
    assert [(one["judge"], one["verdict"]) for one in judged] == [
        ("lin", "undecided"), ("rules", "success"), ("rules", "reached"),
    ]  # fmt: skip
    assert run["notes"] == "=a note"


def test_a_document_comes_in_again_with_all_that_an_import_keeps(
    exported: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    folder, stored = exported
    project = Project.create(tmp_path / "again")
    result = import_into(project, folder)
    assert result.format.id == "atif"
    assert result.losses == []
    (task,) = project.tasks
    assert (task.id, task.instruction, task.app, task.level) == ("t", "Find the number", "Shop", "easy")
    assert len(result.folders) == len(stored)
    for place in result.folders:
        again = open_trajectory(place)
        first = stored[again.header.extra["source_name"]]
        for key in ("kind", "episode", "outcome", "started", "software", "instruction"):
            assert getattr(again.header, key) == getattr(first.header, key)
        for one, other in zip(again.steps, first.steps, strict=True):
            assert (one.action, one.agent, one.t_ms, one.wall_time) == (
                other.action, other.agent, other.t_ms, other.wall_time,
            )  # fmt: skip
            assert (one.state.package, one.state.activity) == (other.state.package, other.state.activity)
            assert (again.screenshot(one), again.tree(one)) == (first.screenshot(other), first.tree(other))
        assert again.judgements().newest() == first.judgements().newest()


def test_what_people_wrote_of_a_step_and_its_node_come_back(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p")
    header = TrajectoryHeader("g", "t", GOLDEN, who="ann", note="by hand", apps={"com.shop": "1.2"})
    target = Target((0, 3), Rect(1, 2, 30, 40), ("text='Buy'", "#2"), {"text": "Buy"})
    with project.new_trajectory(header) as writer:
        state = State(package="com.shop", activity=".M", size=SCREEN)
        done = Step(0, 0, "", state, Tap(5, 5), target, "I tap *Buy*", "slow here", "to buy it")
        writer.append(done, png(SCREEN.width, SCREEN.height), dump(node("Other", "[0,0][60,60]")))
        writer.append(Step(1, 900, "", state), png(SCREEN.width, SCREEN.height, 7))
        writer.finish()
    result = export_project(project, "atif", tmp_path / "out")
    assert not result.losses
    back = Project.create(tmp_path / "q")
    (folder,) = import_into(back, tmp_path / "out").folders
    stored = open_trajectory(folder)
    first = stored.steps[0]
    assert (first.target, first.description, first.note, first.intention) == (
        target, "I tap *Buy*", "slow here", "to buy it",
    )  # fmt: skip
    assert (stored.header.who, stored.header.note, stored.header.apps) == (
        "ann",
        "by hand",
        {"com.shop": "1.2"},
    )
