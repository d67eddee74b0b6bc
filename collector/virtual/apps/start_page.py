"""The start page: the apps as tiles with a logo and a description, each a touch away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from collector.model.seeds import DEFAULT_SEED
from collector.virtual.apps.dates import long_date
from collector.virtual.apps.empty import empty
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import STARTED, Activity, App, AppIcon, Context, InnerPage, InstalledApp
from collector.virtual.ui.content import AppTexts, load, localized, texts_of
from collector.virtual.ui.effects import Change, Component, Intent, StartActivity
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import START_PAGE

_GAP = 12.0
_LARGE_TEXT = 1.25
"""From this size of texts a tile is as wide as the screen."""
_NOON, _EVENING, _NIGHT = 12, 18, 4
"""Hours at which the greeting changes."""
Tile = Mapping[str, Any]
"""A row of ``tiles`` in the content: id, app, title, description."""


@dataclass(frozen=True, slots=True)
class StartPageState:
    """How the apps are shown, and the tile whose whole description is open."""

    locale: str = "en-US"
    seed: int = DEFAULT_SEED
    as_list: bool = False
    about: str = ""


class StartPageApp(App[StartPageState]):
    """Show the apps of the phone as tiles, and start them."""

    name = "start_page"
    package = "com.waymark.start"
    icon = AppIcon("apps", "#7A4B1E")
    in_dock = False
    theme = START_PAGE
    activities = (Activity(".MainActivity", launcher=True),)
    pages = {  # noqa: RUF012 - never changed
        "list": InnerPage(".MainActivity", {"as_list": True}),
        "about": InnerPage(".MainActivity", {"about": "maps"}),
    }
    state_type = StartPageState

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> StartPageState:
        return StartPageState(locale, seed)

    def view(self, state: StartPageState, context: Context) -> w.Screen:
        say = texts_of(self.name, context.locale)
        return w.Screen(
            _content(state, context, say),
            app_bar=w.AppBar(title=say("app"), actions=(_layout_button(state, say),)),
            sheet=_about_sheet(state, context, say),
        )

    def update(self, state: StartPageState, event: Event) -> StartPageState | Change[StartPageState]:
        match event.name:
            case "layout":
                return replace(state, as_list=not state.as_list)
            case "about":
                return replace(state, about=str(event.key or ""))
            case "open":
                intent = Intent(component=Component.parse(str(event.key)))
                return Change(replace(state, about=""), (StartActivity(intent),))
            case str(name) if name == STARTED:
                return replace(state, about="")
        return state


def tiles_of(seed: int) -> tuple[Tile, ...]:
    """The tiles in the order of the page."""
    content = load("start_page")
    tiles = list(content["tiles"])
    if content["mixed_order"]:
        Random(f"{seed} tiles").shuffle(tiles)
    return tuple(tiles)


def _app_of(tile: Tile, context: Context) -> InstalledApp | None:
    return next((app for app in context.installed if app.name == tile["app"]), None)


def _layout_button(state: StartPageState, say: AppTexts) -> w.Widget:
    icon, word = ("apps", "as_tiles") if state.as_list else ("list", "as_list")
    return w.IconButton(icon=icon, id="layout", description=say(word), on_tap=Event("layout"))


def _content(state: StartPageState, context: Context, say: AppTexts) -> w.Widget:
    tiles = tiles_of(state.seed)
    if not any(_app_of(tile, context) for tile in tiles):
        return empty("apps", say("none"), say("none_2"))
    columns = 3 if context.landscape else 2
    if state.as_list or context.font_scale >= _LARGE_TEXT:
        columns = 2 if context.landscape else 1
    shown: list[w.Widget] = [_tile(tile, context, say, wide=state.as_list) for tile in tiles]
    rows = tuple(_row(shown[first : first + columns], columns) for first in range(0, len(shown), columns))
    page = w.Column(
        (_greeting(context, say), w.Column(rows, gap=_GAP, id="tiles")), gap=18, padding=(16, 4, 16, 32)
    )
    return w.Scroll(child=page, grow=1, id="page")


def _row(tiles: Sequence[w.Widget], columns: int) -> w.Widget:
    """Tiles beside each other, all as high as the highest."""
    free = [w.Spacer(grow=1)] * (columns - len(tiles))
    wide = [replace(tile, grow=1) for tile in tiles]
    return w.Row((*wide, *free), gap=_GAP, align="stretch", class_name="-")


def _greeting(context: Context, say: AppTexts) -> w.Widget:
    hour = context.now.hour
    word = "morning" if _NIGHT <= hour < _NOON else "afternoon" if _NOON <= hour < _EVENING else "evening"
    return w.Column(
        (
            w.Text(text=say(word), size=26, id="greeting"),
            w.Text(text=long_date(context.now, say.locale), size=14, color="text_2", id="date"),
        ),
        gap=2,
        padding=(10, 0),
        class_name="-",
    )


# ---- a tile ----------------------------------------------------------------------------------


def _tile(tile: Tile, context: Context, say: AppTexts, *, wide: bool) -> w.Widget:
    """A logo, a title and the beginning of the description; touched for long, the whole of it."""
    app, name = _app_of(tile, context), localized(tile["title"], say.locale)
    opened = Event("open", str(app.component)) if app is not None else None
    by_logo = load("start_page")["opens_by_logo"]
    logo = _logo(app, name, say, opened if by_logo else None)
    about = w.IconButton(
        icon="info",
        color="text_2",
        width=40,
        height=40,
        id="about",
        description=say("about", name=name),
        on_tap=Event("about", tile["id"]),
    )
    words = _words(tile, app, say)
    if wide:
        parts: tuple[w.Widget, ...] = (w.Row((logo, replace(words, grow=1), about), gap=14, class_name="-"),)
    else:
        head = w.Row((logo, w.Spacer(grow=1), about), align="start", class_name="-")
        parts = (head, words)
    return w.Column(
        parts,
        gap=10,
        padding=(14, 12, 6, 14) if wide else (14, 12, 6, 16),
        radius=20,
        background="surface_container",
        key=tile["id"],
        id="tile",
        description=name if app is not None else f"{name}, {say('absent')}",
        enabled=app is not None,
        on_tap=None if by_logo else opened,
        on_long_press=Event("about", tile["id"]),
        class_name="android.widget.FrameLayout",
    )


def _words(tile: Tile, app: InstalledApp | None, say: AppTexts) -> w.Widget:
    about = localized(tile["description"], say.locale) if app is not None else say("absent")
    return w.Column(
        (
            w.Text(text=localized(tile["title"], say.locale), size=16, bold=True, max_lines=1, id="title"),
            w.Text(text=about, size=13, color="text_2", max_lines=3, padding=(0, 0, 8, 0), id="description"),
        ),
        gap=3,
        class_name="-",
    )


def _logo(app: InstalledApp | None, name: str, say: AppTexts, opened: Event | None) -> w.Widget:
    """The app's icon, or what a browser shows for a picture that did not load."""
    is_broken = load("start_page")["broken_logos"]
    icon, color, ink = "unknown", "outline", "text_2"
    if is_broken:
        icon = "image"
    elif app is not None:
        icon, color, ink = app.icon.icon, app.icon.color, "#FFFFFF"
    return w.Row(
        (w.Icon(name=icon, size=24, color=ink, class_name="-"),),
        width=48,
        height=48,
        radius=6 if is_broken else 15,
        background=None if is_broken else color,
        border="outline" if is_broken else None,
        arrange="center",
        id="logo",
        description=say("open" if opened is not None else "broken" if is_broken else "logo", name=name),
        on_tap=opened,
        class_name="android.widget.ImageView",
    )


def _about_sheet(state: StartPageState, context: Context, say: AppTexts) -> w.Sheet | None:
    tile = next((tile for tile in tiles_of(state.seed) if tile["id"] == state.about), None)
    if tile is None:
        return None
    app, name = _app_of(tile, context), localized(tile["title"], say.locale)
    rows: list[w.Widget] = [
        w.Text(text=localized(tile["description"], say.locale), size=15, color="text_2", id="whole_text")
    ]
    if app is not None:
        opened = Event("open", str(app.component))
        rows.append(w.Button(label=say("open", name=name), id="open", on_tap=opened))
    else:
        rows.append(w.Text(text=say("absent"), size=14, color="error", id="absent"))
    body = w.Column(tuple(rows), gap=18, padding=(24, 4, 24, 28))
    return w.Sheet(body, title=name, on_dismiss=Event("about"), id="about_sheet")
