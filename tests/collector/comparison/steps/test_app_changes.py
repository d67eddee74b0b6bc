"""What became other in the data of apps, from one screen to the next whose data are known."""

from __future__ import annotations

from dataclasses import replace

from collector.comparison.steps.app_changes import AppChange, app_changes
from collector.model.app_data.collections import AppData
from tests.helpers.steps import step

FIRST: AppData = {"todo.tasks": [{"title": "Milk", "done": False}], "shop.cart": []}


def changes(*data: AppData | None, first: AppData | None = FIRST) -> list[AppChange]:
    """``data`` are the collections of each step that differ from the first."""
    steps = [
        replace(known, state=replace(known.state, app_data=moment))
        for known, moment in ((step(at), moment) for at, moment in enumerate(data))
    ]
    return list(app_changes(first, steps))


def test_each_change_is_told_where_it_shows_first() -> None:
    done = {"todo.tasks": [{"title": "Milk", "done": True}]}
    cart = {**done, "shop.cart": [{"product": "mug", "count": 1}]}
    assert changes({}, done, done, cart, {}) == [
        AppChange(1, "todo.tasks: 'Milk' was changed: done true"),
        AppChange(3, "shop.cart: 'mug' was added"),
        AppChange(4, "todo.tasks: 'Milk' was changed: done false"),
        AppChange(4, "shop.cart: 'mug' was removed"),
    ]


def test_a_step_without_data_is_passed_over() -> None:
    cart = {"shop.cart": [{"product": "mug", "count": 1}]}
    assert changes({}, None, cart) == [AppChange(2, "shop.cart: 'mug' was added")]
    assert changes({}, cart, first=None) == []
