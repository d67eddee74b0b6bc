"""Links that lead out of a project: nothing behind them is read, emptied or written; each is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from collector.model.trajectory import TrajectoryHeader
from collector.store.catalogue.catalogue import Catalogue
from collector.store.checks.check import check_project
from collector.store.files import layout, lock
from collector.store.files.disk import Disk
from collector.store.files.errors import StoreError, UnsafePath
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.recover import clear_unbegun, recover, recover_all
from collector.store.trajectory.reviews.annotations import read_annotations, write_annotations
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

SECRET = b'{"kind":"secret"}\nsecret without an end'


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_bytes(SECRET)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Project:
    created = Project.create(tmp_path / "p")
    with created.new_trajectory(TrajectoryHeader("t", "one")) as writer:
        writer.append(step(1), png(), xml())
        writer.append(step(2), png(), xml())
        writer.finish()
    write_annotations(writer.folder, "me", {"verdict": "good"})
    return created


def put_link(path: Path, target: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def write_to(folder: Path) -> None:
    with TrajectoryWriter.open(folder, take_over=True, reserve=True) as writer:
        writer.append(step(3), png(), xml())
        writer.event("note", 5)
        writer.delete(0)
        write_annotations(folder, "me", {"verdict": "bad"})


USES: tuple[Callable[[Path], object], ...] = (
    write_to,
    recover,
    lambda folder: recover_all([folder]),
    lambda folder: open_trajectory(folder).events(),
    lambda folder: open_trajectory(folder).annotations(),
    lambda folder: read_annotations(folder, "me"),
    lambda folder: write_annotations(folder, "me", {"verdict": "bad"}),
    lambda folder: lock.acquire(folder, take_over=True).release(),
    lock.holder_of,
    lock.is_live,
)


@pytest.mark.parametrize(
    "name", [*layout.TRAJECTORY_ENTRIES, lock.LOCK_NAME, ".reserve", "annotations/me.json"]
)
def test_no_link_in_a_trajectory_reaches_outside(project: Project, outside: Path, name: str) -> None:
    folder = project.find("t")
    put_link(folder / name, outside if "." not in name else outside / "secret")
    refused = []
    for use in USES:
        try:
            use(folder)
        except StoreError as error:
            refused.append(error)
    assert all(isinstance(error, UnsafePath) and str(outside) in str(error) for error in refused)
    assert refused or name == ".reserve"  # which a writer removes, the link and not its target
    assert contents(outside) == {"secret": SECRET}
    with Catalogue(project) as catalogue:
        catalogue.refresh()
    findings = check_project(project)
    if name in (*layout.TRAJECTORY_ENTRIES, lock.LOCK_NAME):
        assert any(finding.code == "link" and name in finding.what for finding in findings)


@pytest.mark.parametrize(
    "name",
    [layout.TASKS_FILE, "rules", "rules/injection.yaml", "variations", "variations/a.yaml",
     "anomalies/library.yaml", ".cache", "trajectories", ".cache/catalogue.db"],
)  # fmt: skip
def test_a_project_whose_files_lie_outside_is_refused_by_name(
    project: Project, outside: Path, name: str
) -> None:
    put_link(project.folder / name, outside if "." not in name[1:] else outside / "secret")
    with pytest.raises(UnsafePath, match=rf"^{name} is a link and is not followed: it leads to "):
        Project.open(project.folder)
    assert contents(outside) == {"secret": SECRET}


def test_a_link_that_stays_in_the_project_is_followed(project: Project) -> None:
    shared = project.folder / "rules" / "shared.yml"
    shared.parent.mkdir(exist_ok=True)
    shared.write_text("rules: []\n")
    project.paths.rule_file("injection").symlink_to("shared.yml")
    assert Project.open(project.folder).paths.rule_files()


def test_folders_of_trajectories_outside_are_left_out_and_named(project: Project, outside: Path) -> None:
    (outside / "empty").mkdir()
    (project.paths.trajectories / "two").symlink_to(outside)
    (project.paths.trajectories / "one" / "u").symlink_to(outside / "empty")
    assert [folder.name for folder in project.trajectory_folders()] == ["t"]
    assert [folder.name for folder in project.task_folders()] == ["one"]
    assert clear_unbegun([*project.task_folders(), project.paths.trajectories]) == []
    with pytest.raises(UnsafePath, match="trajectories/two is a link"):
        project.new_trajectory(TrajectoryHeader("v", "two"))
    named = {finding.where for finding in check_project(project) if finding.code == "link"}
    assert named == {"trajectories/two", "trajectories/one/u"}
    assert sorted(path.name for path in outside.iterdir()) == ["empty", "secret"]


def test_a_file_that_does_not_read_back_does_not_replace_the_old_one(tmp_path: Path) -> None:
    class Forgetful(Disk):
        def _append(self, path: Path, data: bytes) -> None:
            super()._append(path, data[:-1] + b"?")

    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(StoreError, match="does not give back what was written"):
        Forgetful().write(path, b"new")
    assert contents(tmp_path) == {"file": b"old"}
