"""The window splits, joins and trims trajectories once it has shown what that comes to, and undoes it."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from collector.model.trajectory import RUN, TrajectoryHeader
from collector.store.trajectory.judgements import add_judgements
from studio.bridge.trajectories.trajectory_edits import TrajectoryEdits
from studio.widgets.controls import Button
from studio.widgets.state_graph.layout import SLOT
from studio.widgets.trajectory_edits.edit_dialogs import EditHistoryDialog, EditPlanDialog
from studio.widgets.trajectory_edits.insert_dialog import InsertDialog
from tests.helpers.edited_project import SAYS_SARA, bytes_in, captions, edited_project, recorded
from tests.helpers.steps import png, xml

pytestmark = [
    pytest.mark.all_workspaces,
    pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "This plugin does not support", extend=True),
]


EDITS = [
    "Insert steps of another trajectory...", "Replace the screen...", "Delete step", "Drop the steps before",
    "Drop the steps after", "Split here...", "Join with another...", "Edits of the trajectory...",
]  # fmt: skip


def _titles(surface, at):
    """The titles of the menu at a place."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, surface.mapToGlobal(at))
    QApplication.sendEvent(surface, event)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    titles = [action.text().partition("\t")[0] for action in menu.actions() if not action.isSeparator()]
    menu.close()
    return titles


@pytest.fixture
def project(studio, qtbot, tmp_path):
    """The trajectories ``one`` and ``two``; ``one`` is open in Record at its fourth step."""
    project = edited_project(tmp_path / "benchmark")
    studio.window.resize(1500, 950)
    studio.project_library.open(project.folder)
    cards = studio.window.workspace("project").recent.cards
    qtbot.waitUntil(lambda: len(cards.rows) == 2)
    _open(studio, qtbot, "one", 3)
    return project


def _open(studio, qtbot, name, step):
    arguments = {"folder": f"trajectories/shop-1/{name}", "step": str(step)}
    studio.answer({"run": "record.open-trajectory", "arguments": arguments})
    _await_open(studio, qtbot, name)
    qtbot.waitUntil(lambda: _session(studio).current == step)


def _session(studio):
    return studio.window.workspace("record").session


def _await_open(studio, qtbot, name):
    session = _session(studio)
    qtbot.waitUntil(lambda: session.editor is not None and session.folder.name == name)


def _dialog(qtbot, kind):
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), kind))
    return QApplication.activeModalWidget()


def _names(project):
    return sorted(folder.name for folder in project.trajectory_folders())


def test_a_split_is_shown_made_and_undone_with_the_edits_of_the_project(studio, project, qtbot):
    before = bytes_in(project)
    studio.answer({"run": "trajectory.split"})
    dialog = _dialog(qtbot, EditPlanDialog)
    says = dialog.strips.accessibleDescription()
    assert says.split("; ") == [
        "Before the edit: one (shop-1): 6 steps",
        "After the edit: one-a (shop-1): 4 steps, 1 step comes",
        "After the edit: one-b (shop-1): 3 steps",
    ]
    dialog.no.click()
    assert bytes_in(project) == before
    studio.answer({"run": "trajectory.split"})
    _dialog(qtbot, EditPlanDialog).yes.click()
    _await_open(studio, qtbot, "one-a")
    assert _names(project) == ["one-a", "one-b", "two"]
    qtbot.waitUntil(lambda: studio.commander.title("edit.undo") == "Undo split one at step 4")
    studio.answer({"run": "edit.undo"})
    _await_open(studio, qtbot, "one")
    assert bytes_in(project) == before
    qtbot.waitUntil(lambda: studio.commander.enabled("edit.redo"))
    studio.answer({"run": "edit.redo"})
    _await_open(studio, qtbot, "one-a")


