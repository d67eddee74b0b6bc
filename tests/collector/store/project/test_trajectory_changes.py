"""Whole trajectories are deleted, restored, renamed and copied, and every change can be undone."""

from __future__ import annotations

import json

import pytest

from collector.cli.main import main
from collector.model.action import Complete, Tap
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.checks.check import check_project
from collector.store.files.errors import Locked, NotFound, StoreError
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import (
    apply_change,
    delete_trajectory,
    duplicate_trajectory,
    empty_trash,
    rename_trajectory,
    restore_trajectory,
    trashed_trajectories,
)
from collector.store.tasks.task_ids import with_duplicate
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.steps import png, step


@pytest.fixture
def project(tmp_path):
    """Two tasks; ``first`` and ``second`` are trajectories of ``shop-1``."""
    project = Project.create(tmp_path / "benchmark")
    project.save_tasks([Task("shop-1", "Buy a lamp", level="easy"), Task("shop-2", "Buy a chair")])
    for name in ("first", "second"):
        with project.new_trajectory(TrajectoryHeader(name, "shop-1", who="lin")) as writer:
            writer.append(step(0, Tap(1, 2)), png(), b"<hierarchy/>")
            writer.append(step(1, Complete()), png(), b"<hierarchy/>")
            writer.finish()
    return project


def _ids(project):
    return [folder.name for folder in project.trajectory_folders()]


def _bytes(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_deleted_trajectory_comes_back_as_it_was(project):
    folder = project.find("first")
    before = _bytes(folder)
    change = delete_trajectory(project, folder)
    assert _ids(project) == ["second"]
    assert check_project(project) == []
    apply_change(change.reversed)
    assert _bytes(folder) == before
    delete_trajectory(project, folder)
    assert restore_trajectory(project, "shop-1/first") == folder
    assert _bytes(folder) == before
    assert trashed_trajectories(project) == []


def test_two_deleted_trajectories_of_one_id_are_kept_apart(project):
    for _time in range(2):
        folder = project.find("first")
        duplicate_trajectory(project, folder, "third")
        delete_trajectory(project, folder)
        rename_trajectory(project, project.find("third"), "first")
    assert [folder.name for folder in trashed_trajectories(project)] == ["first", "first-2"]
    with pytest.raises(NotFound, match="several"):
        restore_trajectory(project, "first")
    delete_trajectory(project, project.find("first"))
    restored = restore_trajectory(project, "shop-1/first-2")
    assert restored.name == open_trajectory(restored).header.id == "first"
    assert empty_trash(project) == 2
    assert trashed_trajectories(project) == []
    assert check_project(project) == []


def test_a_renamed_trajectory_has_its_new_id_in_folder_and_header(project):
    change = rename_trajectory(project, project.find("first"), "best")
    stored = open_trajectory(project.find("best"))
    assert (stored.header.id, stored.header.who, len(stored.steps)) == ("best", "lin", 2)
    assert check_project(project) == []
    apply_change(change.reversed)
    assert open_trajectory(project.find("first")).header.id == "first"
    assert check_project(project) == []


@pytest.mark.parametrize("name", ["second", "SECOND", "", " ", "a/b", "..", ".hidden", "con"])
def test_an_id_that_cannot_name_a_folder_changes_nothing(project, name):
    with pytest.raises(StoreError):
        rename_trajectory(project, project.find("first"), name)
    assert _ids(project) == ["first", "second"]


def test_a_copy_has_all_files_and_leaves_the_original(project):
    folder = project.find("first")
    before = _bytes(folder)
    change = duplicate_trajectory(project, folder)
    assert _bytes(folder) == before
    assert open_trajectory(change.after).steps == open_trajectory(folder).steps
    assert check_project(project) == []
    apply_change(change.reversed)
    assert _ids(project) == ["first", "second"]
    apply_change(change)
    assert len(_ids(project)) == 3
    assert list(project.paths.import_folder.iterdir()) == []


def test_what_is_being_written_stays(project):
    writer = project.new_trajectory(TrajectoryHeader("live", "shop-2"))
    for change in (delete_trajectory, lambda project, folder: rename_trajectory(project, folder, "other")):
        with pytest.raises(Locked):
            change(project, writer.folder)
    writer.append(step(0, Tap(1, 2)), png(), b"<hierarchy/>")
    writer.close()
    assert len(open_trajectory(project.find("live")).steps) == 1


def test_nothing_outside_the_project_is_moved(project, tmp_path):
    other = Project.create(tmp_path / "other")
    other.save_tasks([Task("shop-1", "x")])
    outside = duplicate_trajectory(project, project.find("first"), "away").after
    target = other.paths.trajectories_of("shop-1")
    target.mkdir(parents=True)
    outside.rename(target / "away")
    link = project.paths.trajectories_of("shop-1") / "linked"
    link.symlink_to(target / "away", target_is_directory=True)
    for folder in (target / "away", link):
        with pytest.raises(StoreError, match="not a trajectory of this project"):
            delete_trajectory(project, folder)
    assert (target / "away").is_dir()


def test_a_task_is_copied_behind_itself(project):
    tasks, copy = with_duplicate(project.tasks, "shop-1")
    assert [task.id for task in tasks] == ["shop-1", copy.id, "shop-2"]
    assert copy.id.startswith("shop-1-")
    assert (copy.instruction, copy.level) == ("Buy a lamp", "easy")
    with pytest.raises(StoreError, match="already"):
        with_duplicate(project.tasks, "shop-1", "shop-2")


def test_the_command_line_deletes_restores_renames_and_copies(project, capsys):
    folder = str(project.folder)

    def run(*arguments):
        status = main([*arguments])
        return status, capsys.readouterr().out

    assert run("trajectory", "delete", "first", "nowhere", "--project", folder)[0] == 1
    assert _ids(project) == ["first", "second"]
    assert run("trajectory", "delete", "first", "second", "--project", folder)[0] == 0
    assert _ids(project) == []
    assert run("trajectory", "restore", "--project", folder) == (0, "shop-1/first\nshop-1/second\n")
    assert run("trajectory", "restore", "first", "--project", folder)[0] == 0
    assert run("trajectory", "rename", "first", "best", "--project", folder)[0] == 0
    status, text = run("trajectory", "duplicate", "best", "copy", "--project", folder, "--json")
    assert (status, json.loads(text)["trajectory"]) == (0, "trajectories/shop-1/copy")
    assert _ids(project) == ["best", "copy"]
    assert run("project", "empty-trash", folder, "--yes") == (0, "1 trajectory deleted\n")
    status, text = run("project", "duplicate-task", "shop-2", "--project", folder, "--json")
    made = json.loads(text)["task"]["id"]
    assert (status, made[:7]) == (0, "shop-2-")
    assert [task.id for task in Project.open(project.folder).tasks] == ["shop-1", "shop-2", made]
