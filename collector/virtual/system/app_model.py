"""An app of a phone apart from it: its state, its open screens and its functions, to search among them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from collector.model.app_data.collections import AppData
from collector.virtual.system.phone_state.activities import ActivityRecord
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.ui.app import App, Context
from collector.virtual.ui.content import VariedContents
from collector.virtual.ui.effects import Change, Effect, Intent
from collector.virtual.ui.events import Event
from collector.virtual.ui.widgets import Screen


@dataclass(frozen=True, slots=True)
class OpenPage:
    """An open activity: its name in the manifest, and what it was started with."""

    activity: str
    extras: tuple[tuple[str, object], ...] = ()
    data: str = ""


@dataclass(frozen=True, slots=True)
class AppModel:
    """An app as it was on a phone at one moment. Nothing that is done here reaches the phone."""

    app: App[Any]
    state: Any
    pages: tuple[OpenPage, ...]
    """Its open activities, that in front last; empty while none is open."""
    context: Context
    """What its views are told; activity and extras are those of the page."""
    contents: VariedContents
    note: Event | None = None
    """What the button of the message at the bottom of its screen sends; None without one."""

    def in_use(self) -> AbstractContextManager[None]:
        """The contents of the phone's variation; views, updates and data are asked for within."""
        return self.contents.in_use()

    def view(self, state: Any, page: OpenPage) -> Screen:
        """The screen of a page, without the noise of a variation."""
        context = replace(self.context, activity=page.activity, extras=dict(page.extras), data=page.data)
        return self.app.view(state, context)

    def update(self, state: Any, event: Event) -> tuple[Any, tuple[Effect, ...]]:
        """The state after an event, and what the app asks the phone for."""
        change = self.app.update(state, event)
        return (change.state, change.effects) if isinstance(change, Change) else (change, ())

    def data(self, state: Any) -> AppData:
        """What the app keeps for the person."""
        return self.app.data(state)


def model_of(state: SystemState, name: str) -> AppModel:
    """The model of an app of a phone as it is now; the phone's lock is held. Raises KeyError for no app."""
    app = state.app_named(name)
    task = state.activities.task_of(app.package)
    records = [record for record in task.records if record.app is app] if task is not None else []
    first = app.launcher_activity or app.activities[0]
    front = records[-1] if records else ActivityRecord(0, app, first, {}, Intent())
    pages = tuple(
        OpenPage(record.activity.name, tuple(record.extras.items()), record.intent.data) for record in records
    )
    shown = state.snackbars.get(app.package)
    note = shown[2] if shown is not None else None
    return AppModel(app, state.state_of(app), pages, state.context(front), state.contents, note)
