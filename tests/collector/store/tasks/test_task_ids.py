"""A new task gets an id of its instruction's words, a copy one that nobody else gets."""

from __future__ import annotations

import pytest

from collector.model.task import Task
from collector.store.project.file_merge import merge_file
from collector.store.tasks.task_file import edited_file, new_file
from collector.store.tasks.task_ids import new_task_id, next_task_id, with_duplicate, with_new_task


@pytest.mark.parametrize(
    ("like", "taken", "expected"),
    [
        ("shop-14", {"shop-14", "shop-15"}, "shop-16"),
        ("shop-09", set(), "shop-10"),
        ("buy", {"buy"}, "buy-1"),
    ],
)
def test_the_next_id_continues_the_series(like, taken, expected):
    assert next_task_id(like, taken) == expected


@pytest.mark.parametrize(
    ("instruction", "taken", "expected"),
    [
        ("Buy milk", set(), "buy-milk"),
        ("Buy milk!", {"buy-milk"}, "buy-milk-2"),
        ("Order a café au lait", set(), "order-a-cafe-au-lait"),
        ("Order a café au lait today", set(), "order-a-cafe-au-lait-2bb4"),
        ("买牛奶", set(), "task-e210"),
        ("Open 微信", set(), "open-7c65"),
        ("", set(), "task-e3b0"),
    ],
)
def test_an_id_is_made_of_the_words_of_an_instruction(instruction, taken, expected):
    assert new_task_id(instruction, taken) == expected


def test_what_two_people_added_to_copies_of_a_project_merges():
    """Both added a task without an id, and both copied one."""
    begun = (Task("shop-13", "Buy a poster"),)

    def added(instruction: str) -> str:
        tasks, _new = with_new_task(with_duplicate(begun, "shop-13")[0], instruction)
        return edited_file(new_file(begun), tasks).decode()

    merged = merge_file(new_file(begun).decode(), added("Sell milk"), added("Sell bread"), "tasks.yaml")
    assert merged.conflicts == ()
    assert merged.text.count("- id: shop-13-") == 2
    assert "- id: sell-milk" in merged.text
    assert "- id: sell-bread" in merged.text


@pytest.mark.parametrize(
    ("given", "app", "package", "language"),
    [
        ({}, "Notes", "org.notes", "de"),
        ({"app": "shop"}, "shop", "org.shop", "en"),
        ({"package": "org.shop"}, "Shop", "org.shop", "en"),
        ({"app": "Maps"}, "Maps", "", "de"),
        ({"package": "org.maps"}, "", "org.maps", "de"),
        ({"app": "Shop", "package": "org.other"}, "Shop", "org.other", "de"),
    ],
)
def test_a_new_task_is_like_the_last_one_of_its_app(given, app, package, language):
    tasks = [
        Task("a", "Buy", app="Shop", package="org.shop", language="en"),
        Task("b", "Write", app="Notes", package="org.notes", language="de"),
    ]
    _tasks, task = with_new_task(tasks, "Do it", values=given)
    assert (task.app, task.package, task.language) == (app, package, language)


def test_a_copy_of_a_copy_keeps_the_length_of_its_id():
    tasks, copy = with_duplicate([Task("shop-13", "Buy")], "shop-13")
    assert len(with_duplicate(tasks, copy.id)[1].id) == len(copy.id) == len("shop-13-0000")
