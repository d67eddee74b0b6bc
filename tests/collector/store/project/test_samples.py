"""The samples to start from: each is whole, and has results to look at that are those of its tasks now."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from collector.metrics.loading import load_episodes
from collector.model.errors import UserError
from collector.project_check.project_check import check_every_file
from collector.store.files.layout import ProjectPaths, is_project
from collector.store.project.project import Project
from collector.store.project.sample_project import create_from_sample, open_sample_copy, sample_in
from collector.store.project.samples import ESSENTIAL_STATES, ROBUSTNESS, SAMPLES, VARIATIONS, SampleProject
from collector.store.trajectory.reader import read_header

PARTS = [sample for sample in SAMPLES.values() if not sample.is_whole]
EPISODES = {ROBUSTNESS.id: 27, ESSENTIAL_STATES.id: 27, VARIATIONS.id: 32}

FOLDERS = {"experiments", "judges", "rules", "trajectories"}


@pytest.mark.parametrize("sample", PARTS, ids=[sample.id for sample in PARTS])
def test_a_sample_is_whole_and_its_numbers_are_of_now(sample: SampleProject, tmp_path: Path) -> None:
    project = create_from_sample(tmp_path / "begun", sample)
    assert check_every_file(project) == []
    assert {task.id for task in project.tasks} == sample.tasks
    assert {read_header(folder).task_id for folder in project.trajectory_folders()} == sample.tasks
    episodes = load_episodes(project)
    assert len(episodes.keys) == EPISODES[sample.id]
    assert 0 < episodes.is_success.sum() < len(episodes.keys)
    assert not episodes.stale.any()
    assert project.name == "begun"
    folders = {path.name for path in project.folder.iterdir() if path.is_dir()}
    assert folders >= FOLDERS
    assert ({"definitions", "proposals", "audits"} <= folders) == (sample is not VARIATIONS)
    assert ProjectPaths(project.folder).rule_file("injection").is_file() == (sample is not VARIATIONS)


def test_a_sample_fills_an_empty_folder_and_touches_no_other(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert create_from_sample(empty, VARIATIONS).name == "empty"
    with pytest.raises(UserError, match="There is a project"):
        create_from_sample(empty, VARIATIONS)
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_an_interrupted_copy_is_no_project(tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from collector.store.project import sample_project\n"
        "sample_project.cut_down = lambda *_: os.kill(os.getpid(), 9)\n"
        "sample_project.create_from_sample(Path(sys.argv[1]), sample_project.SAMPLES['variations'])\n"
    )
    target = tmp_path / "cut"
    assert subprocess.run([sys.executable, "-c", code, target], check=False).returncode == -9
    assert not target.exists()
    assert is_project(create_from_sample(target, VARIATIONS).folder)


def test_a_person_has_one_copy_of_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WAYMARK_HOME", os.fspath(tmp_path))
    folder = open_sample_copy(VARIATIONS).folder
    (folder / "mine.txt").write_text("mine")
    assert open_sample_copy(VARIATIONS).folder == folder
    assert (folder / "mine.txt").is_file()
    assert sample_in(folder) is VARIATIONS
    assert sample_in(tmp_path) is None
    assert Project.open(folder).name == VARIATIONS.id
