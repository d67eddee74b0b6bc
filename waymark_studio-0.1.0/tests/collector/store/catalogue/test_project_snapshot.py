"""A snapshot of a project, with and without a look at its files."""

from __future__ import annotations

from pathlib import Path

from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.catalogue.project_snapshot import read_snapshot
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml


def test_a_snapshot_knows_what_the_catalogue_knows_until_it_is_refreshed(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p", "Mine")
    project.save_tasks([Task("one", "Do it")])
    before = read_snapshot(project)
    assert (before.name, before.trusted, before.golden, before.recent) == ("Mine", False, {}, ())
    with project.new_trajectory(TrajectoryHeader("t", "one")) as writer:
        writer.append(step(0), png(), xml())
        writer.finish()
    assert read_snapshot(project, refresh=False).golden == {}
    after = read_snapshot(project)
    assert (after.golden, after.counts) == ({"one": 1}, {"golden": 1})
    assert [row.id for row in after.recent] == ["t"]
    task = after.task("one")
    assert task is not None
    assert task.instruction == "Do it"
    assert after.task("none") is None
