"""The search with its suggestions, and the saved places."""

from __future__ import annotations

from collector.virtual.apps.empty import empty
from collector.virtual.apps.maps.panels import address, kind_name
from collector.virtual.apps.maps.state import MapsState, SavedPlace
from collector.virtual.apps.maps.town import Place
from collector.virtual.apps.maps.views import color_of, list_of
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.events import Event


def search_screen(state: MapsState, context: Context, say: AppTexts) -> w.Screen:
    """Suggestions while somebody types; before that the kinds of places and those found last."""
    hint = {"start": "choose_from", "end": "choose_to"}.get(state.choosing, "search")
    field = w.TextField(
        text=state.query,
        hint=say(hint),
        style="filled",
        action="search",
        on_change=Event("query"),
        id="query",
        focused=True,
    )
    found = state.found()
    body: w.Widget
    if state.query.strip() and not found:
        body = empty("search", say("no_places"), say("try_other"), top=40)
    elif state.query.strip():
        body = w.ScrollList(tuple(_place(place, say) for place in found), grow=1, id="suggestions")
    else:
        body = w.ScrollList(_before_typing(state, context, say), grow=1, id="suggestions")
    clear = w.IconButton(icon="close", id="clear", description=say("clear"), on_tap=Event("query"))
    return w.Screen(
        w.Column((body,), grow=1),
        app_bar=w.AppBar(navigation="back", middle=field, actions=(clear,) if state.query else ()),
    )


def _before_typing(state: MapsState, context: Context, say: AppTexts) -> tuple[w.Widget, ...]:
    rows: list[w.Widget] = []
    if state.choosing:
        rows.append(_row("target", say("your_location"), "", "person", Event("choose", "")))
    chips = tuple(
        w.Chip(
            label=localized(kind["name"], context.locale),
            icon=kind["icon"],
            id="kind",
            key=name,
            on_tap=Event("query", localized(kind["name"], context.locale)),
        )
        for name, kind in load("maps")["kinds"].items()
    )
    rows.append(w.Flow(chips, padding=(16, 10), id="kinds"))
    recent = [place for place in map(state.place, state.recent) if place is not None]
    if recent:
        rows.append(w.Text(text=say("recent"), size=13, color="text_2", padding=(22, 8, 22, 4), id="recent"))
    return (*rows, *(_place(place, say, recent=True) for place in recent))


def _place(place: Place, say: AppTexts, *, recent: bool = False) -> w.Widget:
    icon = "clock" if recent else load("maps")["kinds"][place.kind]["icon"]
    note = f"{kind_name(place, say.locale)} · {address(place, say)}"
    return _row(icon, place.name(say.locale), note, place.id, Event("choose", place.id))


def _row(icon: str, title: str, note: str, key: str, event: Event) -> w.Widget:
    return w.ListItem(
        title=title,
        subtitle=note,
        leading=w.Icon(name=icon, size=22, color="text_2", class_name="-"),
        key=key,
        id="suggestion",
        title_id="suggestion_name",
        subtitle_id="suggestion_note",
        on_tap=event,
    )


def saved_screen(state: MapsState, context: Context, say: AppTexts) -> w.Screen:
    """The saved places, list by list."""
    rows: list[w.Widget] = []
    lists = [row["id"] for row in load("maps")["lists"]]
    lists += sorted({saved.list for saved in state.saved} - set(lists))
    for name in lists:
        entries = [(i, saved) for i, saved in enumerate(state.saved) if saved.list == name]
        if entries:
            title = localized(list_of(entries[0][1])["name"], context.locale)
            head = w.Text(
                text=title,
                size=14,
                color="primary",
                padding=(24, 14, 24, 2),
                key=f"list-{name}",
                id="list_name",
            )
            rows += [head, *(_saved(number, saved, say) for number, saved in entries)]
    body: w.Widget = w.ScrollList(tuple(rows), padding=(0, 0, 0, 96), grow=1, id="saved_places")
    if not rows:
        body = empty("bookmark", say("nothing_saved"), say("nothing_saved_2"))
    return w.Screen(w.Column((body,), grow=1), app_bar=w.AppBar(title=say("saved"), navigation="back"))


def _saved(number: int, saved: SavedPlace, say: AppTexts) -> w.Widget:
    icon = w.Icon(name=str(list_of(saved)["icon"]), size=18, color="#FFFFFF", class_name="-")
    mark = w.Row(
        (icon,),
        width=36,
        height=36,
        radius=18,
        arrange="center",
        background=color_of(saved.color),
        class_name="-",
    )
    return w.ListItem(
        title=saved.name,
        subtitle=say("coordinates", lat=f"{saved.lat:.5f}", lng=f"{saved.lng:.5f}"),
        leading=mark,
        trailing=w.IconButton(
            icon="delete",
            color="text_2",
            id="remove_saved",
            description=f"{say('remove')} {saved.name}",
            on_tap=Event("remove", number),
        ),
        key=f"saved-{number}",
        id="saved_place",
        title_id="saved_name",
        subtitle_id="saved_where",
        on_tap=Event("open_saved", number),
        padding=(20, 10, 8, 10),
    )
