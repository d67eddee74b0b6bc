"""``app_data`` compares what apps keep on a screen with what they kept on the screen before."""

from __future__ import annotations

import pytest

from collector.model.app_data.collections import AppData
from collector.rules.conditions.app_data import AppDataCondition
from collector.rules.evaluation.explanation import reason
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.rule_reader import read_rules

ANA = {"chat": "ana", "me": True, "text": "I am late"}
OLD = {"chat": "ben", "me": True, "text": "Hello"}
MILK = {"title": "Milk", "done": False, "list": "home"}
START: AppData = {"messenger.messages": [OLD], "todo.tasks": [MILK]}


def view(data: AppData | None, before: AppData | None = START, *, first: bool = False) -> StateView:
    last = None if first else StateView(step=1, app_data=lambda: before)
    return StateView(step=2, app_data=lambda: data, previous=last)


def holds(data: AppData | None, before: AppData | None = START, *, first: bool = False, **keys: str):
    proof = prove(AppDataCondition(**keys), view(data, before, first=first))
    return None if proof.unseen else proof.holds


@pytest.mark.parametrize(
    ("record", "is_there"),
    [("", True), ("title='Milk'", True), ("title*='il' done='false'", True), ("done='true'", False),
     ("note=''", True), ("nothing='x'", False)],
)  # fmt: skip
def test_a_record_is_there(record: str, is_there: bool) -> None:
    assert holds(START, collection="todo.tasks", record=record) is is_there


def test_a_new_record_is_added_and_one_of_before_is_not() -> None:
    sent = {**START, "messenger.messages": [OLD, ANA]}
    own = {"collection": "messenger.messages", "record": "me='true'", "change": "added"}
    assert holds(sent, **own) is True
    assert holds(START, **own) is False
    assert holds(sent, **{**own, "record": "chat='ben'"}) is False
    assert holds(sent, first=True, **own) is False  # nothing was done before it


def test_a_record_is_changed_and_removed() -> None:
    done = {**START, "todo.tasks": [{**MILK, "done": True}]}
    ticked = {"collection": "todo.tasks", "record": "done='true'", "change": "changed"}
    assert holds(done, **ticked) is True
    assert holds(done, **{**ticked, "change": "added"}) is False
    assert holds({**START, "todo.tasks": []}, **{**ticked, "record": "title='Milk'", "change": "removed"})
    assert holds({**START, "todo.tasks": [{**MILK, "title": "milk"}]}, **{**ticked, "record": ""}) is False


def test_nothing_is_known_of_a_phone_that_does_not_say_it() -> None:
    for keys in ({"change": "added"}, {"change": "there"}):
        assert holds(None, collection="todo.tasks", **keys) is None
    assert holds(START, before=None, collection="todo.tasks", change="added") is None


def test_a_proof_says_what_was_changed() -> None:
    condition = AppDataCondition(collection="messenger.messages", change="added")
    seen = view({**START, "messenger.messages": [OLD, ANA]})
    assert reason(prove(condition, seen), seen) == "messenger.messages: 'I am late' was added"


@pytest.mark.parametrize(
    ("written", "code"),
    [("collection: todo.task", "W104"), ("collection: todo.tasks, change: gone", "W104"),
     ("collection: todo.tasks, record: //node", "W107"), ("record: x", "W107")],
)  # fmt: skip
def test_what_is_written_wrong_is_reported(written: str, code: str) -> None:
    file = read_rules(f"states:\n- {{id: s, conditions: [{{type: app_data, {written}}}]}}\n")
    assert code in [diagnostic.code for diagnostic in file.diagnostics]
