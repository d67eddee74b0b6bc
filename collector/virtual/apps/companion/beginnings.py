"""A dialog begins: it gets its id, takes the place of another of that id, and its time may be limited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from collector.model.companion.contract import CLOSED
from collector.virtual.apps.companion.endings import Ended, Ending, end
from collector.virtual.apps.companion.extras import number, whole
from collector.virtual.apps.companion.state import SHOWING, CompanionState, OpenDialog
from collector.virtual.ui.effects import Effect, Later
from collector.virtual.ui.events import Event
from collector.virtual.ui.extras import string

_TICK = 1.5
"""Seconds between two changes of a countdown. A dump needs one second without a change."""


def begin(
    state: CompanionState, activity: str, extras: Mapping[str, object], at_ms: int
) -> tuple[CompanionState, OpenDialog, tuple[Effect, ...]]:
    """Note a dialog as shown; the effects end the one whose place it takes, and its own time."""
    name = string(extras, "param_dialog", "")
    if not name:
        state = replace(state, numbered=state.numbered + 1)
        name = str(state.numbered)
    showing = whole(extras, SHOWING, 1, 1, 1000)
    state, effects = _take_place(state, name, at_ms)
    wait = number(extras, "param_close_after_seconds") or 0.0 if activity == "MockAdActivity" else 0.0
    opened = OpenDialog(name, activity, showing, at_ms or 1, dict(extras), seconds_to_close=max(wait, 0.0))
    state = replace(state, open=(*state.open, opened))
    seconds = whole(extras, "param_timeout_seconds", 0, 0, 86_400)
    if seconds:
        effects = (*effects, Later(float(seconds), Event("timeout", (name, showing))))
    if opened.seconds_to_close:
        effects = (*effects, next_tick(opened))
    return state, opened, effects


def next_tick(opened: OpenDialog) -> Later:
    """The next change of the countdown of an advertisement."""
    step = min(_TICK, opened.seconds_to_close)
    return Later(step, Event("tick", (opened.dialog, opened.showing, opened.seconds_to_close - step)))


def _take_place(state: CompanionState, name: str, at_ms: int) -> Ended:
    """End what has this id already; what waits to come back is only forgotten."""
    before = state.shown(name)
    state = replace(
        state, open=tuple(opened for opened in state.open if opened.dialog != name or opened.shown_at)
    )
    return end(state, before, Ending(CLOSED), at_ms) if before is not None else (state, ())
