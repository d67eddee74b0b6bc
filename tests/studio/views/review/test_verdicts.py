"""A review in the window: verdict, reason, states, tags, comment, submission, approval, and undo of each."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QScrollArea

from collector.model.errors import UserError
from collector.model.verdicts.judgement import FAILURE, MODEL, RULE, STATE, SUCCESS, Judgement, Subject
from collector.review.queue import ReviewQueue
from collector.review.queue_files import save_queue
from collector.review.reviewing import Reviewing
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reviews.labels import read_labels
from collector.store.trajectory.reviews.review_records import read_work
from studio.bridge.review.reviewer_work import ReviewerWork
from studio.widgets.choice_menu import ChoiceMenu
from studio.widgets.controls import EmptyState
from tests.helpers.review_room import TASK
from tests.helpers.run_files import says
from tests.helpers.shown_texts import form_rows

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True)


def own(room):
    return room.workspace.verdicts.own


def test_a_run_is_reviewed_by_commands_and_each_act_can_be_undone(room) -> None:
    room.open("interrupted")
    page, folder = room.workspace.verdict_page, room.folders["interrupted"]
    assert [(row.who, row.icon) for row in page.judges.rows] == [("rules", "state-err")]
    room.run("review.judge-failure")
    room.until(lambda: own(room) is not None and own(room).verdict == FAILURE)
    assert page.verdicts[FAILURE].isChecked()
    assert page.agreement.text() == "2 of 2 judges agree"

    room.run("review.reason-2")
    reasons = room.workspace.work.reasons
    room.until(lambda: own(room).reason_id == reasons[1].id)
    page.sentence.setPlainText("It forgot to sort")
    page.write_pending()
    room.until(lambda: own(room).reason == "It forgot to sort")
    page.tags.setText("flaky, long")
    page.tags.editingFinished.emit()
    room.session.go(1)
    room.run("review.state-1")
    room.run("review.missed-2")
    room.workspace.comments_page.field.setPlainText("Look here")
    room.workspace.comments.pin()
    room.until(lambda: len(room.workspace.comments_page.rows) == 1)
    labels = read_labels(folder, "lin")
    assert (labels.step_of("searched"), labels.missed) == (1, ("in-cart",))
    assert [(comment.text, comment.step) for comment in labels.comments] == [("Look here", 1)]

    for expected in ("comment", "state 2", "state 1", "tags"):
        assert expected in room.workspace.history.undo_title
        before = room.workspace.history.undo_title
        room.run("edit.undo")
        room.until(lambda before=before: room.workspace.history.undo_title != before)
    room.until(lambda: not room.workspace.comments_page.rows)
    assert read_labels(folder, "lin").missed == ()
    room.run("edit.redo")
    room.until(lambda: "tags" in room.workspace.history.undo_title)

    # After the language was switched the next window undoes what was done in this one.
    later = ReviewerWork(room.studio.tasks, room.studio.project_library, room.workspace)
    later.take_history(room.workspace.work.history)
    room.workspace.work.history.clear()
    assert (later.history.undo_title, later.history.redo_title) == ("tags", "state 1")
    later.history.undo()
    room.until(lambda: not later.history.is_waiting)
    assert read_work(folder, "lin").record.tags == ()


def test_submitting_opens_the_next_of_the_queue_and_another_person_decides(room) -> None:
    work, queue = room.workspace.work, room.workspace.queue
    room.studio.window.show_workspace("review")
    room.until(lambda: work.progress is not None)
    assert queue.button.value == "All automatic verdicts"
    offer = room.workspace.findChild(EmptyState).button
    room.until(offer.isVisible)  # nothing is open: the next of the queue is offered
    assert offer.text() == "Review the next of 2"
    QTest.mouseClick(offer, Qt.MouseButton.LeftButton)
    room.until(lambda: room.session.is_aligned)
    first = room.workspace.verdicts.folder
    assert first in (room.folders["baseline"], room.folders["interrupted"])
    with pytest.raises(UserError):
        room.run("review.submit")  # no verdict yet
    room.until(lambda: bool(room.workspace.verdicts.known.judgements))
    room.run("review.confirm")
    room.until(lambda: own(room) is not None)
    room.studio.window.resize(1280, 720)
    bar = room.workspace.verdict_page.findChild(QScrollArea).verticalScrollBar()
    room.until(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    room.run("review.submit")
    room.until(lambda: room.workspace.verdicts.folder != first and room.session.is_aligned)
    room.until(lambda: bar.value() == 0)  # the judges of the next one are at the top
    room.until(lambda: queue.counts.text() == "1 of 2 reviewed")

    decide_on_another_review(room, room.workspace.verdicts.folder)


def decide_on_another_review(room, folder: Path) -> None:
    """What kim submitted is shown once one's own review is in, and rejected with a reason."""
    kim = Reviewing(room.studio.project_library.project, "kim")
    kim.judge(folder, SUCCESS)
    kim.submit(folder)
    page = room.workspace.verdict_page
    room.workspace.work.read_again()
    assert not page.people.rows
    room.until(lambda: bool(room.workspace.verdicts.known.judgements))
    room.run("review.judge-uncompleted")
    room.until(lambda: own(room) is not None)
    room.run("review.submit")
    room.until(
        lambda: any("Nothing is left" in toast.accessibleName() for toast in room.studio.window.toasts.shown)
    )
    room.until(lambda: [row.who for row in page.people.rows] == ["kim"])
    room.studio.window.resize(1440, 900)
    room.until(lambda: all(each.width() >= each.sizeHint().width() > 0 for each in page.decide))
    room.run("review.reject")
    dialog = room.workspace.findChild(QInputDialog)
    dialog.setTextValue("It was cut off")
    dialog.accept()
    room.until(lambda: page.people.rows[0].tip == "It was cut off")


