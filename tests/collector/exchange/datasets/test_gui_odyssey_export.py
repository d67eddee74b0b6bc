"""An export as GUI-Odyssey: an episode for each trajectory, with the keys of its introduction."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from collector.exchange.exports.exporting import export_project
from collector.model.action import (
    Action,
    Answer,
    Complete,
    Drag,
    Impossible,
    Key,
    OpenApp,
    Scroll,
    Swipe,
    Tap,
    Type,
)
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import State, TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml
from tests.helpers.viewed_project import viewed_project, viewed_trajectories

ACTIONS: tuple[Action | None, ...] = (
    Tap(20, 80), Swipe(20, 80, 20, 40), Scroll(20, 40, "down"), Key("recents"), Type("bread", 5),
    Drag(0, 0, 39, 79), OpenApp("com.shop", "Shop"), Answer("42"), Impossible("no shop"), None,
)  # fmt: skip


def test_words_and_places_are_those_that_its_scripts_read(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("t", "Buy it", app="Shop, Maps", category="Multi_Apps")])
    device = {"model": "Pixel 8", "sdk": "34", "android": "14"}
    with project.new_trajectory(TrajectoryHeader("g", "t", device=device)) as writer:
        for index, action in enumerate(ACTIONS):
            state = State(size=Size(80, 160))  # the mirror sent half of it
            each = replace(step(index, index=index, state=state), action=action)
            writer.append(each, png(40, 80, index), None)
        writer.finish()
    result = export_project(project, "gui-odyssey", tmp_path / "out")
    episode = json.loads((result.path / "annotations" / "t_g.json").read_bytes())
    assert (episode["episode_id"], episode["step_length"]) == ("t_g.json", len(ACTIONS))
    assert episode["device_info"] == {
        "product": "", "release_version": "14", "sdk_version": "34", "device_name": "Pixel 8", "h": 80,
        "w": 40,
    }  # fmt: skip
    assert episode["task_info"] == {
        "category": "Multi_Apps", "app": ["Shop", "Maps"], "meta_task": "Buy it", "task": "Buy it",
        "instruction": "Buy it",
    }  # fmt: skip
    assert [(one["action"], one["info"]) for one in episode["steps"]] == [
        ("CLICK", [[250, 500]]), ("SCROLL", [[250, 500], [250, 250]]), ("SCROLL", [[250, 500], [250, 12]]),
        ("CLICK", "KEY_APPSELECT"), ("TEXT", "bread"), ("SCROLL", [[0, 0], [500, 500]]), ("OPEN_APP", ""),
        ("COMPLETE", ""), ("INCOMPLETE", ""), ("COMPLETE", ""),
    ]  # fmt: skip
    assert [one["ps"] for one in episode["steps"]][-3:] == ["42", "no shop", ""]
    lost = {finding.code: list(finding.steps) for finding in result.losses}
    assert lost["action-unknown-there"] == ["6"]
    assert (lost["drag-as-scroll"], lost["answer-kept"]) == (["5"], ["7"])
    assert [finding.code for finding in result.findings if finding.severity == "note"] == ["completed"]


def test_pictures_are_copied_and_named_by_their_steps(tmp_path: Path) -> None:
    project = viewed_project(tmp_path / "p")
    result = export_project(project, "gui-odyssey", tmp_path / "out")
    assert "trees-lost" in {finding.code for finding in result.losses}
    for name, stored in viewed_trajectories(project).items():
        annotation = result.path / "annotations" / f"{name.replace('/', '_')}.json"
        steps = json.loads(annotation.read_bytes())["steps"]
        shown = [(result.path / "screenshots" / one["screenshot"]).read_bytes() for one in steps]
        assert shown == [stored.screenshot(each) for each in stored.steps]


def test_an_app_that_is_opened_by_its_name_is_touched_where_it_is_shown(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    with project.new_trajectory(TrajectoryHeader("g", "t")) as writer:
        state = State(size=Size(80, 160))
        opening = step(0, OpenApp("com.shop", "Shop"), state=state)
        writer.append(opening, png(40, 80), xml("Shop", "[20,40][60,80]"))
        writer.append(step(1, Complete(), index=1), png(40, 80, 1), xml("Shop"))
        writer.finish()
    result = export_project(project, "gui-odyssey", tmp_path / "out")
    first = json.loads((result.path / "annotations" / "t_g.json").read_bytes())["steps"][0]
    assert (first["action"], first["info"]) == ("CLICK", [[500, 375]])
    assert [one.steps for one in result.losses if one.code == "app-touched"] == [("0",)]
