"""The copy of the sample project: one for all who ask at once, and never half of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from collector.model.errors import UserError
from collector.model.resources import asset
from collector.store.files.layout import is_project
from collector.store.project import sample_project
from collector.store.project.project import Project
from collector.store.project.sample_project import SampleCopy, open_sample_copy
from collector.store.project.trajectory_changes import delete_trajectory


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A sample of two trajectories, and the folder that its copy goes to."""
    small = Project.create(tmp_path / "assets").folder
    for name in ("home-01", "todo-04"):
        shutil.copytree(
            asset("sample") / "trajectories" / name / f"{name}-lin",
            small / "trajectories" / name / f"{name}-lin",
        )
    monkeypatch.setattr(sample_project, "asset", lambda _name: small)
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "data"


def test_all_who_ask_at_once_get_one_whole_copy(data: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        copies = [call.result() for call in [threads.submit(open_sample_copy) for _ in range(8)]]
    assert set(copies) == {SampleCopy(data / "sample")}
    files = [path.relative_to(tmp_path / "assets") for path in (tmp_path / "assets").rglob("*.xml")]
    assert files
    assert all((data / "sample" / path).is_file() for path in files)
    assert sorted(path.name for path in data.iterdir()) == ["sample", "sample.lock"]


def test_a_half_copy_is_made_anew_and_what_is_no_project_is_put_aside(data: Path) -> None:
    (data / "sample.new" / "trajectories").mkdir(parents=True)
    (data / "sample").mkdir()
    (data / "sample" / "own.txt").write_text("mine")
    assert open_sample_copy() == SampleCopy(data / "sample", data / "sample-1")
    assert is_project(data / "sample")
    assert (data / "sample-1" / "own.txt").read_text() == "mine"
    assert not (data / "sample.new").exists()


def test_a_part_of_a_copy_is_no_sample_and_what_a_person_deleted_is_none(data: Path) -> None:
    sample = open_sample_copy().folder
    project = Project.open(sample)
    delete_trajectory(project, sample / "trajectories" / "home-01" / "home-01-lin")
    assert open_sample_copy() == SampleCopy(sample)
    (sample / "trajectories" / "todo-04" / "todo-04-lin" / "steps.jsonl").unlink()
    assert open_sample_copy() == SampleCopy(sample, data / "sample-1")
    assert (sample / "trajectories" / "todo-04" / "todo-04-lin" / "steps.jsonl").is_file()
    (sample / "tasks.yaml").unlink()
    assert open_sample_copy().put_aside == data / "sample-2"
    assert open_sample_copy() == SampleCopy(sample)


def test_a_copy_that_was_ended_by_force_is_made_by_the_next_process(data: Path) -> None:
    code = (
        "import os, shutil\n"
        "from collector.store.project import sample_project\n"
        "copied = shutil.copytree\n"
        "def half(*places, **more):\n"
        "    copied(*places, **more)\n"
        "    os.kill(os.getpid(), 9)\n"
        "shutil.copytree = half\n"
        "sample_project.open_sample_copy()\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert not (data / "sample").exists()
    assert (data / "sample.new").exists()
    assert is_project(open_sample_copy().folder)


def test_errors_of_many_files_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def copytree(*_places: Path, **_more: object) -> None:
        raise shutil.Error([("a", "b", "No space left on device"), ("c", "d", "No space left on device")])

    monkeypatch.setattr(shutil, "copytree", copytree)
    with pytest.raises(UserError, match=r"could not be copied\. No space left on device\. Check that"):
        open_sample_copy()
