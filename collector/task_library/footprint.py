"""Which records the parts of a target are about, and whether two tasks would disturb each other."""

from __future__ import annotations

from collector.model.app_data.collections import CONTENT_ID, collection_named
from collector.model.app_data.target import OPEN_APP, SEND, TargetPart
from collector.model.task import Task

_ORDERS, _CART = "shop.orders", "shop.cart"
_FRONT = "front"
Footprint = frozenset[tuple[str, str]]


def footprint(task: Task) -> Footprint:
    """The records that a task is about, each as its collection and its name in it."""
    parts = task.target.parts if task.target is not None else ()
    return frozenset(_claim(part) for part in parts)


def disturb_each_other(first: Footprint, second: Footprint) -> bool:
    """Whether two tasks cannot both be done, or only in one order: they are about the same record.

    An order takes the whole cart with it, so it goes with no other product.
    """
    collections = {name for name, _record in first}, {name for name, _record in second}
    orders = any(_ORDERS in names for names in collections)
    return bool(first & second) or (orders and all(names & {_ORDERS, _CART} for names in collections))


def needs_front(task: Task) -> bool:
    """Whether an app has to be in front in the end, so that nothing can come after it."""
    parts = task.target.parts if task.target is not None else ()
    return any(part.kind == OPEN_APP for part in parts)


def _claim(part: TargetPart) -> tuple[str, str]:
    if part.kind == OPEN_APP:
        return _FRONT, ""
    if part.kind == SEND:
        return part.collection, str(part.values["chat"])
    collection = collection_named(part.collection)
    key = collection.key if collection is not None else ""
    fields = part.where or part.values
    return part.collection, str(fields.get(CONTENT_ID) or fields.get(key, ""))
