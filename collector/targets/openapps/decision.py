"""Decide as OpenApps does (facebookresearch/OpenApps, ``open_apps/tasks/tasks.py``), with all its quirks.

What is worth knowing:

- Lists are sorted by their plain key (``title``, ``name``, ``user``) and then compared place by place.
- Texts are lower-cased, and lose everything but letters, digits, ``_`` and spaces. Names of keys count
  exactly, and those that begin with ``__`` not at all.
- Numbers are rounded to 12 digits after the point; true is 1.
- Positions are cut to tenths of a degree before their distance is compared, so that places in one cell are
  the same even with a tolerance of 500 m. Of places only the name up to its first comma and the position
  count.
- A record that is to be removed and is not there is no obstacle; of several the last is meant. A record to
  change that is not there makes the task impossible. A task that is done keeps its title alone.
- An event or place that equals the last one at the start, value by value, is not added again; without any
  event or place none can be added.
- Of each chat as many last messages may be too many as were sent to it; who wrote a message does not count.
- An app in front decides alone.
- A state that OpenApps' code cannot work on (an app or a key is missing) has the reward 0.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.model.app_data.target import ADD, CHANGE, REMOVE, SEND, TargetPart, TaskTarget
from collector.model.i18n import _
from collector.targets.openapps.states import (
    APP_OF,
    CALENDAR,
    CODE,
    MAP,
    MESSENGER,
    TODO,
    PhoneField,
    State,
    entry_of,
    is_in_front,
)

_SORTED_BY = {MAP: "name", TODO: "title", CALENDAR: "title", MESSENGER: "user"}
_ADDED_ONCE = (CALENDAR, MAP)
_NEVER_COMPARED = ("id", "recurring")
_NEW_EVENT = {"title": "", "date": "", "description": "", "location": "", "url": "", "invitees": []}
_KM_PER_DEGREE = 111.0
_CELLS_PER_DEGREE = 10
_DIGITS, _SHORT = 12, 100
_NO_WORD = re.compile(r"[^\w\s]")
_UNWORKABLE = (KeyError, TypeError, IndexError, AttributeError, ValueError, OverflowError)
"""What OpenApps' code raises for a state of another shape, and this one with it."""


@dataclass(frozen=True, slots=True)
class OpenAppsDecision:
    """The reward, 0 or 1, and a sentence why it is 0."""

    reward: int
    why: str = ""


class _UnreachableTargetError(ValueError):
    """The task asks for what is not in the state."""


def decide(initial: State, actual: State, target: TaskTarget) -> OpenAppsDecision:
    """The reward of two states as OpenApps gives it."""
    if target.is_about_front_alone:
        front = all(is_in_front(actual, part.app) for part in target.parts)
        return OpenAppsDecision(1) if front else OpenAppsDecision(0, _("Another page is in front"))
    try:
        expected = _comparable(_expected(initial, target))
        place = _first_difference(expected, _comparable(actual), target)
    except _UnreachableTargetError as error:
        return OpenAppsDecision(0, str(error))
    except _UNWORKABLE as error:
        why = f"{type(error).__name__}: {error}"[:200]
        return OpenAppsDecision(0, _("OpenApps cannot compare these states: {error}", error=why))
    if place:
        return OpenAppsDecision(0, _("The states differ at {place}", place=place))
    return OpenAppsDecision(1)


# ---- the state after the task -------------------------------------------------------------------


def _expected(initial: State, target: TaskTarget) -> dict[str, Any]:
    """The state after the task. Raises _UnreachableTargetError when it changes what is not there."""
    state = dict(initial)
    for part in target.parts:
        if part.kind == SEND:
            state[MESSENGER] = _with_message(state[MESSENGER], part)
        elif part.kind in (ADD, CHANGE, REMOVE):
            app = APP_OF.get(part.collection, part.collection)
            entries = state[app] if app in _SORTED_BY else state.get(app, [])
            state[app] = _with_part(app, entries, part)
    return state


