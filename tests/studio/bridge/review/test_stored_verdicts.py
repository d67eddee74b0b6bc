"""An opened trajectory is judged by the rules behind the window; an edit of a finished one is judged anew."""

from __future__ import annotations

import pytest

from collector.judge.judging import judge_finished
from collector.model.action import Tap
from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.model.verdicts.judgement import Subject
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import open_trajectory
from studio.bridge import JobRunner
from studio.bridge.review.stored_verdicts import StoredVerdicts
from studio.bridge.trajectories.trajectory_editor import TrajectoryEditor
from tests.helpers.dumps import hierarchy, node


@pytest.fixture
def runner(dressed):
    runner = JobRunner()
    yield runner
    runner.close()


def _shown(text):
    return {"conditions": {"all": [{"type": "element_exists", "selector": f"text='{text}'"}]}}


@pytest.fixture
def project(tmp_path):
    """A task with a state that rules judge and one that people judge, and a golden of four screens."""
    project = Project.create(tmp_path / "p")
    states = (EssentialState("found", "Found", extra=_shown("Poster")), EssentialState("liked", "Liked"))
    task = Task("shop-1", "Buy", essential_states=("found", "liked"))
    project.save_tasks([task], states=[StateChange(None, state) for state in states])
    with project.new_trajectory(TrajectoryHeader("", "shop-1", who="lin")) as writer:
        for text in ("Home", "Search", "Poster", "Cart"):
            writer.append(Step(0, 0, "", State(), Tap(1, 1)), None, hierarchy(node(text=text)).encode())
        writer.finish()
    return project


def _steps(verdicts):
    return {state: at.step for state, at in verdicts.verdicts.states.items()}


def _stored(folder):
    return read_judgements(folder).newest()["rules", Subject("state", "found")]


def test_ticks_follow_edits_and_rules_and_the_stored_verdicts_follow_the_edits(runner, project, qtbot):
    (folder,) = project.trajectory_folders()
    editor = TrajectoryEditor(runner, open_trajectory(folder))
    verdicts = StoredVerdicts(runner)
    verdicts.open(folder, "shop-1")
    editor.steps_changed.connect(verdicts.follow)
    with qtbot.waitSignal(verdicts.changed):
        verdicts.follow(editor.steps)
    assert _steps(verdicts) == {"found": 2}
    assert verdicts.verdicts.judged == {"found"}
    assert not read_judgements(folder).judgements, "to look at a trajectory changes nothing"
    judge_finished(folder)

    editor.delete(0)
    qtbot.waitUntil(lambda: _steps(verdicts) == {"found": 1})
    qtbot.waitUntil(lambda: _stored(folder).subject.first == 1)
    editor.delete(1)
    qtbot.waitUntil(lambda: _steps(verdicts) == {})
    qtbot.waitUntil(lambda: _stored(folder).verdict == "missed")
    editor.undo()
    qtbot.waitUntil(lambda: _steps(verdicts) == {"found": 1})

    cart = EssentialState("found", "Found", extra=_shown("Cart"))
    project.save_tasks(project.tasks, states=[StateChange(project.states["found"], cart)])
    verdicts.reload_rules()
    qtbot.waitUntil(lambda: _steps(verdicts) == {"found": 2})
    project.paths.rule_file("state").write_bytes(b"\xff")
    verdicts.reload_rules()
    qtbot.waitUntil(lambda: _steps(verdicts) == {})
    verdicts.open(None)
    editor.close()


def test_nothing_is_stored_where_no_rule_judges_or_the_recording_is_not_finished(project):
    (folder,) = project.trajectory_folders()
    with project.new_trajectory(TrajectoryHeader("", "shop-1", who="lin")) as writer:
        writer.append(Step(0, 0, "", State(), Tap(1, 1)), None, hierarchy(node(text="Poster")).encode())
    assert judge_finished(writer.folder) == ()
    assert [item.verdict for item in judge_finished(folder)] == ["reached", "undecided"]
    plain = EssentialState("found", "Found")
    project.save_tasks(project.tasks, states=[StateChange(project.states["found"], plain)])
    assert judge_finished(folder) == ()
