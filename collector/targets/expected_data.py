"""What the data of apps are when a task is done: the initial ones with the parts of its target applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from collector.model.app_data.collections import (
    CONTENT_ID,
    FREE,
    AppData,
    DataCollection,
    Record,
    collection_named,
)
from collector.model.app_data.target import ADD, CHANGE, OPEN_APP, REMOVE, SEND, TargetPart, TaskTarget
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.targets.values import matches, plain_text

MESSAGES, CHATS, CONTACTS = "messenger.messages", "messenger.chats", "messenger.contacts"


class InapplicableTargetError(UserError):
    """The initial data have nothing that a part of the target is about."""


@dataclass(frozen=True, slots=True)
class ExpectedRecord:
    """A record that is there when the task is done."""

    record: Record
    parts: tuple[int, ...] = ()
    """Places in the target of the parts that made it so; empty for a record as it was."""
    free: frozenset[str] = frozenset()
    """Fields that may have any value."""
    within_km: float | None = None
    content_id: str = ""
    """Of a new one: the content entry that it has to be of; empty for any."""
    before: Record | None = None
    """The record as it was before a part changed it."""


@dataclass(slots=True)
class ExpectedData:
    """The records that are there when a task is done, and those that are gone."""

    records: dict[str, list[ExpectedRecord]]
    """By collection, in their order."""
    removed: list[tuple[int, str, Record]]
    """Of each removed record: place of the part, collection, and the record."""


def expected_data(initial: AppData, target: TaskTarget) -> ExpectedData:
    """Apply the parts of a target to data, in order.

    Raises InapplicableTargetError for a record or contact that is not there.
    """
    applying = _Applying(initial, target)
    for number, part in enumerate(target.parts):
        applying.apply(number, part)
    return applying.expected


class _Applying:
    def __init__(self, initial: AppData, target: TaskTarget) -> None:
        records = {name: [ExpectedRecord(record) for record in found] for name, found in initial.items()}
        self.expected = ExpectedData(records, [])
        self._initial, self._tolerance = initial, target.tolerance

    def apply(self, number: int, part: TargetPart) -> None:
        if part.kind == OPEN_APP:
            return
        collection = collection_named(part.collection)
        assert collection is not None
        records = self.expected.records.setdefault(collection.name, [])
        if part.kind == ADD:
            records.append(_new_record(number, part, collection))
        elif part.kind == SEND:
            self._send(number, part, collection)
        elif part.kind in (CHANGE, REMOVE):
            place = self._place(records, part, collection)
            found = records.pop(place)
            if part.kind == REMOVE:
                self.expected.removed.append((number, collection.name, found.record))
            else:
                records.insert(place, _changed(found, number, part.values))

    def _place(self, records: list[ExpectedRecord], part: TargetPart, collection: DataCollection) -> int:
        """The place of the record that a part is about; of several the last."""
        for place in range(len(records) - 1, -1, -1):
            if matches(records[place].record, part.where, collection, self._tolerance):
                return place
        raise InapplicableTargetError(
            _("{name} has no record with {fields}", name=collection.name, fields=fields_text(part.where)),
            _("the target is about one that is there at the start"),
        )

    def _send(self, number: int, part: TargetPart, collection: DataCollection) -> None:
        chat = self._chat(str(part.values["chat"]))
        records = self.expected.records
        records[collection.name].append(ExpectedRecord({**part.values, "chat": chat}, (number,)))
        chats = records.setdefault(CHATS, [])
        if all(known.record.get("chat") != chat for known in chats):
            chats.append(ExpectedRecord({"chat": chat, "pinned": False, "muted": False}, (number,)))

    def _chat(self, contact: str) -> str:
        """The id of the chat with a contact, given by id or name."""
        known = [*self._initial.get(CONTACTS, ()), *self._initial.get(CHATS, ())]
        for record in known:
            names = [str(record.get("chat", "")), str(record.get("name", ""))]
            if plain_text(contact) in (plain_text(name) for name in names if name):
                return str(record.get("chat", ""))
        raise InapplicableTargetError(_("The messenger has no contact {name}", name=contact))


def _new_record(number: int, part: TargetPart, collection: DataCollection) -> ExpectedRecord:
    """A record with the values of a part; fields without any have their default, or are free.

    One that is named by its content entry has the position of that, which the part does not know.
    """
    unnamed = [field for field in collection.fields if field.name not in part.values]
    defaults = {field.name: field.default for field in unnamed if field.default is not FREE}
    free = frozenset(field.name for field in unnamed if field.default is FREE)
    entry = str(part.values.get(CONTENT_ID, ""))
    return ExpectedRecord({**defaults, **part.values}, (number,), free, part.within_km, entry)


def _changed(found: ExpectedRecord, number: int, values: Mapping[str, Any]) -> ExpectedRecord:
    before = found.record if found.before is None and not found.parts else found.before
    return replace(
        found, record={**found.record, **values}, parts=(*found.parts, number),
        free=found.free - set(values), before=before,
    )  # fmt: skip


def fields_text(fields: Mapping[str, Any]) -> str:
    """Fields and values on one line, as in ``title Buy milk, done true``."""
    return ", ".join(
        f"{'id' if name == CONTENT_ID else name} {_value_text(value)}" for name, value in fields.items()
    )


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return _("true") if value else _("false")
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} × {count}" for name, count in value.items()) or "-"
    text = str(value)
    return " ".join(text.split())[:80] or "-"
