"""Event handlers of the companion app: log and finish, advance progress, redirect."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from collector.virtual.apps.companion.state import PACKAGE, CompanionState
from collector.virtual.apps.handlers import Handlers
from collector.virtual.ui.app import STARTED
from collector.virtual.ui.effects import Change, Component, Finish, Intent, Later, StartActivity, WriteLog
from collector.virtual.ui.events import Event
from collector.virtual.ui.extras import integer

UpdateResult = CompanionState | Change[CompanionState]
_handlers: Handlers[CompanionState] = Handlers()
_on, update = _handlers.on, _handlers.update

_NEW_TASK = 0x10000000
_STEP = 1.5
"""Seconds between two progress steps. A dump needs one second without a change."""


@_on(STARTED)
def _started(state: CompanionState, event: Event) -> UpdateResult:
    extras = event.value if isinstance(event.value, Mapping) else {}
    if event.key == ".ProgressActivity":
        seconds = max(0, integer(extras, "param_duration_seconds"))
        fresh = replace(state, run=state.run + 1, seconds=seconds, percent=0)
        return Change(fresh, (_next_step(fresh),)) if seconds else fresh
    if event.key == ".LoginActivity":
        return replace(state, username="", password="")
    if event.key == ".RedirectActivity":
        page = Component(PACKAGE, f"{PACKAGE}.TargetPageActivity")
        # Finish first: Finish closes the top activity.
        led = StartActivity(Intent(component=page, flags=_NEW_TASK))
        return Change(state, (WriteLog("RedirectActivity", f"to {page.short}"), Finish(), led))
    return state


def _next_step(state: CompanionState) -> Later:
    steps = max(1, math.ceil(state.seconds / _STEP))
    done = round(state.percent * steps / 100) + 1
    return Later(state.seconds / steps, Event("step", (state.run, round(100 * done / steps))))


@_on("step")
def _step(state: CompanionState, event: Event) -> UpdateResult:
    assert isinstance(event.key, tuple)
    run, percent = event.key
    if run != state.run:
        return state
    moved = replace(state, percent=min(percent, 100))
    return moved if moved.done else Change(moved, (_next_step(moved),))


@_on("answer")
def _answer(state: CompanionState, event: Event) -> UpdateResult:
    assert isinstance(event.key, tuple)
    tag, text = event.key
    return Change(_page_closed(state), (WriteLog(tag, text), Finish()))


@_on("dismiss")
def _dismiss(state: CompanionState, event: Event) -> UpdateResult:
    del event
    return Change(_page_closed(state), (Finish(),))


def _page_closed(state: CompanionState) -> CompanionState:
    """Count the page as closed, so that its pending steps are ignored."""
    return replace(state, run=state.run + 1)


@_on("username")
def _username(state: CompanionState, event: Event) -> UpdateResult:
    return replace(state, username=str(event.value or ""))


@_on("password")
def _password(state: CompanionState, event: Event) -> UpdateResult:
    return replace(state, password=str(event.value or ""))
