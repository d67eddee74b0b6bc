"""The home screen: clock, apps and app search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from collector.virtual.apps.dates import long_date
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import STARTED, Activity, App, AppIcon, Context, InstalledApp
from collector.virtual.ui.content import AppTexts, texts_of
from collector.virtual.ui.drawing.app_marks import app_mark
from collector.virtual.ui.effects import (
    CATEGORY_HOME,
    Change,
    Component,
    Focus,
    Intent,
    ShowToast,
    StartActivity,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS

INK = "#FFFFFF"


@dataclass(frozen=True, slots=True)
class LauncherState:
    """Whether app search is open, and its query."""

    locale: str = "en-US"
    searching: bool = False
    query: str = ""


class LauncherApp(App[LauncherState]):
    """Show the installed apps and start them."""

    name = "launcher"
    package = "com.waymark.launcher"
    icon = AppIcon("home", "#3D5F93")
    theme = SETTINGS
    activities = (Activity(".HomeActivity", actions=(CATEGORY_HOME,), home=True),)
    state_type = LauncherState
    system = True

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> LauncherState:
        return LauncherState(locale)

    def view(self, state: LauncherState, context: Context) -> w.Screen:
        say = texts_of(self.name, context.locale)
        layers: list[w.Widget] = [
            w.Image(
                picture="wallpaper",
                argument="dark" if context.dark else "",
                width=w.FILL,
                height=w.FILL,
                id="wallpaper",
            )
        ]
        layers.append(_search(state, context, say) if state.searching else _home(context, say))
        return w.Screen(
            w.Stack(tuple(layers), width=w.FILL, height=w.FILL),
            background="#22384E",
            status_bar="light",
            behind_bars=True,
            on_back=Event("close_search"),
        )

    def update(self, state: LauncherState, event: Event) -> LauncherState | Change[LauncherState]:
        match event.name:
            case "search":
                return Change(replace(state, searching=True, query=""), (Focus("apps_query"),))
            case "query":
                return replace(state, query=str(event.value))
            case "close_search":
                return Change(replace(state, searching=False, query=""), (Focus(),))
            case "voice":
                return Change(state, (ShowToast(texts_of(self.name, state.locale)("no_voice")),))
            case "open":
                intent = Intent(component=Component.parse(str(event.key)))
                return Change(replace(state, searching=False, query=""), (StartActivity(intent),))
            case str(name) if name == STARTED:
                return replace(state, searching=False, query="")
        return state


def _home(context: Context, say: AppTexts) -> w.Widget:
    columns = 8 if context.landscape else 4
    clock = w.Column(
        (
            w.Text(text=f"{context.now:%H:%M}", size=54, color=INK, line_height=1.1, id="clock"),
            w.Text(text=long_date(context.now, context.locale), size=14, color=INK, id="date"),
        ),
        padding=(24, 52 if not context.landscape else 36, 24, 0),
    )
    search = w.Row(
        (
            w.Icon(name="search", color="#49535A", size=20, class_name="-"),
            w.Text(text=say("search"), size=14, color="#49535A", grow=1, class_name="-"),
            w.IconButton(
                icon="mic", color="#49535A", id="voice", description=say("voice"), on_tap=Event("voice")
            ),
        ),
        gap=12,
        height=52,
        radius=26,
        padding=(20, 0, 4, 0),
        background="#FFFFFF",
        id="search_box",
        description=say("search"),
        on_tap=Event("search"),
    )
    shown = [app for app in context.installed if app.on_home]
    dock = tuple(_app(app, labelled=context.icon_labels) for app in shown if app.in_dock)
    above = tuple(_app(app, labelled=context.icon_labels) for app in shown if not app.in_dock)
    grids = [w.Grid(dock, columns=columns, gap=0, line_gap=18, id="workspace")]
    if context.landscape:
        # There is no height for a second row, but width for all.
        grids = [replace(grids[0], children=(*dock, *above))]
    elif above:
        grids.insert(0, w.Grid(above, columns=columns, gap=0, line_gap=18, id="page"))
    rows = w.Column(tuple(grids), gap=18, class_name="-")
    bottom = w.Column((rows, w.Spacer(height=34), search), padding=(20, 0, 20, 64), id="hotseat")
    return w.Column((clock, w.Spacer(grow=1), bottom), width=w.FILL, height=w.FILL, id="home")


def _app(app: InstalledApp, *, labelled: bool) -> w.Widget:
    icon = app_mark(app.icon, 56, 26, 17, INK)
    label = w.Text(text=app.label, size=12, color=INK, align="center", max_lines=1, class_name="-")
    return w.Column(
        (icon, label) if labelled else (icon,),
        gap=6,
        key=app.name,
        id="icon",
        description=app.label,
        on_tap=Event("open", str(app.component)),
        class_name="android.widget.TextView",
    )


def _search(state: LauncherState, context: Context, say: AppTexts) -> w.Widget:
    query = state.query.strip().casefold()
    matches = [app for app in context.installed if query in app.label.casefold()]
    field = w.Row(
        (
            w.IconButton(
                icon="back", color="#191C1E", id="back", description=say("back"), on_tap=Event("close_search")
            ),
            w.TextField(
                text=state.query,
                hint=say("search"),
                style="plain",
                action="search",
                on_change=Event("query"),
                id="apps_query",
                grow=1,
            ),
        ),
        height=52,
        radius=26,
        padding=(2, 0, 16, 0),
        background="#FFFFFF",
    )
    rows: tuple[w.Widget, ...] = tuple(
        w.Row(
            (
                app_mark(app.icon, 44, 22, 14, INK),
                w.Text(text=app.label, size=15.5, color=INK, grow=1, id="android:id/title"),
            ),
            gap=16,
            padding=(8, 10),
            key=app.name,
            id="result",
            on_tap=Event("open", str(app.component)),
        )
        for app in matches
    )
    if not rows:
        rows = (w.Text(text=say("nothing"), color=INK, padding=(8, 20), id="nothing"),)
    results = w.ScrollList(rows, grow=1, id="results")
    return w.Column(
        (field, w.Spacer(height=12), results), padding=(16, 44, 16, 0), width=w.FILL, height=w.FILL
    )
