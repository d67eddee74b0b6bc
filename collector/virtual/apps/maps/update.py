"""Event handlers of the maps app."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import cast

from collector.virtual.apps.handlers import Handlers, page_of, words_of
from collector.virtual.apps.maps.painting import scale_at
from collector.virtual.apps.maps.state import LEAST_ZOOM, MOST_LATITUDE, MOST_ZOOM, MapsState, SavedPlace
from collector.virtual.apps.maps.town import PIN, REACH, Spot, pin_id
from collector.virtual.ui.app import MOVED, STARTED
from collector.virtual.ui.content import load, localized
from collector.virtual.ui.effects import (
    Change,
    Finish,
    Focus,
    RequestPermission,
    ShowSnackbar,
    ShowToast,
)
from collector.virtual.ui.events import Event, Pinch

PACKAGE = "com.waymark.maps"
FINE_LOCATION = "android.permission.ACCESS_FINE_LOCATION"
PERMISSIONS = (FINE_LOCATION,)
"""Requested for the person's location."""
UpdateResult = MapsState | Change[MapsState]
_RECENT = 6
_CLOSE = 16.0
"""Zoom level at which a place that was found is shown."""
_ROUTE_ROOM = (200.0, 150.0)
"""How far apart the ends of a way may be on the map, in dp across and down: buttons cover the rest."""
_handlers: Handlers[MapsState] = Handlers()
_on, update = _handlers.on, _handlers.update
_page = partial(page_of, PACKAGE)
_say = partial(words_of, "maps")


def _centred(state: MapsState, spot: Spot, zoom: float | None = None) -> MapsState:
    """Show a position in the middle, not farther away than the edge of the town."""
    limit = REACH + 1000
    inside = Spot(min(max(spot.x, -limit), limit), min(max(spot.y, -limit), limit))
    lat, lng = state.town.degrees(inside)
    level = state.zoom if zoom is None else round(min(max(zoom, LEAST_ZOOM), MOST_ZOOM), 3)
    return replace(state, lat=lat, lng=lng, zoom=level)


# ---- the map ---------------------------------------------------------------------------------


@_on("pinch")
def _pinch(state: MapsState, event: Event) -> UpdateResult:
    """Zoom and move so that the point under the fingers stays under them: ``key`` is the size of the map."""
    change = event.value
    if not isinstance(change, Pinch):
        return state
    width, height = cast("tuple[float, float]", event.key)
    zoom = state.zoom + math.log2(max(change.scale, 0.01))
    return _zoomed(state, zoom, change.center, change.moved, (width, height))


def _zoomed(
    state: MapsState,
    zoom: float,
    center: tuple[float, float],
    moved: tuple[float, float],
    size: tuple[float, float],
) -> MapsState:
    level = min(max(zoom, LEAST_ZOOM), MOST_ZOOM)
    middle = state.town.spot(state.lat, state.lng)
    before, after = scale_at(state.zoom), scale_at(level)
    x = middle.x + (center[0] - 0.5) * size[0] / before - (center[0] + moved[0] - 0.5) * size[0] / after
    y = middle.y + (center[1] - 0.5) * size[1] / before - (center[1] + moved[1] - 0.5) * size[1] / after
    return _centred(state, Spot(x, y), level)


@_on("double_tap")
def _double_tap(state: MapsState, event: Event) -> UpdateResult:
    """Zoom in on the tapped point."""
    at = cast("tuple[float, float]", event.value)
    return _zoomed(state, state.zoom + 1, at, (0, 0), cast("tuple[float, float]", event.key))


@_on("pin")
def _pin(state: MapsState, event: Event) -> UpdateResult:
    """Put a pin where the map was held, and open its page: ``key`` is the size of the map."""
    if state.routing or not isinstance(event.value, tuple):
        return state
    across, down = event.value
    width, height = cast("tuple[float, float]", event.key)
    middle, scale = state.town.spot(state.lat, state.lng), scale_at(state.zoom)
    spot = Spot(middle.x + (across - 0.5) * width / scale, middle.y + (down - 0.5) * height / scale)
    return replace(_centred(state, spot), selected=pin_id(*state.town.degrees(spot)), sheet="")


