"""The page of a place, the sheet that saves it, and the directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.virtual.apps.maps.routes import MODES, Leg, Route, route
from collector.virtual.apps.maps.state import MapsState
from collector.virtual.apps.maps.town import PIN, Place, street_name
from collector.virtual.apps.rows import option_row
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.events import Event

PIN_COLOR = "#C2364A"
_PLACE_HEIGHT = 232.0
_ABOUT_HEIGHT = 44.0
_ROUTE_HEIGHT = 372.0
_ICONS = {"foot": "walk", "car": "car", "tram": "tram"}
_LEG_ICONS = {
    "follow": "straight",
    "turn_left": "turn_left",
    "turn_right": "turn_right",
    "board": "tram",
    "leave": "walk",
    "walk_to_stop": "walk",
}


def panel(state: MapsState, context: Context, say: AppTexts) -> w.Column | None:
    """What stands below the map, or beside it on a wide screen; None when the map is alone."""
    if state.routing:
        return _directions(state, context, say)
    place = state.place(state.selected)
    return None if place is None else _place(state, place, context, say)


def route_of(state: MapsState, mode: str) -> Route | None:
    """The way between the chosen ends; None by tram where no fitting one goes."""
    return route(state.town, state.spot(state.start), state.spot(state.end), mode)


def address(place: Place, say: AppTexts) -> str:
    """``12 Mill Lane``; of a pin ``Near Mill Lane``."""
    if place.kind == PIN:
        return say("near", street=street_name(place.street, say.locale))
    return say("address", number=place.number, street=street_name(place.street, say.locale))


def kind_name(place: Place, locale: str) -> str:
    """``Museum``."""
    return localized(kind_of(place)["name"], locale)


def kind_of(place: Place) -> Mapping[str, Any]:
    """Name, icon and colour of a place's kind."""
    content = load("maps")
    if place.kind == PIN:
        return {"name": content["words"]["pin"], "icon": "pin", "color": PIN_COLOR}
    kind: Mapping[str, Any] = content["kinds"][place.kind]
    return kind


# ---- a place -------------------------------------------------------------------------------------


def _place(state: MapsState, place: Place, context: Context, say: AppTexts) -> w.Column:
    saved = state.saved_place(place)
    title = w.Row(
        (
            w.Text(text=state.name_of(place, say.locale), size=21, max_lines=2, grow=1, id="place_name"),
            w.IconButton(
                icon="close", id="close_place", description=say("close"), on_tap=Event("close_place")
            ),
        ),
        padding=(22, 4, 6, 0),
    )
    where = say("coordinates", lat=f"{place.lat:.5f}", lng=f"{place.lng:.5f}")
    lines = w.Column(
        (
            *_kind(place, say),
            w.Text(text=address(place, say), size=14, color="text_2", id="place_address"),
            *_about(place, say),
            w.Text(
                text=f"{say('open_hours', hours=place.hours)} · {where}" if place.hours else where,
                size=13,
                color="text_2",
                max_lines=1,
                id="place_hours",
            ),
        ),
        gap=3,
        padding=(22, 0, 22, 12),
        class_name="-",
    )
    buttons = w.Row(
        (
            w.Button(label=say("directions"), icon="navigation", id="directions", on_tap=Event("directions")),
            w.Button(
                label=say("edit_saved" if saved is not None else "save"),
                icon="check" if saved is not None else "bookmark",
                style="tonal",
                id="save_place",
                on_tap=Event("sheet", "save"),
            ),
        ),
        gap=10,
        padding=(20, 0, 20, 0),
    )
    body = w.Column((title, lines, buttons), padding=(0, 6, 0, 30))
    tall = _PLACE_HEIGHT + (_ABOUT_HEIGHT if place.about(say.locale) else 0)
    return w.Column(
        (w.Scroll(child=body, grow=1, id="place_page"),),
        height=min(tall * context.font_scale, context.height * 0.5),
        background="surface",
        id="place_panel",
    )


