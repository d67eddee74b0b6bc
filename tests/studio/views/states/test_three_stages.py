"""Two operators propose blind, settle their differences and hand the result to an auditor, in one window."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.shown_texts import says

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)

RESULTS = "{type: element_exists, selector: \"resource-id='shop:id/sort'\"}"
BOUGHT = "{type: element_text_equals, selector: \"resource-id='shop:id/cart'\", text: Cart (1)}"


def rule(name: str, sentence: str, condition: str, after: str = ""):
    text = (
        f"states: [{{id: '{name}', description: '{sentence}', after: [{after}], conditions: [{condition}]}}]"
    )
    return read_rules(text, "state").rules[0]


class People:
    """Somebody in the States workspace, under one name after another."""

    def __init__(self, room) -> None:
        self.room, self.session = room, room.session
        self.reviews = room.studio.state_reviews
        self.tab = room.workspace.bottom.page("proposals")
        self.view = self.tab.view

    def work_as(self, name: str) -> None:
        self.room.studio.commander.run("app.work-as", name=name)
        self.room.until(lambda: self.reviews.review is not None and self.reviews.review.person == name)
        self.room.until(lambda: self.session.recordings.trajectories)

    def propose(self, *rules) -> None:
        self.room.run("states.start-proposal")
        self.room.until(lambda: self.session.proposal is not None)
        for proposed in rules:
            assert self.session.edit(lambda document, proposed=proposed: document.add_rule(proposed))
        self.room.until(lambda: len(self.view.comparison.rows) == len(rules))

    def sign(self) -> None:
        self.room.run("states.sign-proposal")
        self.room.until(lambda: self.reviews.review.own.signed)

    @property
    def goldens(self) -> list[str]:
        """Who recorded the golden trajectories on show."""
        return [item.header.who for item in self.session.goldens]

    @property
    def states(self):
        """The states that the task names."""
        names = self.session.task.essential_states
        return [state for state in self.session.states if state.id in names]

    @property
    def audit(self):
        return self.room.workspace.right.page("audit")

    @property
    def history(self):
        return self.room.workspace.right.page("history").list.entries

    def show_audit(self) -> None:
        self.room.run("states.audit")

    def answer(self, state_id: str) -> None:
        """Say yes to what is asked of one state."""
        checklist = self.audit.checklist
        checklist.chosen.emit(state_id)
        self.room.until(lambda: checklist.current == state_id)
        for criterion in ("visual_verifiability", "criticality"):
            button = checklist.criteria[criterion].answers.buttons["yes"]
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        self.room.until(lambda: checklist.sheet.row(state_id).answered >= 2)

    def row(self, row_id: str):
        return next(row for row in self.view.comparison.rows if row.id == row_id)

    def pick_in_row(self, row_id: str, words: str) -> None:
        """Choose the entry with these words in the menu of a row."""
        self.room.until(lambda: any(row.id == row_id for row in self.view.comparison.rows))
        self.view.menu_wanted.emit(row_id, self.view.mapToGlobal(self.view.rect().center()))
        menu = QApplication.activePopupWidget()
        action = next(action for action in menu.actions() if action.text().startswith(words))
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())

    def press(self, key) -> None:
        self.view.setFocus()
        QTest.keyClick(self.view, key)


@pytest.fixture
def people(room):
    return People(room)


def keep_keyboard_where_it_is(people, room) -> None:
    """A task is chosen whose proposals can be settled already: nothing takes the keyboard from the graph."""
    task, canvas = people.session.task_id, room.workspace.graph.canvas
    other = next(known.id for known in people.session.tasks if known.id != task)
    for chosen in (other, task):
        canvas.setFocus()
        people.session.choose_task(chosen)
        room.until(lambda chosen=chosen: getattr(people.reviews.review, "task_id", "") == chosen)
    assert people.reviews.review.alignment is not None
    assert room.studio.window.focusWidget() is canvas
    people.view.setFocus()


@pytest.mark.all_workspaces
def test_proposals_are_blind_until_signed_and_differences_are_settled_by_keys(people, room) -> None:
    people.work_as("lin")
    people.propose(rule("1", "Posters listed", RESULTS), rule("2", "Poster bought", BOUGHT, "'1'"))
    assert [state.id for state in people.session.states] == ["1", "2"]
    room.until(lambda: people.goldens == ["lin"])  # the other one is not shown
    assert "golden trajectory" in people.session.recordings.hidden[0]
    people.sign()
    assert people.session.proposal is None

    people.work_as("sara")
    people.propose(
        rule("1", "Posters listed", RESULTS), rule("2", "In the cart", BOUGHT), rule("3", "Liked", "")
    )
    assert people.view.comparison.hidden_left
    assert [row.right.sentence for row in people.view.comparison.rows] == [
        "Posters listed",
        "In the cart",
        "Liked",
    ]
    people.tab.stage_button.setFocus()
    QTest.mouseClick(people.tab.stage_button, Qt.MouseButton.LeftButton)
    room.until(lambda: people.reviews.review.alignment is not None)
    assert not people.view.comparison.hidden_left
    assert len(people.view.comparison.rows) == 3
    assert says(people.tab, "0 of 3 settled")
    assert not room.studio.commander.enabled("states.send-to-audit")
    # The button is gone: its keyboard is with the rows, one of which looks chosen.
    QTest.keyClick(room.studio.window.focusWidget(), Qt.Key.Key_N)
    assert people.view.current == "A2"
    keep_keyboard_where_it_is(people, room)
    assert len(people.states) == 3

    # What the program paired wrongly is parted by hand, and paired again.
    people.pick_in_row("A2", "These are two states")
    room.until(lambda: len(people.view.comparison.rows) == 4)
    people.pick_in_row("A2", "The same as B2")
    room.until(lambda: len(people.view.comparison.rows) == 3)
    for _number in range(2):
        room.run("edit.undo")
    room.until(lambda: people.reviews.review.definition is None)

    # The operators settle what differs, by keys; the session begins with the first decision.
    people.view.set_current("A1")
    people.press(Qt.Key.Key_N)
    assert people.view.current == "A2"
    assert people.row("A2").summary.startswith("Wording")
    people.press(Qt.Key.Key_B)
    room.until(lambda: people.row("A2").decision == "as sara proposes")
    assert people.reviews.review.definition.started
    room.run("edit.undo")
    room.until(lambda: not people.row("A2").is_settled)
    assert people.reviews.review.definition is None  # the session began with that decision
    room.run("edit.redo")
    room.until(lambda: people.row("A2").is_settled)
    people.press(Qt.Key.Key_N)
    assert people.view.current == "B3"
    people.press(Qt.Key.Key_D)
    room.until(lambda: people.row("B3").decision == "dropped")
    QTest.mouseClick(people.tab.settle_button, Qt.MouseButton.LeftButton)
    room.until(lambda: says(people.tab, "3 of 3 settled"))
    assert room.studio.commander.enabled("states.send-to-audit")
    room.run("states.send-to-audit")
    sentences = ["Posters listed", "In the cart"]
    room.until(lambda: [state.description for state in people.states] == sentences)
    agreed = [state.id for state in people.states]
    assert [entry.subject for entry in people.history if "settled A2" in entry.sentence] == [agreed[1]]
    assert says(people.tab, "agreed, and written into rules/states.yaml")

    # An operator does not audit; a third person does, and does not see whose the states are.
    assert not room.studio.commander.enabled("states.start-audit")
    people.work_as("jo")
    assert room.studio.window.status.cells["author"].accessibleName() == "jo"
    people.show_audit()
    QTest.mouseClick(people.audit.start_button, Qt.MouseButton.LeftButton)
    room.until(lambda: people.reviews.review.audit is not None)
    assert room.studio.window.status.cells["author"].accessibleName() == "jo (auditor)"
    assert room.studio.window.focusWidget() is people.audit.checklist.list  # 1, 2 and 3 decide
    assert people.view.comparison.hidden_left
    names = re.compile(r"\b(lin|sara)\b")
    assert not names.search(str(people.history))
    assert not names.search(str(people.view.comparison))
    room.until(lambda: not names.search(room.workspace.graph.about.text()))
    cards = room.studio.window.workspace("project").recent.cards
    room.until(lambda: {row.who for row in cards.rows} == {""})
    checklist = people.audit.checklist
    facts = [fact for row in checklist.sheet.rows for criterion in row.criteria for fact in criterion.facts]
    assert ("state-ok", "Golden A: step 2 reaches it") in facts
    checklist.list.setFocus()
    for state_id in agreed:
        people.answer(state_id)
    QTest.mouseClick(checklist.criteria["sufficiency"].answers.buttons["yes"], Qt.MouseButton.LeftButton)
    room.until(lambda: not checklist.sheet.problem or "neither" in checklist.sheet.problem)
    checklist.list.setFocus()
    QTest.keyClick(checklist.list, Qt.Key.Key_1)
    room.until(lambda: people.reviews.review.audit.state(agreed[1]).verdict == "accept")
    QTest.keyClick(checklist.list, Qt.Key.Key_Up)
    assert checklist.current == agreed[0]
    room.studio.commander.run("states.reject", state=agreed[0], note="Not seen")
    room.until(lambda: checklist.sheet.row(agreed[0]).decision == "reject")
    room.run("edit.undo")
    room.until(lambda: not checklist.sheet.row(agreed[0]).decision)
    QTest.keyClick(checklist.list, Qt.Key.Key_1)
    room.until(lambda: not checklist.sheet.problem)
    QTest.mouseClick(checklist.sign, Qt.MouseButton.LeftButton)
    room.until(lambda: people.reviews.review.audit.signed)
    assert checklist.sheet.verdict == "Signed; all states are accepted"
    room.until(lambda: {state.status for state in people.states} == {"audited"})
    assert any("lin signed" in entry.sentence for entry in people.history)  # no longer blind
    room.run("edit.undo")
    room.until(lambda: not people.reviews.review.audit.signed)
    room.until(lambda: {state.status for state in people.states} == {"agreed"})


@pytest.mark.all_workspaces
def test_a_golden_trajectory_is_hidden_in_every_workspace_while_the_own_proposal_is_open(
    people, room
) -> None:
    studio, toasts = room.studio, room.studio.window.toasts
    review = studio.window.workspace("review").session
    people.work_as("lin")
    studio.commander.run("review.open", folder="trajectories/buy/buy-sara")
    room.until(lambda: [stored.header.id for stored in review.stored] == ["buy-sara"])
    studio.window.show_workspace("states")
    people.propose(rule("1", "Posters listed", RESULTS))
    cards = studio.window.workspace("project").recent.cards
    room.until(lambda: cards.hidden)
    room.until(lambda: not review.stored)  # what was open is closed
    hidden = dict(cards.hidden)
    assert [folder.split("/")[-1] for folder in hidden] == ["buy-sara"]
    assert "when your own proposal is signed" in next(iter(hidden.values()))

    studio.commander.run("review.open", folder=next(iter(hidden)))
    room.until(lambda: any("buy-sara is not shown" in toast.accessibleName() for toast in toasts.shown))
    assert not review.stored
    studio.window.show_workspace("rules")
    rules = studio.window.workspace("rules").session
    room.until(lambda: rules.corpus is not None)
    assert {ref.id for ref in rules.corpus.trajectories} == {"buy-lin"}

    studio.window.show_workspace("states")
    people.sign()
    room.until(lambda: not cards.hidden)
    room.until(lambda: people.goldens == ["lin", "sara"])
    assert says(people.tab, "Your proposal is signed; a second operator is missing")


def test_compare_operators_shows_and_folds_the_comparison(people, room) -> None:
    workspace, button = room.workspace, room.workspace.toolbar.buttons["states.compare"]
    assert workspace.panel_shown("bottom")
    assert button.isChecked()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not workspace.panel_shown("bottom")
    assert not button.isChecked()
    workspace.bottom.show_tab("labels")
    room.run("states.compare")
    assert (workspace.panel_shown("bottom"), workspace.bottom.current) == (True, "proposals")
    assert button.isChecked()
