"""The state of the maps app, as YAML shows it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collector.model.seeds import DEFAULT_SEED
from collector.virtual.apps.maps.town import PIN, Place, Spot, Town, pin_id, pinned, street_name, town
from collector.virtual.ui.content import load, localized

LEAST_ZOOM, MOST_ZOOM = 13.0, 18.0
MOST_LATITUDE = 85.0
"""Degrees north and south that a state may have."""


@dataclass(frozen=True, slots=True)
class SavedPlace:
    """A place in one of the person's lists; ``color`` is the name of a colour."""

    name: str
    lat: float
    lng: float
    list: str = "favourites"
    color: str = "red"
    place: str = ""
    """Id of the place in the town; empty for another position."""

    def is_of(self, place: Place) -> bool:
        if place.kind != PIN:
            return self.place == place.id
        return not self.place and pin_id(self.lat, self.lng) == place.id


@dataclass(frozen=True, slots=True)
class MapsState:
    """What the map shows, saved places, search and directions."""

    locale: str = "en-US"
    seed: int = DEFAULT_SEED
    home_lat: float = 0.0
    home_lng: float = 0.0
    """The middle of the town."""
    lat: float = 0.0
    lng: float = 0.0
    zoom: float = 15.0
    selected: str = ""
    """Id of the place whose page is open; empty for none. That of a pin is ``@43.371200,-8.396000``."""
    saved: tuple[SavedPlace, ...] = ()
    removed: SavedPlace | None = None
    """The place removed last, for undo."""
    query: str = ""
    recent: tuple[str, ...] = ()
    """Ids of the places found last, newest first."""
    sheet: str = ""
    """save, or none."""
    list: str = "favourites"
    """List and colour that are chosen in the sheet."""
    color: str = "red"
    name: str = ""
    """The name typed for a pin."""
    routing: bool = False
    """Whether directions are shown."""
    start: str = ""
    """Ids of the places a way begins and ends at; empty for where the person is."""
    end: str = ""
    mode: str = "foot"
    choosing: str = ""
    """What the search chooses: start, end, or empty for the place to show."""
    here: str = ""
    """Where the person is, as ``@43.371200,-8.396000``; empty for the middle of the town."""

    @property
    def town(self) -> Town:
        return town(self.seed, self.home_lat, self.home_lng)

    def place(self, name: str) -> Place | None:
        """The place of an id, or the pin that it describes."""
        at = pinned(name)
        return self.town.pin(*at) if at is not None else self.town.places.get(name)

    def spot(self, name: str) -> Spot:
        """The position of a place, or of the person."""
        place = self.place(name or self.here)
        return place.spot if place is not None else Spot(0, 0)

    def saved_place(self, place: Place) -> SavedPlace | None:
        """The entry of a place in a list; None when it is not saved. A pin is known by its position."""
        return next((saved for saved in self.saved if saved.is_of(place)), None)

    def name_of(self, place: Place, locale: str) -> str:
        """What a place is called; a pin that is saved by the name that the person gave it."""
        saved = self.saved_place(place) if place.kind == PIN else None
        return saved.name if saved is not None else place.name(locale)

    def found(self) -> tuple[Place, ...]:
        """The places whose name, kind or street contain the search text, best known first."""
        words = _plain(self.query).split()
        kinds = load("maps")["kinds"]

        def text(place: Place) -> str:
            kind = localized(kinds[place.kind]["name"], self.locale)
            return _plain(f"{place.name(self.locale)} {kind} {street_name(place.street, self.locale)}")

        hits = [
            place
            for place in self.town.places.values()
            if words and all(word in text(place) for word in words)
        ]
        return tuple(sorted(hits, key=lambda place: (place.rank, place.name(self.locale))))


def check_positions(state: MapsState) -> None:
    """Raise ValueError, naming the place, for a position of a state that is none on the earth, or a zoom
    level that no map has."""
    positions = {"": (state.lat, state.lng), "home_": (state.home_lat, state.home_lng)}
    positions |= {f"saved[{i}].": (saved.lat, saved.lng) for i, saved in enumerate(state.saved)}
    chosen = {"selected": state.selected, "start": state.start, "end": state.end, "here": state.here}
    positions |= {f"{name}: ": at for name, text in chosen.items() if (at := pinned(text)) is not None}
    for name, (lat, lng) in positions.items():
        for part, value, most in (("lat", lat, MOST_LATITUDE), ("lng", lng, 180.0)):
            if not -most <= value <= most:
                raise ValueError(f"state.{name}{part} is {value}; expected {-most:g} to {most:g} degrees")
    if not LEAST_ZOOM <= state.zoom <= MOST_ZOOM:
        raise ValueError(f"state.zoom is {state.zoom}; expected {LEAST_ZOOM:g} to {MOST_ZOOM:g}")


def _plain(text: str) -> str:
    """A text without accents and capitals, so that ``cafe`` finds a café."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def fresh(seed: int, locale: str) -> MapsState:
    """The state of a newly installed app."""
    content: dict[str, Any] = load("maps")
    lat, lng = content["home"]
    places = town(seed, lat, lng).places
    saved = tuple(_saved(row, places, locale) for row in content["saved"])
    return MapsState(locale, seed, lat, lng, lat, lng, content["zoom"], saved=saved)


def _saved(row: Mapping[str, Any], places: Mapping[str, Place], locale: str) -> SavedPlace:
    """A place of the town that is saved at first, or another position with a name of its own."""
    place = places.get(row.get("place", ""))
    if place is None:
        name, lat, lng = str(row.get("name", "")), float(row.get("lat", 0)), float(row.get("lng", 0))
        return SavedPlace(name, lat, lng, row["list"], row["color"])
    return SavedPlace(place.name(locale), place.lat, place.lng, row["list"], row["color"], place.id)
