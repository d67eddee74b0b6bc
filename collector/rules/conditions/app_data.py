"""``app_data``: an app keeps such a record, or got, changed or lost one since the screen before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from collector.hierarchy.selectors import Term
from collector.model.app_data.collections import COLLECTIONS, AppData, Record, collection_named
from collector.model.i18n import N_, _
from collector.model.tree import Node
from collector.rules.conditions.condition_type import ConditionType
from collector.rules.evaluation.explanation_text import cut, quote
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import ADDED, CHANGED, COLLECTION, DATA_CHANGE, RECORD, REMOVED, THERE
from collector.rules.grammar.value_reader import record_terms
from collector.targets.data_changes import data_changes
from collector.targets.outcome import effect_text


@dataclass(frozen=True, kw_only=True)
class AppDataCondition(Condition):
    """An app keeps such a record, or got, changed or lost one since the screen before."""

    type: ClassVar[str] = "app_data"
    collection: str = field(
        metadata=key(COLLECTION, N_("The collection of records, as in messenger.messages"))
    )
    record: str = field(
        default="",
        metadata=key(RECORD, N_("Which records are meant, as in title='Dentist'; all when left out")),
    )
    change: str = field(
        default=THERE,
        metadata=key(
            DATA_CHANGE, N_("there: it is kept now; added, changed or removed: since the screen before")
        ),
    )


class AppDataType(ConditionType[AppDataCondition]):
    """Of a phone that does not say what its apps keep nothing is known.

    With ``added``, ``changed`` and ``removed`` it holds on the first screen after that, and never on the very
    first one.
    """

    condition = AppDataCondition
    doc = N_("An app keeps such a record, or got, changed or lost one")
    example = "{type: app_data, collection: messenger.messages, record: \"me='true'\", change: added}"

    def starter(self, view: StateView | None) -> AppDataCondition:
        return AppDataCondition(collection=COLLECTIONS[0].name)

    def prove(self, condition: AppDataCondition, view: StateView, images: ImageFinder | None) -> Proof:
        terms = record_terms(condition.record)
        now = view.app_data()
        if now is None:
            return Proof(condition, False, deficit=1, unseen=True)
        if condition.change == THERE:
            found = [_name_of(condition, one) for one in _meant(condition, terms, now)]
        elif view.previous is None:
            return Proof(condition, False, deficit=1)
        else:
            before = view.previous.app_data()
            if before is None:
                return Proof(condition, False, deficit=1, unseen=True)
            found = _changes(condition, terms, before, now)
        return Proof(
            condition, bool(found), actual="; ".join(found), have=len(found), deficit=not found,
            evidence=bool(found),
        )  # fmt: skip

    def sentence(self, condition: AppDataCondition) -> str:
        names = {"collection": condition.collection, "record": condition.record}
        if not condition.record:
            return {
                ADDED: _("{collection} gets a record", **names),
                CHANGED: _("A record of {collection} is changed", **names),
                REMOVED: _("A record of {collection} is removed", **names),
            }.get(condition.change, _("{collection} has a record", **names))
        return {
            ADDED: _("{collection} gets a record with {record}", **names),
            CHANGED: _("A record of {collection} is changed to {record}", **names),
            REMOVED: _("A record of {collection} with {record} is removed", **names),
        }.get(condition.change, _("{collection} has a record with {record}", **names))

    def explain(self, proof: Proof, condition: AppDataCondition, view: StateView) -> str:
        if proof.unseen:
            return _("The data of apps are not known: only the virtual phone says them")
        if proof.holds and condition.change == THERE:
            return _("There are {records}", records=cut(proof.actual))
        if proof.holds:
            return cut(proof.actual)
        return _("There is none") if condition.change == THERE else _("Nothing of the kind was changed")


def _meant(condition: AppDataCondition, terms: Iterable[Term], data: AppData) -> list[Record]:
    return [one for one in data.get(condition.collection, ()) if _fits(condition, terms, one)]


def _fits(condition: AppDataCondition, terms: Iterable[Term], record: Record) -> bool:
    node = Node(0, _texts_of(condition, record))
    return all(term.matches(node) for term in terms)


def _texts_of(condition: AppDataCondition, record: Record) -> Mapping[str, str]:
    """The fields of a record as texts; those that it lacks are empty."""
    known = collection_named(condition.collection)
    names = (*(known.fields if known is not None else ()),)
    return {**{item.name: "" for item in names}, **{name: _text(value) for name, value in record.items()}}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return "" if value is None else str(value)


def _name_of(condition: AppDataCondition, record: Record) -> str:
    known = collection_named(condition.collection)
    return quote(_text(record.get(known.key))) if known is not None else ""


def _changes(condition: AppDataCondition, terms: Iterable[Term], before: AppData, now: AppData) -> list[str]:
    """The changes that are meant, in words."""
    name = condition.collection
    given = data_changes({name: before.get(name, ())}, {name: now.get(name, ())})
    return [
        effect_text(one)
        for one in given
        if one.kind == condition.change and _fits(condition, terms, one.record)
    ]
