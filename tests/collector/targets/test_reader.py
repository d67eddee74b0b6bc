"""Targets are read from YAML values; what is wrong is said by its place."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from collector.model.app_data.target import ADD, CHANGE, OPEN_APP, OPENAPPS, REMOVE, SEND, TaskTarget
from collector.targets.reader import TargetError, read_target


def target_of(text: str) -> TaskTarget:
    return read_target(yaml.safe_load(text))


def problems_of(value: object) -> list[tuple[tuple[Any, ...], str, str]]:
    with pytest.raises(TargetError) as raised:
        read_target(value)
    return [(problem.path, problem.what, problem.to_do) for problem in raised.value.problems]


def test_parts_are_in_the_order_of_the_file_and_subtasks_are_part_of_it():
    target = target_of("""
        removed: {todo.tasks: {content_id: milk}}
        add:
          calendar.events:
            - {title: Dentist, date: 2026-12-01}
            - {title: Haircut, date: 2026-12-02, guests: [Ana Duarte]}
        subtasks:
          - done: [Pay rent, {content_id: plants}]
          - sent: {to: Ana Duarte, text: Hello}
          - saved: {name: Lighthouse, lat: 43.3, lng: -8, within_km: 0.5}
          - change: {todo.tasks: {where: {title: Slides}, to: {note: Two}}}
        open_app: maps
    """)
    assert [(part.kind, part.collection) for part in target.parts] == [
        (REMOVE, "todo.tasks"), (ADD, "calendar.events"), (ADD, "calendar.events"), (CHANGE, "todo.tasks"),
        (CHANGE, "todo.tasks"), (SEND, "messenger.messages"), (ADD, "maps.saved"), (CHANGE, "todo.tasks"),
        (OPEN_APP, ""),
    ]  # fmt: skip
    assert target.parts[1].values == {"title": "Dentist", "date": "2026-12-01"}
    assert target.parts[2].values["guests"] == ("Ana Duarte",)
    assert target.parts[3].where == {"title": "Pay rent"}
    assert target.parts[3].values == {"done": True}
    assert target.parts[6].within_km == 0.5


def test_the_semantics_of_openapps_bring_its_distance():
    target = target_of("{semantics: openapps, done: Water plants}")
    assert target.semantics == OPENAPPS
    assert target.tolerance.within_km == 10.0
    assert (
        target_of("{done: a, tolerance: {within_km: 2, text: exact, replies: false}}").tolerance.within_km
        == 2
    )


@pytest.mark.parametrize(
    ("text", "path", "what", "to_do"),
    [
        ("add: {todo.task: {title: a}}", ("add", "todo.task"),
         "No app keeps todo.task", "Did you mean todo.tasks?"),
        ("add: {todo.tasks: {note: a}}", ("add", "todo.tasks"),
         "A new record of todo.tasks needs its title", ""),
        ("add: {todo.tasks: {title: a, titel: b}}", ("add", "todo.tasks", "titel"),
         "Records of todo.tasks have no field titel", "Did you mean title?"),
        ("add: {todo.tasks: [{title: a}, 7]}", ("add", "todo.tasks", 1),
         "A record is a mapping of fields", ""),
        ("add: {todo.tasks: {title: a, done: 'yes'}}", ("add", "todo.tasks", "done"),
         "done has to be true or false", ""),
        ("add: {calendar.events: {title: a, reminder: ten}}", ("add", "calendar.events", "reminder"),
         "reminder has to be a number", ""),
        ("add: {calendar.events: {title: a, guests: Ana}}", ("add", "calendar.events", "guests"),
         "guests has to be a list of texts", ""),
        ("change: {todo.tasks: {where: {title: a}}}", ("change", "todo.tasks"),
         "A change has `where`, the record it is about, and `to`, its new values", ""),
        ("{sent: {to: Ana, text: }}", ("sent", "text"), "text has to be a text", ""),
        ("sent: {to: [Ana], text: Hello}", ("sent", "to"), "to has to be a text", ""),
        ("done: {}", ("done",), "A task that is done is named by its title, or by fields of it", ""),
        ("done: ''", ("done",), "A task that is done is named by its title, or by fields of it", ""),
        ("done: {content_id: [a]}", ("done", "content_id"), "content_id has to be a text", ""),
        ("add: {todo.tasks: {title: ''}}", ("add", "todo.tasks"),
         "A new record of todo.tasks needs its title", ""),
        ("add: {calendar.events: {title: a, reminder: .nan}}", ("add", "calendar.events", "reminder"),
         "reminder has to be a number", ""),
        ("add: {calendar.events: {title: a, time: 9}}", ("add", "calendar.events", "time"),
         "time has to be a time such as 09:00", ""),
        ("saved: {name: a, lat: .inf, lng: 2}", ("saved", "lat"), "lat has to be a number", ""),
        ("saved: {name: a, lat: 1, lng: 200}", ("saved", "lng"),
         "lng has to be a number of degrees from -180 to 180", ""),
        ("{open_app: maps, subtasks: [{open_app: todo}]}", ("open_app",),
         "Only one app can be in front in the end: maps, todo", ""),
        ("sent: {to: Ana}", ("sent",), "A message that is sent has `to`, a contact, and `text`", ""),
        ("saved: {name: a, lat: 1}", ("saved",), "A place that is saved has name, lat and lng, or content_id",
         ""),
        ("saved: {content_id: a, within_km: 1}", ("saved", "within_km"),
         "Records of maps.saved have no field within_km",
         "Use one of: name, lat, lng, list, color, content_id"),
        ("{saved: {content_id: a}, semantics: openapps}", (),
         "OpenApps compares places by their position, and knows no content_id", ""),
        ("saved: {name: a, lat: 1, lng: 2, within_km: far}", ("saved", "within_km"),
         "within_km has to be a number of kilometres from 0 to 20100", ""),
        ("open_app: calender", ("open_app",), "The phone has no app calender", "Did you mean calendar?"),
        ("{done: a, semantics: openap}", ("semantics",), "There are no semantics called openap",
         "Did you mean openapps?"),
        ("{done: a, tolerance: {ignore: [todo.note]}}", ("tolerance", "ignore", 0),
         "There is nothing called todo.note", "Did you mean todo.tasks.note?"),
        ("{done: a, tolerance: {ignore: [maps, todo]}}", ("tolerance", "ignore"),
         "What the target asks for in todo.tasks would not count, and nothing had to be done", ""),
        ("{done: a, tolerance: {ignore: [todo.tasks.done]}}", ("tolerance", "ignore"),
         "What the target asks for in todo.tasks would not count, and nothing had to be done", ""),
        ("{done: a, tolerance: {text: fuzzy}}", ("tolerance", "text"), "Texts are compared by words or exact",
         "Use one of: words, exact"),
        ("{done: a, tolerance: {replies: 2}}", ("tolerance", "replies"),
         "replies has to be true or false", ""),
        ("{doen: a, done: b}", ("doen",), "Nothing reads the key doen", "Did you mean done?"),
        ("subtasks: [{done: a}, b]", ("subtasks", 1), "A subtask is a mapping, as a target is", ""),
        ("subtasks: [{done: a, semantics: openapps}]", ("subtasks", 0, "semantics"),
         "Nothing reads the key semantics", "Use one of: add, change, removed, done, sent, saved, open_app"),
        ("tolerance: {text: exact}", (), "A target needs at least one part, and has at most 100", ""),
        ("a word", (), "A target is a mapping with parts such as add, removed or sent", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text, path, what, to_do):
    assert problems_of(yaml.safe_load(text))[0] == (path, what, to_do)


def test_everything_that_is_wrong_is_said_at_once():
    value = {"add": {"todo.tasks": {"titel": "a"}}, "open_app": "x", "sent": 5}
    assert len(problems_of(value)) == 4


def test_dates_and_times_are_read_however_yaml_reads_them_and_others_refused():
    event = "add: {calendar.events: {title: a, date: 2026-12-01, time: 15:30, end: 08:05}}"
    assert target_of(event).parts[0].values == {
        "title": "a", "date": "2026-12-01", "time": "15:30", "end": "08:05",
    }  # fmt: skip
    value = {"title": "a", "date": "1 December", "time": "3 pm", "end": 1440}
    assert [what for _path, what, _to_do in problems_of({"add": {"calendar.events": value}})] == [
        "date has to be a date such as 2026-11-20", "time has to be a time such as 09:00",
        "end has to be a time such as 09:00",
    ]  # fmt: skip
    assert problems_of({"add": {"todo.tasks": {"title": "a", "due": "2026-02-30"}}})
    assert read_target({"add": {"todo.tasks": {"title": "a", "due": ""}}}).parts[0].values["due"] == ""
    assert problems_of({"done": ["a"] * 101})
