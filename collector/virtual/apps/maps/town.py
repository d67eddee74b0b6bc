"""The town of the maps app, laid out by the seed: coast, river, streets, parks, tram lines and places.

Positions are metres east and south of the town's middle, which has a real latitude and longitude.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from collector.virtual.ui.content import Content, load, localized

METERS_PER_DEGREE = 111_320.0
REACH = 3000.0
"""Metres from the middle to the edge of the town."""
MAJOR = 3
"""Every third street is a wide one."""


_ATTEMPTS = 300
"""Tries after which a position need not be perfect."""


class Spot(NamedTuple):
    """A position in metres east and south of the middle."""

    x: float
    y: float

    def distance(self, other: Spot) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


class Crossing(NamedTuple):
    """Where two streets meet: the number of the one from north to south, and of the other."""

    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Place:
    """A place that can be found; ``lat`` and ``lng`` in degrees."""

    id: str
    kind: str
    names: Any
    spot: Spot
    lat: float
    lng: float
    street: int
    """Number of its street among the names of streets."""
    number: int
    rank: int
    hours: str
    abouts: Any
    """What is said of it, by language; empty where nothing is."""

    def name(self, locale: str) -> str:
        return localized(self.names, locale)

    def about(self, locale: str) -> str:
        return localized(self.abouts, locale) if self.abouts else ""


@dataclass(frozen=True, slots=True)
class TramLine:
    """A line along one wide street, with its stops in order."""

    name: str
    color: str
    stops: tuple[Crossing, ...]


PIN = "pin"
"""The kind of a place that is a position on the map alone."""


class Town:
    """A town; the same seed gives the same."""

    def __init__(self, seed: int, lat: float, lng: float) -> None:
        self._chance = Random(f"{seed} town")
        self.seed, self.lat, self.lng = seed, lat, lng
        self._phases = tuple(self._chance.uniform(0, 2 * math.pi) for _ in range(6))
        self.xs, self.ys = self._lines(), self._lines()
        self.river = self._chance.uniform(-1500, 1500)
        count = len(load("maps")["streets"])
        self._street_names = self._chance.sample(range(count), count)
        self.parks = self._parks()
        self.places = self._places()
        self.trams = self._trams()

    # ---- positions -------------------------------------------------------------------------------

    def spot(self, lat: float, lng: float) -> Spot:
        """The position of a latitude and longitude."""
        return Spot(
            (lng - self.lng) * METERS_PER_DEGREE * math.cos(math.radians(self.lat)),
            (self.lat - lat) * METERS_PER_DEGREE,
        )

    def degrees(self, spot: Spot) -> tuple[float, float]:
        """Latitude and longitude of a position, to about ten centimetres."""
        across = METERS_PER_DEGREE * math.cos(math.radians(self.lat))
        return round(self.lat - spot.y / METERS_PER_DEGREE, 6), round(self.lng + spot.x / across, 6)

    def bent(self, x: float, y: float) -> Spot:
        """A point of the straight grid where the streets really are: they curve a little."""
        first, second = self._phases[:2]
        return Spot(x + 70 * math.sin(y / 900 + first), y + 70 * math.sin(x / 1000 + second))

    def coast(self, x: float) -> float:
        """How far south the land ends."""
        first, second = self._phases[2:4]
        return 1050 + 260 * math.sin(x / 1300 + first) + 90 * math.sin(x / 470 + second)

    def river_at(self, y: float) -> float:
        """How far east the middle of the river is."""
        return self.river + 220 * math.sin(y / 800 + self._phases[4])

    def on_land(self, spot: Spot) -> bool:
        return spot.y < self.coast(spot.x) - 30

    def crossing(self, at: Crossing) -> Spot:
        """The position of a crossing."""
        return self.bent(self.xs[at.column], self.ys[at.row])

    def nearest(self, spot: Spot) -> Crossing:
        """The crossing on land nearest to a position."""
        crossings = (Crossing(i, j) for i in range(len(self.xs)) for j in range(len(self.ys)))
        land = [at for at in crossings if self.on_land(self.crossing(at))]
        return min(land, key=lambda at: self.crossing(at).distance(spot))

    def street_of(self, *, column: int = -1, row: int = -1) -> int:
        """The number of a street's name, by its column or its row."""
        half = len(self._street_names) // 2
        return self._street_names[column % half if column >= 0 else half + row % half]

    def pin(self, lat: float, lng: float) -> Place:
        """A position as a place, named after the nearest street. Its id is :func:`pin_id`."""
        spot = self.spot(lat, lng)
        street, name = self.street_of(row=self._row_at(spot)), load("maps")["words"]["pin"]
        return Place(pin_id(lat, lng), PIN, name, spot, lat, lng, street, 0, 1, "", {})

    def _row_at(self, spot: Spot) -> int:
        return min(range(len(self.ys)), key=lambda j: abs(self.bent(spot.x, self.ys[j]).y - spot.y))

    # ---- layout ------------------------------------------------------------------------------------

    def _lines(self) -> tuple[float, ...]:
        at, lines = -REACH, []
        while at < REACH:
            lines.append(at)
            at += self._chance.uniform(170, 260)
        return tuple(lines)

    def _parks(self) -> tuple[tuple[Spot, ...], ...]:
        """Three parks near the middle, each over some blocks."""
        parks: list[tuple[Spot, ...]] = []
        for attempt in itertools.count():
            i = self._chance.randrange(len(self.xs) // 4, len(self.xs) * 3 // 4)
            j = self._chance.randrange(len(self.ys) // 4, len(self.ys) * 3 // 4)
            wide, tall = self._chance.choice(((2, 3), (3, 2), (2, 2)))
            corners = ((i, j), (i + wide, j), (i + wide, j + tall), (i, j + tall))
            park = tuple(self.crossing(Crossing(*corner)) for corner in corners)
            if self._may_be_park(park, parks, strict=attempt < _ATTEMPTS):
                parks.append(park)
            if len(parks) == 3:
                break
        return tuple(parks)

    def _may_be_park(self, park: tuple[Spot, ...], parks: list[tuple[Spot, ...]], *, strict: bool) -> bool:
        """Whether a park is on dry land; ``strict`` when also apart from the others and from the river."""
        if any(corner.y > self.coast(corner.x) - 150 for corner in park):
            return False
        apart = all(middle_of(park).distance(middle_of(other)) > 900 for other in parks)
        return not strict or (apart and all(abs(self.river_at(at.y) - at.x) > 90 for at in park))

    def _places(self) -> dict[str, Place]:
        taken: list[Spot] = []
        parks = list(self.parks)
        places: dict[str, Place] = {}
        for row in load("maps")["places"]:
            if "lat" in row and "lng" in row:
                places[row["id"]] = self._elsewhere(row)
                continue
            site = row.get("site", "")
            if site == "park":
                spot = middle_of(
                    parks[len([1 for place in places.values() if place.kind == "park"]) % len(parks)]
                )
            else:
                spot = self._site(site, row["rank"], taken)
            taken.append(spot)
            lat, lng = self.degrees(spot)
            number = self._chance.randrange(1, 120)
            places[row["id"]] = Place(
                row["id"], row["kind"], row["name"], spot, lat, lng, self.street_of(row=self._row_at(spot)),
                number,
                row["rank"], row["hours"], row.get("about", {}),
            )  # fmt: skip
        return places

    def _elsewhere(self, row: Mapping[str, Any]) -> Place:
        """A place at a latitude and longitude of its own, in this town or far from it."""
        lat, lng = float(row["lat"]), float(row["lng"])
        spot = self.spot(lat, lng)
        number = Random(f"{self.seed} {row['id']}").randrange(1, 120)
        return Place(
            row["id"], row["kind"], row["name"], spot, lat, lng, self.street_of(row=self._row_at(spot)),
            number, row["rank"], row["hours"], row.get("about", {}),
        )  # fmt: skip

    def _site(self, site: str, rank: int, taken: list[Spot]) -> Spot:
        """A position for a place, apart from the others; less far apart the longer it takes to find one."""
        reach = {1: 1500.0, 2: 1200.0}.get(rank, 1000.0)
        bridges = [y for y in self.ys[::MAJOR] if -1200 < y < 500]
        for attempt in itertools.count():
            x, y = self._chance.uniform(-reach, reach), self._chance.uniform(-reach, reach)
            if site == "coast":
                spot = Spot(x, self.coast(x) - 45)
            elif site == "river":
                y = self._chance.choice(bridges)
                spot = Spot(self.river_at(y), y)
            else:
                spot = Spot(x, y)
            apart = 330 * 0.97**attempt
            if not all(spot.distance(other) > apart for other in taken):
                continue
            if attempt >= _ATTEMPTS or site == "river" or self.is_free(spot):
                break
        return spot

    def is_free(self, spot: Spot) -> bool:
        """Whether a position is on land, beside river and parks."""
        if not self.on_land(spot) or abs(self.river_at(spot.y) - spot.x) < 80:
            return False
        return all(middle_of(park).distance(spot) > 320 for park in self.parks)

    def _trams(self) -> tuple[TramLine, ...]:
        def major(lines: tuple[float, ...], near: float) -> int:
            numbers = [i for i in range(len(lines)) if i % MAJOR == 0]
            return min(numbers, key=lambda i: abs(lines[i] - near))

        rows = [j for j in range(len(self.ys)) if j % MAJOR == 0]
        columns = [i for i in range(len(self.xs)) if i % MAJOR == 0]
        across, left, right = major(self.ys, -200), major(self.xs, -800), major(self.xs, 700)
        lines = (
            ("1", "#C2364A", [Crossing(i, across) for i in columns]),
            ("2", "#2B7A4B", [Crossing(left, j) for j in rows]),
            ("3", "#7B4FA3", [Crossing(right, j) for j in rows]),
        )
        return tuple(
            TramLine(name, color, tuple(at for at in stops if self.on_land(self.crossing(at))))
            for name, color, stops in lines
        )


def pin_id(lat: float, lng: float) -> str:
    """The id of a position that is no place of the town."""
    return f"@{lat:.6f},{lng:.6f}"


def pinned(name: str) -> tuple[float, float] | None:
    """Latitude and longitude of such an id; None for another."""
    lat, comma, lng = name.removeprefix("@").partition(",")
    if not (name.startswith("@") and comma):
        return None
    try:
        return float(lat), float(lng)
    except ValueError:
        return None


def middle_of(corners: tuple[Spot, ...]) -> Spot:
    """The middle of a polygon's corners."""
    return Spot(sum(at.x for at in corners) / len(corners), sum(at.y for at in corners) / len(corners))


def town(seed: int, lat: float, lng: float) -> Town:
    """The town of a seed around a latitude and longitude, with the places of the content in use."""
    return _town(seed, lat, lng, load("maps"))


@lru_cache(maxsize=8)
def _town(seed: int, lat: float, lng: float, _content: Content) -> Town:
    return Town(seed, lat, lng)


def street_name(number: int, locale: str) -> str:
    """The name of a street in the phone's language."""
    return localized(load("maps")["streets"][number], locale)
