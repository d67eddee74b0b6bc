"""AndroidControl lines: goals and actions, and screenshots where they are at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.exchange.formats.androidcontrol import action_from
from collector.exchange.imports.importing import import_into
from collector.model.action import (
    Action,
    Answer,
    Complete,
    Impossible,
    Invalid,
    Key,
    LongPress,
    OpenApp,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.episode import Episode, Outcome
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from tests.helpers.steps import png


@pytest.mark.parametrize(
    ("values", "action"),
    [
        ({"action": "click", "coordinate": [1.4, 2.6], "bbox": [0, 0, 4, 4]}, Tap(1, 3)),
        ({"action": "long_press", "coordinate": [1, 2]}, LongPress(1, 2)),
        ({"action": "swipe", "coordinate": [1, 2], "coordinate2": [3, 4]}, Swipe(1, 2, 3, 4)),
        ({"action": "type", "text": "你好"}, Type("你好", 2)),
        ({"action": "wait", "time": 2}, Wait(2000)),
        ({"action": "open", "text": "Shop"}, OpenApp(name="Shop")),
        ({"action": "answer", "text": "42"}, Answer("42")),
        ({"action": "system_button", "button": "Back"}, Key("back")),
        ({"action": "terminate", "status": "success"}, Complete()),
        ({"action": "terminate", "status": "failure"}, Impossible()),
    ],
)
def test_each_kind_becomes_its_action(values: dict[str, object], action: Action) -> None:
    assert action_from(values) == action


def episode(*contents: object, **values: object) -> str:
    steps = [
        {"action_content": content, "screenshot": f"/data/images/5_{number}.png"}
        for number, content in enumerate(contents)
    ]
    return json.dumps({"goal": "Buy bread", "is_successful": True, "steps": steps, **values})


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(tmp_path / "project")


def test_screenshots_are_found_by_name_and_odd_actions_said(project: Project, tmp_path: Path) -> None:
    source = tmp_path / "source"
    for place in ("images", "other"):
        (source / place).mkdir(parents=True)
    (source / "images/5_0.png").write_bytes(png(shade=3))
    for place in ("images", "other"):
        (source / place / "5_1.png").write_bytes(png(shade=7))
    tap = {"action": "click", "coordinate": [1, 2]}
    odd = (
        {"action": "fly"},
        {"action": "click", "coordinate": 3},
        5,
        {"action": "system_button", "button": "Up"},
    )
    (source / "lines.jsonl").write_text(
        f"{episode(tap, *odd)}\nnothing\n{episode(tap, is_successful=False)}\n"
    )
    result = import_into(project, source)
    first, second = (open_trajectory(folder) for folder in result.folders)
    assert result.format.id == "androidcontrol"
    assert stored_pictures(first) == [png(shade=3), None, None, None, None]
    assert (first.trajectory.actions, first.header.instruction) == ((Tap(1, 2),), "Buy bread")
    assert [first.header.kind, second.header.kind] == ["golden", "run"]
    output = {finding.code: finding for finding in result.findings}
    assert {"action-unknown", "line-unreadable", "no-trees"} <= set(output)
    unknown = [
        step for finding in result.findings if finding.code == "action-unknown" for step in finding.steps
    ]
    assert unknown == ["1", "2", "3", "4"]


def stored_pictures(stored: StoredTrajectory) -> list[bytes | None]:
    return [stored.screenshot(step) for step in stored.steps]


def test_lines_of_an_agent_keep_what_it_said_unreadably_as_invalid_actions(
    project: Project, tmp_path: Path
) -> None:
    odd, done = {"action": "fly", "to": "é"}, {"action": "terminate", "status": "success"}
    lines = [episode(odd, "so", done, agent="GUI-Owl", model="7B"), episode(odd, is_successful=False)]
    (tmp_path / "lines.jsonl").write_text("\n".join(lines))
    result = import_into(project, tmp_path / "lines.jsonl")
    first, second = (open_trajectory(folder) for folder in result.folders)
    assert first.header.episode == Episode(agent="GUI-Owl", model="7B")
    assert first.header.outcome == Outcome(status="success", claimed="complete")
    assert second.header.outcome == Outcome(status="failure")
    raws = [action.raw if isinstance(action, Invalid) else action for action in first.trajectory.actions]
    assert raws == ['{"action": "fly", "to": "é"}', "so", Complete()]
