"""Merge two descendants of one document: of plain values, mapping by mapping and entry by entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class MergeRefused(Exception):  # noqa: N818 - it is an answer, not a fault
    """Both sides changed the same value in different ways; ``key`` names it."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def merge_documents(
    base: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any], keys: Sequence[str]
) -> dict[str, Any]:
    """What both sides made of ``base``. Entries of lists are recognised by their values of ``keys``.

    Raises MergeRefused when both changed the same value.
    """
    merged = {}
    for key in dict.fromkeys((*theirs, *mine)):
        value = _merge(base.get(key), mine.get(key), theirs.get(key), keys, key)
        if value is not None:
            merged[key] = value
    return merged


def _merge(base: Any, mine: Any, theirs: Any, keys: Sequence[str], key: str) -> Any:
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        return merge_documents(base if isinstance(base, Mapping) else {}, mine, theirs, keys)
    lists = [[] if side is None else side for side in (base, mine, theirs)]  # an empty one has no key
    if all(isinstance(side, list) for side in lists):
        return _merge_lists(lists[0], lists[1], lists[2], keys, key) or None
    raise MergeRefused(key)


def _merge_lists(
    base: list[Any], mine: list[Any], theirs: list[Any], keys: Sequence[str], key: str
) -> list[Any]:
    """Entries that either side deleted are gone, those that either added are there, in theirs' order."""
    old, own, their = ({_name(entry, keys): entry for entry in side} for side in (base, mine, theirs))
    merged: dict[str, Any] = {}
    for name in _order(list(own), list(their)):
        entry = _merge(old.get(name), own.get(name), their.get(name), keys, key)
        if entry is not None:
            merged[name] = entry
    return list(merged.values())


def _order(mine: list[str], theirs: list[str]) -> list[str]:
    """The names of both sides: each of mine alone goes behind the one that it follows there."""
    order = list(theirs)
    for place, name in enumerate(mine):
        if name not in order:
            before = next((other for other in reversed(mine[:place]) if other in order), None)
            order.insert(order.index(before) + 1 if before is not None else 0, name)
    return order


def _name(entry: object, keys: Sequence[str]) -> str:
    """What recognises an entry: its values of ``keys``, or all of it when it has none of them."""
    if isinstance(entry, Mapping) and any(key in entry for key in keys):
        return repr([str(entry.get(key, "")) for key in keys])
    return repr(entry)
