"""The built-in tasks: what they ask for in ten wordings, and that their targets fit the phone."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from collector.environment.phone_environment import PhoneEnvironment
from collector.model.app_data.collections import APP_NAMES, CONTENT_ID
from collector.model.app_data.target import ADD
from collector.model.errors import UserError
from collector.model.task import LEVELS, Task
from collector.targets.expected_data import expected_data
from collector.targets.outcome import outcome_of
from collector.task_library.built_in_tasks import (
    built_in_tasks,
    short_app,
    tasks_named,
    tasks_of,
    with_added,
)
from collector.variations.content_types import own_content
from collector.variations.registry import Variations
from tests.helpers.phone_data import data_of_new_phone

STYLES = ("casual", "formal", "unrelated_context")
LITERAL = re.compile(r'"([^"]+)"|\b(\d[\d:]*)\b')
KEYS = {"add", "change", "removed", "done", "sent", "saved", "open_app"}


def test_there_are_enough_of_every_kind() -> None:
    tasks = built_in_tasks()
    assert len(tasks) >= 28
    assert len({task.id for task in tasks}) == len(tasks)
    assert min(Counter(map(short_app, tasks)).values()) >= 5
    assert {short_app(task) for task in tasks} == set(APP_NAMES)
    assert {task.level for task in tasks} == set(LEVELS)
    assert {key for task in tasks if task.target for key in task.target.source} == KEYS
    assert not any(task.extra for task in tasks)


@pytest.mark.parametrize("task", built_in_tasks(), ids=lambda task: task.id)
def test_nine_rewordings_say_the_same_as_the_instruction(task: Task) -> None:
    assert {style: len(texts) for style, texts in task.rewordings.items()} == dict.fromkeys(STYLES, 3)
    texts = [task.instruction, *(text for style in STYLES for text in task.rewordings[style])]
    assert len(set(texts)) == 10
    said = {quoted or number for quoted, number in LITERAL.findall(task.instruction)} - {"1"}
    lacking = [(text, literal) for text in texts for literal in said if literal not in text]
    assert lacking == []


def is_there(data, part) -> bool:
    """Whether a record that a part adds is there already, so that the app cannot add it."""
    field = CONTENT_ID if CONTENT_ID in part.values else "title" if "title" in part.values else "path"
    records = data.get(part.collection, ()) if part.kind == ADD else ()
    return any(field in part.values and record.get(field) == part.values[field] for record in records)


def test_targets_fit_the_phone_whatever_its_apps_hold() -> None:
    variations = Variations()
    with_content = [name for name in variations.names if variations.resolve(name).content]
    assert len(with_content) > 8
    for variation in with_content:
        initial = data_of_new_phone(variation, seed=7)
        for task in built_in_tasks():
            assert task.target is not None
            expected = expected_data(initial, task.target)
            reached = {name: [item.record for item in items] for name, items in expected.records.items()}
            front = short_app(task)
            assert outcome_of(initial, initial, task.target).reward == 0
            assert not any(is_there(initial, part) for part in task.target.parts), (variation, task.id)
            outcome = outcome_of(initial, reached, task.target, front=front)
            assert (outcome.reward, outcome.side_effects) == (1, ()), (variation, task.id)


def test_an_empty_phone_keeps_few_entries_and_these_as_they_are() -> None:
    kept = Variations().resolve("empty").content
    for app, collection in (("todo", "tasks"), ("calendar", "events"), ("maps", "saved"), ("code", "files")):
        usual, (empty,) = own_content(app), kept[app]
        assert 0 < len(empty[collection]) < len(usual[collection])
        assert all(entry in usual[collection] for entry in empty[collection]), (app, collection)


def test_an_environment_without_a_project_has_them() -> None:
    environment = PhoneEnvironment()
    assert environment.source.tasks == built_in_tasks()
    environment.close()


def test_tasks_are_chosen_by_name_app_and_level() -> None:
    assert [task.id for task in tasks_named({"open-maps", "code-add-folder"})] == [
        "code-add-folder",
        "open-maps",
    ]
    easy = tasks_of(("shop", "todo"), "easy")
    assert {(short_app(task), task.level) for task in easy} == {("shop", "easy"), ("todo", "easy")}
    with pytest.raises(UserError, match="no task nothing"):
        tasks_named({"nothing"})
    with pytest.raises(UserError, match="no tasks for the app camera"):
        tasks_of(("camera",))


def test_a_task_of_the_project_is_not_replaced() -> None:
    own = Task("open-maps", "My own words")
    tasks, new = with_added((own,), tasks_named({"open-maps", "code-add-folder"}))
    assert tasks[0] is own
    assert [task.id for task in new] == ["code-add-folder"]
    assert tasks == (own, *new)
