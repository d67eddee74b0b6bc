"""Event handlers of the companion app: dialogs begin and end, progress advances, a redirect leads on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from collector.model.companion.activities import ACTIVITIES
from collector.model.companion.contract import BACK, FINISHED, OUTSIDE, SWIPED, TEST_ACTIVITY, TIMEOUT, TOUCH
from collector.virtual.apps.companion import provider, receivers
from collector.virtual.apps.companion.beginnings import begin, next_tick
from collector.virtual.apps.companion.endings import Ended, Ending, end, returned
from collector.virtual.apps.companion.extras import flag, whole
from collector.virtual.apps.companion.state import PACKAGE, CompanionState, OpenDialog
from collector.virtual.apps.handlers import Handlers
from collector.virtual.ui.app import CALLED, INTENT_DATA, RECEIVED, STARTED, ComponentCall
from collector.virtual.ui.effects import Change, Component, Finish, Intent, Later, StartActivity, WriteLog
from collector.virtual.ui.events import Event, Trace
from collector.virtual.ui.extras import integer

UpdateResult = CompanionState | Change[CompanionState]
_handlers: Handlers[CompanionState] = Handlers()
_on, update = _handlers.on, _handlers.update

_NEW_TASK = 0x10000000
_STEP = 1.5
"""Seconds between two progress steps. A dump needs one second without a change."""


def _result(ended: Ended) -> UpdateResult:
    state, effects = ended
    return Change(state, effects) if effects else state


# ---- beginnings ------------------------------------------------------------------------------


@_on(STARTED)
def _started(state: CompanionState, event: Event) -> UpdateResult:
    activity = str(event.key).removeprefix(".")
    if activity == TEST_ACTIVITY:
        return replace(state, test_is_white=False, test_is_touched=False)
    if activity not in ACTIVITIES:
        return state
    given = event.value if isinstance(event.value, Mapping) else {}
    extras = {key: value for key, value in given.items() if key != INTENT_DATA}
    state, _one, effects = begin(state, activity, extras, event.at_ms)
    if activity == "ProgressActivity":
        seconds = max(0, integer(extras, "param_duration_seconds"))
        state = replace(state, run=state.run + 1, seconds=seconds, percent=0)
        effects = (*effects, _next_step(state)) if seconds else effects
    elif activity == "LoginActivity":
        state = replace(state, username="", password="")
    elif activity == "RedirectActivity":
        page = Component(PACKAGE, f"{PACKAGE}.TargetPageActivity")
        # Finish first: Finish closes the top activity.
        led = StartActivity(Intent(component=page, flags=_NEW_TASK))
        effects = (*effects, WriteLog(activity, f"to {page.short}"), Finish(f".{activity}"), led)
    return _result((state, effects))


@_on("test_touch")
def _test_touch(state: CompanionState, event: Event) -> UpdateResult:
    """Each finger that comes down changes the test screen, and its way until it is lifted does not."""
    assert isinstance(event.value, Trace)
    touched = event.value.at is not None
    comes_down = touched and not state.test_is_touched
    return replace(state, test_is_touched=touched, test_is_white=state.test_is_white != comes_down)


@_on(RECEIVED)
def _received(state: CompanionState, event: Event) -> UpdateResult:
    assert isinstance(event.value, ComponentCall)
    return _result(receivers.receive(state, str(event.key).removeprefix("."), event.value, event.at_ms))


@_on(CALLED)
def _called(state: CompanionState, event: Event) -> UpdateResult:
    assert isinstance(event.value, ComponentCall)
    return _result(provider.answer(state, str(event.key), event.value, event.at_ms))


@_on("return")
def _return(state: CompanionState, event: Event) -> UpdateResult:
    waiting = (
        opened
        for opened in state.open
        if (opened.dialog, opened.showing, opened.shown_at) == (*_key(event), 0)
    )
    opened = next(waiting, None)
    return Change(state, (returned(opened),)) if opened is not None else state


# ---- endings ---------------------------------------------------------------------------------


def _key(event: Event) -> tuple[object, ...]:
    return event.key if isinstance(event.key, tuple) else (event.key,)


def _ended(state: CompanionState, event: Event, opened: OpenDialog | None, ending: Ending) -> UpdateResult:
    if opened is None:  # its process ended meanwhile: only the page is left
        return Change(state, (Finish(),))
    return _result(end(state, opened, ending, event.at_ms))


@_on("answer")
def _answer(state: CompanionState, event: Event) -> UpdateResult:
    dialog, answer = _key(event)
    opened = state.shown(str(dialog))
    buttons = ACTIVITIES[opened.activity].buttons if opened is not None else ()
    button = next((button for button in buttons if button.answer == answer), None)
    return _ended(state, event, opened, Ending(TOUCH, button, _value(state, opened)))


def _value(state: CompanionState, opened: OpenDialog | None) -> str:
    """What the person gave: stars, or which fields of the sign-in form have a text."""
    if opened is None or opened.activity == "RatingActivity":
        return str(opened.stars) if opened is not None and opened.stars else ""
    if opened.activity != "LoginActivity":
        return ""
    typed = {"username": state.username, "password": state.password}
    return ",".join(name for name, text in typed.items() if text)


@_on("back")
def _back(state: CompanionState, event: Event) -> UpdateResult:
    opened = state.shown(str(event.key))
    return _ended(state, event, opened, Ending(BACK, None, _chosen(opened)))


@_on("outside")
def _outside(state: CompanionState, event: Event) -> UpdateResult:
    opened = state.shown(str(event.key))
    return _ended(state, event, opened, Ending(OUTSIDE, None, _chosen(opened)))


def _chosen(opened: OpenDialog | None) -> str:
    """The stars that were chosen so far."""
    return str(opened.stars) if opened is not None and opened.stars else ""


@_on("swiped")
def _swiped(state: CompanionState, event: Event) -> UpdateResult:
    opened = state.shown(str(event.key))
    return _result(end(state, opened, Ending(SWIPED), event.at_ms)) if opened is not None else state


@_on("timeout")
def _timeout(state: CompanionState, event: Event) -> UpdateResult:
    dialog, showing = _key(event)
    opened = state.shown(str(dialog))
    if opened is None or opened.showing != showing:
        return state
    return _result(end(state, opened, Ending(TIMEOUT, None, _chosen(opened)), event.at_ms))


# ---- while a dialog is open ------------------------------------------------------------------


@_on("stars")
def _stars(state: CompanionState, event: Event) -> UpdateResult:
    dialog, stars = _key(event)
    opened = state.shown(str(dialog))
    return _replaced(state, opened, replace(opened, stars=int(str(stars)))) if opened is not None else state


@_on("tick")
def _tick(state: CompanionState, event: Event) -> UpdateResult:
    dialog, showing, left = _key(event)
    opened = state.shown(str(dialog))
    if opened is None or opened.showing != showing:
        return state
    after = replace(opened, seconds_to_close=float(str(left)))
    changed = _replaced(state, opened, after)
    return Change(changed, (next_tick(after),)) if after.seconds_to_close > 0 else changed


def _replaced(state: CompanionState, before: OpenDialog, after: OpenDialog) -> CompanionState:
    return replace(state, open=tuple(after if opened is before else opened for opened in state.open))


def _next_step(state: CompanionState) -> Later:
    steps = max(1, math.ceil(state.seconds / _STEP))
    done = round(state.percent * steps / 100) + 1
    return Later(state.seconds / steps, Event("step", (state.run, round(100 * done / steps))))


@_on("step")
def _step(state: CompanionState, event: Event) -> UpdateResult:
    run, percent = _key(event)
    if run != state.run:
        return state
    opened = next((opened for opened in state.open if opened.activity == "ProgressActivity"), None)
    extras = opened.extras if opened is not None else {}
    hangs_at = whole(extras, "param_hangs_at", 101, 0, 101)
    moved = replace(state, percent=min(int(str(percent)), 100, hangs_at))
    if moved.percent == hangs_at:
        return moved
    if not moved.done:
        return Change(moved, (_next_step(moved),))
    if opened is not None and flag(extras, "param_ends", False):
        return _result(end(moved, opened, Ending(FINISHED), event.at_ms))
    return moved


@_on("username")
def _username(state: CompanionState, event: Event) -> UpdateResult:
    return replace(state, username=str(event.value or ""))


@_on("password")
def _password(state: CompanionState, event: Event) -> UpdateResult:
    return replace(state, password=str(event.value or ""))
