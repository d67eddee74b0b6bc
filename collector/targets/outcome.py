"""What data of apps come to by a target: the reward, which parts hold, and what else was changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from collector.model.app_data.collections import CONTENT_ID, AppData, DataCollection, Record, collection_named
from collector.model.app_data.target import ADD, OPEN_APP, OPENAPPS, REMOVE, WORDS, TaskTarget
from collector.model.i18n import _
from collector.targets.comparison import DataComparison, compare
from collector.targets.expected_data import (
    CHATS,
    ExpectedData,
    ExpectedRecord,
    InapplicableTargetError,
    expected_data,
    fields_text,
)
from collector.targets.openapps.decision import OpenAppsDecision, decide
from collector.targets.openapps.states import APP_OF, State, data_of, has_no_place, is_in_front, state_of
from collector.targets.values import is_near, record_key

ADDED, REMOVED, CHANGED = "added", "removed", "changed"


@dataclass(frozen=True, slots=True)
class SideEffect:
    """A record that is another than it should be."""

    kind: str
    """added, removed or changed."""
    collection: str
    record: Record
    """The record as it is; of a removed one as it was."""
    before: Record | None = None
    """Of a changed one, as it should be."""


@dataclass(frozen=True, slots=True)
class TargetOutcome:
    """How far a target is reached."""

    reward: int
    """1 when everything is as the target says and nothing else has changed, else 0."""
    holds: tuple[bool, ...]
    """Of each part of the target."""
    side_effects: tuple[SideEffect, ...] = ()
    problem: str = ""
    """Why the target cannot be reached from the initial data, in a sentence; empty when it can."""

    @property
    def share(self) -> float:
        """The share of the parts that hold, from 0 to 1: the partial score."""
        return sum(self.holds) / len(self.holds) if self.holds else 0.0


def outcome_of(initial: AppData, actual: AppData, target: TaskTarget, *, front: str = "") -> TargetOutcome:
    """Compare data with a target. ``front`` is the short name of the app in front, empty for another."""
    outcome = _compared(initial, actual, target, front)
    if target.semantics != OPENAPPS:
        return outcome
    if any(part.kind == OPEN_APP and part.app != front for part in target.parts):
        decision = OpenAppsDecision(0)
    elif target.is_about_front_alone:
        decision = OpenAppsDecision(1)
    elif any(_changes_what_openapps_lacks(effect) for effect in outcome.side_effects):
        return replace(outcome, reward=0)
    else:
        decision = decide(state_of(initial), state_of(actual), target)
    return _decided(outcome, decision)


def outcome_of_states(initial: State, actual: State, target: TaskTarget) -> TargetOutcome:
    """Compare two states of OpenApps with a target; ``_url`` of the latter says which app is in front."""
    front = next((part.app for part in target.parts if is_in_front(actual, part.app)), "")
    outcome = _compared(data_of(initial), data_of(actual), target, front)
    return _decided(outcome, decide(initial, actual, target)) if target.semantics == OPENAPPS else outcome


def _compared(initial: AppData, actual: AppData, target: TaskTarget, front: str) -> TargetOutcome:
    """What data come to as this program compares them."""
    opened = [part.kind != OPEN_APP or part.app == front for part in target.parts]
    try:
        expected = expected_data(initial, target)
    except InapplicableTargetError as error:
        return TargetOutcome(0, tuple(False for _part in target.parts), (), str(error))
    comparison = compare(initial, expected, actual, target)
    holds = _holding(expected, comparison, target, opened)
    effects = tuple(_side_effects(comparison, target))
    return TargetOutcome(int(all(holds) and not effects), holds, effects)


def _decided(outcome: TargetOutcome, decision: OpenAppsDecision) -> TargetOutcome:
    """The outcome with the reward of OpenApps. Where it is 1, all holds that our own comparison misses."""
    if decision.reward:
        return TargetOutcome(1, tuple(True for _part in outcome.holds))
    is_explained = outcome.problem or outcome.side_effects or not all(outcome.holds)
    return replace(outcome, reward=0, problem=outcome.problem if is_explained else decision.why)


def _changes_what_openapps_lacks(effect: SideEffect) -> bool:
    """Whether a record was changed in what OpenApps' apps have no place for, and so cannot compare."""
    before, record = effect.before, effect.record
    if before is None or effect.collection not in (*APP_OF, CHATS):
        return False
    return any(
        record.get(name) != before.get(name) and has_no_place(effect.collection, name)
        for name in {*record, *before} - {CONTENT_ID}
    )


def _holding(
    expected: ExpectedData, comparison: DataComparison, target: TaskTarget, opened: list[bool]
) -> tuple[bool, ...]:
    holds = list(opened)
    for records in comparison.missing.values():
        for item in records:
            for number in item.parts:
                holds[number] = False
    for number, name, record in expected.removed:
        if _take(comparison.extra.get(name, []), record, name, target):
            holds[number] = False
    return tuple(holds)


def _take(records: list[Record], wanted: Record, name: str, target: TaskTarget) -> bool:
    """Take a record that is the same as ``wanted`` out of the list; whether there is one."""
    collection, tolerance = _collection(name), target.tolerance
    key = record_key(wanted, collection, tolerance)
    for place, record in enumerate(records):
        same = record_key(record, collection, tolerance) == key
        if same and is_near(wanted, record, collection, tolerance):
            del records[place]
            return True
    return False


