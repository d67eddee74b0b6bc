"""The picture of the town: land, water, parks, streets with their names, tram lines and a route."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import skia

from collector.virtual.apps.maps.routes import Route
from collector.virtual.apps.maps.town import MAJOR, Crossing, Spot, Town, middle_of, street_name, town
from collector.virtual.ui.content import load, localized
from collector.virtual.ui.drawing.pictures import picture
from collector.virtual.ui.text import TextStyle, lay_text

_LIGHT = {
    "land": 0xFFF1EFE9, "water": 0xFFAAD3DF, "park": 0xFFC5E1B5, "casing": 0xFFD9D4C8, "street": 0xFFFFFFFF,
    "wide": 0xFFFBE9B0, "wide_casing": 0xFFE3C877, "beach": 0xFFF5E6C0, "ink": 0xFF5A5F66, "halo": 0xE6FFFFFF,
    "building": 0xFFE2DDD3, "water_ink": 0xFF3F7C94, "park_ink": 0xFF3B6E33, "route": 0xFF2B6CE0,
}  # fmt: skip
_DARK = {
    "land": 0xFF20262D, "water": 0xFF14303F, "park": 0xFF213A2A, "casing": 0xFF1A1F25, "street": 0xFF3A434D,
    "wide": 0xFF57584B, "wide_casing": 0xFF1A1F25, "beach": 0xFF3A362A, "ink": 0xFFB9C2CB, "halo": 0xD920262D,
    "building": 0xFF2A3139, "water_ink": 0xFF7FB7CE, "park_ink": 0xFF8FC58C, "route": 0xFF7DB0FF,
}  # fmt: skip
_STEP = 60.0
"""Metres between the points of a coast and of a river."""
_DP_PER_METER = 0.27
"""At zoom level 15."""


def scale_at(zoom: float) -> float:
    """Dp for a metre at a zoom level; a level more doubles it."""
    return float(_DP_PER_METER * 2 ** (zoom - 15))


@dataclass(frozen=True, slots=True)
class MapView:
    """What a map shows; its text form is the argument of the picture ``map``."""

    seed: int
    home: tuple[float, float]
    lat: float
    lng: float
    zoom: float
    width: float
    """Width of the picture in dp."""
    dark: bool = False
    locale: str = "en"

    def argument(self, route: Route | None = None) -> str:
        """The argument of the picture, with the route that is drawn on it."""
        values: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        if route is not None:
            values["route"] = [[round(at.x), round(at.y)] for at in route.points]
            values["ride"] = [[round(at.x), round(at.y)] for at in route.ride]
            values["color"] = route.color
        return json.dumps(values)

    @property
    def town(self) -> Town:
        return town(self.seed, *self.home)

    def place(self, spot: Spot, height: float) -> tuple[float, float]:
        """Where a position is on a map of ``height`` dp, in dp from its corner."""
        middle, scale = self.town.spot(self.lat, self.lng), scale_at(self.zoom)
        return self.width / 2 + (spot.x - middle.x) * scale, height / 2 + (spot.y - middle.y) * scale


@picture("map")
def _map(canvas: Any, width: float, height: float, argument: str) -> None:
    values = json.loads(argument) if argument else {"seed": 1, "home": [0, 0], "lat": 0, "lng": 0, "zoom": 15}
    canvas.save()
    canvas.clipRect(skia.Rect.MakeWH(width, height))
    _Painter(canvas, width, height, values).paint()
    canvas.restore()


Part = tuple[Spot, Spot]


@dataclass(frozen=True, slots=True, eq=False)
class _Shapes:
    """The lines and areas of a town in metres, as skia paths, and the parts of streets that take a name."""

    parks: Any
    river: Any
    small: Any
    wide: Any
    buildings: Any
    sea: Any
    coast: Any
    small_names: tuple[tuple[int, tuple[Part, ...]], ...]
    wide_names: tuple[tuple[int, tuple[Part, ...]], ...]


@lru_cache(maxsize=4)
def _shapes(town_: Town) -> _Shapes:
    xs = [-8000 + i * _STEP for i in range(round(16000 / _STEP) + 1)]
    coast = [Spot(x, town_.coast(x)) for x in xs]
    river = [Spot(town_.river_at(y), y) for y in (-6000 + i * _STEP for i in range(134))]
    small, wide = list(_streets(town_, wide=False)), list(_streets(town_, wide=True))
    return _Shapes(
        _path(town_.parks, closed=True),
        _path([river]),
        _path([part for _number, points in small for part in _banks(town_, points)]),
        _path([points for _number, points in wide]),
        _path(_buildings(town_), closed=True),
        _path([(*coast, Spot(8000, 9000), Spot(-8000, 9000))], closed=True),
        _path([coast]),
        tuple((number, _dry_parts(town_, points)) for number, points in small),
        tuple((number, _dry_parts(town_, points)) for number, points in wide),
    )


def _path(lines: Iterable[Iterable[Spot]], *, closed: bool = False) -> Any:
    path = skia.Path()
    for points in lines:
        path.addPoly([skia.Point(at.x, at.y) for at in points], closed)
    return path


def _streets(town_: Town, *, wide: bool) -> Iterator[tuple[int, list[Spot]]]:
    """The streets as the number of their name and their points."""
    columns, rows = range(len(town_.xs)), range(len(town_.ys))
    for i in columns:
        if (i % MAJOR == 0) == wide:
            yield town_.street_of(column=i), [town_.crossing(Crossing(i, j)) for j in rows]
    for j in rows:
        if (j % MAJOR == 0) == wide:
            yield town_.street_of(row=j), [town_.crossing(Crossing(i, j)) for i in columns]


def _banks(town_: Town, points: list[Spot]) -> Iterator[list[Spot]]:
    """The parts of a small street, which has no bridge over the river."""
    part: list[Spot] = []
    for at in points:
        if part and (part[-1].x < town_.river_at(part[-1].y)) != (at.x < town_.river_at(at.y)):
            yield part
            part = []
        part.append(at)
    yield part


def _buildings(town_: Town) -> Iterator[tuple[Spot, ...]]:
    """Two rows of houses in each block on land, outside of parks and river."""
    chance = Random(f"{town_.seed} buildings")
    for i, j in itertools.product(range(len(town_.xs) - 1), range(len(town_.ys) - 1)):
        left, right, top, bottom = (*town_.xs[i : i + 2], *town_.ys[j : j + 2])
        wide, tall = (right - left - 40) / 3, (bottom - top - 50) / 2
        for column, row in itertools.product(range(3), range(2)):
            x, y = left + 20 + column * wide, top + 20 + row * (tall + 10)
            deep, broad = tall * chance.uniform(0.55, 0.9), wide * chance.uniform(0.6, 0.92)
            y += 0 if row == 0 else tall - deep
            corners = ((x, y), (x + broad, y), (x + broad, y + deep), (x, y + deep))
            house = tuple(town_.bent(*corner) for corner in corners)
            if chance.random() < 0.9 and town_.is_free(middle_of(house)) and town_.on_land(house[2]):
                yield house


def _dry_parts(town_: Town, points: list[Spot]) -> tuple[Part, ...]:
    return tuple(part for part in itertools.pairwise(points) if town_.on_land(middle_of(part)))


class _Painter:
    """Paints one picture of the town."""

    def __init__(self, canvas: Any, width: float, height: float, values: dict[str, Any]) -> None:
        self._canvas, self._width, self._height = canvas, width, height
        self._values = values
        self._colors = _DARK if values.get("dark") else _LIGHT
        self._locale = values.get("locale", "en")
        self._zoom = values["zoom"]
        self._density = width / (values.get("width") or width)
        self._scale = scale_at(self._zoom) * self._density
        lat, lng = values["home"]
        self._town = town(values["seed"], lat, lng)
        self._shapes = _shapes(self._town)
        self._middle = self._town.spot(values["lat"], values["lng"])

    def paint(self) -> None:
        """Everything from the ground to the names."""
        canvas, shapes = self._canvas, self._shapes
        canvas.clear(self._colors["land"])
        canvas.save()
        canvas.translate(*self._px(Spot(0, 0)))
        canvas.scale(self._scale, self._scale)
        self._fill(shapes.parks, "park")
        self._stroke(shapes.river, "water", 70)
        if self._zoom >= 15.4:
            self._fill(shapes.buildings, "building")
        if self._zoom >= 13.6:
            self._stroke(shapes.small, "casing", 13, 2.5)
            self._stroke(shapes.small, "street", 9, 1.6)
        self._stroke(shapes.wide, "wide_casing", 22, 3.5)
        self._stroke(shapes.wide, "wide", 17, 2.2)
        self._fill(shapes.sea, "water")
        self._stroke(shapes.coast, "beach", 26)
        if self._zoom >= 14:
            self._trams()
        self._route()
        canvas.restore()
        self._names()

    # ---- shapes ----------------------------------------------------------------------------------

    def _px(self, at: Spot) -> tuple[float, float]:
        return (
            self._width / 2 + (at.x - self._middle.x) * self._scale,
            self._height / 2 + (at.y - self._middle.y) * self._scale,
        )

    def _fill(self, path: Any, color: str) -> None:
        self._canvas.drawPath(path, skia.Paint(Color=self._colors[color], AntiAlias=True))

    def _stroke(self, path: Any, color: str | int, meters: float, least: float = 0.0) -> None:
        """A line as wide as in the town, but at least ``least`` dp."""
        paint = skia.Paint(AntiAlias=True)
        paint.setColor(self._colors[color] if isinstance(color, str) else color)
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(max(meters, least * self._density / self._scale))
        paint.setStrokeCap(skia.Paint.kRound_Cap)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
        self._canvas.drawPath(path, paint)

    def _trams(self) -> None:
        radius = 3.2 * self._density / self._scale
        for line in self._town.trams:
            ink = int(line.color[1:], 16)
            points = [self._town.crossing(stop) for stop in line.stops]
            self._stroke(_path([points]), 0x90000000 | ink, 3, 1.6)
            for at in points:
                self._canvas.drawCircle(*at, radius, skia.Paint(Color=0xFFFFFFFF, AntiAlias=True))
                dot = skia.Paint(Color=0xFF000000 | ink, AntiAlias=True)
                self._canvas.drawCircle(*at, radius * 0.65, dot)

    def _route(self) -> None:
        for name, color in (("route", "route"), ("ride", self._values.get("color"))):
            points = [Spot(*at) for at in self._values.get(name, ())]
            if points and color:
                path = _path([points])
                self._stroke(path, "halo", 0, 8)
                ink = color if color in self._colors else 0xFF000000 | int(color[1:], 16)
                self._stroke(path, ink, 0, 5)

    # ---- names -----------------------------------------------------------------------------------

    def _names(self) -> None:
        content = load("maps")
        if self._zoom >= 14.2:
            self._street_names(self._shapes.wide_names, 11)
        if self._zoom >= 16:
            self._street_names(self._shapes.small_names, 10)
        x = self._middle.x
        sea = Spot(x, self._town.coast(x) + 330)
        self._name(localized(content["sea"], self._locale), sea, 15, "water_ink")
        river = Spot(self._town.river_at(-500), -500)
        self._name(localized(content["river"], self._locale), river, 11.5, "water_ink", turn=80)

    def _street_names(self, streets: tuple[tuple[int, tuple[Part, ...]], ...], size: float) -> None:
        for number, parts in streets:
            part = self._label_place(parts)
            if part is not None:
                first, second = part
                turn = math.degrees(math.atan2(second.y - first.y, second.x - first.x))
                turn = turn - 180 if turn > 91 else turn + 180 if turn < -89 else turn
                self._name(street_name(number, self._locale), middle_of(part), size, "ink", turn=turn)

    def _label_place(self, parts: tuple[Part, ...]) -> Part | None:
        """The part of a street nearest to the middle of the picture; None when it is not in it."""
        if not parts:
            return None
        best = min(parts, key=lambda part: part[0].distance(self._middle) + part[1].distance(self._middle))
        x, y = self._px(middle_of(best))
        return best if 0 < x < self._width and 0 < y < self._height else None

    def _name(self, text: str, at: Spot, size: float, ink: str, turn: float = 0.0) -> None:
        x, y = self._px(at)
        language = self._locale.partition("-")[0]
        self._canvas.save()
        self._canvas.translate(x, y)
        self._canvas.rotate(turn)
        for color, offsets in ((self._colors["halo"], _HALO), (self._colors[ink], ((0.0, 0.0),))):
            style = TextStyle(round(size * self._density, 2), color, language=language)
            laid = lay_text(text, style, 1 << 20, 1)
            for dx, dy in offsets:
                left, top = -laid.width / 2 + dx * self._density, -laid.height / 2 + dy * self._density
                laid.draw(self._canvas, left, top)
        self._canvas.restore()


_HALO = ((-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0))
