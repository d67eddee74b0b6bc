"""A new task gets the next free id of its series."""

from __future__ import annotations

import pytest

from collector.store.tasks.task_ids import next_task_id


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
