"""How far a moment of an app is from a part of a target: a hint for the search, never a decision."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from collector.model.app_data.collections import Record
from collector.model.app_data.target import ADD, SEND
from collector.oracle.app_moment import AppMoment
from collector.oracle.frozen_values import field_names
from collector.oracle.moves import NOTE, TEXT, Move
from collector.oracle.part_goal import ORDERS, PartGoal
from collector.targets.outcome import SideEffect
from collector.targets.values import kilometres, plain_text

_ELSEWHERE = 0.7
"""What a wanted value is worth that stands in the app, but not in its field."""
_OFFERED = 1.5
"""What a move is worth that names what is wanted."""
_LEAST = 0.5
_PATH = "path"
_NO_DATE = 6.0
_PICKED = 0.6
"""The cost of a date or time that stands in the app, and not yet in its field."""
_PIN = 3.5
_FIELD = 0.8
"""And one that names a field of the record, and whether that is wanted."""
_SEARCHES = ("query", "searched", "find")
_DATE, _TIME = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d\d:\d\d")


class DistanceEstimate:
    """Distances of one part of a target."""

    def __init__(self, goal: PartGoal) -> None:
        self._goal = goal
        self._is_new = goal.part.kind in (ADD, SEND)
        self._collection, self._key = goal.collection, goal.collection.key

    def distance(self, moment: AppMoment) -> float:
        """About how many moves are left; 0 when the target is reached."""
        outcome = self._goal.outcome(moment)
        if outcome.reward:
            return 0.0
        lacking = sum(not holds for holds in outcome.holds[:-1])
        effects = outcome.side_effects
        begun = [] if outcome.holds[-1] else [effect for effect in effects if self._is_begun(effect)]
        left = 2.0 * lacking + 1.0 * (len(effects) - len(begun))
        if not outcome.holds[-1]:
            left += 1.0 + self._of_part(moment.state, begun)
        return max(left, _LEAST)

    def offer(self, move: Move) -> float:
        """How much a move looks like one that is needed, to 1.5; below 0 for one that does not."""
        if move.kind == NOTE or move.event is None:
            return 0.0
        if move.kind == TEXT:
            return _FIELD if plain_text(move.text) in self._goal.labels else 0.0
        key = move.event.key
        if self._names_wanted(key):
            return _OFFERED
        if "search" in move.event.name and not self._is_new:
            return _FIELD  # what is far away is found by its name
        if isinstance(key, str) and self._collection.field(key) is not None:
            return _FIELD if key in self._goal.wanted else -_FIELD
        label = plain_text(move.label)
        return _OFFERED if label and any(name in label for name in self._goal.labels) else 0.0

    def _names_wanted(self, key: object) -> bool:
        parts = key if isinstance(key, tuple) else (key,)
        return any(
            isinstance(part, Hashable) and part not in (None, "") and part in self._goal.ids for part in parts
        )

    def _is_begun(self, effect: SideEffect) -> bool:
        """Whether a record that should not be there is on the way to the one that should."""
        goal = self._goal
        if goal.part.collection == ORDERS and effect.collection == "shop.cart":
            return effect.record.get("product") in goal.ids
        if effect.collection != goal.part.collection:
            return False
        if self._is_new:
            return effect.record.get(self._key) == goal.wanted.get(self._key)
        return goal.record is not None and effect.record.get(self._key) == goal.record.get(self._key)

    def _of_part(self, state: Any, begun: Sequence[SideEffect]) -> float:
        goal, cost = self._goal, 0.0
        if not self._is_new and not begun and not self._is_bound(state):
            return 2.0 + len(goal.wanted)
        scopes = list(self._scopes(state))
        records = [effect.record for effect in begun if effect.collection == goal.part.collection]
        for name, value in goal.wanted.items():
            if name == "lng" and "lat" in goal.wanted:
                continue
            if name == "lat" and goal.position is not None:
                cost += 1.0 - self._nearness(state, goal.position)
                continue
            if isinstance(value, str) and _DATE.fullmatch(value):
                cost += _of_date(value, _named(name, scopes, records), self._dates_around(state, value))
                continue
            if isinstance(value, str) and _TIME.fullmatch(value):
                cost += _of_time(value, _named(name, scopes, records), self._values(state))
                continue
            in_records = max((_likeness(record.get(name), value) for record in records), default=0.0)
            in_field = max((_likeness(getattr(scope, name, None), value) for scope in scopes), default=0.0)
            if name == _PATH:
                elsewhere = _of_path(str(value), list(self._values(state)))
                cost += 1.0 - max(in_records, in_field if in_field == 1.0 else 0.0, elsewhere)
                continue
            around = self._values(state) if value not in ("", False) else ()
            elsewhere = _ELSEWHERE * max((_likeness(item, value) for item in around), default=0.0)
            cost += 1.0 - max(in_records, in_field if in_field == 1.0 else in_field * _ELSEWHERE, elsewhere)
        if records:
            cost += 0.5  # it is there, and still has to be changed
        if goal.account:
            cost += self._of_account(state)
        return cost

    def _scopes(self, state: Any) -> Iterator[Any]:
        """The state, and what is being edited in it: nothing that exists for a new record."""
        yield state
        for name in field_names(type(state)):
            value = getattr(state, name)
            if not is_dataclass(value):
                continue
            number = getattr(value, "id", None)
            if (not number) if self._is_new else number in self._goal.own_ids:
                yield value

    def _dates_around(self, state: Any, wanted: str) -> list[str]:
        """The dates in the fields of a state that are others than at the start; else that farthest away.

        What is left of a part before, such as the day of a record that is gone, leads nowhere.
        """
        start = self._goal.start_state
        dates = {
            name: value for name in field_names(type(state))
            if name not in _SEARCHES and isinstance(value := getattr(state, name), str)
            and _DATE.fullmatch(value)
        }  # fmt: skip
        moved = [value for name, value in dates.items() if value != getattr(start, name)]
        return moved or sorted(dates.values(), key=lambda value: _months(value, wanted))[-1:]

    def _is_bound(self, state: Any) -> bool:
        """Whether the app is at the record that is meant; a search for it is not."""
        own = self._goal.own_ids
        for name in field_names(type(state)):
            value = getattr(state, name)
            if name in _SEARCHES or isinstance(value, bool):
                continue
            if isinstance(value, str | int) and value in own:
                return True
            if is_dataclass(value) and getattr(value, "id", None) in own:
                return True
        return False

    def _values(self, state: Any) -> Iterator[Any]:
        """The values in a state, but what is searched for, and of mappings what they hold for the record.

        A text that stands in another file, or is drafted for another contact, leads nowhere.
        """
        for name in field_names(type(state)):
            if name in _SEARCHES:
                continue
            value = getattr(state, name)
            if isinstance(value, str | int | float):
                yield value
            elif isinstance(value, Mapping):
                yield value
                ids = self._goal.ids
                yield from (item for key, item in value.items() if isinstance(item, str) and key in ids)

    @staticmethod
    def _nearness(state: Any, position: tuple[float, float]) -> float:
        lat, lng = getattr(state, "lat", None), getattr(state, "lng", None)
        if lat is None or lng is None:
            return 0.0
        return 1.0 / (1.0 + kilometres((lat, lng), position))

    def _of_account(self, state: Any) -> float:
        account = self._goal.account
        cost = 3.0
        if getattr(state, "signed_in", False):
            cost -= 2.0
        else:
            cost -= sum(
                0.7 * (getattr(state, name, None) == account.get(name)) for name in ("email", "password")
            )
        return cost + _PIN * (1.0 - _likeness(getattr(state, "pin", None), account.get("pin", "")))


def _likeness(value: Any, wanted: Any) -> float:
    """How alike two values are, from 0 to 1."""
    if value is None or isinstance(value, bool) != isinstance(wanted, bool):
        return 0.0
    if isinstance(wanted, str):
        return _of_texts(value, wanted) if isinstance(value, str) else 0.0
    if isinstance(wanted, Mapping):
        return _of_counts(value, wanted) if isinstance(value, Mapping) else 0.0
    if isinstance(wanted, list | tuple):
        if not isinstance(value, list | tuple):
            return 0.0
        there, all_of = set(map(str, value)), set(map(str, wanted))
        return len(there & all_of) / max(1, len(there | all_of)) if all_of else float(not there)
    if value == wanted:
        return 1.0
    if isinstance(wanted, int | float) and isinstance(value, int | float) and not isinstance(wanted, bool):
        return max(0.0, 0.9 - abs(value - wanted) / max(abs(wanted), 1.0))
    return 0.0


def _of_texts(value: str, wanted: str) -> float:
    if value == wanted:
        return 1.0
    if not value or not wanted:
        return 0.0
    return 0.9 * len(value) / len(wanted) if wanted.startswith(value) else 0.0


def _of_path(wanted: str, around: list[Any]) -> float:
    """A path is made of its folder and of a name."""
    if wanted in around:
        return _ELSEWHERE
    folder, _slash, name = wanted.rpartition("/")
    return _ELSEWHERE / 2 * ((folder in around) + (name in around))


def _named(name: str, scopes: Iterable[Any], records: Iterable[Record]) -> list[Any]:
    """What stands in a field of this name."""
    return [getattr(scope, name, None) for scope in scopes] + [record.get(name) for record in records]


def _of_date(wanted: str, fields: Sequence[Any], around: Iterable[Any]) -> float:
    """The cost of a date: nothing in its field, little elsewhere, else more for each month in between."""
    if wanted in fields:
        return 0.0
    costs = (
        _PICKED if value == wanted else 2 * _PICKED + 0.4 * _months(value, wanted)
        for value in (*fields, *around) if isinstance(value, str) and _DATE.fullmatch(value)
    )  # fmt: skip
    return min((_NO_DATE, *costs))


def _months(first: str, second: str) -> int:
    """The months between two dates."""
    return abs((int(first[:4]) - int(second[:4])) * 12 + int(first[5:7]) - int(second[5:7]))


def _of_time(wanted: str, fields: Sequence[Any], around: Iterable[Any]) -> float:
    """The cost of a time: nothing in its field, little elsewhere, less for the hour alone."""
    if wanted in fields:
        return 0.0
    values = {value for value in (*fields, *around) if isinstance(value, str) and _TIME.fullmatch(value)}
    if wanted in values:
        return _PICKED
    return 2 * _PICKED if any(value[:2] == wanted[:2] for value in values) else 3 * _PICKED


def _of_counts(value: Mapping[Any, Any], wanted: Mapping[Any, Any]) -> float:
    keys = set(value) | set(wanted)
    if not keys:
        return 1.0
    shares = (
        min(value.get(key, 0), wanted.get(key, 0)) / max(value.get(key, 0), wanted.get(key, 0), 1)
        for key in keys
        if isinstance(value.get(key, 0), int)
    )
    return float(sum(shares) / len(keys))