@_on("zoom")
def _zoom(state: MapsState, event: Event) -> UpdateResult:
    return _zoomed(state, state.zoom + cast(int, event.key), (0.5, 0.5), (0, 0), (1, 1))


@_on("locate")
def _locate(state: MapsState, event: Event) -> UpdateResult:
    return Change(state, (RequestPermission(FINE_LOCATION, Event("located")),))


@_on("located")
def _located(state: MapsState, event: Event) -> UpdateResult:
    if not event.value:
        return Change(state, (ShowToast(_say(state, "no_location")),))
    return _centred(state, state.spot(""), max(state.zoom, _CLOSE))


@_on(MOVED)
def _moved(state: MapsState, event: Event) -> UpdateResult:
    """The person is elsewhere; the poles are not on this map."""
    lat, lng = cast("tuple[float, float]", event.key)
    return replace(state, here=pin_id(min(max(lat, -MOST_LATITUDE), MOST_LATITUDE), lng))


# ---- search and places -------------------------------------------------------------------------


@_on("search")
def _search(state: MapsState, event: Event) -> UpdateResult:
    """Open the search for a place to show, or with a key for the start or end of a way."""
    opened = replace(state, query="", choosing=str(event.key or ""))
    return Change(opened, (_page(".SearchActivity"),))


@_on("query")
def _query(state: MapsState, event: Event) -> UpdateResult:
    """Search for what was typed, or for the key: a kind of place."""
    searched = replace(state, query=str(event.value or event.key or ""))
    return Change(searched, (Focus("query"),)) if event.key else searched


@_on("choose")
def _choose(state: MapsState, event: Event) -> UpdateResult:
    """Take a place that the search found; an empty key is where the person is."""
    name = str(event.key or "")
    recent = tuple(dict.fromkeys((name, *state.recent)))[:_RECENT] if name else state.recent
    chosen = replace(state, recent=recent, query="", choosing="")
    if state.choosing == "start":
        chosen = _whole_way(replace(chosen, start=name))
    elif state.choosing == "end":
        chosen = _whole_way(replace(chosen, end=name))
    else:
        chosen = replace(_centred(chosen, state.spot(name), max(state.zoom, _CLOSE)), selected=name)
    return Change(chosen, (Focus(), Finish()))


@_on(STARTED)
def _started(state: MapsState, event: Event) -> UpdateResult:
    """Open the page of the place that the intent names."""
    extras = event.value if isinstance(event.value, Mapping) else {}
    name = str(extras.get("place", ""))
    return _place(state, Event("place", name)) if name in state.town.places else state


@_on("place")
def _place(state: MapsState, event: Event) -> UpdateResult:
    name = str(event.key)
    shown = _centred(state, state.spot(name)) if state.place(name) is not None else state
    return replace(shown, selected=name, sheet="", routing=False)


@_on("close_place")
def _close_place(state: MapsState, event: Event) -> UpdateResult:
    return replace(state, selected="", sheet="")


@_on("sheet")
def _sheet(state: MapsState, event: Event) -> UpdateResult:
    place = state.place(state.selected)
    if place is None:
        return replace(state, sheet="")
    saved = state.saved_place(place)
    chosen = (saved.list, saved.color) if saved is not None else (state.list, state.color)
    name = saved.name if saved is not None else place.name(state.locale)
    return replace(state, sheet=str(event.key or ""), list=chosen[0], color=chosen[1], name=name)


@_on("name")
def _name(state: MapsState, event: Event) -> UpdateResult:
    return replace(state, name=str(event.value or ""))


