"""The reward of states as OpenApps' apps answer them; every edge was found by comparing with its own code."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from collector.targets.openapps.decision import OpenAppsDecision, decide
from collector.targets.openapps.states import data_of, is_state
from collector.targets.outcome import effect_text
from collector.targets.pair import outcome_of_pair, reward_of_pair
from collector.targets.reader import read_target

NOTHING = {"removed": {"todo.tasks": {"title": "No such task"}}}
"""A task that wants nothing: the state has to stay the same."""
STATE: dict[str, Any] = {
    "todo": [{"id": 1, "title": "Feed the fish", "done": 0}, {"id": 2, "title": "Sweep", "done": 1}],
    "calendar": [
        {"id": 1, "title": "Choir", "date": "2026-05-04", "description": "Hall 2", "url": None,
         "location": "", "invitees": "Ida, Jon", "recurring": None}
    ],
    "map": [{"name": "Old Mill", "coords": [52.5201, 13.4049], "markerStyle": {"icon": "star"}}],
    "messenger": [
        {"user": "Ida", "messages": [["Hello", False, "Ida", "May 01, 10:00AM"]]},
        {"user": "Jon", "messages": []},
    ],
    "codeeditor": {"main.py": "print()"},
    "online_shop": [{"cart": {"pen": 1}}],
    "_url": "http://127.0.0.1:5001/todo",
}  # fmt: skip


def decided(target: dict[str, Any], after: Any, before: Any = STATE) -> OpenAppsDecision:
    return decide(before, after, read_target({"semantics": "openapps", **target}))


def changed(**apps: Any) -> dict[str, Any]:
    return {**copy.deepcopy(STATE), **apps}


def without(app: str) -> dict[str, Any]:
    return {name: value for name, value in STATE.items() if name != app}


def task(**values: Any) -> dict[str, Any]:
    """The state with other values of its first to-do."""
    return changed(todo=[{**STATE["todo"][0], **values}, STATE["todo"][1]])


def event(**values: Any) -> dict[str, Any]:
    return changed(calendar=[{**STATE["calendar"][0], **values}])


def chat(*texts: Any, user: str = "Ida") -> list[dict[str, Any]]:
    return [{"user": user, "messages": [[text, False, user, ""] for text in texts]}, STATE["messenger"][1]]


@pytest.mark.parametrize(
    ("after", "reward"),
    [
        (STATE, 1),
        (task(id=77), 1),
        (task(title="FEED, the  fish!"), 1),
        (task(title="Feed-the fish"), 0),  # without its hyphen it is one word
        (task(title="Feed_the_fish"), 0),  # _ is a letter
        (task(title="Feed the fish\u200b"), 1),  # no letter, digit or space
        (task(title="Feed the fi\u0073\u0301h"), 1),  # a combining accent is no letter
        (task(title="Feed\u00a0the\u3000fish"), 1),
        (task(done=None), 1),
        (task(done="0"), 1),
        (task(done=False), 1),
        (task(done="no"), 0),
        (task(done=1e-13), 0),  # no 0, and no truth value
        (task(note=""), 0),  # an unknown key
        (task(__note="x"), 1),  # a private one
        (changed(todo=STATE["todo"][::-1]), 1),
        (changed(todo=STATE["todo"][:1]), 0),
        (changed(codeeditor=None), 1),
        (without("codeeditor"), 1),
        (without("_url"), 1),
        (changed(_extra=1), 1),
        (without("online_shop"), 0),
        (changed(notes=[]), 0),
        (changed(online_shop=[{"cart": {"pen": 1.0}}]), 1),
        (changed(online_shop=[{"cart": {"pen": True}}]), 1),
        (changed(online_shop=[{"cart": {"pen": 1 + 1e-13}}]), 1),  # the same to 12 digits
        (changed(online_shop=[{"cart": {"pen": 1 + 1e-11}}]), 0),
        (changed(online_shop=[{"cart": {"Pen": 1}}]), 0),  # names of keys count exactly
        (changed(online_shop=[{"cart": {"pen": "1"}}]), 0),
        (event(id=9, recurring="weekly", url="", location=None), 1),
        (event(description="hall 2."), 1),
        (event(invitees=["jon ", "IDA"]), 1),
        (event(invitees=" Jon ,, Ida,"), 1),
        (event(invitees="Ida"), 0),
        (event(date="20260504"), 1),
        (event(description=None), 0),
        (event(url=False), 0),  # false is not empty
        (changed(messenger=chat("hello!")), 1),
        (changed(messenger=chat("Hello", user="ida")), 1),
        (changed(messenger=chat("Hello", "Hello")), 0),
        (changed(messenger=chat()), 0),
        (changed(messenger=STATE["messenger"][::-1]), 1),
        (changed(messenger=[{"user": "Ida", "messages": ["Hello"]}, STATE["messenger"][1]]), 0),
        (changed(messenger=STATE["messenger"][:1]), 0),
    ],
)  # fmt: skip
def test_what_makes_a_difference(after, reward):
    decision = decided(NOTHING, after)
    assert decision.reward == reward, decision.why
    assert bool(decision.why) != reward


@pytest.mark.parametrize(
    "after",
    [
        {}, without("todo"), without("map"), changed(todo=None), changed(calendar=["Choir"]),
        changed(messenger=[{"user": "Ida"}]), changed(messenger=[{"user": "Ida", "messages": [[]]}]),
        changed(map=[{"name": "Old Mill"}]), changed(map=[{"name": "Old Mill", "coords": [math.nan, 1]}]),
        changed(map=[{"name": "Old Mill", "coords": [math.inf, 1]}]), changed(todo=[{"done": 1}]),
        changed(map=[{"name": None, "coords": [1, 1]}]), changed(todo=[{"title": 5}]), [], "state", None,
    ],
)  # fmt: skip
def test_a_state_that_openapps_cannot_work_on_has_no_reward(after):
    assert decided(NOTHING, after).reward == 0


def test_an_app_without_anything_may_be_any_empty_value():
    before = changed(todo=[])
    assert decided(NOTHING, changed(todo={}), before).reward == 1
    assert decided({"add": {"todo.tasks": {"title": "Sing"}}}, changed(todo={}), changed(todo={})).reward == 0


def test_a_task_that_is_done_keeps_its_title_alone():
    done = {"done": "Feed the fish"}
    assert decided(done, task(done=1)).reward == 1
    with_note = task(note="twice")
    assert decided(done, task(done=True, note="twice"), with_note).reward == 0
    assert decided(done, task(done=True), with_note).reward == 1
    assert decided({"done": "feed the fish"}, task(done=1)).reward == 0
    twice = changed(todo=[*STATE["todo"], STATE["todo"][0]])
    last = changed(todo=[*STATE["todo"], {"title": "Feed the fish", "done": 1}])
    first = changed(todo=[{"title": "Feed the fish", "done": 1}, STATE["todo"][1], STATE["todo"][0]])
    assert (decided(done, last, twice).reward, decided(done, first, twice).reward) == (1, 0)


def test_an_event_is_added_once_and_only_to_others():
    new = {"title": "Fair", "date": "2026-06-01", "description": "", "location": "", "url": "",
           "invitees": []}  # fmt: skip
    target = {"add": {"calendar.events": {"title": "Fair", "date": "2026-06-01"}}}
    there = changed(calendar=[*STATE["calendar"], new])
    assert decided(target, there).reward == 1
    assert decided(target, there, there).reward == 1
    with_id = changed(calendar=[*STATE["calendar"], {**new, "id": 4}])
    assert decided(target, with_id).reward == 1
    assert decided(target, with_id, with_id).reward == 0
    assert decided(target, changed(calendar=[new]), changed(calendar=[])).reward == 0


def test_a_removed_record_is_known_letter_by_letter():
    removed = {"removed": {"calendar.events": {"title": "Choir", "date": "2026-05-04"}}}
    assert decided(removed, changed(calendar=[])).reward == 1
    other_date = {"removed": {"calendar.events": {"title": "Choir", "date": "2026-05-05"}}}
    assert decided(other_date, changed(calendar=[])).reward == 0
    assert decided(other_date, STATE).reward == 1
    no_date = changed(calendar=[{"title": "Choir"}, *STATE["calendar"]])
    assert decided(removed, changed(calendar=[{"title": "Choir"}]), no_date).reward == 0


def saved(name: str, *coords: Any) -> dict[str, Any]:
    return changed(map=[*STATE["map"], {"name": name, "coords": list(coords)}])


LAT, LNG = 48.8584, 2.2945


@pytest.mark.parametrize(
    ("coords", "within_km", "reward"),
    [
        ((LAT, LNG), 0.5, 1),
        ((48.8999, 2.2001), 0.5, 1),  # 8.3 km away in the same cell
        ((LAT + 0.501 / 111, LNG), 0.5, 1),
        ((48.9, LNG), 0.5, 0),  # 4.6 km away, in the next cell
        ((48.7999, LNG), 10, 0),  # a cell of latitude is 11.1 km
        ((LAT, 2.3001), 10, 1),  # one of longitude is 7.3 km here
        ((LAT, 2.1999), 7.2, 0),
        ((LAT, 2.1999), 7.4, 1),
        ((48.9, 2.3001), 13.2, 0),  # both together 13.3 km
        ((48.9, 2.3001), 13.4, 1),
        ((LAT, LNG, "high"), 0.5, 1),
        ((LAT, str(LNG)), 0.5, 0),
        ((LAT,), 0.5, 0),
    ],
)  # fmt: skip
def test_distances_are_those_of_cells(coords, within_km, reward):
    target = {"saved": {"name": "Tower", "lat": LAT, "lng": LNG, "within_km": within_km}}
    assert decided(target, saved("tower, Paris", *coords)).reward == reward


def test_cells_are_cut_towards_zero():
    target = {"saved": {"name": "Zero", "lat": 0.09, "lng": -0.09, "within_km": 0.001}}
    assert decided(target, saved("Zero", -0.09, 0.09)).reward == 1
    assert decided(target, saved("Zero", 0.1, -0.09)).reward == 0
    assert decided(target, saved(",Zero", 0.09, -0.09)).reward == 0  # the name ends at the first comma


def test_ten_kilometres_unless_the_target_says_otherwise():
    target = {"saved": {"name": "Hut", "lat": 60.05, "lng": 10.05}}
    assert decided(target, saved("Hut", 60.05, 10.1)).reward == 1  # 5.5 km from cell to cell
    assert decided(target, saved("Hut", 60.1, 10.05)).reward == 0
    assert decided({**target, "tolerance": {"within_km": 12}}, saved("Hut", 60.1, 10.05)).reward == 1


def test_as_many_answers_as_messages_were_sent():
    target = {"sent": [{"to": "Ida", "text": "One"}, {"to": "Ida", "text": "Two"}]}
    for answers, reward in enumerate([1, 1, 1, 0]):
        texts = ["Hello", "one!", "TWO", *["ok"] * answers]
        assert decided(target, changed(messenger=chat(*texts))).reward == reward
    assert decided(target, changed(messenger=chat("Hello", "One"))).reward == 0
    assert decided(target, changed(messenger=chat("Hello", "One", "ok", "Two"))).reward == 0
    other = [chat("Hello", "One", "Two")[0], {"user": "Jon", "messages": [["ok"]]}]
    assert decided(target, changed(messenger=other)).reward == 0
    assert (
        decided({"sent": {"to": "ida", "text": "One"}}, changed(messenger=chat("Hello", "One"))).reward == 0
    )


@pytest.mark.parametrize(
    ("url", "reward"),
    [
        ("http://h/messages", 1), ("http://h/messages/", 1), ("/messages/Ida?x=1", 1),
        ("http://h/messages;a", 1), ("http://h/messages_all", 0), ("http://h/Messages", 0),
        ("http://h/x/messages", 0), ("http://h", 0), ("messages", 0), ("", 0), (None, 0), (5, 0),
        (["/messages"], 0), ("http://[", 0),
    ],
)  # fmt: skip
def test_a_page_in_front_decides_alone(url, reward):
    assert decided({"open_app": "messenger"}, {"_url": url}).reward == reward
    assert decided({"open_app": "maps"}, {"_url": "http://h/maps"}).reward == 1


def test_a_report_names_parts_and_side_effects():
    target = read_target({"semantics": "openapps", "done": "Feed the fish"})
    after = changed(todo=[STATE["todo"][0], {**STATE["todo"][1], "done": 0}])
    outcome = outcome_of_pair(STATE, after, target)
    assert (outcome.reward, outcome.holds) == (0, (False,))
    assert list(map(effect_text, outcome.side_effects)) == ["todo.tasks: 'Sweep' was changed: done false"]
    assert outcome_of_pair(STATE, task(done=1), target).holds == (True,)
    only_theirs = outcome_of_pair(STATE, {**task(done=1), "ui_library": []}, target)
    assert (only_theirs.reward, only_theirs.problem) == (0, "The states differ at ui_library")
    assert outcome_of_pair(STATE, task(done=1), read_target({"done": "Feed the fish"})).reward == 1


def test_states_and_data_of_a_phone_are_told_apart():
    for value, expected in ((STATE, True), ({}, True), ({"todo.tasks": []}, False), ([], False)):
        assert is_state(value) is expected
    target = read_target({"semantics": "openapps", **NOTHING})
    with pytest.raises(ValueError, match="one is data of a phone"):
        reward_of_pair(STATE, {"todo.tasks": []}, target)
    deep: Any = []
    for _level in range(5000):
        deep = [deep]
    with pytest.raises(ValueError, match="nested too deeply"):
        reward_of_pair(changed(online_shop=[deep]), changed(online_shop=[[deep]]), target)
    assert (
        data_of({"todo": 5, "map": [{}], "messenger": [{"user": "A", "messages": "x"}]})["todo.tasks"] == []
    )


def test_what_only_the_phone_has_must_stay_as_it_was():
    """OpenApps' to-dos have no date; a changed one is a side effect here."""
    tasks = [{"title": "Feed the fish", "list": "my", "due": "", "done": False, "content_id": "fish"}]
    data = {"todo.tasks": tasks, "todo.shared": [], "messenger.chats": [{"chat": "ida", "name": "Ida"}]}
    target = read_target({"semantics": "openapps", "add": {"todo.tasks": {"title": "Sing", "done": False}}})
    new = {"title": "sing", "list": "trip", "due": "2026-11-21", "done": False, "content_id": ""}

    def reward(tasks: Any, **more: Any) -> int:
        return outcome_of_pair(data, {**data, "todo.tasks": tasks, **more}, target).reward

    assert reward([*tasks, new]) == 1
    assert reward([{**tasks[0], "due": "2026-11-21"}, new]) == 0
    assert reward([*tasks, new], **{"todo.shared": [{"list": "my", "contact": "Ida"}]}) == 0
    done = read_target({"semantics": "openapps", "done": "Feed the fish"})
    for due, expected in (("", 1), ("2026-11-21", 0)):
        ticked = {**data, "todo.tasks": [{**tasks[0], "done": True, "due": due}]}
        assert outcome_of_pair(data, ticked, done).reward == expected
    sent = read_target({"semantics": "openapps", "sent": {"to": "Ida", "text": "Hi"}})
    messages = [{"chat": "ida", "me": True, "text": "Hi"}, {"chat": "ida", "me": False, "text": "Hey"}]
    assert outcome_of_pair(data, {**data, "messenger.messages": messages}, sent).reward == 1
