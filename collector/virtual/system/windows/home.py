"""A launcher for profiles that have none: a grid of the installed apps."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Activity, App, AppIcon, Context, InstalledApp
from collector.virtual.ui.drawing.app_marks import app_mark
from collector.virtual.ui.effects import (
    ACTION_MAIN,
    CATEGORY_LAUNCHER,
    Change,
    Component,
    Intent,
    StartActivity,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS


@dataclass(frozen=True, slots=True)
class HomeState:
    """The fallback launcher has no state."""


class FallbackLauncher(App[HomeState]):
    """A home screen with every app that has its icon there."""

    name = "launcher"
    package = "com.example.home"
    icon = AppIcon("home", "#3D5F93")
    theme = SETTINGS
    activities = (Activity(".HomeActivity", home=True),)
    state_type = HomeState
    system = True

    def initial(self, seed: int, locale: str) -> HomeState:
        del seed, locale
        return HomeState()

    def view(self, state: HomeState, context: Context) -> w.Screen:
        del state
        tiles = tuple(_tile(app) for app in context.installed if app.on_home)
        return w.Screen(
            w.Column(
                (
                    w.Text(text=f"{context.now:%H:%M}", size=48, color="#FFFFFF", id="clock"),
                    w.Spacer(grow=1),
                    w.Grid(tiles, columns=4, line_gap=20, id="workspace", margin=(0, 0, 0, 64)),
                ),
                padding=(24, 48),
            ),
            background="#1E3448",
        )

    def update(self, state: HomeState, event: Event) -> HomeState | Change[HomeState]:
        if event.name != "open" or not isinstance(event.key, str):
            return state
        intent = Intent(ACTION_MAIN, Component.parse(event.key), categories=(CATEGORY_LAUNCHER,))
        return Change(state, (StartActivity(intent),))


def _tile(app: InstalledApp) -> w.Widget:
    return w.Column(
        (
            app_mark(app.icon, 52, 24, 16, class_name=""),
            w.Text(text=app.label, size=12, color="#FFFFFF", align="center", max_lines=1),
        ),
        align="center",
        gap=6,
        key=app.name,
        description=app.label,
        on_tap=Event("open", str(app.component)),
    )