@_on("list")
def _list(state: MapsState, event: Event) -> UpdateResult:
    return replace(state, list=str(event.key))


@_on("color")
def _color(state: MapsState, event: Event) -> UpdateResult:
    return replace(state, color=str(event.key))


@_on("save")
def _save(state: MapsState, event: Event) -> UpdateResult:
    """Save the open place in the chosen list, with the chosen colour."""
    place = state.place(state.selected)
    if place is None:
        return replace(state, sheet="")
    name, known = place.name(state.locale), place.id
    if place.kind == PIN:
        name, known = state.name.strip() or name, ""
    entry = SavedPlace(name, place.lat, place.lng, state.list, state.color, known)
    others = tuple(saved for saved in state.saved if not saved.is_of(place))
    names = {row["id"]: localized(row["name"], state.locale) for row in load("maps")["lists"]}
    note = ShowSnackbar(_say(state, "saved_to", list=names.get(state.list, state.list)))
    return Change(replace(state, saved=(*others, entry), sheet="", name=""), (Focus(), note))


@_on("remove")
def _remove(state: MapsState, event: Event) -> UpdateResult:
    """Remove a saved place: ``key`` is its number among them."""
    number = cast(int, event.key)
    if not 0 <= number < len(state.saved):
        return state
    removed = state.saved[number]
    left = (*state.saved[:number], *state.saved[number + 1 :])
    note = ShowSnackbar(_say(state, "removed", name=removed.name), _say(state, "undo"), Event("restore"))
    return Change(replace(state, saved=left, removed=removed, sheet=""), (note,))


@_on("restore")
def _restore(state: MapsState, event: Event) -> UpdateResult:
    if state.removed is None:
        return state
    return replace(state, saved=(*state.saved, state.removed), removed=None)


@_on("show_saved")
def _show_saved(state: MapsState, event: Event) -> UpdateResult:
    return Change(state, (_page(".SavedActivity"),))


@_on("open_saved")
def _open_saved(state: MapsState, event: Event) -> UpdateResult:
    """Show a saved place on the map."""
    number = cast(int, event.key)
    if not 0 <= number < len(state.saved):
        return state
    saved = state.saved[number]
    shown = _centred(state, state.town.spot(saved.lat, saved.lng), max(state.zoom, _CLOSE))
    selected = saved.place or pin_id(saved.lat, saved.lng)
    return Change(replace(shown, selected=selected, routing=False), (Finish(),))


# ---- directions --------------------------------------------------------------------------------


@_on("directions")
def _directions(state: MapsState, event: Event) -> UpdateResult:
    """Show the ways from where the person is to the open place."""
    routed = replace(state, routing=True, start="", end=state.selected, sheet="")
    return Change(_whole_way(routed), (RequestPermission(FINE_LOCATION),))


def _whole_way(state: MapsState) -> MapsState:
    """The map with both ends of the way on it."""
    first, second = state.spot(state.start), state.spot(state.end)
    middle = Spot((first.x + second.x) / 2, (first.y + second.y) / 2)
    across, down = abs(first.x - second.x) / _ROUTE_ROOM[0], abs(first.y - second.y) / _ROUTE_ROOM[1]
    least = scale_at(0)
    fits = math.log2(1 / (max(across, down) * least)) if max(across, down) else MOST_ZOOM
    return _centred(state, middle, min(fits, _CLOSE))


@_on("mode")
def _mode(state: MapsState, event: Event) -> UpdateResult:
    return replace(state, mode=str(event.key))


@_on("swap")
def _swap(state: MapsState, event: Event) -> UpdateResult:
    return replace(state, start=state.end, end=state.start)


@_on("leave")
def _leave(state: MapsState, event: Event) -> UpdateResult:
    """BACK closes the directions, then the place, then the app."""
    if state.routing:
        return replace(state, routing=False)
    if state.selected:
        return replace(state, selected="")
    return Change(state, (Finish(),))