def _side_effects(comparison: DataComparison, target: TaskTarget) -> Iterator[SideEffect]:
    """What is neither as it was nor part of the target.

    A record that a part asks to change, and that is as it was, is no side effect: the part does not hold.
    """
    for name in dict.fromkeys((*comparison.missing, *comparison.extra)):
        extra, gone = comparison.extra.get(name, []), []
        for item in comparison.missing.get(name, ()):
            if not item.parts:
                gone.append(item)
            elif item.before is not None and not _take(extra, item.before, name, target):
                gone.append(ExpectedRecord(item.before))
        yield from _paired(name, gone, extra)


def _paired(name: str, gone: list[ExpectedRecord], extra: list[Record]) -> Iterator[SideEffect]:
    """Records that are missing and too many: with the same key, one that was changed."""
    collection = _collection(name)
    places: dict[object, list[int]] = {}
    for place, record in enumerate(extra):
        places.setdefault(_hashable(record.get(collection.key)), []).append(place)
    paired: set[int] = set()
    for item in gone:
        key = item.record.get(collection.key)
        alike = [] if collection.sequence else places.get(_hashable(key), [])
        found = next((place for place in alike if extra[place].get(collection.key) == key), None)
        if found is None:
            yield SideEffect(REMOVED, name, item.record)
        else:
            alike.remove(found)
            paired.add(found)
            yield SideEffect(CHANGED, name, extra[found], item.record)
    yield from (SideEffect(ADDED, name, record) for place, record in enumerate(extra) if place not in paired)


def _hashable(key: object) -> object:
    """A key that finds those that are equal to it; damaged ones, lists and mappings, share one."""
    try:
        hash(key)
    except TypeError:
        return list
    return key


def _collection(name: str) -> DataCollection:
    collection = collection_named(name)
    assert collection is not None  # others are not compared
    return collection


# ---- in words -----------------------------------------------------------------------------------


def part_text(target: TaskTarget, number: int) -> str:
    """A part of a target in a few words, as in ``calendar.events: title Dentist is added``."""
    part = target.parts[number]
    if part.kind == OPEN_APP:
        return _("{app} is in front", app=part.app)
    name, values = part.collection, fields_text(part.values)
    if part.kind == ADD:
        return _("{name}: {fields} is added", name=name, fields=values)
    if part.kind == REMOVE:
        return _("{name}: {fields} is removed", name=name, fields=fields_text(part.where))
    if part.where:
        fields = fields_text(part.where)
        return _("{name}: {fields} is changed to {values}", name=name, fields=fields, values=values)
    return _("{chat} is sent: {text}", chat=part.values["chat"], text=part.values["text"])


def lacking_text(target: TaskTarget, outcome: TargetOutcome) -> str:
    """Why a target is not reached: what does not hold, and what else was changed; empty when it is."""
    if outcome.problem:
        return outcome.problem
    missing = [part_text(target, number) for number, holds in enumerate(outcome.holds) if not holds]
    effects = list(map(effect_text, outcome.side_effects))
    if missing and effects:
        return _("Not reached: {parts}. Side effects: {effects}", parts="; ".join(missing),
                 effects="; ".join(effects))  # fmt: skip
    if missing:
        return _("Not reached: {parts}", parts="; ".join(missing))
    return _("Side effects: {effects}", effects="; ".join(effects)) if effects else ""


def tolerance_text(target: TaskTarget) -> list[str]:
    """What makes no difference when data are compared with the target, a sentence each."""
    tolerance = target.tolerance
    if target.semantics == OPENAPPS:
        return [
            _("Compared as OpenApps does: letters' case and punctuation do not count, and lists are sorted"),
            _("The last answers of a chat and the code editor do not count"),
            _("Positions are cut to tenths of a degree; those within {km} km are the same",
              km=f"{tolerance.within_km:g}"),
        ]  # fmt: skip
    words = _("Letters' case, punctuation and extra spaces of texts do not count")
    lines = [words if tolerance.text == WORDS else _("Texts are compared exactly")]
    lines.append(_("The order of records does not count, but for messages of a chat"))
    lines.append(_("Positions within {km} km are the same", km=f"{tolerance.within_km:g}"))
    if tolerance.replies:
        lines.append(_("An answer of the app to each sent message may be there"))
    if tolerance.ignored:
        lines.append(_("These do not count: {names}", names=", ".join(tolerance.ignored)))
    return lines


def effect_text(effect: SideEffect) -> str:
    """A side effect in a sentence."""
    collection = _collection(effect.collection)
    key = str(effect.record.get(collection.key, ""))
    if effect.before is None:
        # Whole sentences, which a stored verdict can say again in another language.
        if effect.kind == ADDED:
            return _("{name}: {key} was added", name=effect.collection, key=repr(key))
        return _("{name}: {key} was removed", name=effect.collection, key=repr(key))
    changed = {
        field.name: effect.record.get(field.name) for field in collection.fields
        if effect.record.get(field.name) != effect.before.get(field.name)
    }  # fmt: skip
    return _("{name}: {key} was changed: {fields}", name=effect.collection, key=repr(key),
             fields=fields_text(changed))  # fmt: skip
