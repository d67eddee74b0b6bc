"""Ways through the town: on foot, by car and by tram, with their lengths and times."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from collector.virtual.apps.maps.town import MAJOR, Crossing, Spot, Town, TramLine

MODES = ("foot", "car", "tram")
_SPEED = {"foot": 80.0, "car": 420.0, "tram": 330.0}
"""Metres a minute."""
_SMALL_STREET = 1.6
"""A car needs so much longer in a small street."""
_PARKING = 2.0
_WAIT = 3.0
"""Minutes until a car is parked, and until a tram comes."""
_WORTHWHILE = 1.5
"""A tram is named when it takes at most so many times as long as walking."""


class Leg(NamedTuple):
    """A part of a way: ``kind`` is follow, turn_left, turn_right, board, leave or walk_to_stop."""

    kind: str
    street: int
    """Number of the street's name; -1 for none."""
    meters: float
    line: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """A way between two positions."""

    points: tuple[Spot, ...]
    meters: float
    minutes: int
    legs: tuple[Leg, ...]
    ride: tuple[Spot, ...] = ()
    """The part of it that a tram goes."""
    color: str = ""


@lru_cache(maxsize=64)
def route(town: Town, start: Spot, end: Spot, mode: str) -> Route | None:
    """The fastest way; None by tram where none goes, or walking is much faster."""
    if mode == "tram":
        return _tram_route(town, start, end)
    path = _path(town, town.nearest(start), town.nearest(end), car=mode == "car")
    corners = [town.crossing(at) for at in path]
    streets = [_street(town, first, second) for first, second in itertools.pairwise(path)]
    corners = _cut(_cut(corners, end)[::-1], start)[::-1]
    points = (start, *corners, end)
    meters = _length(points)
    minutes = meters / _SPEED[mode] + (_PARKING if mode == "car" else 0)
    return Route(points, meters, max(1, round(minutes)), _legs(streets, corners))


def _length(points: tuple[Spot, ...]) -> float:
    return sum(first.distance(second) for first, second in itertools.pairwise(points))


def _path(town: Town, start: Crossing, end: Crossing, *, car: bool) -> list[Crossing]:
    """The crossings from one to the other, by the shortest time."""
    best = {start: 0.0}
    before: dict[Crossing, Crossing] = {}
    queue = [(0.0, start)]
    while queue:
        cost, at = heapq.heappop(queue)
        if at == end:
            break
        if cost > best[at]:
            continue
        for other, small in _neighbours(town, at):
            step = town.crossing(at).distance(town.crossing(other)) * (_SMALL_STREET if car and small else 1)
            if cost + step < best.get(other, float("inf")):
                best[other], before[other] = cost + step, at
                heapq.heappush(queue, (cost + step, other))
    path = [end]
    while path[-1] in before:
        path.append(before[path[-1]])
    return path[::-1]


def _neighbours(town: Town, at: Crossing) -> Iterator[tuple[Crossing, bool]]:
    """The crossings beside one, and whether the street to each is a small one; the river has bridges only
    for wide streets."""
    for column, row in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        other = Crossing(at.column + column, at.row + row)
        if not (0 <= other.column < len(town.xs) and 0 <= other.row < len(town.ys)):
            continue
        here, there = town.crossing(at), town.crossing(other)
        small = bool((at.row if column else at.column) % MAJOR)
        crosses = (here.x < town.river_at(here.y)) != (there.x < town.river_at(there.y))
        if town.on_land(there) and not (small and crosses):
            yield other, small


def _street(town: Town, first: Crossing, second: Crossing) -> int:
    """The number of the street between two crossings that are beside each other."""
    if first.column == second.column:
        return town.street_of(column=first.column)
    return town.street_of(row=first.row)


def _cut(corners: list[Spot], end: Spot) -> list[Spot]:
    """Corners whose last one is beside ``end``, where the way to the last crossing goes past it."""
    if len(corners) < 2:
        return corners
    first, last = corners[-2:]
    across, down = last.x - first.x, last.y - first.y
    share = ((end.x - first.x) * across + (end.y - first.y) * down) / (across**2 + down**2)
    if not 0 < share < 1:
        return corners
    return [*corners[:-1], Spot(first.x + share * across, first.y + share * down)]