def test_the_queue_gives_first_what_teaches_most_and_says_why(room) -> None:
    model = Judgement("a3rm", MODEL, "1", Subject(), SUCCESS)
    add_judgements(room.folders["baseline"], [model])
    add_judgements(room.folders["interrupted"], [model])  # the rules say failure
    work, queue = room.workspace.work, room.workspace.queue
    room.studio.window.show_workspace("review")
    room.until(lambda: work.progress is not None)
    choose_in_menu(room, "Where your word teaches most first")
    room.until(lambda: [item.folder.name for item in work.waiting] == ["interrupted", "baseline"])
    why = "a3rm and rules disagree on the task"
    menu = open_menu(room)
    (action,) = (item for item in menu.actions() if item.text().startswith(f"{TASK} / interrupted\t"))
    assert action.text().endswith(why)
    assert action.toolTip() == f"{TASK} / interrupted\n{why}"
    menu.close()
    room.run("review.take-next")
    room.until(lambda: room.session.is_aligned and room.workspace.verdicts.folder.name == "interrupted")
    page = room.workspace.verdict_page
    room.until(page.taught.isVisible)
    assert page.taught.text() == f"Why this one: {why}"
    assert room.studio.settings["review.order"] == "teaching"
    (action,) = (item for item in open_menu(room).actions() if item.text().startswith(f"{TASK} / baseline"))
    action.trigger()
    room.until(lambda: room.workspace.verdicts.folder.name == "baseline")
    assert not page.taught.isVisible()
    assert queue.order == "teaching"


def open_menu(room):
    room.run("review.choose-queue")
    return next(menu for menu in room.studio.window.findChildren(ChoiceMenu) if menu.isVisible())


def choose_in_menu(room, text: str) -> None:
    menu = open_menu(room)
    next(action for action in menu.actions() if action.text() == text).trigger()
    menu.close()