def _with_part(app: str, entries: Any, part: TargetPart) -> Any:
    """The entries of an app after a part."""
    if part.kind == ADD:
        return _with_new(app, _list(entries), entry_of(part.collection, part.values))
    wanted = entry_of(part.collection, part.where)
    places = [
        number for number, entry in enumerate(entries)
        if all(entry[key] == value for key, value in wanted.items())
    ]  # fmt: skip
    if not places:
        if part.kind == CHANGE:
            raise _UnreachableTargetError(_("A record to change is not in the state"))
        return entries
    changed, place = list(entries), places[-1]
    found = changed.pop(place)
    if part.kind == CHANGE:
        values = entry_of(part.collection, part.values)
        is_ticked = app == TODO and values == {"done": True}
        changed.insert(place, {"title": found["title"], "done": 1} if is_ticked else {**found, **values})
    return changed


def _with_new(app: str, entries: list[Any], entry: dict[Any, Any]) -> list[Any]:
    if app == CALENDAR:
        entry = {**_NEW_EVENT, **{key: value or "" for key, value in entry.items() if key != "invitees"},
                 "invitees": entry.get("invitees", [])}  # fmt: skip
    if app == TODO:
        entry = {"done": False, **entry}
    if app not in _ADDED_ONCE:
        return [*entries, entry]
    if not entries:
        raise _UnreachableTargetError(_("Without any event or place OpenApps adds none"))
    return entries if _without_phone(entries[-1]) == _without_phone(entry) else [*entries, entry]


def _with_message(contacts: Any, part: TargetPart) -> list[Any]:
    """The conversations after a message was sent; of several with the contact the last has it."""
    to = part.values["chat"]
    places = [
        number for number, contact in enumerate(contacts)
        if contact["user"] == to or contact.get(PhoneField("chat")) == to
    ]  # fmt: skip
    if not places:
        raise _UnreachableTargetError(_("The messenger has no contact {name}", name=to))
    changed, place = list(contacts), places[-1]
    written = [*_list(changed[place]["messages"]), [part.values["text"]]]
    changed[place] = {**changed[place], "messages": written}
    return changed


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{type(value).__name__} is no list")
    return value