def _kind(place: Place, say: AppTexts) -> tuple[w.Widget, ...]:
    """The kind of a place; that of a pin is its name already."""
    if place.kind == PIN:
        return ()
    return (w.Text(text=kind_name(place, say.locale), size=14, color="text_2", id="place_kind"),)


def _about(place: Place, say: AppTexts) -> tuple[w.Widget, ...]:
    text = place.about(say.locale)
    return (w.Text(text=text, size=14, padding=(0, 4), id="place_about"),) if text else ()


def save_sheet(state: MapsState, context: Context, say: AppTexts) -> w.Sheet | None:
    """The lists and colours for the open place."""
    place = state.place(state.selected)
    if state.sheet != "save" or place is None:
        return None
    content = load("maps")
    lists = tuple(
        option_row(
            Event("list", row["id"]),
            "check" if row["id"] == state.list else row["icon"],
            localized(row["name"], context.locale),
            chosen=row["id"] == state.list,
        )
        for row in content["lists"]
    )
    colors = tuple(_color(row, row["id"] == state.color, context.locale) for row in content["colors"])
    saved = state.saved_place(place)
    buttons: list[w.Widget] = [w.Spacer(grow=1), w.Button(label=say("save"), id="save", on_tap=Event("save"))]
    if saved is not None:
        remove = Event("remove", state.saved.index(saved))
        buttons.insert(
            0, w.Button(label=say("remove"), style="text", icon="delete", id="remove", on_tap=remove)
        )
    body = w.Column(
        (
            *_name_field(state, place, say),
            *lists,
            w.Text(text=say("color"), size=13, color="text_2", padding=(24, 8, 24, 6)),
            w.Row(colors, gap=14, padding=(22, 0, 22, 14), id="colors"),
            w.Row(tuple(buttons), padding=(14, 4, 20, 8)),
        ),
        padding=(0, 0, 0, 12),
    )
    return w.Sheet(body, title=say("save_in"), on_dismiss=Event("sheet"), id="save_sheet")


def _name_field(state: MapsState, place: Place, say: AppTexts) -> tuple[w.Widget, ...]:
    """A pin is saved under a name of the person's; a place of the town has its own."""
    if place.kind != PIN:
        return ()
    field = w.TextField(
        text=state.name,
        label=say("name"),
        on_change=Event("name"),
        on_submit=Event("save"),
        id="pin_name",
        margin=(22, 4, 22, 8),
    )
    return (field,)


def _color(row: dict[str, Any], chosen: bool, locale: str) -> w.Widget:
    name = localized(row["name"], locale)
    check = (w.Icon(name="check", size=20, color="#FFFFFF", class_name="-"),) if chosen else ()
    return w.Row(
        check,
        width=40,
        height=40,
        radius=20,
        arrange="center",
        background=str(row["color"]),
        key=str(row["id"]),
        id="color",
        selected=chosen,
        description=name,
        on_tap=Event("color", row["id"]),
        class_name="android.widget.RadioButton",
    )


# ---- directions ----------------------------------------------------------------------------------


def _directions(state: MapsState, context: Context, say: AppTexts) -> w.Column:
    ends = w.Row(
        (
            w.Column(
                (_end(state, "start", state.start, say), _end(state, "end", state.end, say)),
                gap=6,
                grow=1,
                class_name="-",
            ),
            w.Column(
                (
                    w.IconButton(
                        icon="close", id="close_route", description=say("close"), on_tap=Event("leave")
                    ),
                    w.IconButton(icon="sort", id="swap", description=say("swap"), on_tap=Event("swap")),
                ),
                class_name="-",
            ),
        ),
        padding=(16, 6, 6, 4),
    )
    modes = w.Row(tuple(_mode(mode, state, say) for mode in MODES), gap=8, padding=(16, 2, 16, 8), id="modes")
    way = route_of(state, state.mode)
    rows: tuple[w.Widget, ...]
    if way is None:
        rows = (w.Text(text=say("no_tram"), size=14, color="text_2", padding=(24, 12), id="no_tram"),)
    else:
        rows = (_summary(way, say), *(_leg(leg, number, say) for number, leg in enumerate(way.legs)))
        rows = (*rows, _arrival(state, say))
    steps = w.ScrollList(rows, padding=(0, 0, 0, 34), grow=1, ordered=True, id="steps")
    return w.Column(
        (ends, modes, w.Divider(), steps),
        height=min(_ROUTE_HEIGHT, context.height * 0.6),
        background="surface",
        id="route_panel",
    )


