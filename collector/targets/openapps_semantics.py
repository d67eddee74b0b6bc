"""Decide as OpenApps does (facebookresearch/OpenApps, ``open_apps/tasks/tasks.py``), with all its quirks.

Records have the values of OpenApps under the names of our fields; fields and collections that we do not know
are compared as they are. What is worth knowing:

- Lists are sorted by their normalised key (``title``, ``name``, ``chat``) and then compared place by place.
- Texts are lower-cased, and lose everything but letters, digits, ``_`` and spaces.
- Positions are cut to tenths of a degree before their distance is compared, so that places in one cell are
  the same even with a tolerance of 500 m. Of places only the name up to its first comma and the position
  count.
- A record that is to be removed and is not there is no obstacle; of several the last is meant. A record to
  change that is not there makes the task impossible.
- An event or place that equals the last one at the start, value by value, is not added again.
- Of each chat as many last messages may be too many as were sent to it; who wrote a message does not count.
- An app in front decides alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from collector.model.app_data.collections import AppData, Record
from collector.model.app_data.target import ADD, CHANGE, REMOVE, SEND, TargetPart, TaskTarget

_EVENTS, _TASKS, _PLACES, _MESSAGES, _CHATS = (
    "calendar.events", "todo.tasks", "maps.saved", "messenger.messages", "messenger.chats",
)  # fmt: skip
_SORTED_BY = {_EVENTS: "title", _TASKS: "title", _PLACES: "name"}
_ADDED_ONCE = (_EVENTS, _PLACES)
_NEVER_COMPARED = ("id", "content_id", "recurring")
_NOT_COMPARED_APPS = ("code",)
_KM_PER_DEGREE = 111.0
_CELLS_PER_DEGREE = 10


def reward_as_openapps(initial: AppData, actual: AppData, target: TaskTarget) -> int:
    """1 when the data are what OpenApps accepts, else 0."""
    expected = _expected(initial, target)
    if expected is None:
        return 0
    sent: dict[str, int] = {}
    for part in target.parts:
        if part.kind == SEND:
            chat = str(part.values["chat"])
            sent[chat] = sent.get(chat, 0) + 1
    within = next((part.within_km for part in target.parts if part.within_km is not None), None)
    limit = target.tolerance.within_km if within is None else within
    return int(_Comparison(sent, limit).are_same(expected, actual))


def _expected(initial: AppData, target: TaskTarget) -> dict[str, list[Record]] | None:
    """The data after the task; None when it asks for a change of what is not there."""
    data = {name: list(records) for name, records in initial.items()}
    for part in target.parts:
        records = data.setdefault(part.collection, []) if part.collection else []
        if part.kind == ADD:
            if part.collection not in _ADDED_ONCE or not records or not _equals(records[-1], part.values):
                records.append(part.values)
        elif part.kind == SEND:
            if all(chat.get("chat") != part.values["chat"] for chat in data.get(_CHATS, ())):
                return None
            records.append(part.values)
        elif part.kind in (REMOVE, CHANGE):
            place = _last(records, part)
            if place is None and part.kind == CHANGE:
                return None
            if place is not None:
                found = records.pop(place)
                if part.kind == CHANGE:
                    records.insert(place, {**found, **part.values})
    return data


def _last(records: Sequence[Record], part: TargetPart) -> int | None:
    found = (
        place for place in range(len(records) - 1, -1, -1)
        if all(records[place].get(name) == value for name, value in part.where.items())
    )  # fmt: skip
    return next(found, None)


def _equals(record: Record, values: Mapping[str, Any]) -> bool:
    """Whether a record has exactly these values."""
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
    return dict(record) == plain


class _Comparison:
    def __init__(self, sent: Mapping[str, int], within_km: float) -> None:
        self._sent, self._within_km = sent, within_km

    def are_same(self, expected: AppData, actual: AppData) -> bool:
        """Whether two states of all apps are the same."""
        if not self._have_same_chats(expected, actual):
            return False
        names = {
            name for name in (*expected, *actual)
            if name.partition(".")[0] not in _NOT_COMPARED_APPS and name not in (_MESSAGES, _CHATS)
        }  # fmt: skip
        return all(self._is_same_list(name, expected.get(name, ()), actual.get(name, ())) for name in names)

    def _is_same_list(self, name: str, first: Iterable[Record], second: Iterable[Record]) -> bool:
        one, other = ([_prepared(name, record) for record in records] for records in (first, second))
        if key := _SORTED_BY.get(name):
            one, other = (
                sorted(records, key=lambda record: _plain(str(record.get(key, ""))))
                for records in (one, other)
            )
        if len(one) != len(other):
            return False
        if name == _PLACES:
            return all(map(self._is_same_place, one, other))
        return all(map(_same, one, other))

    def _is_same_place(self, first: Record, second: Record) -> bool:
        if not _same(first["name"], second["name"]):
            return False
        (lat, lng), (other_lat, other_lng) = (
            (record["lat"] / _CELLS_PER_DEGREE, record["lng"] / _CELLS_PER_DEGREE)
            for record in (first, second)
        )
        north = (lat - other_lat) * _KM_PER_DEGREE
        east = (lng - other_lng) * _KM_PER_DEGREE * math.cos(math.radians((lat + other_lat) / 2))
        return math.sqrt(north**2 + east**2) <= self._within_km

    def _have_same_chats(self, expected: AppData, actual: AppData) -> bool:
        """Whether the chats are the same, but for the answers that may be at their ends."""
        one, other = _texts_by_chat(expected), _texts_by_chat(actual)
        for chat, allowed in self._sent.items():
            if chat in one and chat in other and 0 <= len(other[chat]) - len(one[chat]) <= allowed:
                other[chat] = other[chat][: len(one[chat])]
        first, second = (sorted(texts.items(), key=lambda item: _plain(item[0])) for texts in (one, other))
        return len(first) == len(second) and all(
            _same(chat, other_chat) and _same(texts, other_texts)
            for (chat, texts), (other_chat, other_texts) in zip(first, second, strict=True)
        )


def _sorted(records: Iterable[Record], key: str) -> list[Record]:
    return sorted(records, key=lambda record: _plain(str(record.get(key, ""))))


def _texts_by_chat(data: AppData) -> dict[str, list[Any]]:
    texts: dict[str, list[Any]] = {str(record.get("chat")): [] for record in data.get(_CHATS, ())}
    for record in data.get(_MESSAGES, ()):
        texts.setdefault(str(record.get("chat")), []).append(record.get("text"))
    return texts


def _prepared(name: str, record: Record) -> dict[str, Any]:
    """A record as OpenApps compares it."""
    kept = {key: value for key, value in record.items() if key not in _NEVER_COMPARED}
    if name == _PLACES:
        primary = str(kept.get("name", "")).split(",", 1)[0].strip()
        return {"name": primary, "lat": _cell(kept.get("lat")), "lng": _cell(kept.get("lng"))}
    if name == _EVENTS:
        if "guests" in kept:
            kept["guests"] = sorted(_names(kept["guests"]), key=_plain)
        return {key: value for key, value in kept.items() if value not in (None, "", [])}
    if name == _TASKS:
        done = kept.get("done")
        if done is None or done in (0, "0"):
            kept["done"] = False
        elif done in (1, "1"):
            kept["done"] = True
    return kept


def _cell(degrees: Any) -> int | None:
    """The tenth of a degree that a coordinate lies in; None for what is none."""
    is_number = isinstance(degrees, int | float) and not isinstance(degrees, bool) and math.isfinite(degrees)
    return int(degrees * _CELLS_PER_DEGREE) if is_number else None


def _names(value: Any) -> list[str]:
    if isinstance(value, str):
        parts: Iterable[Any] = value.split(",")
    elif isinstance(value, list | tuple):
        parts = value
    else:
        parts = () if value is None else (value,)
    return [text for part in parts if (text := str(part).strip())]


def _same(first: Any, second: Any) -> bool:
    """Whether two values are the same, texts by their plain form; 1 is 1.0, and no truth value."""
    if isinstance(first, str) and isinstance(second, str):
        return _plain(first) == _plain(second)
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return first.keys() == second.keys() and all(_same(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(_same, first, second))
    if isinstance(first, bool) != isinstance(second, bool):
        return False
    return bool(first == second) or (first != first and second != second)


def _plain(text: str) -> str:
    """``StringSimilarityOperator.normalize_string`` of OpenApps."""
    return re.sub(r"\s+", " ", re.sub(r"[^\w\s]", "", text.lower())).strip()
