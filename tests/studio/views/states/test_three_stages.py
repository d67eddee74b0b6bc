"""Two operators propose blind, settle their differences and hand the result to an auditor, in one window."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from collector.rules.grammar.rule_reader import read_rules

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

    def row(self, row_id: str):
        return next(row for row in self.view.comparison.rows if row.id == row_id)

    def press(self, key) -> None:
        self.view.setFocus()
        QTest.keyClick(self.view, key)


@pytest.fixture
def people(room):
    return People(room)


def test_proposals_are_blind_until_signed_and_differences_are_settled_by_keys(people, room) -> None:
    people.work_as("lin")
    people.propose(rule("1", "Posters listed", RESULTS), rule("2", "Poster bought", BOUGHT, "'1'"))
    assert [state.id for state in people.session.states] == ["1", "2"]
    room.until(lambda: people.goldens == ["lin"])  # the other one is not shown
    assert "golden trajectory" in people.session.hidden_goldens[0]
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
    people.sign()
    room.until(lambda: people.reviews.review.alignment is not None)
    assert not people.view.comparison.hidden_left
    assert len(people.view.comparison.rows) == 3
    assert people.tab._count.text() == "0 of 3 settled"