def _legs(streets: list[int], corners: list[Spot]) -> tuple[Leg, ...]:
    """The streets of a way, one leg each."""
    legs: list[Leg] = []
    for number, (street, (first, second)) in enumerate(
        zip(streets, itertools.pairwise(corners), strict=True)
    ):
        meters = first.distance(second)
        if legs and legs[-1].street == street:
            legs[-1] = legs[-1]._replace(meters=legs[-1].meters + meters)
        else:
            kind = _turn(corners[number - 1], first, second) if legs else "follow"
            legs.append(Leg(kind, street, meters))
    return tuple(legs)


def _turn(before: Spot, at: Spot, after: Spot) -> str:
    """Whether the way turns left or right at a corner; the second coordinate grows to the south."""
    cross = (at.x - before.x) * (after.y - at.y) - (at.y - before.y) * (after.x - at.x)
    return "turn_right" if cross > 0 else "turn_left"


# ---- trams ---------------------------------------------------------------------------------------

Ride = tuple[TramLine, tuple[Crossing, ...]]
"""A line, and the stops of it from boarding to leaving."""


def _tram_route(town: Town, start: Spot, end: Spot) -> Route | None:
    """The best way with one line or two, unless walking is much faster."""
    walk = route(town, start, end, "foot")
    assert walk is not None
    rides = (*_direct(town, start, end), *_with_change(town, start, end))
    ways = (_tram_way(town, start, end, ride) for ride in rides)
    best = min(ways, key=lambda way: way.minutes, default=None)
    return best if best is not None and best.minutes <= _WORTHWHILE * walk.minutes else None


def _direct(town: Town, start: Spot, end: Spot) -> Iterator[tuple[Ride, ...]]:
    for line in town.trams:
        ride = _ride(line, _nearest_stop(town, line, start), _nearest_stop(town, line, end))
        if ride is not None:
            yield (ride,)


def _with_change(town: Town, start: Spot, end: Spot) -> Iterator[tuple[Ride, ...]]:
    for first, second in itertools.permutations(town.trams, 2):
        for stop in set(first.stops) & set(second.stops):
            on = _ride(first, _nearest_stop(town, first, start), stop)
            off = _ride(second, stop, _nearest_stop(town, second, end))
            if on is not None and off is not None:
                yield on, off


def _nearest_stop(town: Town, line: TramLine, spot: Spot) -> Crossing | None:
    return min(line.stops, key=lambda stop: town.crossing(stop).distance(spot), default=None)


def _ride(line: TramLine, on: Crossing | None, off: Crossing | None) -> Ride | None:
    if on is None or off is None or on == off:
        return None
    first, last = line.stops.index(on), line.stops.index(off)
    return line, line.stops[first : last + 1] if first < last else line.stops[last : first + 1][::-1]


def _tram_way(town: Town, start: Spot, end: Spot, rides: tuple[Ride, ...]) -> Route:
    """The way with one ride after the other, and the walks before and after."""
    lines = [(line, tuple(town.crossing(stop) for stop in stops)) for line, stops in rides]
    to_stop = route(town, start, lines[0][1][0], "foot")
    from_stop = route(town, lines[-1][1][-1], end, "foot")
    assert to_stop is not None
    assert from_stop is not None
    ride = tuple(spot for _line, spots in lines for spot in spots)
    meters = to_stop.meters + _length(ride) + from_stop.meters
    minutes = to_stop.minutes + from_stop.minutes + _WAIT * len(rides) + _length(ride) / _SPEED["tram"]
    legs = (
        Leg("walk_to_stop", -1, to_stop.meters),
        *(
            Leg("board", _cross_street(town, stops, stops[0]), _length(spots), line.name)
            for (line, stops), (_line, spots) in zip(rides, lines, strict=True)
        ),
        Leg("leave", _cross_street(town, rides[-1][1], rides[-1][1][-1]), from_stop.meters),
    )
    points = (*to_stop.points, *ride, *from_stop.points)
    return Route(points, meters, max(1, round(minutes)), legs, ride, rides[0][0].color)


def _cross_street(town: Town, stops: tuple[Crossing, ...], stop: Crossing) -> int:
    """The number of the street that gives a stop its name: the one across the line's own."""
    if stops[0].column == stops[1].column:
        return town.street_of(row=stop.row)
    return town.street_of(column=stop.column)