def test_a_queue_that_hides_the_judges_hides_the_outcome_of_the_run_too(room) -> None:
    project = room.studio.project_library.project
    save_queue(project, ReviewQueue("unbiased", "kind:run", reviewers=2, hides_judges=True))
    room.studio.commander.run("review.open", folder=str(room.folders["interrupted"]))
    room.until(lambda: room.session.is_aligned and room.workspace.verdicts.known.reviews is not None)
    workspace = room.workspace
    room.until(lambda: bool(workspace.verdict_page.hidden.text()))
    assert workspace.columns.columns[2].verdict.text == ""
    assert workspace.timeline.canvas.track.groups[2].verdict == ""
    assert "Reason" not in form_rows(workspace.step_page.run_facts)
    assert not workspace.verdict_page.judges.rows
    room.run("review.judge-failure")
    room.until(lambda: own(room) is not None)
    room.workspace.work.act(lambda reviewing: reviewing.submit(room.folders["interrupted"]))
    room.until(lambda: workspace.columns.columns[2].verdict.text == "failure")
    assert form_rows(workspace.step_page.run_facts)["Reason"] == "The cart is empty"


@pytest.mark.all_workspaces
def test_record_hides_what_a_blind_queue_hides_of_a_golden_trajectory(room) -> None:
    golden = room.folders["golden"]
    add_judgements(golden, says("rules", RULE, "success", searched=1))
    room.open("golden")
    room.run("review.edit")
    record = room.studio.window.workspace("record")
    room.until(lambda: record.session.editor is not None)
    room.until(lambda: [item.judge for item in record.verdicts.shown] == ["rules", "rules"])
    project = room.studio.project_library.project
    save_queue(project, ReviewQueue("unbiased", "kind:golden", hides_judges=True))
    record.verdicts.judgements.read()
    room.until(lambda: not record.verdicts.shown)


def test_a_disagreement_on_a_state_is_named_and_adjudicated_and_reviews_are_chosen_by_number(room) -> None:
    folder, page = room.folders["baseline"], room.workspace.verdict_page
    project = room.studio.project_library.project
    for who, step in (("ada", 1), ("kim", 2)):
        person = Reviewing(project, who)
        person.judge(folder, SUCCESS)
        person.label(
            folder,
            "state",
            lambda labels, step=step: labels.with_reached("searched", step, f"states/{step:04}.png"),
        )
        person.submit(folder)
    room.open("baseline")
    room.until(lambda: len(page.people.rows) == 2)
    assert page.agreement.text() == "3 of 3 judges agree on the task"
    votes = "ada, rules: reached at step 2; kim: reached at step 3"
    assert [(row.who, row.says) for row in page.disputes.rows] == [("Posters searched", votes)]

    room.run("review.adjudicate")
    dialog = QApplication.activeModalWidget()
    assert (dialog.about.currentText(), dialog.votes.text()) == ("Posters searched", votes)
    words = [dialog.verdict.item(row).text() for row in range(dialog.verdict.count())]
    given = ["reached at step 2 · ada, rules", "reached at step 3 · kim"]
    assert words == ["reached at step 1", *given, "missed", "undecided"]
    assert dialog.verdict.currentRow() == 1
    dialog.verdict.setCurrentRow(2)
    room.until(dialog.isActiveWindow)
    QTest.keyClicks(dialog.reason, "The list came with step 3")
    QTest.keyClick(dialog.reason, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    room.until(lambda: page.disputes.rows[0].says == "lin decided: reached at step 3")
    settled = room.workspace.verdicts.known.reviews.settled[Subject(STATE, "searched")]
    assert (settled.subject.last, settled.reason) == (2, "The list came with step 3")
    assert page.agreement.text() == "3 of 3 judges agree"

    room.run("review.approve")
    menu = room.menu()
    assert [action.text() for action in menu.actions()] == [
        "&1  ada: success · submitted", "&2  kim: success · submitted",
    ]  # fmt: skip
    QTest.keyClick(menu, Qt.Key.Key_2)
    room.until(lambda: [row.says for row in page.people.rows] == ["submitted", "approved"])
    room.run("edit.undo")
    room.run("edit.undo")
    room.until(lambda: page.agreement.text() == "3 of 3 judges agree on the task")
    room.open("golden")
    verdicts = room.workspace.verdicts
    room.until(lambda: verdicts.folder == room.folders["golden"] and verdicts.known.reviews is not None)
    with pytest.raises(UserError, match="Nothing is to be adjudicated"):
        room.run("review.adjudicate")
