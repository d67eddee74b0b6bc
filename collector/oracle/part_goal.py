"""What a search looks for: one part of a target, on top of the parts of the same app before it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from typing import Any

from collector.model.app_data.collections import (
    CONTENT_ID,
    DATE,
    FREE,
    TIME,
    AppData,
    DataCollection,
    Record,
    collection_named,
)
from collector.model.app_data.target import ADD, CHANGE, REMOVE, SEND, TargetPart, TaskTarget
from collector.oracle.app_moment import AppMoment, AppWorld
from collector.oracle.content_names import account_of, names_of, places_near
from collector.oracle.frozen_values import field_names, frozen
from collector.targets.expected_data import CHATS, CONTACTS, expected_data
from collector.targets.outcome import TargetOutcome, outcome_of
from collector.targets.values import matches, plain_text

ORDERS = "shop.orders"


class PartGoal:
    """A part of a target. Use it within ``model.in_use()``."""

    def __init__(self, world: AppWorld, initial: AppData, target: TaskTarget, start: AppMoment) -> None:
        """``initial`` are the data of the app at first, and ``target`` its parts up to this one.

        Raises InapplicableTargetError for a record or contact that is not there.
        """
        self.part: TargetPart = target.parts[-1]
        collection = collection_named(self.part.collection)
        assert collection is not None
        self.collection: DataCollection = collection
        self.target = target
        self._world, self._initial = world, initial
        self.start_state: Any = start.state
        """The app before anything is done for this part."""
        self._outcomes: dict[Hashable, TargetOutcome] = {}
        self._last: tuple[Any, AppData, TargetOutcome] | None = None
        self.record = self._record_meant()
        self.wanted: dict[str, Any] = dict(self._wanted())
        """The values that the record has to get, by field."""
        self.account: Mapping[str, str] = account_of(world.model) if self.part.collection == ORDERS else {}
        """What the person signs in with, where the part needs it."""
        self.own_ids: frozenset[Hashable] = frozenset(self._own_ids(start.state))
        """What the app calls the record that is changed or removed."""
        self.ids: frozenset[Hashable] = self.own_ids | frozenset(self._named_ids())
        """These, and what is named in the record."""
        self.labels: tuple[str, ...] = tuple(dict.fromkeys(filter(None, map(plain_text, self._names()))))
        """Words on the screen that lead to the record, without capitals and punctuation."""
        self.texts: tuple[str, ...] = tuple(self._texts())
        """What may be typed."""

    def outcome(self, moment: AppMoment) -> TargetOutcome:
        """How far the target is at a moment; made anew only when the data of the app changed."""
        state = moment.state
        if self._last is not None and self._last[0] is state:
            return self._last[2]
        data = self._world.model.data(state)
        if self._last is not None and self._last[1] == data:
            outcome = self._last[2]
        else:
            key = frozen({name: list(map(frozen, records)) for name, records in data.items()})
            known = self._outcomes.get(key)
            outcome = known or outcome_of(self._initial, data, self.target)
            self._outcomes[key] = outcome
        self._last = (state, data, outcome)
        return outcome

    # ---- what the part is about -----------------------------------------------------------------

    def _record_meant(self) -> Record | None:
        """The record that the part changes or removes, as the parts before it left it."""
        part = self.part
        before = expected_data(self._initial, replace(self.target, parts=self.target.parts[:-1]))
        expected_data(self._initial, self.target)
        if part.kind not in (CHANGE, REMOVE):
            return None
        records = [item.record for item in before.records.get(self.collection.name, ())]
        meant = (
            item
            for item in reversed(records)
            if matches(item, part.where, self.collection, self.target.tolerance)
        )
        return next(meant, None)

    def _wanted(self) -> Iterator[tuple[str, Any]]:
        part = self.part
        for name, value in part.values.items():
            spec = self.collection.field(name)
            default = spec.default if spec is not None else FREE
            if part.kind == ADD and default is not FREE and value == default:
                continue
            if self.record is not None and self.record.get(name) == value:
                continue
            if part.kind == SEND and name == "me":
                continue
            yield name, self._chat_id(value) if part.kind == SEND and name == "chat" else value

    def _chat_id(self, contact: Any) -> str:
        known = [*self._initial.get(CONTACTS, ()), *self._initial.get(CHATS, ())]
        for record in known:
            if plain_text(str(contact)) in (
                plain_text(str(record.get(name, ""))) for name in ("chat", "name")
            ):
                return str(record.get("chat", ""))
        return str(contact)

    def _named_ids(self) -> Iterator[Hashable]:
        for value in self.wanted.values():
            if isinstance(value, Mapping | list | tuple):
                yield from value
            elif isinstance(value, str) and value:
                yield value
        if (at := self.position) is not None:
            yield from (name for name, _text in places_near(self._world.model.state, *at))

    def _own_ids(self, state: Any) -> Iterator[Hashable]:
        record = self.record
        if record is not None:
            if isinstance(key := record.get(self.collection.key), Hashable) and key:
                yield key
            for item in _objects(state):
                if _is_of(item, record):
                    yield from (
                        value for name in ("id", "path", "place")
                        if (value := getattr(item, name, None)) not in (None, "", 0)
                    )  # fmt: skip

    @property
    def position(self) -> tuple[float, float] | None:
        """Latitude and longitude that are wanted."""
        values = self.wanted if self.record is None else self.record
        lat, lng = values.get("lat"), values.get("lng")
        return (float(lat), float(lng)) if lat is not None and lng is not None else None

    def _names(self) -> Iterator[str]:
        """Words that people call the record by, and what is named in it."""
        if self.record is not None:
            yield str(self.record.get(self.collection.key, ""))
        for name in self._text_ids:
            yield from names_of(self._world.model, name)
            yield from name.split("/") if self.collection.app == "code" else ()
        if (at := self.position) is not None:
            yield from (text for _name, text in places_near(self._world.model.state, *at))

    @property
    def _text_ids(self) -> list[str]:
        return sorted(item for item in self.ids if isinstance(item, str))

    def _texts(self) -> Iterator[str]:
        typed: list[str] = []
        for name, value in self.wanted.items():
            spec = self.collection.field(name)
            if spec is not None and spec.type in (DATE, TIME):
                continue
            if isinstance(value, str):
                typed.append(value)
            elif isinstance(value, list | tuple):
                typed += map(str, value)
        if self.record is not None:
            typed.append(str(self.record.get(self.collection.key, "")))
        if self.collection.app == "code":
            typed += [part for text in list(typed) if "\n" not in text for part in text.split("/")]
        typed += [name for item in self._text_ids for name in names_of(self._world.model, item)]
        if (at := self.position) is not None:
            typed += [text for _name, text in places_near(self._world.model.state, *at)]
        typed += self.account.values()
        yield from dict.fromkeys(typed)


def _objects(state: Any) -> Iterator[Any]:
    """The dataclasses in the sequences of a state."""
    for name in field_names(type(state)):
        value = getattr(state, name)
        if isinstance(value, Sequence) and not isinstance(value, str):
            yield from (item for item in value if is_dataclass(item))


def _is_of(item: Any, record: Record) -> bool:
    """Whether an object of an app is the one that a record shows."""
    shared = [name for name in field_names(type(item)) if name in record and name != CONTENT_ID]
    return bool(shared) and all(_plain(getattr(item, name)) == _plain(record[name]) for name in shared)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
