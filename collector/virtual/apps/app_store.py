"""The app store that ``market://details?id=PACKAGE`` opens; it has no launcher icon."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Activity, App, AppIcon, Context, InstalledApp
from collector.virtual.ui.content import AppTexts, texts_of
from collector.virtual.ui.drawing.app_marks import app_mark
from collector.virtual.ui.effects import ACTION_VIEW, Change, Component, Intent, StartActivity
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS

_NEW_TASK = 0x10000000


@dataclass(frozen=True, slots=True)
class StoreState:
    """The app store keeps no state: the address of the intent says what the page shows."""


class AppStoreApp(App[StoreState]):
    """Show the page of one app: installed or not found."""

    name = "store"
    package = "com.android.vending"
    icon = AppIcon("download", "#1E7B4A")
    theme = SETTINGS
    activities = (Activity(".AssetBrowserActivity", actions=(ACTION_VIEW,), schemes=("market",)),)
    state_type = StoreState
    system = True

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> StoreState:
        return StoreState()

    def view(self, state: StoreState, context: Context) -> w.Screen:
        say = texts_of(self.name, context.locale)
        package = parse_qs(urlsplit(context.data).query).get("id", [""])[0]
        app = next((app for app in context.installed if app.component.package == package), None)
        content = _page(app, say) if app is not None else _missing(say)
        return w.Screen(w.Scroll(child=content), app_bar=w.AppBar(title=say("app"), navigation="back"))

    def update(self, state: StoreState, event: Event) -> StoreState | Change[StoreState]:
        if event.name != "open":
            return state
        intent = Intent(component=Component.parse(str(event.key)), flags=_NEW_TASK)
        return Change(state, (StartActivity(intent),))


def _page(app: InstalledApp, say: AppTexts) -> w.Widget:
    mark = app_mark(app.icon, 64, 32, 18)
    name = w.Column(
        (
            w.Text(text=app.label, size=22, id="title"),
            w.Text(text=app.component.package, size=13, color="text_2", id="package"),
            w.Text(text=say("installed"), size=13, color="text_2", id="state"),
        ),
        grow=1,
    )
    start = w.Button(label=say("open"), id="open", width=w.FILL, on_tap=Event("open", str(app.component)))
    return w.Column(
        (
            w.Row((mark, name), gap=16),
            start,
            w.Text(text=say("about"), size=18, margin=(0, 12, 0, 0)),
            w.Text(text=say("about_2"), size=14, color="text_2"),
        ),
        gap=12,
        padding=24,
    )


def _missing(say: AppTexts) -> w.Widget:
    return w.Column(
        (
            w.Icon(name="warning", size=40, color="text_2"),
            w.Text(text=say("missing"), size=16, align="center", id="error_msg"),
            w.Button(label=say("retry"), style="tonal", id="retry_button", on_tap=Event("retry")),
        ),
        gap=16,
        align="center",
        padding=(24, 96),
    )
