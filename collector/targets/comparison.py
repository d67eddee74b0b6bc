"""Compare the data of apps with those that a target expects: what is missing, and what is too many."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from collector.model.app_data.collections import AppData, DataCollection, Record, collection_named
from collector.model.app_data.target import SEND, TaskTarget
from collector.targets.expected_data import MESSAGES, ExpectedData, ExpectedRecord
from collector.targets.values import is_ignored, same_record


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
    """A largest pairing of records (Kuhn's augmenting paths) leaves these over."""
    candidates = [
        [place for place, record in enumerate(there) if _is(item, record, collection, target)]
        for item in wanted
    ]
    holder: dict[int, int] = {}

    def place_found(item: int, tried: set[int]) -> bool:
        for place in candidates[item]:
            if place not in tried:
                tried.add(place)
                if place not in holder or place_found(holder[place], tried):
                    holder[place] = item
                    return True
        return False

    missing = [item for number, item in enumerate(wanted) if not place_found(number, set())]
    return missing, [record for place, record in enumerate(there) if place not in holder]


def _is(item: ExpectedRecord, record: Record, collection: DataCollection, target: TaskTarget) -> bool:
    return same_record(
        item.record, record, collection, target.tolerance, free=item.free, within_km=item.within_km
    )


class _Sequences:
    """Compares the records of a collection whose order counts, such as the messages of each chat."""

    def __init__(self, collection: DataCollection, target: TaskTarget, initial: AppData) -> None:
        self._collection, self._target = collection, target
        self._first_new = _lengths(initial.get(collection.name, ()), collection)

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

    def _in_chat(
        self, chat: str, items: Sequence[ExpectedRecord], records: Sequence[Record]
    ) -> tuple[list[ExpectedRecord], list[Record]]:
        """What is left of a sequence after what is the same, in order; answers of the app may be there."""
        sent = sum(self._target.parts[number].kind == SEND for item in items for number in item.parts)
        answers = sent if self._target.tolerance.replies and self._collection.name == MESSAGES else 0
        first_new, place = self._first_new.get(chat, 0), 0
        kept: list[Record] = []
        for number, record in enumerate(records):
            if place < len(items) and _is(items[place], record, self._collection, self._target):
                place += 1
            elif answers and number > first_new and not record.get("me"):
                answers -= 1
                continue
            kept.append(record)
        if place == len(items) == len(kept):
            return [], []
        return self._differences(items, kept)

    def _differences(
        self, items: Sequence[ExpectedRecord], records: Sequence[Record]
    ) -> tuple[list[ExpectedRecord], list[Record]]:
        matcher = difflib.SequenceMatcher(
            None, [self._number(item.record, items) for item in items],
            [self._number(record, items) for record in records], autojunk=False,
        )  # fmt: skip
        missing: list[ExpectedRecord] = []
        extra: list[Record] = []
        for tag, first, end, other, other_end in matcher.get_opcodes():
            if tag != "equal":
                missing += items[first:end]
                extra += records[other:other_end]
        return missing, extra

    def _number(self, record: Record, items: Sequence[ExpectedRecord]) -> int:
        """The place of the first item that is the same as a record; -1 when none is."""
        same = (
            number for number, item in enumerate(items) if _is(item, record, self._collection, self._target)
        )
        return next(same, -1)


def _lengths(records: Iterable[Record], collection: DataCollection) -> Mapping[str, int]:
    """How many records each sequence has."""
    return Counter(str(record.get(collection.sequence, "")) for record in records)