def test_a_join_with_another_is_undone_after_a_restart_too(studio, project, qtbot):
    before = bytes_in(project)
    studio.answer({"run": "trajectory.join", "arguments": {"other": "trajectories/shop-1/two"}})
    _dialog(qtbot, EditPlanDialog).yes.click()
    _await_open(studio, qtbot, "one-j")
    studio.project_library.history.clear()  # as a restart does
    _open(studio, qtbot, "one-j", 1)
    qtbot.waitUntil(lambda: studio.commander.title("edit.undo") == "Undo join one + two")
    studio.answer({"run": "edit.undo"})
    _await_open(studio, qtbot, "one")
    assert bytes_in(project) == before


def test_a_trim_is_in_the_history_and_is_undone_after_a_restart(studio, project, qtbot):
    before = bytes_in(project)
    studio.answer({"run": "step.delete-after"})
    dialog = _dialog(qtbot, EditPlanDialog)
    assert "6 steps, 2 steps go" in dialog.strips.accessibleDescription()
    dialog.yes.click()
    qtbot.waitUntil(lambda: len(_session(studio).steps) == 5)
    assert captions(project.find("one"))[-2:] == ["one 3", ""]
    # A trajectory that is opened knows what was edited before.
    studio.answer({"run": "record.close-trajectory"})
    _open(studio, qtbot, "one", 3)
    qtbot.waitUntil(lambda: studio.commander.title("edit.undo") == "Undo trim to 4 steps")
    studio.answer({"run": "trajectory.history"})
    history = _dialog(qtbot, EditHistoryDialog)
    assert [entry.sentence for entry in history.list.entries] == ["trim to 4 steps"]
    qtbot.waitUntil(lambda: "2 steps go" in history.strips.accessibleDescription())
    history.undo_button.click()
    qtbot.waitUntil(lambda: len(_session(studio).steps) == 6)
    assert bytes_in(project) == before


def test_what_is_read_for_a_dialog_that_was_closed_is_dropped(studio, project, qtbot, monkeypatch):
    from collector.recording.edits import edit_history
    from collector.recording.edits.step_edits import InsertSteps

    reading, go_on = threading.Event(), threading.Event()

    def held(read):
        def wait(*args):
            reading.set()
            go_on.wait(10)
            return read(*args)

        return wait

    studio.answer({"run": "step.delete"})
    _dialog(qtbot, EditPlanDialog).yes.click()
    qtbot.waitUntil(lambda: len(_session(studio).steps) == 5)
    monkeypatch.setattr(edit_history, "plan_of_entry", held(edit_history.plan_of_entry))
    studio.answer({"run": "trajectory.history"})
    history = _dialog(qtbot, EditHistoryDialog)
    _close_before_the_answer(studio, qtbot, history, reading, go_on)
    studio.answer({"run": "step.insert-from", "arguments": {"other": "trajectories/shop-1/two"}})
    insert = _dialog(qtbot, InsertDialog)
    monkeypatch.setattr(InsertSteps, "plan", held(InsertSteps.plan))
    insert.last.setValue(2)
    _close_before_the_answer(studio, qtbot, insert, reading, go_on)


def _close_before_the_answer(studio, qtbot, dialog, reading, go_on):
    """Any exception that the answer raises fails the test."""
    qtbot.waitUntil(reading.is_set)
    dialog.reject()
    qtbot.waitUntil(lambda: not isValid(dialog))
    go_on.set()
    qtbot.waitUntil(lambda: not studio.tasks.jobs)
    reading.clear()
    go_on.clear()


@pytest.mark.parametrize("command", ["step.delete-after", "step.delete"])
def test_what_somebody_else_reviewed_stays_and_a_copy_can_be_edited(studio, project, qtbot, command):
    add_judgements(project.find("one"), [SAYS_SARA])
    before, toasts = bytes_in(project), studio.window.toasts
    studio.answer({"run": command})
    qtbot.waitUntil(lambda: any("sara reviewed" in each.accessibleName() for each in toasts.shown))
    assert bytes_in(project) == before
    toasts.shown[-1].findChild(Button).click()
    qtbot.waitUntil(lambda: len(_names(project)) == 3)
    copy = next(name for name in _names(project) if name not in ("one", "two"))
    _await_open(studio, qtbot, copy)
    studio.answer({"run": "step.delete"})
    _dialog(qtbot, EditPlanDialog).yes.click()
    qtbot.waitUntil(lambda: len(_session(studio).steps) == 5)
    assert bytes_in(project)["trajectories/shop-1/one"] == before["trajectories/shop-1/one"]


