"""A step is judged in the tab Comments, with what would have been right instead."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.comparison.alignment.aligned import REFERENCE
from collector.model.action import action_from_dict
from collector.model.verdicts.judgement import STEP, Subject
from collector.review.reviewing import Reviewing
from collector.store.trajectory.judgements import read_judgements
from studio.widgets.timeline.verdicts import judgement_line, judgement_slot, verdict_lanes

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True)


def said(room):
    """What the person says of steps, by step."""
    newest = read_judgements(room.folders["interrupted"]).newest()
    return {subject.first: item for (_who, subject), item in newest.items() if subject.kind == STEP}


def verdict_on(room, step):
    """The verdict on a step, and whether it has a better action: the file may change between two readings."""
    item = said(room).get(step)
    return (None, False) if item is None else (item.verdict, bool(item.better))


@pytest.fixture
def form(room):
    room.open("interrupted")
    room.session.go(1)
    form = room.workspace.comments_page.step_verdict
    room.run("review.judge-step")
    room.until(form.verdict.hasFocus)
    room.until(form.verdict.isEnabled)
    return form


def called_wrong(room, form):
    """Go down to the second verdict with the keys: each is given at once."""
    for verdict in ("right", "wrong_element"):
        QTest.keyClick(form.verdict, Qt.Key.Key_Down)
        room.until(lambda verdict=verdict: verdict_on(room, 1)[0] == verdict)
    room.until(form.better.isVisible)


def test_a_step_is_judged_with_a_better_action_and_each_act_can_be_undone(room, form):
    assert form.title.text() == "Step 2"
    assert form.verdict.currentIndex() == -1
    assert not form.better.isVisible()
    called_wrong(room, form)
    assert (said(room)[1].verdict, dict(said(room)[1].better)) == ("wrong_element", {})
    form.better.setFocus()
    QTest.keyClicks(form.better, "tap: Search 2")
    QTest.keyClick(form.better, Qt.Key.Key_Return)
    room.until(form.kept.isVisible)
    tap = action_from_dict(dict(said(room)[1].better))
    assert (tap.kind, tap.x, tap.y) == ("tap", 20, 24)
    assert form.kept.text() == "Right would have been: Tap at 20, 24"
    assert form.draft == ""
    (judgement,) = said(room).values()
    assert judgement_slot(judgement, 5) == 1  # on the timeline it stands at its step
    assert judgement_line(judgement).endswith("wrong element · Right would have been: Tap at 20, 24")

    form.verdict.setFocus()
    QTest.keyClick(form.verdict, Qt.Key.Key_Down)  # another error: what would have been right stays
    room.until(lambda: verdict_on(room, 1) == ("wrong_action", True))
    room.until(lambda: "step 2: wrong action" in room.workspace.history.undo_title)
    for verdict, has_better in (
        ("wrong_element", True), ("wrong_element", False), ("right", False), (None, False),
    ):  # fmt: skip
        room.run("edit.undo")
        room.until(lambda wanted=(verdict, has_better): verdict_on(room, 1) == wanted)
    room.until(lambda: form.verdict.currentIndex() == -1)
    assert not form.better.isVisible()
    for verdict in ("right", "wrong_element"):
        room.run("edit.redo")
        room.until(lambda verdict=verdict: bool(said(room)) and said(room)[1].verdict == verdict)
    room.run("edit.redo")
    room.until(lambda: bool(said(room)[1].better))


def test_the_node_that_is_selected_on_the_screen_is_what_was_to_be_tapped(room, form):
    called_wrong(room, form)
    assert not form.node.isEnabled()
    column = room.workspace.columns.columns[room.session.side]
    column.selection.select(next(node for node in column.selection.tree if node.text == "Search 3"))
    room.until(form.node.isEnabled)
    QTest.mouseClick(form.node, Qt.MouseButton.LeftButton)
    assert form.better.text() == "tap: text='Search 3'"
    QTest.mouseClick(form.keep, Qt.MouseButton.LeftButton)
    room.until(lambda: bool(said(room)[1].better))
    assert (said(room)[1].better["x"], said(room)[1].better["y"]) == (20, 34)


def test_words_that_name_nothing_stay_in_the_field_and_belong_to_their_step(room, form):
    called_wrong(room, form)
    form.better.setFocus()
    QTest.keyClicks(form.better, "tap: Buy")
    QTest.keyClick(form.better, Qt.Key.Key_Return)
    room.until(lambda: bool(room.studio.window.toasts.shown))
    assert form.draft == "tap: Buy"
    assert not said(room)[1].better
    room.session.go(2)
    room.until(lambda: form.title.text() == "Step 3")
    assert (form.draft, form.better.isVisible(), form.verdict.currentIndex()) == ("", False, -1)


def test_what_cannot_be_reviewed_and_a_gap_are_not_judged(form):
    form.show_step(0, None, may_judge=False)
    assert not form.verdict.isEnabled()
    form.show_step(None, None, may_judge=True)
    assert (form.title.text(), form.verdict.isEnabled()) == ("No step here", False)


def test_keys_judge_the_step_at_the_cursor_and_the_timeline_names_the_first_error(room, form):
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    for step, key, verdict in (
        (2, Qt.Key.Key_6, "risky"),
        (1, Qt.Key.Key_3, "wrong_action"),
        (0, Qt.Key.Key_1, "right"),
    ):
        room.session.go(step)
        room.until(lambda step=step: form.title.text() == f"Step {step + 1}")
        QTest.keyClick(room.studio.window, key, keys)
        room.until(
            lambda step=step, verdict=verdict: step in said(room) and said(room)[step].verdict == verdict
        )
    (lane,) = verdict_lanes(said(room).values(), 5)
    assert [(mark.slot, mark.text) for mark in lane.given] == [
        (0, "right"), (1, "first error: wrong action"), (2, "risky"),
    ]  # fmt: skip


def test_a_disagreement_on_a_step_is_named_and_adjudicated(room):
    folder, page = room.folders["interrupted"], room.workspace.verdict_page
    project = room.studio.project_library.project
    for who, verdict in (("ada", "wrong_element"), ("kim", "needless")):
        person = Reviewing(project, who)
        person.judge(folder, "failure")
        person.judge_step(folder, 1, verdict)
        person.submit(folder)
    room.open("interrupted")
    disputed = ("Step 2", "ada: wrong element; kim: needless")
    room.until(lambda: disputed in [(row.who, row.says) for row in page.disputes.rows])
    room.run("review.adjudicate")
    dialog = QApplication.activeModalWidget()
    dialog.about.setCurrentIndex(dialog.about.findText("Step 2"))
    words = [dialog.verdict.item(row).text() for row in range(dialog.verdict.count())]
    assert words == [
        "right", "wrong element · ada", "wrong action", "hallucinated", "needless · kim", "risky",
        "undecided",
    ]  # fmt: skip
    dialog.verdict.setCurrentRow(5)
    room.until(dialog.isActiveWindow)
    QTest.keyClick(dialog.reason, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    room.until(
        lambda: ("Step 2", "lin decided: risky") in [(row.who, row.says) for row in page.disputes.rows]
    )
    settled = read_judgements(folder).settled()
    assert settled[Subject(STEP, "", 1, 1)].verdict == "risky"


def test_what_the_reference_does_at_the_place_is_the_better_action(room, form):
    assert not form.golden.isVisible()
    called_wrong(room, form)
    room.until(form.golden.isVisible)
    assert form.golden.text() == "As A does here"
    QTest.mouseClick(form.golden, Qt.MouseButton.LeftButton)
    room.until(lambda: bool(said(room)[1].better))
    golden = room.session.step(REFERENCE).action
    assert action_from_dict(dict(said(room)[1].better)) == golden
    room.session.choose_side(REFERENCE)
    room.until(lambda: not form.golden.isVisible())
