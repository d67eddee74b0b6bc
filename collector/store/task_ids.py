"""Ids for new tasks."""

from __future__ import annotations

from collections.abc import Container


def next_task_id(like: str, taken: Container[str]) -> str:
    """Return the next free id in the series of ``like``: after ``shop-14`` comes ``shop-15``."""
    head = like.rstrip("0123456789")
    digits = like[len(head) :]
    number, width = int(digits or 0), max(len(digits), 1)
    head = head if digits else f"{like}-"
    while True:
        number += 1
        task_id = f"{head}{number:0{width}}"
        if task_id not in taken:
            return task_id
