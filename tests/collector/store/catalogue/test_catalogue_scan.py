"""A large project is compared with its catalogue by few system calls, and every change is noticed."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from collector.model.trajectory import RECORDING, TrajectoryHeader
from collector.store.catalogue import catalogue_scan
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files import layout
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.recover import recover
from collector.store.trajectory.reviews.annotations import write_annotations
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

_TASKS = ("a", "b")
_PER_TASK = 6


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project that counts as large, whose folders are an hour old."""
    monkeypatch.setattr(catalogue_scan, "SMALL", 0)
    monkeypatch.setattr(catalogue_scan, "NEWEST", 1)
    monkeypatch.setattr(catalogue_scan, "SLICE", 2)
    created = Project.create(tmp_path / "p")
    for task in _TASKS:
        for number in range(_PER_TASK):
            header = TrajectoryHeader(f"{task}{number}", task, started=f"2026-04-1{number}")
            with TrajectoryWriter.create(created.paths.trajectories_of(task), header) as writer:
                writer.append(step(0, description=f"Tap {task}{number}"), png(), xml())
                writer.finish()
    _age(created.folder)
    with Catalogue(created) as catalogue:
        assert catalogue.refresh() == len(_TASKS) * _PER_TASK
    return created


def _age(folder: Path) -> None:
    """Make every folder an hour old, as one that rests is; no file's time changes."""
    for path in (folder, *folder.rglob("*")):
        if path.is_dir():
            status = path.stat()
            hour_ns = 3600 * 10**9
            if status.st_mtime_ns > _old_limit():
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - hour_ns))


def _old_limit() -> int:
    import time

    return time.time_ns() - 1800 * 10**9


def _reword(project: Project) -> None:
    with TrajectoryWriter.open(project.find("a0")) as writer:
        writer.reword(0, note="fresh words")


def _replace_header(project: Project) -> None:
    """As git, rsync and most editors do: a new file takes the place of the old one."""
    path = project.find("a0") / layout.HEADER
    new = path.with_name("new")
    new.write_text(json.dumps({**json.loads(path.read_bytes()), "note": "fresh words"}))
    new.replace(path)


def _annotate(project: Project) -> None:
    write_annotations(project.find("a0"), "ann", {"review": "approved"})


def _annotate_again(project: Project) -> None:
    _annotate(project)
    with Catalogue(project) as catalogue:
        catalogue.refresh()
    _age(project.folder)
    write_annotations(project.find("a0"), "ann", {"review": "rejected"})


def _copy(project: Project) -> None:
    shutil.copytree(project.find("a0"), project.paths.trajectories_of("a") / "a9")


def _new_task(project: Project) -> None:
    shutil.copytree(project.paths.trajectories_of("a"), project.paths.trajectories_of("c"))


@pytest.mark.parametrize(
    ("change", "read"),
    [
        (_reword, 1),
        (_replace_header, 1),
        (_annotate, 1),
        (_annotate_again, 1),
        (_copy, 1),
        (_new_task, _PER_TASK),
    ],
)
def test_a_change_is_noticed_at_once(project: Project, change: Callable[[Project], None], read: int) -> None:
    change(project)
    with Catalogue(project) as catalogue:
        assert catalogue.refresh() == read
        _age(project.folder)
        catalogue.refresh()
        assert catalogue.refresh() == 0
        assert catalogue.count() == len(list(project.trajectory_folders()))


def test_what_is_removed_is_gone(project: Project) -> None:
    shutil.rmtree(project.find("a0"))
    shutil.rmtree(project.paths.trajectories_of("b"))
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        assert {row.id for row in catalogue.find()} == {f"a{number}" for number in range(1, _PER_TASK)}


def test_a_trajectory_without_its_header_is_left_out_and_comes_back(project: Project) -> None:
    header = project.find("a0") / layout.HEADER
    away = header.rename(project.folder / "away")
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        assert not catalogue.count("task:a text:a0")
        _age(project.folder)
        away.rename(header)
        _age(project.folder)
        catalogue.refresh()
        assert catalogue.count("task:a text:a0") == 1


def test_a_recording_is_followed_step_by_step(project: Project) -> None:
    writer = project.new_trajectory(TrajectoryHeader("new", "a", started="2020"))
    with Catalogue(project) as catalogue:
        for count in (1, 2, 3):
            writer.append(step(count), png(), xml())
            _age(project.folder)
            catalogue.refresh()
            assert [(row.id, row.steps) for row in catalogue.find(f"status:{RECORDING}")] == [("new", count)]
        writer.close()


def test_a_file_overwritten_in_place_is_noticed_after_some_refreshes(project: Project) -> None:
    path = project.find("a0") / layout.HEADER
    document = json.loads(path.read_bytes())
    path.write_text(json.dumps({**document, "status": "recovered"}))
    with Catalogue(project) as catalogue:
        reads = [catalogue.refresh() for _round in range(len(_TASKS) * _PER_TASK // 2 + 1)]
        assert sum(reads) == 1
        assert catalogue.statuses()["recovered"] == 1


def test_a_small_project_is_compared_file_by_file(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue_scan, "SMALL", 1000)
    path = project.find("a0") / layout.HEADER
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "status": "recovered"}))
    with Catalogue(project) as catalogue:
        assert catalogue.refresh() == 1


def test_a_rest_takes_one_call_for_each_trajectory(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    system_stat = os.stat

    def stat(path: str, **more: object) -> os.stat_result:
        asked.append(str(path))
        return system_stat(path, **more)  # type: ignore[arg-type]

    with Catalogue(project) as catalogue:
        catalogue.refresh()
        monkeypatch.setattr(os, "stat", stat)
        catalogue.refresh()
    inside = [path for path in asked if path.endswith((layout.HEADER, layout.STEPS, layout.ANNOTATIONS))]
    assert len(inside) <= 3 * (catalogue_scan.NEWEST + catalogue_scan.SLICE)
    places = {str(folder) for folder in project.trajectory_folders()}
    assert places <= set(asked)


def test_what_the_fast_reading_says_is_what_opening_says(project: Project) -> None:
    folder = project.find("a0")
    with TrajectoryWriter.open(folder) as writer:
        writer.append(dataclasses.replace(step(1), note="n", intention="i"), png(), xml())
    shutil.copytree(folder, project.paths.trajectories_of("b") / "edited")
    with TrajectoryWriter.open(project.paths.trajectories_of("b") / "edited") as writer:
        writer.reword(0, note="an edit takes the way through open_trajectory")
        writer.undo()
    with Catalogue(project) as catalogue:
        catalogue.rebuild()
        rows = {row.folder.rpartition("/")[2]: row.as_dict() for row in catalogue.find()}
    assert {**rows["a0"], "folder": ""} == {**rows["edited"], "folder": ""}
    assert rows["a0"]["steps"] == len(open_trajectory(folder).steps)
    assert recover(folder).steps == 2
