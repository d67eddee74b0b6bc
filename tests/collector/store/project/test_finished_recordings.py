"""The end of a recording is taken back and made again, unless somebody's work stands on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.model.action import Tap
from collector.model.errors import UserError
from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.store.project.finished_recordings import finish_again, reopen_recording
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(tmp_path / "project")


@pytest.fixture
def finished(project: Project) -> Path:
    with project.new_trajectory(TrajectoryHeader("one", "shop-1", who="lin")) as writer:
        for index, action in enumerate((Tap(1, 2), None)):
            writer.append(Step(index, index, "", State(), action), None, b"<hierarchy/>")
        writer.finish(700)
        return writer.folder


def test_a_finished_recording_is_open_again_and_finished_again_as_it_was(
    project: Project, finished: Path
) -> None:
    before = open_trajectory(finished)
    reopen_recording(project, finished)
    stored = open_trajectory(finished)
    assert (stored.header.status, stored.header.finished, len(stored.steps)) == ("recording", "", 1)
    with pytest.raises(UserError, match="not finished"):
        reopen_recording(project, finished)
    finish_again(project, finished)
    after = open_trajectory(finished)
    assert [step.state for step in after.steps] == [step.state for step in before.steps]
    assert (after.header.status, after.header.duration_ms) == ("finished", 700)


def test_a_recording_that_went_on_is_not_finished_behind_a_persons_back(
    project: Project, finished: Path
) -> None:
    reopen_recording(project, finished)
    with TrajectoryWriter.open(finished) as writer:
        writer.append(Step(1, 5, "", State(), Tap(3, 4)), None, b"<hierarchy/>")
    with pytest.raises(UserError, match="changed since"):
        finish_again(project, finished)
    assert len(open_trajectory(finished).steps) == 2


@pytest.mark.parametrize("who", ["lin", "sara"])
def test_what_others_stand_on_stays(project: Project, finished: Path, who: str) -> None:
    notes = finished / "annotations" / f"{who}.json"
    notes.parent.mkdir(exist_ok=True)
    notes.write_text(f'{{"format": "waymark-annotations", "version": 2, "who": "{who}"}}')
    if who == "lin":  # what the operator marked while recording
        reopen_recording(project, finished)
        return
    with pytest.raises(UserError, match="sara worked on it"):
        reopen_recording(project, finished)


def test_a_recording_that_a_proposal_names_stays_finished(project: Project, finished: Path) -> None:
    file = project.folder / "proposals" / "shop-1" / "lin.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("trajectory: one\n")
    with pytest.raises(UserError, match=r"proposals/shop-1/lin\.yaml names it"):
        reopen_recording(project, finished)