def test_steps_of_another_trajectory_are_chosen_shown_and_inserted(studio, project, qtbot):
    before = bytes_in(project)
    studio.answer({"run": "step.insert-from", "arguments": {"other": "trajectories/shop-1/two"}})
    dialog = _dialog(qtbot, InsertDialog)
    assert "After the edit: one (shop-1): 9 steps, 3 steps come" in dialog.strips.accessibleDescription()
    dialog.last.setValue(2)
    qtbot.waitUntil(lambda: "8 steps, 2 steps come" in dialog.strips.accessibleDescription())
    dialog.first.setValue(2)
    qtbot.waitUntil(lambda: "7 steps, 1 step comes" in dialog.strips.accessibleDescription())
    assert (dialog.first.maximum(), dialog.last.minimum()) == (2, 2)
    dialog.yes.click()
    qtbot.waitUntil(lambda: len(_session(studio).steps) == 7)
    assert _session(studio).current == 3
    assert captions(project.find("one"))[3] == "two 1"
    qtbot.waitUntil(lambda: studio.commander.enabled("edit.undo"))
    studio.answer({"run": "edit.undo"})
    qtbot.waitUntil(lambda: len(_session(studio).steps) == 6)
    assert bytes_in(project) == before


def test_undo_takes_the_newest_back_whether_of_the_trajectory_or_of_the_project(
    studio, project, qtbot, monkeypatch
):
    studio.answer({"run": "trajectory.duplicate", "arguments": {"folder": "trajectories/shop-1/two"}})
    qtbot.waitUntil(lambda: len(_names(project)) == 3)
    studio.answer({"run": "step.delete-after"})
    _dialog(qtbot, EditPlanDialog).yes.click()
    qtbot.waitUntil(lambda: studio.commander.title("edit.undo") == "Undo trim to 4 steps")
    studio.answer({"run": "trajectory.duplicate", "arguments": {"folder": "trajectories/shop-1/two"}})
    qtbot.waitUntil(lambda: studio.commander.title("edit.undo") == "Undo duplicate trajectory two")
    studio.answer({"run": "edit.undo"})  # and not the duplicate before the trim
    qtbot.waitUntil(lambda: studio.commander.title("edit.undo") == "Undo trim to 4 steps")
    studio.answer({"run": "edit.undo"})
    qtbot.waitUntil(lambda: len(_session(studio).steps) == 6)
    qtbot.waitUntil(lambda: studio.commander.title("edit.undo") == "Undo duplicate trajectory two")

    # While nobody knows what was edited in the trajectory that comes, no older edit of the project goes.
    answers = []
    with monkeypatch.context() as patch:
        patch.setattr(
            TrajectoryEdits, "history", lambda _self, _folder, known, failed: answers.append(failed)
        )
        _open(studio, qtbot, "two", 1)
        qtbot.waitUntil(lambda: bool(answers))
        assert not studio.commander.enabled("edit.undo")
        answers[0](OSError("gone"))
    assert studio.commander.title("edit.undo") == "Undo duplicate trajectory two", "nobody will know it"
    _open(studio, qtbot, "one", 3)

    # The copy of the open trajectory, and the one with another id, are shown at the step of before.
    session = _session(studio)
    at = session.current
    studio.answer({"run": "trajectory.duplicate"})
    qtbot.waitUntil(lambda: session.folder is not None and session.folder.name not in ("one", "two"))
    assert (session.current, len(session.steps)) == (at, 6)
    studio.answer({"run": "trajectory.rename", "arguments": {"name": "three"}})
    qtbot.waitUntil(lambda: session.folder is not None and session.folder.name == "three")
    assert session.current == at


