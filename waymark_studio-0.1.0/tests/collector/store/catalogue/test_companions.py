"""What a run is compared with: the golden trajectory that it follows furthest, and its own baseline."""

from __future__ import annotations

from collector.model.action import Tap
from collector.model.episode import Episode, Outcome
from collector.model.task import Task
from collector.model.trajectory import GOLDEN
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.companions import companions_of
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.run_files import steps_of, write_run


def test_the_golden_trajectory_that_a_run_follows_furthest_and_the_baseline_of_its_experiment(tmp_path):
    project = Project.create(tmp_path)
    project.save_tasks([Task("t", "Do it")])
    short, long = steps_of(Tap(1, 2), None), steps_of(Tap(1, 2), Tap(3, 4), Tap(5, 6), None)
    short[0] = short[0].__class__(0, 0, "", short[0].state, Tap(9, 9), description="Something else")
    write_run(project, "short", Episode(), None, kind=GOLDEN, steps=short, started="2026-01-03")
    write_run(project, "long", Episode(), None, kind=GOLDEN, steps=long, started="2026-01-01")
    same = {"agent": "careful", "seed": 1}
    write_run(project, "other", Episode(experiment="x", **same), Outcome("success"), steps=long)
    write_run(project, "own", Episode(experiment="e", **same), Outcome("success"), steps=long)
    write_run(
        project, "seed", Episode(experiment="e", agent="careful", seed=2), Outcome("success"), steps=long
    )
    interrupted = Episode(experiment="e", condition="low_battery", **same)
    folder = write_run(project, "run", interrupted, Outcome("failure"), steps=long)
    with Catalogue(project) as catalogue:
        catalogue.refresh()

    def names(of):
        stored = open_trajectory(of)
        return [each.name for each in companions_of(project, stored.header, stored.steps)]

    assert names(folder) == ["long", "own"]
    assert names(project.find("own")) == ["long"]
    assert names(project.find("long")) == []
