"""The parts of the Record workspace: words of a step, essential states, stored states."""

from __future__ import annotations

import pytest

from collector.model.trajectory import TrajectoryHeader
from collector.recorder.events import Phase
from collector.store.annotations import read_annotations, write_annotations
from collector.store.project import Project
from collector.store.reader import open_trajectory
from studio.bridge import JobRunner
from studio.bridge.recording import Recording
from studio.settings import Settings
from studio.views.record.achieved_states import AchievedState, AchievedStates
from studio.views.record.session import RecordSession
from studio.views.record.step_details import StepDetails
from studio.views.record.stored_screens import StoredScreens
from studio.widgets.controls import Label
from tests.helpers.dumps import hierarchy, node
from tests.helpers.sample_steps import sample_steps


@pytest.fixture
def runner(dressed, qtbot):
    made = JobRunner()
    yield made
    made.close()


@pytest.fixture
def folder(tmp_path):
    project = Project.create(tmp_path / "p")
    with project.new_trajectory(TrajectoryHeader("", "shop-1", who="lin")) as writer:
        for step in sample_steps()[:3]:
            writer.append(step, None, hierarchy(node()).encode())
        writer.finish()
    return writer.folder


@pytest.fixture
def document(runner, folder, tmp_path):
    made = RecordSession(runner, Recording(runner, Settings(tmp_path / "s.yaml")))
    made.open(open_trajectory(folder))
    yield made
    made.close()


def test_a_document_moves_one_cursor_and_stays_in_range(document, qtbot):
    assert document.current == 0
    with qtbot.waitSignal(document.current_changed):
        document.go(99)
    assert document.current == 2
    assert not document.shows_phone


def test_edits_reach_the_disk_and_can_be_undone(document, folder, qtbot):
    with qtbot.waitSignal(document.steps_changed):
        document.reword(1, note="look here")
    assert open_trajectory(folder).steps[1].note == "look here"
    with qtbot.waitSignal(document.steps_changed):
        document.trim(1, 3)
    assert len(document.steps) == 2
    with qtbot.waitSignal(document.steps_changed):
        document.undo()
    assert len(document.steps) == 3
    assert document.redo_title


def test_words_are_told_when_the_step_changes_under_them(dressed, qtbot):
    details = StepDetails(60_000)
    qtbot.addWidget(details)
    first, second = sample_steps()[:2]
    details.show_step(first)
    details.intention.setPlainText("Begin")
    with qtbot.waitSignal(details.reworded) as told:
        details.show_step(second)
    assert told.args == [0, {"intention": "Begin"}]
    assert details.intention.toPlainText() == ""


def test_without_a_step_the_details_show_no_empty_fields_but_what_to_do(dressed, qtbot):
    details = StepDetails(60_000)
    qtbot.addWidget(details)
    details.show()
    assert not details.intention.isVisible()
    assert details.findChild(Label).isVisible()
    details.show_step(sample_steps()[0])
    assert details.intention.isVisible()


def test_essential_states_are_kept_in_the_persons_own_file(runner, folder, qtbot):
    write_annotations(folder, "lin", {"comments": ["kept"]})
    states = AchievedStates(runner)
    with qtbot.waitSignals([states.changed, states.changed]):
        states.open(folder, "lin")
    states.toggle(1, "Signed in")
    states.toggle(0, "Shop open")
    assert states.reached == (AchievedState(0, "Shop open"), AchievedState(1, "Signed in"))
    states.toggle(1, "Signed in")
    runner.close()
    says = read_annotations(folder, "lin")
    assert says["achieved_states"] == [{"step": 0, "state": "Shop open"}]
    assert says["comments"] == ["kept"]


def _file(step):
    return step.state.screenshot or step.state.tree


def _marked(states):
    return [(one.step, one.state) for one in states.reached]


def test_an_essential_state_stays_with_its_screen_through_edits(runner, folder, qtbot):
    steps = open_trajectory(folder).steps
    states = AchievedStates(runner)
    states.open(folder, "lin")
    states.follow(steps)
    states.toggle(2, "Signed in")
    states.follow(steps[1:])
    assert _marked(states) == [(1, "Signed in")]
    states.follow(steps[:2])
    assert _marked(states) == []
    states.follow(steps)
    assert _marked(states) == [(2, "Signed in")]
    states.follow((*steps[:2], steps[0], steps[2]))
    assert _marked(states) == [(3, "Signed in")]
    runner.close()
    (said,) = read_annotations(folder, "lin")["achieved_states"]
    assert said == {"step": 3, "state": "Signed in", "screen": _file(steps[2])}


def test_an_essential_state_is_found_by_its_screen_when_read(runner, folder, qtbot):
    steps = open_trajectory(folder).steps
    said = [
        {"step": 0, "state": "Moved", "screen": _file(steps[2])},
        {"step": 1, "state": "Imported"},
        {"step": 0, "state": "Gone", "screen": "states/none.xml"},
    ]
    write_annotations(folder, "lin", {"achieved_states": said})
    states = AchievedStates(runner)
    states.open(folder, "lin")
    states.follow(steps)
    qtbot.waitUntil(lambda: bool(states.reached))
    assert _marked(states) == [(1, "Imported"), (2, "Moved")]


def test_a_mark_on_the_live_screen_belongs_to_the_step_taken_there(runner, folder, qtbot):
    steps = open_trajectory(folder).steps
    states = AchievedStates(runner)
    states.open(folder, "lin")
    states.follow(steps[:2])
    states.toggle(2, "Signed in")
    states.follow(steps[:1])
    assert _marked(states) == [(1, "Signed in")]
    states.follow((steps[0], steps[2]))
    states.follow(steps)
    assert _marked(states) == [(2, "Signed in")]


def test_a_step_recorded_again_keeps_its_essential_state(runner, folder, qtbot):
    steps = open_trajectory(folder).steps
    states = AchievedStates(runner)
    states.open(folder, "lin")
    states.follow(steps[:2])
    states.toggle(1, "Signed in")
    states.follow((steps[0], steps[2]))
    assert _marked(states) == [(1, "Signed in")]


def test_a_state_without_a_picture_still_shows_its_tree(runner, folder, qtbot):
    pictures = StoredScreens(runner)
    stored = open_trajectory(folder)
    pictures.open(stored.header.id, folder)
    with qtbot.waitSignal(pictures.arrived) as came:
        pictures.ask(stored.steps[0])
    step, state = came.args
    assert step is stored.steps[0]
    assert state.image.isNull()
    assert len(state.tree) >= 1


def test_the_phase_of_nothing_is_none(runner, tmp_path):
    recording = Recording(runner, Settings(tmp_path / "s.yaml"))
    assert recording.phase is None
    assert not recording.is_active
    recording.finish()
    recording.stop()
    assert recording.phase is not Phase.RECORDING