def test_the_film_strip_in_states_edits_the_step_it_shows(studio, project, qtbot):
    before = bytes_in(project)
    studio.answer({"run": "view.states"})
    session = studio.window.workspace("states").session
    qtbot.waitUntil(lambda: session.trajectory is not None and session.trajectory.id == "one")
    canvas = studio.window.workspace("states").graph.canvas
    points = [QPoint(2 * SLOT + 10, y) for y in range(0, canvas.viewport().height(), 4)]
    at = next(point for point in points if canvas.transform().slot_at(point, 6) is not None)
    assert _titles(canvas.viewport(), at) == EDITS
    assert session.step == 2
    assert studio.commander.shown_keys("step.delete") == ""  # there Del deletes an essential state
    studio.answer({"run": "step.delete"})
    _dialog(qtbot, EditPlanDialog).yes.click()
    qtbot.waitUntil(lambda: len(session.steps) == 5)
    assert (session.trajectory.id, session.step) == ("one", 2)
    assert captions(project.find("one"))[:3] == ["one 0", "one 1", "one 3"]
    for command, title, count in (
        ("edit.undo", "Undo delete step 3", 6), ("edit.redo", "Redo delete step 3", 5),
    ):  # fmt: skip
        assert studio.commander.title(command) == title
        studio.answer({"run": command})
        qtbot.waitUntil(lambda count=count: len(session.steps) == count)
        assert (session.step, bytes_in(project) == before) == (2, count == 6)
    qtbot.waitUntil(lambda: studio.commander.title("edit.undo") == "Undo delete step 3")
    studio.answer({"run": "trajectory.history"})
    _dialog(qtbot, EditHistoryDialog).undo_button.click()
    qtbot.waitUntil(lambda: len(session.steps) == 6)
    assert bytes_in(project) == before
    # The history of the trajectory took it back: it is not there to be taken back once more.
    assert not studio.commander.enabled("edit.undo")
    assert not studio.commander.enabled("edit.redo")


def test_the_timeline_in_review_edits_golden_trajectories_and_no_runs(studio, project, qtbot):
    with project.new_trajectory(TrajectoryHeader("run", "shop-1", kind=RUN)) as writer:
        writer.append(recorded(0, "run 0"), png(shade=9), xml("run0"))
        writer.finish()
    studio.project_library.refresh()
    for arguments in (
        {"folder": "trajectories/shop-1/run"},
        {"folder": "trajectories/shop-1/two", "beside": "yes"},
    ):
        studio.answer({"run": "review.open", "arguments": arguments})
    session = studio.window.workspace("review").session
    qtbot.waitUntil(
        lambda: [each.header.id for each in session.stored] == ["run", "two"] and session.is_aligned
    )
    canvas = studio.window.workspace("review").timeline.canvas
    titles = _titles(canvas.viewport(), QPoint(canvas.view.cursor_x + 120, 40))
    assert titles == ["Run agents from this step...", *EDITS]
    session.choose_side(0)
    assert not studio.commander.enabled("step.delete-after")
    session.go_to_step(1, 1)
    assert studio.commander.enabled("step.delete-after")
    studio.answer({"run": "step.delete-after"})
    _dialog(qtbot, EditPlanDialog).yes.click()
    qtbot.waitUntil(lambda: len(session.stored) == 2 and len(session.stored[1].steps) == 3)
    assert captions(project.find("two")) == ["two 0", "two 1", ""]
    assert (session.side, session.step_number(1)) == (1, 1)
    studio.answer({"run": "trajectory.split"})
    _dialog(qtbot, EditPlanDialog).yes.click()
    for undo, left in (
        ("Undo split two at step 2", "two"), ("Undo trim to 2 steps", "two"),
    ):  # fmt: skip
        qtbot.waitUntil(lambda undo=undo: studio.commander.title("edit.undo") == undo)
        studio.answer({"run": "edit.undo"})
        qtbot.waitUntil(lambda left=left: left in [each.header.id for each in session.stored])
    qtbot.waitUntil(lambda: captions(project.find("two")) == ["two 0", "two 1", "two 2", ""])
