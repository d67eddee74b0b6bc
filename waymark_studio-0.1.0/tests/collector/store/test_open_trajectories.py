"""A project's trajectories are handed over one by one, and one that is damaged does not stop the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.files.errors import StoreError
from collector.store.files.layout import HEADER
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml


@pytest.fixture
def project(tmp_path: Path) -> Project:
    created = Project.create(tmp_path / "p")
    created.save_tasks([Task("shop-1", "Find"), Task("chat-1", "Say")])
    for number, task in enumerate(("shop-1", "shop-1", "chat-1", "chat-1")):
        with created.new_trajectory(TrajectoryHeader(f"t{number}", task)) as writer:
            for at in range(number):
                writer.append(step(at), png(), xml(f"Screen {at}"))
            writer.finish()
    return created


def test_states_come_with_their_dumps_and_the_files_of_their_screenshots(project: Project) -> None:
    trajectories = list(project.open_trajectories())
    assert [(trajectory.header.id, len(trajectory.steps)) for trajectory in trajectories] == [
        ("t2", 2),
        ("t3", 3),
        ("t1", 1),
    ]
    last = trajectories[0].steps[-1]
    assert trajectories[0].tree(last) == xml("Screen 1")
    assert trajectories[0].screenshot(last) == png()


def test_one_task_alone_can_be_asked_for(project: Project) -> None:
    assert [trajectory.header.id for trajectory in project.open_trajectories(task_id="chat-1")] == [
        "t2",
        "t3",
    ]


def test_a_damaged_trajectory_is_told_and_passed_over(project: Project) -> None:
    broken = project.find("t2")
    (broken / HEADER).write_text("{")
    reported: list[tuple[Path, StoreError]] = []
    trajectories = project.open_trajectories(on_error=lambda folder, error: reported.append((folder, error)))
    assert [trajectory.header.id for trajectory in trajectories] == ["t3", "t1"]
    assert [folder for folder, _error in reported] == [broken]


def test_trajectories_are_opened_as_they_are_reached(project: Project) -> None:
    """So that a large project can be given up on after its first trajectory."""
    trajectories = project.open_trajectories()
    assert next(trajectories).header.id == "t2"
    (project.find("t3") / HEADER).unlink()
    assert [trajectory.header.id for trajectory in trajectories] in (["t1"], ["t3", "t1"])
