"""Essential states marked in a trajectory are kept in the person's own file and stay with their screens."""

from __future__ import annotations

import json

from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.store.files.layout import project_around
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.achieved_states import AchievedState
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.annotations import read_annotations, write_annotations
from collector.store.trajectory.reviews.labels import Labels, read_labels
from studio.views.record.achieved_states import AchievedStates
from tests.helpers.person_files import write_labels


def project_of(folder) -> Project:
    return Project.open(project_around(folder))


def test_essential_states_are_kept_in_the_persons_own_file(runner, folder, qtbot):
    write_annotations(folder, "lin", {"comments": [{"text": "kept"}]})
    states = AchievedStates(runner, lambda: project_of(folder), lambda: None)
    with qtbot.waitSignals([states.changed, states.changed]):
        states.open(folder, "lin")
    states.toggle(1, "Signed in")
    states.toggle(0, "Shop open")
    assert states.reached == (AchievedState(0, "Shop open"), AchievedState(1, "Signed in"))
    states.toggle(1, "Signed in")
    runner.close()
    annotations = read_annotations(folder, "lin")
    assert annotations["achieved_states"] == [{"step": 0, "state": "Shop open"}]
    assert annotations["comments"] == [{"text": "kept"}]


def test_a_label_that_was_written_meanwhile_stays_beside_the_next_mark(runner, folder, qtbot):
    states = AchievedStates(runner, lambda: project_of(folder), lambda: None)
    with qtbot.waitSignals([states.changed, states.changed]):
        states.open(folder, "lin")
    states.follow(open_trajectory(folder).steps)
    write_labels(folder, Labels("lin").with_reached("paid", 2, "c").with_missed("liked"))
    states.toggle(1, "seen")
    states.follow(open_trajectory(folder).steps[:2])
    runner.close()
    said = read_labels(folder, "lin")
    assert ([mark.state for mark in said.reached], said.missed) == (["paid", "seen"], ("liked",))


def _file(step):
    return step.state.screenshot or step.state.tree


def _marked(states):
    return [(mark.step, mark.name) for mark in states.reached]


def test_an_essential_state_stays_with_its_screen_through_edits(runner, folder, qtbot):
    steps = open_trajectory(folder).steps
    states = AchievedStates(runner, lambda: project_of(folder), lambda: None)
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
    (saved,) = read_annotations(folder, "lin")["achieved_states"]
    assert saved == {"step": 3, "state": "Signed in", "screen": _file(steps[2])}


def test_an_essential_state_is_found_by_its_screen_when_read(runner, folder, qtbot):
    steps = open_trajectory(folder).steps
    saved = [
        {"step": 0, "state": "Moved", "screen": _file(steps[2])},
        {"step": 1, "sentence": "Imported"},
        {"step": 0, "state": "Gone", "screen": "states/none.xml"},
    ]
    write_annotations(folder, "lin", {"achieved_states": saved})
    states = AchievedStates(runner, lambda: project_of(folder), lambda: None)
    states.open(folder, "lin")
    states.follow(steps)
    qtbot.waitUntil(lambda: bool(states.reached))
    assert _marked(states) == [(1, "Imported"), (2, "Moved")]


def test_marks_of_version_1_get_the_ids_of_their_states_and_are_saved_with_them(runner, folder, qtbot):
    """Its file, as version 1 wrote it, says the sentence of the first state and the id of the second."""
    path = folder / "annotations" / "lin.json"
    write_annotations(folder, "lin", {"review": "done"})
    marks = [{"step": 0, "state": "Shop open"}, {"step": 1, "state": "cart"}, {"step": 2, "state": "Else"}]
    document = {**json.loads(path.read_bytes()), "version": 1, "achieved_states": marks}
    path.write_text(json.dumps(document))
    upgrades = []
    task = Task("shop-1", "Buy", essential_states=("shop-1-1", "cart"))
    known = {"shop-1-1": EssentialState("shop-1-1", "Shop open"), "cart": EssentialState("cart", "Cart open")}
    changes = [StateChange(None, state) for state in known.values()]
    project_of(folder).save_tasks([task], states=changes)
    states = AchievedStates(runner, lambda: project_of(folder), lambda: upgrades.append(1))
    states.open(folder, "lin")
    states.follow(open_trajectory(folder).steps)
    qtbot.waitUntil(lambda: bool(states.reached))
    states.show_states(task, known)
    assert [(mark.state, mark.sentence) for mark in states.reached] == [
        ("shop-1-1", ""), ("cart", ""), ("", "Else"),
    ]  # fmt: skip
    states.toggle(1, "cart")
    runner.close()
    assert upgrades == [1]
    annotations = read_annotations(folder, "lin")
    assert annotations["review"] == "done"
    saved = json.loads(path.read_bytes())["achieved_states"]
    assert [(mark["step"], mark.get("state"), mark.get("sentence")) for mark in saved] == [
        (0, "shop-1-1", None), (2, None, "Else"),
    ]  # fmt: skip


def test_a_mark_on_the_live_screen_belongs_to_the_step_taken_there(runner, folder, qtbot):
    steps = open_trajectory(folder).steps
    states = AchievedStates(runner, lambda: project_of(folder), lambda: None)
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
    states = AchievedStates(runner, lambda: project_of(folder), lambda: None)
    states.open(folder, "lin")
    states.follow(steps[:2])
    states.toggle(1, "Signed in")
    states.follow((steps[0], steps[2]))
    assert _marked(states) == [(1, "Signed in")]
