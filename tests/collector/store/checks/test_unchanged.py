"""A check of a large project reads what changed, and misses no change."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from collector.model.finding import Finding
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.catalogue.catalogue import Catalogue
from collector.store.checks import check, unchanged
from collector.store.checks.check import check_project
from collector.store.checks.unchanged import UnchangedTrajectories
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml

NAMES = ("a", "b", "c")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Three trajectories in order, of a project that counts as large and whose files are old."""
    monkeypatch.setattr(check, "WORTH_STARTING", len(NAMES))
    monkeypatch.setattr(unchanged, "SETTLED_NS", 0)
    made = Project.create(tmp_path / "p")
    made.save_tasks([Task("t", "Do it")])
    for name in NAMES:
        with made.new_trajectory(TrajectoryHeader(name, "t")) as writer:
            writer.append(step(0, None), png(8, 8), xml("Home", "[0,0][8,8]"))
            writer.finish()
    return Project.open(made.folder)


def checked(project: Project, *, forgets: bool = False) -> tuple[list[Finding], int]:
    """What a check finds, and how many trajectories it did not read."""
    memory = UnchangedTrajectories(project, forgets=forgets)
    return check_project(project, memory=memory), memory.count


def test_what_is_in_order_is_read_once_until_something_changes(project: Project) -> None:
    assert checked(project) == ([], 0)
    assert checked(project) == ([], 3)
    assert checked(project, forgets=True) == ([], 0)

    picture = next((project.folder / "trajectories/t/b/states").glob("*.png"))
    status, data = picture.stat(), bytearray(picture.read_bytes())
    data[-20] ^= 1
    picture.write_bytes(data)
    os.utime(picture, ns=(status.st_atime_ns, status.st_mtime_ns))  # as if nothing had happened
    for _time in range(2):  # a trajectory with a finding is never remembered
        findings, count = checked(project)
        assert {finding.where for finding in findings} == {"trajectories/t/b"}
        assert count == 2


def test_golden_trajectories_are_counted_whether_they_are_read_or_remembered(project: Project) -> None:
    cut_short = TrajectoryHeader("d", "t", status="aborted")
    with project.new_trajectory(cut_short) as writer:
        writer.append(step(0, None), png(8, 8), xml("Home", "[0,0][8,8]"))
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        counted = catalogue.golden_counts()
    for remembered in (0, 4):
        goldens, memory = Counter[str](), UnchangedTrajectories(project)
        check_project(project, memory=memory, goldens=goldens)
        assert (memory.count, goldens) == (remembered, counted)


@pytest.mark.parametrize("change", ["states/left.png", "annotations/ann.json", "judgements/x.jsonl"])
def test_a_file_that_comes_makes_a_trajectory_be_read_again(project: Project, change: str) -> None:
    assert checked(project) == ([], 0)
    path = project.folder / "trajectories/t/a" / change
    path.parent.mkdir(exist_ok=True)
    path.write_text("{")
    findings, count = checked(project)
    assert (len(findings), count) == (1, 2)


def test_other_tasks_and_states_make_everything_be_read_again(project: Project) -> None:
    assert checked(project) == ([], 0)
    project.save_tasks([Task("other", "Do something else")])
    findings, count = checked(Project.open(project.folder))
    assert {finding.code for finding in findings} >= {"task-unknown"}
    assert count == 0


def test_what_changed_just_now_is_not_remembered(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unchanged, "SETTLED_NS", 3_600_000_000_000)
    assert checked(project) == ([], 0)
    assert checked(project) == ([], 0)


def test_a_trajectory_that_a_program_holds_is_not_remembered(project: Project) -> None:
    with project.new_trajectory(TrajectoryHeader("d", "t")) as writer:
        writer.append(step(0, None), png(8, 8), xml("Home", "[0,0][8,8]"))
        assert checked(project) == ([], 0)
        assert checked(project) == ([], 3)
        writer.finish()
    checked(project)
    assert checked(project) == ([], 4)


def test_a_project_cannot_say_of_itself_that_it_is_in_order(project: Project) -> None:
    before = set(project.folder.rglob("*"))
    checked(project)
    assert set(project.folder.rglob("*")) == before
