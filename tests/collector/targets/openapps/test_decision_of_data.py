"""The reward decides as OpenApps' does; each case was worked out by hand from its ``tasks.py``."""

from __future__ import annotations

from typing import Any

import pytest

from collector.model.app_data.target import TaskTarget
from collector.targets.openapps.decision import decide
from collector.targets.openapps.states import state_of
from collector.targets.reader import read_target

EVENT = {"title": "Dinner", "date": "2026-04-01", "notes": "", "place": "", "link": "", "guests": []}
STATE: dict[str, Any] = {
    "todo.tasks": [{"id": 1, "title": "Water plants", "done": 0}, {"id": 2, "title": "Read", "done": 1}],
    "calendar.events": [
        {"id": 7, "title": "Concert", "date": "2026-03-01", "notes": None, "guests": "Bo, Al"}
    ],
    "messenger.chats": [{"chat": "Alice"}, {"chat": "Bob"}],
    "messenger.messages": [{"chat": "Alice", "me": False, "text": "Hi"}],
    "maps.saved": [{"name": "Times Square", "lat": 40.758, "lng": -73.9855}],
    "code.files": [{"path": "a", "text": "b"}],
    "shop.state": [{"cart": {"a": 1}}],
}


def reward_as_openapps(initial: Any, actual: Any, target: TaskTarget) -> int:
    return decide(state_of(initial), state_of(actual), target).reward


def reward(target: dict[str, Any], **collections: Any) -> int:
    actual = {**STATE, **{name.replace("__", "."): value for name, value in collections.items()}}
    return reward_as_openapps(STATE, actual, read_target({"semantics": "openapps", **target}))


def event(**changes: Any) -> dict[str, Any]:
    return {"id": 9, **EVENT, **changes}


@pytest.mark.parametrize(("done", "expected"), [(1, 1), ("1", 1), (True, 1), (0, 0), (None, 0), ("yes", 0)])
def test_a_task_is_done_by_any_of_its_values(done, expected):
    tasks = [STATE["todo.tasks"][1], {"title": "water  PLANTS.", "done": done}]
    assert reward({"done": "Water plants"}, todo__tasks=tasks) == expected


def test_a_task_that_is_not_there_cannot_be_done_but_can_be_removed():
    assert reward({"done": "water plants"}) == 0  # its title is compared letter by letter
    assert reward({"removed": {"todo.tasks": {"title": "Fly"}}}) == 1


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (event(), 1),
        (event(notes=None, guests=None, recurring="weekly"), 1),
        (event(title="dinner!"), 1),
        (event(date="20260401"), 1),
        (event(guests=["Al"]), 0),
        (event(notes="with Al"), 0),
        (event(date="2026-04-02"), 0),
    ],
)
def test_empty_values_of_an_event_do_not_count(new, expected):
    target = {"add": {"calendar.events": dict(EVENT)}}
    assert reward(target, calendar__events=[new, *STATE["calendar.events"]]) == expected


def test_guests_are_a_list_or_a_text_with_commas():
    concert = {"title": "Concert", "date": "2026-03-01", "guests": [" al ", "Bo"]}
    assert reward({"removed": {"todo.tasks": {"title": "Fly"}}}, calendar__events=[concert]) == 1


def test_an_event_like_the_last_one_is_not_added_again():
    first = {**STATE, "calendar.events": [dict(EVENT)]}
    target = read_target({"semantics": "openapps", "add": {"calendar.events": dict(EVENT)}})
    assert reward_as_openapps(first, first, target) == 1
    with_id = {**STATE, "calendar.events": [event()]}
    assert reward_as_openapps(with_id, with_id, target) == 0


@pytest.mark.parametrize(
    ("texts", "expected"),
    [(["Hi", "Play?"], 1), (["Hi", "play", "Yes"], 1), (["Hi", "Play?", "a", "b"], 0), (["Hi"], 0)],
)
def test_as_many_last_messages_as_were_sent_may_follow(texts, expected):
    messages = [{"chat": "Alice", "me": False, "text": text} for text in texts]
    assert reward({"sent": {"to": "Alice", "text": "Play?"}}, messenger__messages=messages) == expected


def test_answers_between_two_messages_are_not_tolerated():
    target = {"sent": [{"to": "Alice", "text": "One"}, {"to": "Alice", "text": "Two"}]}

    def messages(*texts):
        return [{"chat": "Alice", "me": False, "text": text} for text in texts]

    assert reward(target, messenger__messages=messages("Hi", "One", "Two", "a", "b")) == 1
    assert reward(target, messenger__messages=messages("Hi", "One", "a", "Two", "b")) == 0


def test_a_message_needs_its_contact():
    assert reward({"sent": {"to": "Zoe", "text": "Hi"}}) == 0


@pytest.mark.parametrize(
    ("lat", "lng", "within_km", "expected"),
    [
        (48.8584, 2.2945, 0.5, 1),
        (48.8999, 2.2001, 0.5, 1),  # 10 km away, and in the same tenth of a degree
        (48.9001, 2.2945, 0.5, 0),  # 4.6 km away, and in the next one
        (48.9001, 2.2945, None, 0),  # 11.1 km from cell to cell
        (48.8584, 2.3001, None, 1),  # 7.3 km from cell to cell
        (48.8584, 2.4001, None, 0),
    ],
)
def test_positions_are_cut_to_tenths_of_a_degree(lat, lng, within_km, expected):
    place = {"name": "Eiffel Tower", "lat": 48.8584, "lng": 2.2945}
    target = {"saved": place if within_km is None else {**place, "within_km": within_km}}
    new = {"name": "eiffel tower, Paris, France", "lat": lat, "lng": lng, "icon": "star"}
    assert reward(target, maps__saved=[*STATE["maps.saved"], new]) == expected


def test_the_code_editor_does_not_count_and_other_apps_do():
    assert reward({"removed": {"todo.tasks": {"title": "Fly"}}}, code__files=[]) == 1
    assert reward({"removed": {"todo.tasks": {"title": "Fly"}}}, shop__state=[{"cart": {"a": 2}}]) == 0
    assert reward({"removed": {"todo.tasks": {"title": "Fly"}}}, shop__state=[{"cart": {"a": 1.0}}]) == 1


def test_records_with_the_same_key_are_compared_in_their_order():
    first = [{"title": "A", "done": 0}, {"title": "a", "done": 1}]
    state = {**STATE, "todo.tasks": first}
    target = read_target({"semantics": "openapps", "removed": {"todo.tasks": {"title": "Fly"}}})
    assert reward_as_openapps(state, {**state, "todo.tasks": first[::-1]}, target) == 0