def _without_phone(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {key: value for key, value in entry.items() if not isinstance(key, PhoneField)}


# ---- what is compared ---------------------------------------------------------------------------


def _comparable(state: State) -> dict[str, Any]:
    """A state as OpenApps compares it. Raises one of _UNWORKABLE for another shape."""
    kept = {app: value for app, value in state.items() if not app.startswith("_") and app != CODE}
    kept[CALENDAR] = [_event(entry) for entry in kept[CALENDAR]]
    kept[TODO] = [_task(entry) for entry in kept[TODO]]
    kept[MESSENGER] = [
        {**contact, "messages": [message[0] for message in contact["messages"]]}
        for contact in kept[MESSENGER]
    ]
    kept[MAP] = [_place(entry) for entry in kept[MAP]]
    for app, key in _SORTED_BY.items():
        kept[app].sort(key=lambda entry, key=key: _plain(entry[key]))
    return kept


def _event(entry: Mapping[Any, Any]) -> dict[Any, Any]:
    kept = dict(entry.items())
    if "invitees" in kept:
        kept["invitees"] = sorted(_names(kept["invitees"]), key=_plain)
    return {
        key: value for key, value in kept.items()
        if key not in _NEVER_COMPARED and not (value is None or value in ("", []))
    }  # fmt: skip


def _names(value: Any) -> list[str]:
    if isinstance(value, str):
        value = value.split(",")
    elif value is None:
        value = ()
    elif not isinstance(value, list | tuple):
        value = (value,)
    return [text for part in value if (text := str(part).strip())]


def _task(entry: Mapping[Any, Any]) -> dict[Any, Any]:
    kept = {key: value for key, value in entry.items() if key != "id"}
    done = kept.get("done")
    if done is None or done in (0, "0"):
        kept["done"] = False
    elif done in (1, "1"):
        kept["done"] = True
    return kept


def _place(entry: Mapping[Any, Any]) -> dict[str, Any]:
    coords = entry["coords"]
    cells = [int(coords[number] * _CELLS_PER_DEGREE) for number in (0, 1)]
    return {"name": entry["name"].split(",", 1)[0].strip(), "coords": cells}


# ---- compare ------------------------------------------------------------------------------------


def _first_difference(expected: dict[str, Any], actual: dict[str, Any], target: TaskTarget) -> str:
    """Where two comparable states differ, as in ``todo[3].done``; empty when they do not."""
    if expected.keys() != actual.keys():
        return ", ".join(sorted(map(str, expected.keys() ^ actual.keys())))
    _drop_answers(expected[MESSENGER], actual[MESSENGER], target)
    within = next((part.within_km for part in target.parts if part.within_km is not None), None)
    limit = target.tolerance.within_km if within is None else within
    for app, value in expected.items():
        place = _places(value, actual[app], limit) if app == MAP else _difference(value, actual[app], app)
        if place:
            return place
    return ""


def _drop_answers(expected: list[Any], actual: list[Any], target: TaskTarget) -> None:
    """Take as many last messages off a chat as were sent to it, when it is no more than that too long."""
    sent: dict[str, int] = {}
    for part in target.parts:
        if part.kind == SEND:
            sent[part.values["chat"]] = sent.get(part.values["chat"], 0) + 1
    lengths = {contact["user"]: len(contact["messages"]) for contact in expected} if sent else {}
    for contact in actual if sent else ():
        user, written = contact["user"], contact["messages"]
        allowed = sent.get(user) or sent.get(contact.get(PhoneField("chat"), ""))
        if allowed and user in lengths and 0 <= len(written) - lengths[user] <= allowed:
            contact["messages"] = written[: lengths[user]]


def _places(first: Sequence[Any], second: Sequence[Any], within_km: float) -> str:
    if len(first) != len(second):
        return MAP
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        if _plain(one["name"]) != _plain(other["name"]):
            return f"{MAP}[{number}].name"
        if _kilometres(one["coords"], other["coords"]) > within_km:
            return f"{MAP}[{number}].coords"
    return ""


def _kilometres(first: Sequence[int], second: Sequence[int]) -> float:
    """The distance of two cells on a flat earth."""
    (lat, lng), (other_lat, other_lng) = (
        (cell[0] / _CELLS_PER_DEGREE, cell[1] / _CELLS_PER_DEGREE) for cell in (first, second)
    )
    north = (lat - other_lat) * _KM_PER_DEGREE
    east = (lng - other_lng) * _KM_PER_DEGREE * math.cos(math.radians((lat + other_lat) / 2))
    return math.sqrt(north**2 + east**2)


def _difference(first: Any, second: Any, path: str) -> str:
    """Where two values differ; empty when they are the same."""
    if isinstance(first, str) and isinstance(second, str):
        return "" if first == second or _plain(first) == _plain(second) else path
    if isinstance(first, dict) and isinstance(second, dict):
        keys = _counted(first)
        if keys != _counted(second):
            return f"{path}.{min(keys ^ _counted(second))}"
        differences = (_difference(first[key], second[key], f"{path}.{key}") for key in keys)
    elif isinstance(first, list) and isinstance(second, list):
        if len(first) != len(second):
            return path
        pairs = enumerate(zip(first, second, strict=True))
        differences = (_difference(one, other, f"{path}[{n}]") for n, (one, other) in pairs)
    else:
        return "" if _is_same_plain(first, second) else path
    return next(filter(None, differences), "")


def _counted(entry: Mapping[Any, Any]) -> set[str]:
    return {key for key in entry if isinstance(key, str) and not key.startswith("__")}


def _is_same_plain(first: Any, second: Any) -> bool:
    """Whether two values that are not both texts, lists or mappings are the same; true is 1."""
    numbers = isinstance(first, int | float) and isinstance(second, int | float)
    if numbers and not isinstance(first, bool):
        return _rounded(first) == _rounded(second)
    return bool(first == second)


def _rounded(number: float) -> str:
    """A number as DeepDiff writes it to compare it. Raises OverflowError for one that is too large."""
    rounded = round(number, _DIGITS)
    return f"{abs(rounded) if rounded == 0 else rounded:.{_DIGITS}f}"


def _plain(text: str) -> str:
    """A text as OpenApps compares it. Raises AttributeError for what is no text."""
    lowered = text.lower()
    return _plain_short(lowered) if len(lowered) < _SHORT else _plain_of(lowered)


def _plain_of(lowered: str) -> str:
    return " ".join(_NO_WORD.sub("", lowered).split())


_plain_short = functools.lru_cache(maxsize=8192)(_plain_of)
"""Titles and names come again and again in the pairs of a run."""
