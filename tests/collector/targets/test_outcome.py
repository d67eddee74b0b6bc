"""What data come to by a target: the reward, the parts, and the side effects."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.targets import comparison
from collector.targets.outcome import effect_text, outcome_of, part_text
from collector.targets.reader import read_target
from collector.targets.values import plain_text

TASKS = [
    {"title": "Buy milk", "list": "my", "due": "", "done": False, "content_id": "milk"},
    {"title": "Pay rent", "list": "my", "due": "", "done": False, "content_id": "rent"},
]
EVENTS = [{"title": "Dentist", "date": "2026-12-01", "time": "10:00", "guests": []}]
CHATS = [{"chat": "ana", "name": "Ana Duarte", "pinned": False, "muted": False}]
MESSAGES = [{"chat": "ana", "me": False, "text": "Hi"}, {"chat": "ana", "me": True, "text": "Hello"}]
SAVED = [{"name": "Lighthouse", "lat": 43.386, "lng": -8.407, "list": "starred", "color": "red"}]
INITIAL = {
    "todo.tasks": TASKS, "calendar.events": EVENTS, "messenger.messages": MESSAGES, "messenger.chats": CHATS,
    "messenger.contacts": [{"chat": "ana", "name": "Ana Duarte"}, {"chat": "ben", "name": "Ben Okafor"}],
    "maps.saved": SAVED, "code.files": [{"path": "a.py", "text": "a + b"}],
}  # fmt: skip


def changed(**collections: Any) -> dict[str, Any]:
    return {
        **copy.deepcopy(INITIAL),
        **{name.replace("__", "."): value for name, value in collections.items()},
    }


def outcome(target: dict[str, Any], actual: dict[str, Any], initial: Any = INITIAL, front: str = ""):
    return outcome_of(initial, actual, read_target(target), front=front)


def done(*titles: str) -> list[dict[str, Any]]:
    return [{**task, "done": task["title"] in titles} for task in TASKS]


def test_a_task_that_was_done_is_done_and_another_is_a_side_effect():
    target = {"done": "Buy milk"}
    assert outcome(target, INITIAL).reward == 0
    assert outcome(target, changed(todo__tasks=done("Buy milk"))).reward == 1
    both = outcome(target, changed(todo__tasks=done("Buy milk", "Pay rent")))
    assert (both.reward, both.holds, both.share) == (0, (True,), 1.0)
    assert [effect_text(effect) for effect in both.side_effects] == [
        "todo.tasks: 'Pay rent' was changed: done true"
    ]
    wrong = outcome(target, changed(todo__tasks=done("Pay rent")))
    assert (wrong.reward, wrong.holds, len(wrong.side_effects)) == (0, (False,), 1)


def test_letters_case_punctuation_and_order_do_not_count():
    tasks = [
        {"title": "PAY rent", "list": "my", "due": "", "done": True},
        {**TASKS[0], "title": " buy, milk! "},
    ]
    assert outcome({"done": "pay rent."}, changed(todo__tasks=tasks)).reward == 1
    exact = {"done": "Pay rent", "tolerance": {"text": "exact"}}
    assert outcome(exact, changed(todo__tasks=tasks)).reward == 0


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Buy milk", "buy  MILK!", True), ("Buy milk", "Buymilk", False), ("to-do", "todo", True),
        ("Straße", "STRASSE", True), ("İzmir", "izmir", True), ("I ❤ you", "I ❤\ufe0f you", True),
        # Hebrew with its vowels is the same as without them.
        ("\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd", True),
        ("กิน", "กัน", False), ("की", "का", False),  # those of Thai and Hindi decide what a word is
        ("?", "!", False),
    ],
)  # fmt: skip
def test_what_is_the_same_text(first, second, same):
    assert (plain_text(first) == plain_text(second)) is same


def test_ids_count_exactly():
    chats = [{**CHATS[0], "muted": True}]
    target = {"change": {"messenger.chats": {"where": {"chat": "ana"}, "to": {"muted": True}}}}
    assert outcome(target, changed(messenger__chats=chats)).reward == 1
    for other in (
        {"messenger__chats": [{**chats[0], "chat": "ANA"}]},
        {"maps__saved": [{**SAVED[0], "list": "Starred"}]},
    ):
        assert outcome(target, changed(**{"messenger__chats": chats, **other})).reward == 0


def test_of_a_new_record_open_fields_may_have_any_value_and_others_are_as_the_app_leaves_them():
    target = {"add": {"calendar.events": {"title": "Haircut", "date": "2026-12-02"}}}
    new = {"title": "Haircut", "date": "2026-12-02", "time": "17:00", "end": "18:00", "reminder": 10}
    assert outcome(target, changed(calendar__events=[*EVENTS, new])).reward == 1
    noted = outcome(target, changed(calendar__events=[*EVENTS, {**new, "notes": "short"}]))
    assert (noted.reward, noted.holds) == (0, (False,))
    twice = outcome(target, changed(calendar__events=[*EVENTS, new, new]))
    assert (twice.reward, twice.holds, len(twice.side_effects)) == (0, (True,), 1)


def test_a_removed_record_is_gone_and_a_kept_one_is_no_side_effect():
    target = {"removed": {"todo.tasks": {"content_id": "milk"}}}
    assert outcome(target, changed(todo__tasks=TASKS[1:])).reward == 1
    kept = outcome(target, INITIAL)
    assert (kept.holds, kept.side_effects) == ((False,), ())
    other = outcome(target, changed(todo__tasks=TASKS[:1]))
    assert (other.holds, [effect.kind for effect in other.side_effects]) == ((False,), ["removed"])


def sent(*texts: str, answers: int = 0, chat: str = "ana") -> list[dict[str, Any]]:
    new: list[dict[str, Any]] = []
    for text in texts:
        new.append({"chat": chat, "me": True, "text": text})
        new += [{"chat": chat, "me": False, "text": f"answer to {text}"}] * answers
    return [*MESSAGES, *new]


@pytest.mark.parametrize(
    ("messages", "reward"),
    [
        (sent("See you"), 1),
        (sent("see you", answers=1), 1),
        (sent("See you", answers=2), 0),
        (sent("See you", "See you"), 0),
        (sent("See me"), 0),
        ([*MESSAGES, {"chat": "ana", "me": False, "text": "Yes"}, *sent("See you")[2:]], 0),
        ([MESSAGES[1], MESSAGES[0], *sent("See you")[2:]], 0),
        (sent("See you")[1:], 0),
    ],
)
def test_a_message_is_sent_once_in_its_place_and_may_be_answered(messages, reward):
    assert (
        outcome(
            {"sent": {"to": "ana duarte", "text": "See you"}}, changed(messenger__messages=messages)
        ).reward
        == reward
    )


def test_answers_between_two_messages_may_be_there_or_are_refused():
    target = {"sent": [{"to": "ana", "text": "One"}, {"to": "ana", "text": "Two"}]}
    data = changed(messenger__messages=sent("One", "Two", answers=1))
    assert outcome(target, data).reward == 1
    assert outcome({**target, "tolerance": {"replies": False}}, data).reward == 0


def test_a_message_to_a_new_contact_begins_a_chat():
    target = {"sent": {"to": "Ben Okafor", "text": "Hello"}}
    chats = [*CHATS, {"chat": "ben", "name": "Ben Okafor", "pinned": False, "muted": False}]
    data = changed(messenger__messages=sent("Hello", chat="ben"), messenger__chats=chats)
    assert outcome(target, data).reward == 1


@pytest.mark.parametrize(
    ("north", "within_km", "reward"),
    [(0.0, 0.5, 1), (0.004, 0.5, 1), (0.005, 0.5, 0), (0.08, 10, 1), (0.1, 10, 0)],
)
def test_a_place_is_saved_within_its_distance(north, within_km, reward):
    target = {"saved": {"name": "Harbour", "lat": 43.37, "lng": -8.4, "within_km": within_km}}
    new = {"name": "Harbour", "lat": 43.37 + north, "lng": -8.4, "list": "favourites", "color": "red"}
    assert outcome(target, changed(maps__saved=[*SAVED, new])).reward == reward


@pytest.mark.parametrize(
    ("entry", "color", "reward"), [("museum", "red", 1), ("castle", "red", 0), ("museum", "blue", 0)]
)
def test_a_place_of_the_content_is_saved_wherever_it_is_and_whatever_it_is_called(entry, color, reward):
    target = {"saved": {"content_id": "museum", "color": "red"}}
    new = {
        "name": "Schifffahrtsmuseum",
        "lat": 1,
        "lng": 2,
        "list": "starred",
        "color": color,
        "content_id": entry,
    }
    both = outcome(target, changed(maps__saved=[*SAVED, new]))
    assert (both.reward, len(both.side_effects)) == (reward, 1 - reward)
    change = {"change": {"maps.saved": {"where": {"content_id": "museum"}, "to": {"color": "blue"}}}}
    in_turn = {"subtasks": [target, change]}
    blue = {**new, "color": "blue"}
    assert outcome(in_turn, changed(maps__saved=[*SAVED, blue])).reward == (entry == "museum")


def test_of_code_every_letter_counts():
    target = {"change": {"code.files": {"where": {"path": "a.py"}, "to": {"text": "a - b"}}}}
    assert outcome(target, changed(code__files=[{"path": "a.py", "text": "a - b"}])).reward == 1
    assert outcome(target, changed(code__files=[{"path": "a.py", "text": "a -  b"}])).reward == 0


def test_the_app_in_front_is_a_part_and_data_still_count():
    target = {"open_app": "calendar"}
    assert outcome(target, INITIAL, front="calendar").reward == 1
    assert outcome(target, INITIAL, front="todo").reward == 0
    assert outcome(target, changed(todo__tasks=done("Buy milk")), front="calendar").reward == 0


def test_what_is_ignored_does_not_count():
    data = changed(todo__tasks=[{**task, "note": "x"} for task in done("Buy milk")], maps__saved=[])
    target = {"done": "Buy milk", "tolerance": {"ignore": ["maps", "todo.tasks.note"]}}
    assert outcome(target, data).reward == 1
    assert outcome({"done": "Buy milk"}, data).reward == 0


def test_a_record_that_is_not_there_at_first_makes_the_target_impossible():
    result = outcome({"done": "Fly"}, INITIAL)
    assert (result.reward, result.holds) == (0, (False,))
    assert result.problem == (
        "todo.tasks has no record with title Fly: the target is about one that is there at the start"
    )
    assert (
        outcome({"sent": {"to": "Zoe", "text": "x"}}, INITIAL).problem == "The messenger has no contact Zoe"
    )


def test_subtasks_are_applied_one_after_the_other():
    target = {"subtasks": [
        {"add": {"todo.tasks": {"title": "Post letter"}}}, {"done": "Post letter"},
        {"removed": {"todo.tasks": {"title": "Buy milk"}}},
    ]}  # fmt: skip
    new = {"title": "Post letter", "list": "my", "due": "2026-12-01", "done": True}
    assert outcome(target, changed(todo__tasks=[TASKS[1], new])).reward == 1
    half = outcome(target, changed(todo__tasks=[*TASKS, new]))
    assert (half.reward, half.holds, half.side_effects) == (0, (True, True, False), ())
    texts = [part_text(read_target(target), number) for number in range(3)]
    assert texts == [
        "todo.tasks: title Post letter is added", "todo.tasks: title Post letter is changed to done true",
        "todo.tasks: title Buy milk is removed",
    ]  # fmt: skip


_TITLES = st.sampled_from(["a", "A!", "b", "c", "d"])
_RECORDS = st.lists(
    st.builds(lambda title, flag: {"title": title, "done": flag}, _TITLES, st.booleans()), max_size=5
)


@given(_RECORDS, _RECORDS)
def test_the_reward_is_1_exactly_when_all_parts_hold_and_nothing_else_changed(initial, actual):
    target = {"add": {"todo.tasks": {"title": "b"}}}
    result = outcome(target, {"todo.tasks": actual}, {"todo.tasks": initial})
    assert result.reward == int(all(result.holds) and not result.side_effects)

    def plain(records):
        return sorted((record["title"].lower().strip("!"), record["done"]) for record in records)

    assert result.reward == int(plain(actual) == plain([*initial, {"title": "b", "done": False}]))


def test_of_records_that_fit_several_as_many_as_can_are_paired():
    """One by one from the front would leave one over: the first fits both, the second only one of them."""
    north = [43.37, 43.3705, 43.3712]
    initial = {"maps.saved": [{"name": "a", "lat": lat, "lng": 0} for lat in north[:2]]}
    actual = {"maps.saved": [{"name": "a", "lat": lat, "lng": 0} for lat in (north[1], north[2])]}
    target = {"done": "Buy milk", "tolerance": {"within_km": 0.08}}
    result = outcome(target, {**changed(todo__tasks=done("Buy milk")), **actual}, {**INITIAL, **initial})
    assert result.reward == 1


@pytest.mark.parametrize("collection", ["todo.tasks", "maps.saved", "messenger.messages"])
def test_thousands_of_records_are_compared_and_damaged_values_are_other_values(collection):
    def records(word):
        values = {"title": word, "name": word, "text": word, "lat": 1, "lng": 2, "chat": "ana"}
        return [values | {"due": str(number), "list": str(number)} for number in range(5000)]

    odd = [{"title": {"a": [1]}, "name": ["x"], "lat": "north", "lng": None, "chat": 7, "text": 3}, {}]
    initial = {**INITIAL, collection: [*INITIAL[collection], *records("x")]}
    actual = {**initial, collection: [*INITIAL[collection], *records("y"), *odd]}
    target = {"sent": {"to": "ana", "text": "a"}}
    assert outcome(target, actual, initial).reward == 0
    assert outcome({**target, "semantics": "openapps"}, actual, initial).reward == 0


def test_only_records_that_changed_are_compared_closely(monkeypatch):
    """The screens of a long run have thousands of records, and the same ones but for a few."""
    many = [{**EVENTS[0], "title": f"Event {number}"} for number in range(500)]
    said = [{**MESSAGES[0], "text": f"Message {number}"} for number in range(500)]
    initial = changed(calendar__events=many, messenger__messages=said)
    keyed: list[str] = []
    key_of = comparison.record_key

    def counted_key(record: Any, collection: Any, *rest: Any) -> Any:
        keyed.append(collection.name)
        return key_of(record, collection, *rest)

    monkeypatch.setattr(comparison, "record_key", counted_key)
    moved = [{**event, "time": "11:00"} if event["title"] == "Event 250" else event for event in many]
    found = outcome({"done": "Buy milk"}, {**initial, "calendar.events": [*moved, EVENTS[0]]}, initial)
    assert [effect.kind for effect in found.side_effects] == ["changed", "added"]
    assert len(keyed) < 600
    assert "messenger.messages" not in keyed
