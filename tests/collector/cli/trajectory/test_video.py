"""``waymark trajectory video`` says what the video beside the steps holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.model.task import Task
from collector.recording.edits.split_and_join import SplitTrajectory
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.store.video.recorded_video import video_parts
from tests.helpers.recorder_rig import BUY, SECRET
from tests.helpers.tasks import put_task
from tests.helpers.video_rig import VideoRig


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project.create(tmp_path / "project")
    put_task(project, Task("task", "Buy a mug"))
    return project


def record(project: Project, *, hides: bool = False) -> Path:
    rig = VideoRig(project.paths.trajectories / "task")
    rig.screen(10, BUY)
    rig.play(1000)
    rig.tap_and_play(2000)
    if hides:
        rig.screen(20, SECRET)
        rig.recorder.text("hunter2")
        rig.play(3000)
        rig.screen(30, BUY)
    rig.tap_and_play(3000)
    rig.tap_and_play(1000)
    rig.finish()
    return rig.writer.folder


def test_length_and_chapters_are_said(project, capsys, monkeypatch):
    folder = record(project, hides=True)
    monkeypatch.chdir(project.folder)
    assert main(["trajectory", "video", "one", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    (part,) = said["parts"]
    (stored,) = video_parts(open_trajectory(folder).header)
    assert Path(part["path"]).resolve() == folder / "video.mkv"
    assert part["length_ms"] == stored.length_ms
    assert part["left_out"] == [list(interval) for interval in stored.left_out]
    assert [chapter["title"][:2] for chapter in part["chapters"]] == ["1.", "2.", "3.", "4."]
    assert main(["trajectory", "video", "one"]) == 0
    text = capsys.readouterr().out
    assert "video.mkv: 0:" in text
    assert "left out: 0:" in text
    assert "1. Tap 'Buy' (not in the video)" in text


def test_a_recording_without_one_says_how_to_make_one(project, capsys, monkeypatch):
    rig = VideoRig(project.paths.trajectories / "task")
    rig.close()
    monkeypatch.chdir(project.folder)
    assert main(["trajectory", "video", "one"]) != 0
    assert "waymark record --video" in capsys.readouterr().err


def test_a_split_trajectory_leaves_its_video_in_the_trash(project):
    folder = record(project)
    edit = SplitTrajectory(project, folder, "lin", 1)
    assert "The video stays with it in the trash" in edit.plan().notes
    edit.make()
    made = [open_trajectory(place) for place in project.trajectory_folders()]
    assert len(made) == 2
    assert not any(video_parts(stored.header) for stored in made)
    assert not any(list(stored.folder.glob("*.mkv")) for stored in made)
    assert len(list(project.folder.rglob("video.mkv"))) == 1
