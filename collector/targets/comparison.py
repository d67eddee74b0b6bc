"""Compare the data of apps with those that a target expects: what is missing, and what is too many."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from collector.model.app_data.collections import CONTENT_ID, AppData, DataCollection, Record, collection_named
from collector.model.app_data.target import SEND, TaskTarget, Tolerance
from collector.targets.expected_data import MESSAGES, ExpectedData, ExpectedRecord
from collector.targets.values import is_ignored, is_near, position_of, record_key

_FEW = 300
"""Records with a position that are paired by augmenting paths."""
_MOST_COMPARED = 1_000_000


@dataclass(slots=True)
class DataComparison:
    """The records that have no counterpart, by collection."""

    missing: dict[str, list[ExpectedRecord]] = field(default_factory=dict)
    extra: dict[str, list[Record]] = field(default_factory=dict)


def compare(initial: AppData, expected: ExpectedData, actual: AppData, target: TaskTarget) -> DataComparison:
    """Find what is missing and what is too many; records are in no order but in a sequence."""
    found = DataComparison()
    for name in dict.fromkeys((*expected.records, *actual)):
        collection = collection_named(name)
        if collection is None or is_ignored(target.tolerance, name):
            continue
        wanted, there = expected.records.get(name, []), list(actual.get(name, ()))
        if collection.sequence:
            missing, extra = _Sequences(collection, target, initial).compare(wanted, there)
        else:
            missing, extra = _unmatched(wanted, there, collection, target)
        if missing:
            found.missing[name] = missing
        if extra:
            found.extra[name] = extra
    return found


def _unmatched(
    wanted: Sequence[ExpectedRecord], there: Sequence[Record], collection: DataCollection, target: TaskTarget
) -> tuple[list[ExpectedRecord], list[Record]]:
    """A largest pairing of records leaves these over.

    Records are paired by their keys first. Only those with free fields or a position may fit several: they
    are paired by augmenting paths (Kuhn), as long as they are few.
    """
    if _is_unchanged(wanted, there, collection, target):
        return [], []
    few = len(wanted) <= _FEW
    by_paths = [bool(item.free) or (collection.position is not None and few) for item in wanted]
    keyed = [item for item, is_hard in zip(wanted, by_paths, strict=True) if not is_hard]
    others = [item for item, is_hard in zip(wanted, by_paths, strict=True) if is_hard]
    changed, left = _without_unchanged(keyed, there)
    missing, left = _by_keys(changed, left, collection, target)
    lacking, left = _by_paths(others, left, collection, target)
    return [*missing, *lacking], left


def _is_unchanged(
    wanted: Sequence[ExpectedRecord], there: Sequence[Record], collection: DataCollection, target: TaskTarget
) -> bool:
    """Whether each record is as it stands in its place, so that pairing them so leaves none over."""
    return len(wanted) == len(there) and all(
        item.record == record and _is_in_place(item, record, collection, target.tolerance)
        for item, record in zip(wanted, there, strict=True)
    )


def _without_unchanged(
    wanted: Sequence[ExpectedRecord], there: Sequence[Record]
) -> tuple[Sequence[ExpectedRecord], Sequence[Record]]:
    """Both without the records at the start and at the end that are the same as they stand.

    Most collections are unchanged at most moments: keys are made only of what is left.
    """
    most = min(len(wanted), len(there))
    first = next((at for at in range(most) if wanted[at].record != there[at]), most)
    last = next((at for at in range(most - first) if wanted[-1 - at].record != there[-1 - at]), most - first)
    return wanted[first : len(wanted) - last], there[first : len(there) - last]


def _by_keys(
    wanted: Sequence[ExpectedRecord], there: Sequence[Record], collection: DataCollection, target: TaskTarget
) -> tuple[list[ExpectedRecord], list[Record]]:
    """What is left when each expected record takes one with its key, and with its very position."""

    def key_of(record: Record) -> tuple[Hashable, ...]:
        return (*record_key(record, collection, target.tolerance), *position_of(record, collection))

    free: defaultdict[tuple[Hashable, ...], list[int]] = defaultdict(list)
    for number, record in enumerate(there):
        free[key_of(record)].append(number)
    missing, taken = [], set()
    for item in wanted:
        numbers = free[key_of(item.record)]
        if numbers:
            taken.add(numbers.pop())
        else:
            missing.append(item)
    return missing, [record for number, record in enumerate(there) if number not in taken]


def _by_paths(
    wanted: Sequence[ExpectedRecord], there: Sequence[Record], collection: DataCollection, target: TaskTarget
) -> tuple[list[ExpectedRecord], list[Record]]:
    """What is left when as many expected records as can have one that fits."""
    tolerance = target.tolerance
    keys: dict[frozenset[str], list[tuple[Hashable, ...]]] = {
        free: [record_key(record, collection, tolerance, free) for record in there]
        for free in {item.free for item in wanted}
    }
    fitting = []
    for item in wanted:
        key = record_key(item.record, collection, tolerance, item.free)
        same = (place for place, other in enumerate(keys[item.free]) if other == key)
        fitting.append([place for place in same if _is_in_place(item, there[place], collection, tolerance)])
    holder: dict[int, int] = {}

    def place_found(item: int, tried: set[int]) -> bool:
        for place in fitting[item]:
            if place not in tried:
                tried.add(place)
                if place not in holder or place_found(holder[place], tried):
                    holder[place] = item
                    return True
        return False

    missing = [item for number, item in enumerate(wanted) if not place_found(number, set())]
    return missing, [record for place, record in enumerate(there) if place not in holder]


def _is_in_place(
    item: ExpectedRecord, record: Record, collection: DataCollection, tolerance: Tolerance
) -> bool:
    """Whether a record is of the expected content entry, or, where none is expected, near the position."""
    if item.content_id:
        return record.get(CONTENT_ID) == item.content_id
    return is_near(item.record, record, collection, tolerance, item.within_km)


class _Sequences:
    """Compares the records of a collection whose order counts, such as the messages of each chat."""

    def __init__(self, collection: DataCollection, target: TaskTarget, initial: AppData) -> None:
        self._collection, self._target = collection, target
        self._first_new = Counter(map(self._of, initial.get(collection.name, ())))

    def compare(
        self, wanted: Sequence[ExpectedRecord], there: Sequence[Record]
    ) -> tuple[list[ExpectedRecord], list[Record]]:
        by_chat: defaultdict[str, tuple[list[ExpectedRecord], list[Record]]]
        by_chat = defaultdict(lambda: ([], []))
        for item in wanted:
            by_chat[self._of(item.record)][0].append(item)
        for record in there:
            by_chat[self._of(record)][1].append(record)
        missing: list[ExpectedRecord] = []
        extra: list[Record] = []
        for chat, (items, records) in by_chat.items():
            left, over = self._in_chat(chat, items, records)
            missing += left
            extra += over
        return missing, extra

    def _of(self, record: Record) -> str:
        return str(record.get(self._collection.sequence, ""))

    def _key(self, record: Record) -> tuple[Hashable, ...]:
        return record_key(record, self._collection, self._target.tolerance)

    def _in_chat(
        self, chat: str, items: Sequence[ExpectedRecord], records: Sequence[Record]
    ) -> tuple[list[ExpectedRecord], list[Record]]:
        """What is left of a sequence after what is the same, in order; answers of the app may be there."""
        if [item.record for item in items] == records:
            return [], []
        sent = sum(self._target.parts[number].kind == SEND for item in items for number in item.parts)
        answers = sent if self._target.tolerance.replies and self._collection.name == MESSAGES else 0
        keys, first_new, place = [self._key(item.record) for item in items], self._first_new[chat], 0
        kept: list[Record] = []
        for number, record in enumerate(records):
            if place < len(items) and keys[place] == self._key(record):
                place += 1
            elif answers and number > first_new and not record.get("me"):
                answers -= 1
                continue
            kept.append(record)
        if place == len(items) == len(kept):
            return [], []
        return self._differences(items, keys, kept)

    def _differences(
        self, items: Sequence[ExpectedRecord], keys: Sequence[Hashable], records: Sequence[Record]
    ) -> tuple[list[ExpectedRecord], list[Record]]:
        if len(items) * len(records) > _MOST_COMPARED:  # a comparison that would take minutes
            return list(items), list(records)
        matcher = difflib.SequenceMatcher(None, keys, list(map(self._key, records)), autojunk=False)
        missing: list[ExpectedRecord] = []
        extra: list[Record] = []
        for tag, first, end, other, other_end in matcher.get_opcodes():
            if tag != "equal":
                missing += items[first:end]
                extra += records[other:other_end]
        return missing, extra
