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


class Leg(NamedTuple):
    """A part of a way: ``kind`` is follow, turn, board, leave or walk_to_stop."""

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
    """The fastest way; None by tram where walking is as fast."""
    if mode == "tram":
        return _tram_route(town, start, end)
    path = _path(town, town.nearest(start), town.nearest(end), car=mode == "car")
    points = (start, *(town.crossing(at) for at in path), end)
    meters = _length(points)
    minutes = meters / _SPEED[mode] + (_PARKING if mode == "car" else 0)
    return Route(points, meters, max(1, round(minutes)), _legs(town, path))


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


def _legs(town: Town, path: list[Crossing]) -> tuple[Leg, ...]:
    """The streets of a path, one leg each."""
    legs: list[Leg] = []
    for first, second in itertools.pairwise(path):
        along = first.column == second.column
        street = town.street_of(column=first.column) if along else town.street_of(row=first.row)
        meters = town.crossing(first).distance(town.crossing(second))
        if legs and legs[-1].street == street:
            legs[-1] = legs[-1]._replace(meters=legs[-1].meters + meters)
        else:
            legs.append(Leg("turn" if legs else "follow", street, meters))
    return tuple(legs)


# ---- trams ---------------------------------------------------------------------------------------


def _tram_route(town: Town, start: Spot, end: Spot) -> Route | None:
    """The best ride with one line, when it is faster than walking."""
    walk = route(town, start, end, "foot")
    assert walk is not None
    rides = (_ride(town, line, start, end) for line in town.trams)
    best = min((ride for ride in rides if ride is not None), key=lambda ride: ride.minutes, default=None)
    return best if best is not None and best.minutes < walk.minutes else None


def _ride(town: Town, line: TramLine, start: Spot, end: Spot) -> Route | None:
    if len(line.stops) < 2:
        return None
    places = [town.crossing(stop) for stop in line.stops]
    on = min(range(len(places)), key=lambda i: places[i].distance(start))
    off = min(range(len(places)), key=lambda i: places[i].distance(end))
    if on == off:
        return None
    ride = tuple(places[on : off + 1] if on < off else places[off : on + 1][::-1])
    to_stop = route(town, start, places[on], "foot")
    from_stop = route(town, places[off], end, "foot")
    assert to_stop is not None
    assert from_stop is not None
    meters = to_stop.meters + _length(ride) + from_stop.meters
    minutes = to_stop.minutes + from_stop.minutes + _WAIT + _length(ride) / _SPEED["tram"]
    along = line.stops[0].column == line.stops[1].column

    def cross_street(stop: Crossing) -> int:
        return town.street_of(row=stop.row) if along else town.street_of(column=stop.column)

    legs = (
        Leg("walk_to_stop", -1, to_stop.meters),
        Leg("board", cross_street(line.stops[on]), _length(ride), line.name),
        Leg("leave", cross_street(line.stops[off]), from_stop.meters),
    )
    points = (*to_stop.points, *ride, *from_stop.points)
    return Route(points, meters, max(1, round(minutes)), legs, ride, line.color)
