"""The session of Record: one task, one trajectory and one cursor, and who writes changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.model.task import Task
from collector.recorder.events import Phase
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.recording import Recording
from studio.bridge.review.work_selection import WorkSelection
from studio.bridge.trajectories.project_trajectories import ProjectTrajectories
from studio.bridge.trajectories.trajectory_follower import TrajectoryFollower
from studio.settings import Settings
from studio.views.record.session import RecordSession
from tests.helpers.writer_process import WriterProcess

PATIENCE = 20_000
"""Milliseconds to wait for another process on a busy machine."""


@pytest.fixture
def project_library(runner):
    return ProjectLibrary(runner)


@pytest.fixture
def selection(project_library):
    return WorkSelection(project_library)


@pytest.fixture
def session(runner, project_library, selection, tmp_path):
    settings = Settings(tmp_path / "s.yaml")
    trajectories = ProjectTrajectories(runner, project_library)
    session = RecordSession(
        runner, project_library, selection, trajectories, Recording(runner, settings), settings
    )
    yield session
    session.close()


@pytest.fixture
def stored(session, folder):
    """The session with a stored trajectory of three steps open."""
    session.open(open_trajectory(folder))
    return session


@pytest.fixture
def with_tasks(session, project_library, tmp_path, qtbot):
    """The session over an open project with two tasks."""
    project = Project.create(tmp_path / "tasks")
    project.save_tasks([Task("shop-1", "Find a print", "Shop"), Task("shop-2", "Sort posters", "Shop")])
    with qtbot.waitSignal(project_library.opened):
        project_library.open(project.folder)
    session.choose_first_task()
    return session


def follower_of(session):
    return session.findChild(TrajectoryFollower)


@pytest.fixture
def writing(tmp_path):
    """Another program that writes a trajectory of two steps."""
    process = WriterProcess()
    process.create(tmp_path)
    process.do("append", 0, 1)
    yield process
    process.end()


def test_what_another_program_adds_appears_while_its_trajectory_is_open(session, writing, qtbot):
    session.open(open_trajectory(writing.folder))
    heard = []
    session.events_followed.connect(lambda: heard.append("events"))
    assert (session.current, follower_of(session).is_following) == (0, True)
    writing.do("append", 2)
    qtbot.waitUntil(lambda: len(session.steps) == 3, timeout=PATIENCE)
    assert session.current == 0, "who looks at an earlier step stays there"
    session.go(2)
    writing.do("event", "anomaly", 250)
    writing.do("append", 3)
    qtbot.waitUntil(lambda: session.current == 3, timeout=PATIENCE)
    qtbot.waitUntil(lambda: heard == ["events"], timeout=PATIENCE)
    writing.do("delete", 0)
    qtbot.waitUntil(lambda: [step.t_ms for step in session.steps] == [100, 200, 300], timeout=PATIENCE)
    writing.do("finish")
    qtbot.waitUntil(lambda: not follower_of(session).is_following, timeout=PATIENCE)
    assert session.header.status == "finished"
    assert session.editor.header == session.header


def test_a_trajectory_that_is_closed_is_no_longer_followed(session, writing, qtbot):
    session.open(open_trajectory(writing.folder))
    writing.do("append", 2)
    qtbot.waitUntil(lambda: len(session.steps) == 3, timeout=PATIENCE)
    follower = follower_of(session)
    assert follower.is_following
    session.close()
    assert not follower.is_following
    qtbot.waitUntil(lambda: follower_of(session) is None, timeout=PATIENCE)


def test_an_unfinished_recording_of_nobody_is_not_followed_while_it_is_edited(session, folder, qtbot):
    with TrajectoryWriter.open(folder) as writer:
        writer.update_header(status="recording")
    session.open(open_trajectory(folder))
    with qtbot.waitSignal(session.steps_changed, timeout=PATIENCE):
        session.edits.reword(1, note="look here")
    qtbot.waitUntil(lambda: not follower_of(session).is_following, timeout=PATIENCE)
    assert session.steps[1].note == "look here"


def test_the_current_step_stays_in_range(stored, qtbot):
    assert stored.current == 0
    with qtbot.waitSignal(stored.current_changed):
        stored.go(99)
    assert stored.current == 2
    assert not stored.is_live


def test_edits_reach_the_disk_and_can_be_undone(stored, folder, qtbot):
    with qtbot.waitSignal(stored.steps_changed):
        stored.edits.reword(1, note="look here")
    assert open_trajectory(folder).steps[1].note == "look here"
    with qtbot.waitSignal(stored.steps_changed):
        stored.edits.delete(0)
    assert len(stored.steps) == 2
    with qtbot.waitSignal(stored.steps_changed):
        stored.edits.undo()
    assert len(stored.steps) == 3
    assert stored.trajectory.redo_title


def test_nothing_is_open_and_nothing_can_be_changed_before_a_recording(session):
    assert session.is_live
    assert (session.trajectory, session.edits, session.header, session.folder) == (None,) * 4
    assert not session.is_resumable


def test_only_an_unfinished_trajectory_can_be_resumed(session, folder):
    finished = open_trajectory(folder)
    session.open(finished)
    assert not session.is_resumable
    header = replace(finished.header, status="recording")
    session.open(StoredTrajectory(folder, replace(finished.trajectory, header=header)))
    assert session.is_resumable


def test_the_chosen_task_is_the_same_in_every_workspace(with_tasks, selection):
    assert with_tasks.task.id == selection.task_id == "shop-1"
    with_tasks.choose_next_task("shop-1")
    assert with_tasks.task.id == selection.task_id == "shop-2"
    selection.choose_task("shop-1")
    assert with_tasks.task_id == "shop-1"


def test_an_open_trajectory_decides_the_task(with_tasks, selection, folder):
    with_tasks.choose_task("shop-2")
    with_tasks.open(open_trajectory(folder))
    assert with_tasks.task_id == selection.task_id == "shop-1"


def test_another_task_closes_the_stored_trajectory(with_tasks, folder, qtbot):
    with_tasks.open(open_trajectory(folder))
    with qtbot.waitSignal(with_tasks.trajectory_changed):
        with_tasks.choose_task("shop-2")
    assert with_tasks.editor is None
    assert with_tasks.steps == ()


def test_without_a_project_no_task_is_chosen(with_tasks, project_library, qtbot):
    project_library.close()
    with qtbot.waitSignal(with_tasks.task_changed) as changed:
        with_tasks.choose_first_task()
    assert changed.args == [""]
    assert with_tasks.task is None


def test_the_phase_of_no_recording_is_none(session):
    recording = session.recording
    assert recording.phase is None
    assert not recording.is_active
    recording.finish()
    recording.stop()
    assert recording.phase is not Phase.RECORDING
