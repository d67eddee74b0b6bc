"""Every version of every format ever written still opens; one from the future is refused, untouched."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from collector.model.action import ACTIONS, Type, Wait
from collector.store import format_versions as versions
from collector.store.annotations import read_annotations
from collector.store.check import check_project
from collector.store.errors import FromTheFuture
from collector.store.format_versions import FileFormat
from collector.store.project import Project
from collector.store.reader import open_trajectory
from collector.store.writer import TrajectoryWriter

HERE = Path(__file__).parent
FORMATS = (versions.PROJECT, versions.TASKS, versions.TRAJECTORY, versions.ANNOTATIONS)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return Path(shutil.copytree(HERE / "project-1", tmp_path / "project"))


def test_every_version_has_its_sample() -> None:
    for file_format in FORMATS:
        for version in range(1, file_format.version + 1):
            assert (HERE / f"project-{version}").is_dir(), file_format.name


def test_version_1_opens_and_says_what_it_said(sample: Path) -> None:
    project = Project.open(sample)
    task = project.tasks[0]
    assert (task.id, task.essential_states, task.extra) == ("shop-1", ("Poster in the cart",), {"lab": 4})
    stored = open_trajectory(next(project.trajectory_folders()))
    assert not stored.problems
    assert (stored.header.seed, stored.header.duration_ms, stored.header.extra) == (
        7,
        1400,
        {"later": "kept"},
    )
    actions = stored.trajectory.actions
    assert {action.kind for action in actions} == set(ACTIONS) - {"wait"}
    assert Type("海报 é", 4) in actions
    assert stored.steps[0].note == "先打开"
    assert stored.steps[2].extra == {"thermal": "hot"}
    secure = next(step for step in stored.steps if step.state.secure)
    assert (stored.screenshot(secure), secure.redacted) == (None, True)
    assert [event["kind"] for event in stored.events()] == ["pause", "resume"]
    output = read_annotations(stored.folder, "ann")
    assert output is not None
    assert output["review"] == "submitted"
    assert check_project(project) == []


def test_version_1_can_still_be_edited_and_undone(sample: Path) -> None:
    with TrajectoryWriter.open(next(Project.open(sample).trajectory_folders())) as writer:
        assert (writer.undo_title, writer.redo_title) == ("delete step 12", "insert step 12")
        writer.undo()
        assert Wait(1500) in [step.action for step in writer.steps]
        while writer.undo():
            pass
        # What was recorded before the file was opened stays.
        assert len(writer) == 15
        assert writer.undo_title == ""


@pytest.mark.parametrize("name", ["project.yaml", "tasks.yaml"])
def test_a_project_from_the_future_is_refused(sample: Path, name: str) -> None:
    path = sample / name
    path.write_text(path.read_text(encoding="utf-8").replace("version: 1", "version: 1000"), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(FromTheFuture, match="version 1000 and this program knows up to"):
        Project.open(sample)
    assert path.read_bytes() == before


def test_a_trajectory_from_the_future_is_refused_for_reading_and_writing(sample: Path) -> None:
    folder = next(Project.open(sample).trajectory_folders())
    path = folder / "trajectory.json"
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "version": 1000}))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for action in (open_trajectory, TrajectoryWriter.open):
        with pytest.raises(FromTheFuture, match="Update Waymark Studio"):
            action(folder)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_upgrades_are_applied_one_after_the_other() -> None:
    chained = FileFormat(
        "waymark-test",
        3,
        {
            1: lambda document: {**document, "b": document["a"] + 1},
            2: lambda document: {**document, "c": document["b"] + 1},
        },
    )
    assert chained.upgrade({"format": "waymark-test", "version": 1, "a": 1}, "x") == {
        "format": "waymark-test", "version": 3, "a": 1, "b": 2, "c": 3,
    }  # fmt: skip
    assert "b" not in chained.upgrade({"version": 3}, "x")
