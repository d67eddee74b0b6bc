"""What tests of the Record workspace share: jobs, and a short trajectory on the disk."""

from __future__ import annotations

import pytest

from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.dumps import hierarchy, node
from tests.helpers.sample_steps import sample_steps


@pytest.fixture
def runner(dressed, qtbot):
    # Not at the top: what is tested with Qt blocked collects this folder too.
    from studio.bridge import JobRunner

    runner = JobRunner()
    yield runner
    runner.close()


@pytest.fixture
def folder(tmp_path):
    """A finished trajectory of three steps."""
    project = Project.create(tmp_path / "p")
    with project.new_trajectory(TrajectoryHeader("", "shop-1", who="lin")) as writer:
        for step in sample_steps()[:3]:
            writer.append(step, None, hierarchy(node()).encode())
        writer.finish()
    return writer.folder
