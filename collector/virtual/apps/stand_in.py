"""A stand-in for an app that is not on the phone: its package, activities and some lines of text.

Rules, tasks and anomalies name the apps of real phones. With a stand-in their commands find the
package and their rules find words, and the person decides which: ``cmd waymark state set PACKAGE``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Activity, App, AppIcon, Context
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS

MAIN = ".MainActivity"
_PACKAGE = r"[A-Za-z]\w*(?:\.\w+)+"
_CLASS = r"\.?[A-Za-z_$][\w$]*(?:\.[\w$]+)*"
_SPEC = re.compile(rf"({_PACKAGE})(?:/({_CLASS}))?(?::([\w.]+))?", re.ASCII)
_PERMISSIONS = (
    "android.permission.ACCESS_FINE_LOCATION",
    "android.permission.CAMERA",
    "android.permission.POST_NOTIFICATIONS",
)


@dataclass(frozen=True, slots=True)
class StandInState:
    """The texts that every screen of the stand-in shows."""

    lines: tuple[str, ...] = ()


class StandIn(App[StandInState]):
    """A stand-in for one package; its metadata are instance attributes instead of class attributes."""

    icon = AppIcon("grid", "#5B6770")
    theme = SETTINGS
    state_type = StandInState
    permissions = _PERMISSIONS

    def __init__(self, package: str, activities: tuple[Activity, ...]) -> None:
        """The launcher icon opens the first of ``activities``."""
        # Other apps set these on the class; each phone creates its own stand-in instances.
        vars(self).update(name=package, package=package, activities=activities)

    def label(self, locale: str) -> str:
        del locale
        return self.package.rpartition(".")[2].capitalize()

    def initial(self, seed: int, locale: str) -> StandInState:
        del seed, locale
        return StandInState()

    def view(self, state: StandInState, context: Context) -> w.Screen:
        say = texts_of("stand_in", context.locale)
        shown = state.lines or (say("empty", package=self.package), context.activity.rpartition(".")[2])
        lines = tuple(
            w.Text(text=line, size=15, padding=(20, 10), key=str(number), id=f"line_{number}")
            for number, line in enumerate(shown)
        )
        return w.Screen(w.ScrollList(lines, id="lines"), app_bar=w.AppBar(title=self.label(context.locale)))

    def update(self, state: StandInState, event: Event) -> StandInState:
        del event
        return state


def stand_ins(specs: Iterable[str]) -> tuple[App[Any], ...]:
    """Create one app for each ``PACKAGE[/ACTIVITY][:ACTION]``; raise ValueError for any other text."""
    by_package: dict[str, list[Activity]] = {}
    for spec in specs:
        match = _SPEC.fullmatch(spec)
        if match is None:
            raise ValueError(f"{spec!r} is no PACKAGE[/ACTIVITY][:ACTION]")
        package, name, action = match.groups()
        listed = by_package.setdefault(package, [])
        actions = (action,) if action else ()
        listed.append(Activity(name or MAIN, actions, launcher=not listed))
    return tuple(StandIn(package, tuple(listed)) for package, listed in by_package.items())
