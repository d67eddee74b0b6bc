"""The queue goes from app to app and leaves out tasks that have their golden trajectories."""

from __future__ import annotations

from collector.model.task import Task
from collector.store.tasks.recording_queue import is_recorded, next_task, tasks_by_app

TASKS = (
    Task("shop-1", "Find a print", "Shop"),
    Task("todo-1", "Add milk", "To-do"),
    Task("shop-2", "Sort posters", "Shop", golden_wanted=1),
    Task("any-1", "Look around", golden_wanted=0),
)


def _next(golden, after):
    task = next_task(TASKS, golden, after)
    return task.id if task is not None else None


def test_apps_keep_the_order_in_which_they_occur():
    groups = {app: [task.id for task in tasks] for app, tasks in tasks_by_app(TASKS).items()}
    assert groups == {"Shop": ["shop-1", "shop-2"], "To-do": ["todo-1"], "Any app": ["any-1"]}


def test_a_task_needs_as_many_golden_trajectories_as_it_asks_for_and_at_least_one():
    assert not is_recorded(TASKS[0], {"shop-1": 1})
    assert is_recorded(TASKS[0], {"shop-1": 2})
    assert is_recorded(TASKS[2], {"shop-2": 1})
    assert not is_recorded(TASKS[3], {})


def test_the_next_task_is_the_one_below_that_is_not_recorded():
    golden = {"shop-2": 1, "any-1": 1}
    assert _next(golden, "") == "shop-1"
    assert _next(golden, "shop-1") == "todo-1"
    assert _next(golden, "todo-1") == "shop-1"
    assert _next(golden, "unknown") == "shop-1"


def test_there_is_no_next_task_when_all_are_recorded():
    assert _next({"shop-1": 2, "shop-2": 1, "todo-1": 2, "any-1": 1}, "shop-1") is None
