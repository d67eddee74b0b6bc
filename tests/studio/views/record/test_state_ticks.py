"""One list says who and what reached each state: the person, the rules, models and other people."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.files.layout import project_around
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reader import open_trajectory
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.recording import Recording
from studio.bridge.review.work_selection import WorkSelection
from studio.bridge.trajectories.project_trajectories import ProjectTrajectories
from studio.settings import Settings
from studio.views.record.achieved_states import AchievedStates
from studio.views.record.session import RecordSession
from studio.views.record.state_ticks import StateTicks
from studio.views.record.trajectory_judgements import TrajectoryJudgements

RULES = "rules: step 1 · There is a node with the selector class='android.view.View'"


class _Shown:
    """What a controller of verdicts shows: here all of them."""

    def __init__(self, judgements):
        self._judgements, self.changed = judgements, judgements.changed

    @property
    def shown(self):
        return self._judgements.judgements


@pytest.fixture
def bench(runner, folder, tmp_path, qtbot):
    """The finished trajectory of three equal screens is open; rules judge ``shown`` and ``never``."""
    project = Project.open(project_around(folder))
    there = {"type": "element_exists", "selector": "class='android.view.View'"}
    states = (
        EssentialState("shown", "It is shown", extra={"conditions": [there]}),
        EssentialState("never", "It never is", extra={"conditions": [{**there, "selector": "text='x'"}]}),
        EssentialState("liked", "It is liked"),
    )
    task = Task("shop-1", "Buy", essential_states=tuple(state.id for state in states))
    project.save_tasks([task], states=[StateChange(None, state) for state in states])
    add_judgements(
        folder,
        [Judgement("gpt", "model", "4", Subject("state", "liked", 1, 1), "reached", reason="A heart"),
         Judgement("rules", "rule", "old", Subject("state", "shown", 2, 2), "reached")],
    )  # fmt: skip
    settings = Settings(tmp_path / "s.yaml")
    settings.set("recording.author", "lin")
    library = ProjectLibrary(runner)
    recording = Recording(runner, settings)
    selection, trajectories = WorkSelection(library), ProjectTrajectories(runner, library)
    session = RecordSession(runner, library, selection, trajectories, recording, settings)
    marks, judgements = AchievedStates(runner, lambda: project, lambda: None), TrajectoryJudgements(runner)
    services = SimpleNamespace(project_library=library, recording=recording, tasks=runner)
    combined = StateTicks(session, marks, _Shown(judgements), services, session)
    with qtbot.waitSignal(library.opened):
        library.open(project.folder)
    session.open(open_trajectory(folder))
    marks.open(folder, "lin")
    marks.follow(session.steps)
    judgements.open(folder)
    qtbot.waitUntil(lambda: len(judgements.judgements) == 2 and bool(combined.verdicts.states))
    yield SimpleNamespace(ticks=combined, session=session, marks=marks)
    judgements.open(None)
    session.close()


@pytest.fixture
def ticks(bench):
    return bench.ticks


def _states(bench):
    return bench.ticks.task_states(bench.session.task)


def _said(bench):
    return [(item.text, item.step, item.missed, item.ticks) for item in _states(bench)]


def test_rules_models_and_the_person_stand_in_one_list(bench, ticks, qtbot) -> None:
    assert _said(bench) == [
        ("It is shown", 1, False, (RULES,)),
        ("It never is", 0, True, ("rules: not reached",)),
        ("It is liked", 2, False, ("gpt: step 2 · A heart",)),
    ]  # fmt: skip
    with qtbot.waitSignal(ticks.changed):
        bench.marks.toggle(1, "shown")
    first = _states(bench)[0]
    assert (first.step, first.disputed, first.icon) == (2, True, "state-warn")
    assert first.ticks == (
        "lin: step 2",
        RULES,
    )
    marks = [(mark.slot, mark.text, mark.tip) for mark in ticks.lane_marks(bench.session.task)]
    assert marks == [
        (
            0,
            "It is shown",
            f"It is shown\n  {RULES}",
        ),
        (1, "It is shown", "It is shown\n  lin: step 2"),
    ]
    bench.marks.toggle(1, "shown")
    bench.marks.toggle(0, "shown")
    assert not _states(bench)[0].disputed


def test_a_trajectory_that_is_still_recorded_misses_nothing_yet(bench) -> None:
    editor = bench.session.editor
    editor.take_over(replace(editor.header, status="recording"), editor.steps)
    assert _said(bench)[1] == ("It never is", 0, False, ())
