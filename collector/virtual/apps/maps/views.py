"""The map with its markers, the search bar and the buttons over it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from collector.virtual.apps.maps.painting import MapView
from collector.virtual.apps.maps.panels import PIN_COLOR, kind_of, panel, route_of, save_sheet
from collector.virtual.apps.maps.state import MapsState, SavedPlace
from collector.virtual.apps.maps.town import Place, pin_id, pinned
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.events import Event

_SIDE = 340.0
"""Width of the panel beside the map on a wide screen."""
_ZOOM_OF_RANK = {1: 13.0, 2: 14.6, 3: 15.4}
"""Zoom level from which places of a rank are shown."""
_MARKER = 26.0
_BUTTONS = 3 * 44 + 2 * 8.0
"""Height of the buttons at the right."""
_TOP = 100.0
"""Space below which markers begin: the search bar covers the rest."""


def main_screen(state: MapsState, context: Context, say: AppTexts) -> w.Screen:
    """The map, and the page of a place or the directions below or beside it."""
    below = panel(state, context, say)
    width, height = context.width, context.height
    if below is not None and context.landscape:
        width -= _SIDE
    elif below is not None:
        height -= below.height or 0
    area = _area(state, context, say, width, height)
    content: w.Widget = area
    if below is not None and context.landscape:
        side = replace(below, width=_SIDE, height=w.FILL, padding=(0, 28, 0, 0))
        content = w.Row((side, area), align="stretch", width=w.FILL, height=w.FILL)
    elif below is not None:
        content = w.Column((area, below), width=w.FILL, height=w.FILL)
    return w.Screen(
        content,
        behind_bars=True,
        sheet=save_sheet(state, context, say),
        on_back=Event("leave") if state.routing or state.selected else None,
    )


def _area(state: MapsState, context: Context, say: AppTexts, width: float, height: float) -> w.Widget:
    view = MapView(
        state.seed,
        (state.home_lat, state.home_lng),
        state.lat,
        state.lng,
        state.zoom,
        width,
        context.dark,
        context.locale,
    )
    picture = w.Image(
        picture="map",
        argument=view.argument(route_of(state, state.mode) if state.routing else None),
        width=width,
        height=height,
        id="map",
        description=say("map"),
        on_pinch=Event("pinch", (width, height)),
        on_double_tap=Event("double_tap", (width, height)),
        on_long_press=Event("pin", (width, height)),
    )
    layers = [picture, *_markers(state, view, height, say)]
    if not state.routing:
        layers.append(_search_bar(width, say))
    layers.append(_buttons(state, context, say, width, height))
    return w.Stack(tuple(layers), width=width, height=height, id="map_area", mirrors=False)


# ---- markers -------------------------------------------------------------------------------------


def _markers(state: MapsState, view: MapView, height: float, say: AppTexts) -> Iterator[w.Widget]:
    """Where the person is, and the places that have room; the selected one and saved ones come first."""
    me = view.place(state.spot(""), height)
    if 10 < me[0] < view.width - 10 and _TOP < me[1] < height - 20:
        yield _person(me, say)
    town = {saved.place: saved for saved in state.saved if saved.place}
    ends = (state.start, state.end) if state.routing else ()
    ids = dict.fromkeys((state.selected, *ends))
    pins = [place for name in ids if pinned(name) and (place := state.place(name)) is not None]
    order = sorted(
        (*pins, *state.town.places.values()),
        key=lambda place: (
            place.id not in (state.selected, state.start, state.end),
            place.id not in town,
            place.rank,
        ),
    )
    # The buttons at the right are no place for a name.
    boxes = [(view.width - 62, height - _BUTTONS - 40, view.width, height)]
    for place in order:
        chosen = place.id == state.selected or (state.routing and place.id in (state.start, state.end))
        if not chosen and place.id not in town and state.zoom < _ZOOM_OF_RANK.get(place.rank, 15.4):
            continue
        x, y = view.place(place.spot, height)
        if not (16 < x < view.width - 60 and _TOP < y < height - 24):
            continue
        name = state.name_of(place, say.locale)
        wide = 34 + min(120.0, sum(13.0 if ord(letter) > 0x2E80 else 6.6 for letter in name))
        box = (x - 16, y - 15, x - 16 + wide, y + 15)
        if not chosen and any(_overlap(box, other) for other in boxes):
            continue
        boxes.append(box)
        yield _marker(place, name, (x, y), chosen, town.get(place.id), say)
    for number, saved in enumerate(state.saved):
        if not saved.place and not any(saved.is_of(pin) for pin in pins):
            yield from _other_saved(number, saved, state, view, height)


def _overlap(first: tuple[float, float, float, float], second: tuple[float, float, float, float]) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def _person(at: tuple[float, float], say: AppTexts) -> w.Widget:
    return w.Row(
        (w.Spacer(width=14, height=14, radius=7, background="#2B6CE0"),),
        width=20,
        height=20,
        radius=10,
        arrange="center",
        background="#FFFFFF",
        elevation=1,
        margin=(at[0] - 10, at[1] - 10, 0, 0),
        key="person",
        id="my_location",
        description=say("your_location"),
        class_name="android.view.View",
    )


def color_of(name: str) -> str:
    """The colour of a saved place; the name itself when it is a colour already."""
    colors = {row["id"]: row["color"] for row in load("maps")["colors"]}
    if name in colors:
        return str(colors[name])
    return name if len(name) == 7 and name.startswith("#") else "#5B6770"


def list_of(saved: SavedPlace) -> dict[str, Any]:
    """The list a place is saved in; one of its own name when it is unknown."""
    rows: dict[str, dict[str, Any]] = {row["id"]: row for row in load("maps")["lists"]}
    return rows.get(saved.list, {"name": {"en": saved.list}, "icon": "bookmark"})


def _marker(
    place: Place, name: str, at: tuple[float, float], chosen: bool, saved: SavedPlace | None, say: AppTexts
) -> w.Widget:
    kind = kind_of(place)
    color, icon, about = kind["color"], kind["icon"], name
    if saved is not None:
        row = list_of(saved)
        color, icon = color_of(saved.color), str(row["icon"])
        about = say("marker_saved", name=name, list=localized(row["name"], say.locale))
    size = _MARKER + (8 if chosen else 0)
    mark = w.Row(
        (w.Icon(name="pin" if chosen else icon, size=size * 0.6, color="#FFFFFF", class_name="-"),),
        width=size,
        height=size,
        radius=size / 2,
        arrange="center",
        background=PIN_COLOR if chosen else color,
        border="#FFFFFF",
        border_width=1.5,
        class_name="-",
    )
    label = w.Text(
        text=name,
        size=11.5,
        bold=chosen,
        max_lines=1,
        padding=(4, 0),
        background="surface@0.8",
        radius=5,
        class_name="-",
    )
    return w.Row(
        (mark, label),
        gap=2,
        margin=(at[0] - size / 2, at[1] - size / 2, 0, 0),
        key=f"place-{place.id}",
        id="marker",
        mirrors=False,
        selected=chosen,
        description=about,
        on_tap=Event("place", place.id),
        class_name="android.widget.TextView",
    )


def _other_saved(
    number: int, saved: SavedPlace, state: MapsState, view: MapView, height: float
) -> Iterator[w.Widget]:
    """A saved position that is no place of the town."""
    x, y = view.place(state.town.spot(saved.lat, saved.lng), height)
    if 16 < x < view.width - 16 and _TOP < y < height - 24:
        icon = w.Icon(name=str(list_of(saved)["icon"]), size=15, color="#FFFFFF", class_name="-")
        yield w.Row(
            (icon,),
            width=_MARKER,
            height=_MARKER,
            radius=_MARKER / 2,
            arrange="center",
            background=color_of(saved.color),
            border="#FFFFFF",
            margin=(x - _MARKER / 2, y - _MARKER / 2, 0, 0),
            key=f"saved-{number}",
            id="marker",
            description=saved.name,
            on_tap=Event("place", pin_id(saved.lat, saved.lng)),
            class_name="android.widget.TextView",
        )


# ---- over the map --------------------------------------------------------------------------------


def _search_bar(width: float, say: AppTexts) -> w.Widget:
    return w.Row(
        (
            w.Icon(name="search", size=20, color="text_2", class_name="-"),
            w.Text(text=say("search"), size=15, color="text_2", grow=1, class_name="-"),
            w.IconButton(icon="bookmark", id="saved", description=say("saved"), on_tap=Event("show_saved")),
        ),
        gap=12,
        width=width - 28,
        height=50,
        padding=(18, 0, 2, 0),
        radius=25,
        background="surface",
        elevation=2,
        margin=(14, 38, 0, 0),
        id="search_bar",
        description=say("search"),
        on_tap=Event("search"),
    )


def _buttons(state: MapsState, context: Context, say: AppTexts, width: float, height: float) -> w.Widget:
    """Zoom and location."""
    del state
    rows = (
        ("plus", "zoom_in", Event("zoom", 1)),
        ("minus", "zoom_out", Event("zoom", -1)),
        ("target", "locate", Event("locate")),
    )
    buttons = tuple(
        w.IconButton(
            icon=icon,
            id=name,
            description=say(name),
            on_tap=event,
            width=44,
            height=44,
            radius=14,
            background="surface",
            elevation=2,
        )
        for icon, name, event in rows
    )
    low = 34 if height == context.height else 14
    return w.Column(
        buttons,
        gap=8,
        width=44,
        margin=(width - 58, max(96.0, height - _BUTTONS - low), 0, 0),
        id="map_buttons",
    )