def _end(state: MapsState, which: str, name: str, say: AppTexts) -> w.Widget:
    place = state.place(name)
    text = state.name_of(place, say.locale) if place is not None else say("your_location")
    label = say("from" if which == "start" else "to")
    return w.Row(
        (
            w.Text(text=label, size=12.5, color="text_2", width=44, max_lines=1, class_name="-"),
            w.Text(text=text, size=15, max_lines=1, grow=1, class_name="-"),
        ),
        gap=8,
        height=42,
        padding=(14, 0),
        radius=12,
        background="surface_container",
        key=which,
        id=f"route_{which}",
        description=f"{label} {text}",
        on_tap=Event("search", which),
        class_name="android.widget.TextView",
    )


def _mode(mode: str, state: MapsState, say: AppTexts) -> w.Widget:
    way = route_of(state, mode)
    time = say("minutes", count=way.minutes) if way is not None else "–"
    chosen = mode == state.mode
    ink = "on_container" if chosen else "text"
    return w.Row(
        (
            w.Icon(name=_ICONS[mode], size=20, color=ink, class_name="-"),
            w.Text(text=time, size=14, color=ink, max_lines=1, class_name="-"),
        ),
        gap=6,
        grow=1,
        height=40,
        arrange="center",
        radius=20,
        background="container" if chosen else "surface_container",
        key=mode,
        id=f"mode_{mode}",
        selected=chosen,
        description=f"{say(mode)}, {time}",
        on_tap=Event("mode", mode),
        class_name="android.widget.CompoundButton",
    )


def distance(meters: float, say: AppTexts) -> str:
    """``350 m`` or ``1.2 km``."""
    if meters < 995:
        return say("meters", count=max(10, round(meters / 10) * 10))
    return say("kilometers", count=f"{meters / 1000:.1f}")


def _summary(way: Route, say: AppTexts) -> w.Widget:
    return w.Row(
        (
            w.Text(text=say("minutes", count=way.minutes), size=18, id="route_time"),
            w.Text(text=distance(way.meters, say), size=14, color="text_2", id="route_distance"),
        ),
        gap=12,
        padding=(24, 10, 24, 6),
        id="route_summary",
    )


def _leg(leg: Leg, number: int, say: AppTexts) -> w.Widget:
    street = street_name(leg.street, say.locale) if leg.street >= 0 else ""
    return _step(
        _LEG_ICONS[leg.kind],
        say(leg.kind, street=street, line=leg.line),
        distance(leg.meters, say),
        f"step-{number}",
    )


def _arrival(state: MapsState, say: AppTexts) -> w.Widget:
    place = state.place(state.end)
    name = state.name_of(place, say.locale) if place is not None else say("your_location")
    return _step("flag", say("arrive", name=name), "", "arrival")


def _step(icon: str, text: str, note: str, key: str) -> w.Widget:
    return w.Row(
        (
            w.Icon(name=icon, size=20, color="text_2", class_name="-"),
            w.Text(text=text, size=14.5, grow=1, id="step_text"),
            w.Text(text=note, size=13, color="text_2", id="step_distance"),
        ),
        gap=16,
        padding=(24, 9),
        key=key,
        id="step",
    )
