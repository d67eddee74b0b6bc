"""DroidBot's events as actions, and the states of a run each of them was made in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.model.action import (
    DIRECTIONS,
    KEY_NAMES,
    Action,
    Key,
    LongPress,
    OpenApp,
    Scroll,
    Swipe,
    Tap,
    Type,
)
from collector.model.geometry import Size

_BAND = 200
"""How far, in steps, an event may lie from where gaps alone would put it: keeps long runs quick."""
_HERE, _AND_NEXT = 2, 1
_TAKEN, _NOT_THIS_STATE, _NOT_THIS_EVENT = range(3)
_STARTED = re.compile(r"am start\b.*?\s([\w.]+)/[\w.$]+")
_TOUCH_MS = 200
"""How long DroidBot lets a finger lie for a touch; 2,000 is its default for a long one, 1,000 for a drag."""


@dataclass(frozen=True, slots=True)
class DroidbotEvent:
    """One event file: what was done, in which state, and which state it led to (digests DroidBot makes)."""

    tag: str
    values: Mapping[str, Any]
    text: str
    start: str
    stop: str


def event_from(values: Mapping[str, Any]) -> DroidbotEvent:
    """The event of one file; keys that are missing are empty."""
    inner = values.get("event")
    names = ("tag", "event_str", "start_state", "stop_state")
    tag, text, start, stop = (str(values.get(name) or "") for name in names)
    return DroidbotEvent(tag, inner if isinstance(inner, dict) else {}, text, start, stop)


def is_saved_once(events: Sequence[DroidbotEvent], states: Sequence[str]) -> bool:
    """Whether each different state was saved once, as DroidBot does; Kea saves the state of each step."""
    known = set(states)
    if len(known) == len(states):
        return True
    return 2 * len(align(events, states)) < sum(event.start in known for event in events)


def walk(
    events: Sequence[DroidbotEvent], states: Sequence[str]
) -> tuple[list[tuple[int, int | None]], list[int]]:
    """The states as the events pass through them, each saved once: place of a state and row of its event.

    A state no event begins in comes, without one, after the first event that leads to it or after the state
    saved before it. The second value are the rows of the events whose state was not saved.
    """
    place_of = {digest: place for place, digest in reversed(list(enumerate(states))) if digest}
    begun_in = {place_of[event.start] for event in events if event.start in place_of}
    waiting = [place for place in range(len(states)) if place not in begun_in]
    led_to = {event.stop for event in events}
    path: list[tuple[int, int | None]] = []
    without_state = []
    for row, event in enumerate(events):
        place = place_of.get(event.start)
        if place is None:
            without_state.append(row)
        else:
            while waiting and waiting[0] < place and states[waiting[0]] not in led_to:
                path.append((waiting.pop(0), None))
            path.append((place, row))
        stop = place_of.get(event.stop)
        if stop in waiting:
            waiting.remove(stop)
            path.append((stop, None))
    last = place_of.get(events[-1].stop) if events else None
    if last in begun_in:
        path.append((last, None))
    return [*path, *((place, None) for place in waiting)], without_state


def align(events: Sequence[DroidbotEvent], states: Sequence[str]) -> dict[int, int]:
    """Place of each event's state, by place of the event; both are in order, and either may have gaps.

    An event belongs to a state of its start digest, the more so when the next state is the
    one it led to; of several runs of states that fit as well, the latest is taken, for what
    happened between without an event left the state as it was.
    """
    moves: list[tuple[int, bytearray]] = []
    totals: dict[int, int] = {}
    for row, event in enumerate(events):
        columns = _columns(row, len(events), len(states))
        totals, taken = _row(event, states, totals, columns)
        moves.append((columns.start, taken))
    placed: dict[int, int] = {}
    row, column = len(events) - 1, len(states) - 1
    while row >= 0 and column >= 0:
        start, taken = moves[row]
        if column < start:
            move = _NOT_THIS_EVENT
        else:
            move = taken[column - start] if column - start < len(taken) else _NOT_THIS_STATE
        if move == _TAKEN:
            placed[row] = column
        row -= move in (_TAKEN, _NOT_THIS_EVENT)
        column -= move in (_TAKEN, _NOT_THIS_STATE)
    return placed


def _columns(row: int, events: int, states: int) -> range:
    middle = row * states // events
    reach = _BAND + abs(states - events)  # what one list has over the other may all lie in one place
    return range(max(middle - reach, 0), min(middle + reach, states))


def _row(
    event: DroidbotEvent, states: Sequence[str], above: Mapping[int, int], columns: range
) -> tuple[dict[int, int], bytearray]:
    """Best total up to each state with the events up to this one, and the move that made it."""
    totals: dict[int, int] = {}
    moves = bytearray()
    for column in columns:
        without_state, without_event = totals.get(column - 1, 0), above.get(column, 0)
        fit = _fit(event, states, column)
        taken = above.get(column - 1, 0) + fit
        best = max(without_state, without_event, taken)
        totals[column] = best
        if fit and taken == best:
            moves.append(_TAKEN)
        else:
            moves.append(_NOT_THIS_STATE if without_state == best else _NOT_THIS_EVENT)
    return totals, moves


def _fit(event: DroidbotEvent, states: Sequence[str], column: int) -> int:
    if not event.start or states[column] != event.start:
        return 0
    leads_on = column + 1 < len(states) and states[column + 1] == event.stop
    return _HERE + (_AND_NEXT if leads_on else 0)


def action_from(event: DroidbotEvent, screen: Size) -> Action | None:
    """The action an event is; None for what the action space has no word for, as a rotation.

    Raises ValueError when the event says too little.
    """
    values, kind = event.values, event.values.get("event_type")
    if kind == "touch":
        return Tap(*_place(values, ""), _TOUCH_MS)
    if kind == "long_touch":
        return LongPress(*_place(values, ""), _duration(values, 2000))
    if kind == "swipe":
        return Swipe(*_place(values, "start_"), *_place(values, "end_"), _duration(values, 1000))
    if kind == "scroll":
        return _scroll(values, screen)
    if kind == "set_text":
        text = str(values.get("text") or "")
        return Type(text, len(text))
    if kind == "key":
        return _key(str(values.get("name") or ""))
    if kind == "intent":
        started = _STARTED.search(str(values.get("intent") or ""))
        return OpenApp(package=started[1]) if started else None
    return None


def _key(name: str) -> Key | None:
    plain = name.removeprefix("KEYCODE_").casefold()
    plain = {"del": "delete", "app_switch": "recents"}.get(plain, plain)
    if plain in KEY_NAMES:
        return Key(plain)
    return Key(f"code:{plain}") if plain.isdecimal() else None


def _scroll(values: Mapping[str, Any], screen: Size) -> Scroll:
    direction = str(values.get("direction") or "").casefold()
    if direction not in DIRECTIONS:
        raise ValueError(f"scroll {direction}")
    try:
        x, y = _place(values, "")
    except ValueError:
        x, y = screen.width // 2, screen.height // 2  # where DroidBot scrolls without a view
    return Scroll(x, y, direction)


def _place(values: Mapping[str, Any], prefix: str) -> tuple[int, int]:
    """Where an event touched: the place it names, else the middle of its view, as DroidBot does."""
    x, y, view = (values.get(f"{prefix}{name}") for name in ("x", "y", "view"))
    try:
        if x and y:
            return round(float(x)), round(float(y))
        (left, top), (right, bottom) = view["bounds"]  # type: ignore[index]
        return (int(left) + int(right)) // 2, (int(top) + int(bottom)) // 2
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ValueError(f"{values.get('event_type')} without a place") from None


def _duration(values: Mapping[str, Any], usual: int) -> int:
    given = values.get("duration")
    return given if type(given) is int and given > 0 else usual
