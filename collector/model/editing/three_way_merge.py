"""Merge two descendants of one plain value: mapping by mapping, and list by list with entries known by keys.

A *plain value* is what JSON and YAML hold. A mapping is merged key by key. A list of mappings and strings is
merged entry by entry: a mapping is recognised by its values of the ``keys`` that it has, or, when it has none
of them, by all of it, as a string is. Any other value, and a tuple of any kind, is one piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

Name = tuple[str, ...]
"""What recognises an entry of a list."""


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()
"""Stands for a value that a side does not have."""


@dataclass(frozen=True, slots=True)
class ValueConflict:
    """A value that both sides changed in different ways."""

    path: tuple[str, ...]
    """Keys of mappings and names of entries that lead to it, as in ``("states", "3", "sentence")``."""
    ours: Any
    theirs: Any
    """MISSING on the side that deleted it."""


@dataclass(frozen=True, slots=True)
class ThreeWayMerge:
    """The merged value; in a conflict ours is kept, and no entry of a list that a side changed is lost."""

    value: Any
    conflicts: tuple[ValueConflict, ...] = ()


def merge(base: Any, ours: Any, theirs: Any, keys: Sequence[str] = ()) -> ThreeWayMerge:
    """What both sides made of ``base``. Entries of lists are recognised by their values of ``keys``.

    The order is theirs, or ours when we moved entries. To keep theirs in conflicts, swap ``ours`` and
    ``theirs``. To undo an edit, merge from its result to what was before.
    """
    merger = _Merger(keys)
    value = merger.merge((), base, ours, theirs)
    return ThreeWayMerge(value, tuple(merger.conflicts))


class _Merger:
    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys
        self.conflicts: list[ValueConflict] = []

    def merge(self, path: tuple[str, ...], base: Any, ours: Any, theirs: Any) -> Any:
        if ours == theirs or theirs == base:
            return ours
        if ours == base:
            return theirs
        if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
            return self._mappings(path, base if isinstance(base, Mapping) else {}, ours, theirs)
        named = [self._named(side) for side in (base, ours, theirs)]
        if named[1] is not None and named[2] is not None:
            entries = self._lists(path, named[0] or {}, named[1], named[2])
            return entries if entries or MISSING not in (ours, theirs) else MISSING
        self.conflicts.append(ValueConflict(path, ours, theirs))
        return ours

    def _mappings(
        self,
        path: tuple[str, ...],
        base: Mapping[Any, Any],
        ours: Mapping[Any, Any],
        theirs: Mapping[Any, Any],
    ) -> dict[Any, Any]:
        merged = {}
        for key in ordered(list(base), list(ours), list(theirs)):
            value = self.merge((*path, str(key)), *(side.get(key, MISSING) for side in (base, ours, theirs)))
            if value is not MISSING:
                merged[key] = value
        return merged

    def _lists(
        self, path: tuple[str, ...], base: dict[Name, Any], ours: dict[Name, Any], theirs: dict[Name, Any]
    ) -> list[Any]:
        merged = []
        for name in ordered(list(base), list(ours), list(theirs)):
            old, own, their = (side.get(name, MISSING) for side in (base, ours, theirs))
            entry = self.merge((*path, *name), old, own, their)
            if entry is MISSING and their != old:  # deleted by us, changed by them
                entry = their
            if entry is not MISSING:
                merged.append(entry)
        return merged

    def _named(self, side: Any) -> dict[Name, Any] | None:
        """The entries of a list by their names; a missing list is empty. None for a value of one piece."""
        if side is MISSING:
            return {}
        if not isinstance(side, list) or not all(isinstance(entry, Mapping | str) for entry in side):
            return None
        seen: Counter[Name] = Counter()
        named = {}
        for entry in side:
            name = self._name(entry)
            number = seen[name]
            seen[name] += 1
            named[(*name, f"#{number + 1}") if number else name] = entry
        return named

    def _name(self, entry: Mapping[str, Any] | str) -> Name:
        if isinstance(entry, str):
            return (entry,)
        if any(key in entry for key in self._keys):
            return tuple(str(entry.get(key, "")) for key in self._keys)
        return (repr(entry),)


def ordered(base: list[Any], ours: list[Any], theirs: list[Any]) -> list[Any]:
    """Keys of both sides in their order, or in ours when we moved some; the others follow their neighbour."""
    shared = set(base) & set(ours)
    is_moved = [key for key in base if key in shared] != [key for key in ours if key in shared]
    main, other = (ours, theirs) if is_moved else (theirs, ours)
    present = set(main)
    followers: dict[Any, list[Any]] = {}
    neighbour: Any = MISSING
    for key in other:
        if key in present:
            neighbour = key
        else:
            followers.setdefault(neighbour, []).append(key)
    known = {*base, *other}
    result: list[Any] = []
    waiting = followers.get(MISSING, [])
    for key in main:
        if key in known:  # what the main side added behind the same neighbour comes first
            result += waiting
            waiting = followers.get(key, [])
        result.append(key)
    return result + waiting
