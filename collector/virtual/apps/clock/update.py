"""Event handlers of the clock."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, cast

from collector.virtual.apps.clock.state import ClockAlarm, ClockState, ClockTimer, clock_time, seconds_of
from collector.virtual.apps.handlers import Handlers, page_of, words_of
from collector.virtual.ui.app import STARTED
from collector.virtual.ui.effects import (
    AtTime,
    Change,
    Effect,
    Finish,
    Focus,
    Later,
    Notify,
    ShowSnackbar,
    ShowToast,
)
from collector.virtual.ui.events import Event

PACKAGE = "com.android.deskclock"
MAIN, EDIT, RING, INTENTS, TIMERS = (
    ".DeskClock", ".AlarmEditActivity", ".alarms.AlarmActivity", ".HandleApiCalls", ".ShowTimersActivity",
)  # fmt: skip
_EXTRA = "android.intent.extra.alarm."
_SNOOZE_MINUTES = 10
_LONGEST = 24 * 3600
UpdateResult = ClockState | Change[ClockState]
_handlers: Handlers[ClockState] = Handlers()
_on, update = _handlers.on, _handlers.update
_page = partial(page_of, PACKAGE)
_say = partial(words_of, "clock")


def _ring_at(alarm: ClockAlarm) -> AtTime:
    return AtTime(alarm.hour, alarm.minute, Event("ring", (alarm.id, alarm.time)))


def _ordered(*alarms: ClockAlarm) -> tuple[ClockAlarm, ...]:
    return tuple(sorted(alarms, key=lambda alarm: (alarm.hour, alarm.minute)))


@_on(STARTED)
def _started(state: ClockState, event: Event) -> UpdateResult:
    """An intent of another app sets an alarm or a timer: ``SET_ALARM``, ``SET_TIMER``, ``SHOW_TIMERS``."""
    given = cast("dict[str, Any]", event.value or {})
    if event.key == TIMERS:
        return Change(replace(state, tab="timers"), (Finish(), _page(MAIN)))
    if event.key != INTENTS:
        return state
    shows = () if str(given.get(f"{_EXTRA}SKIP_UI", "")).lower() == "true" else (_page(MAIN),)
    label = str(given.get(f"{_EXTRA}MESSAGE", ""))
    if f"{_EXTRA}LENGTH" in given:
        return _timer_from_intent(state, _number(given[f"{_EXTRA}LENGTH"]), label, shows)
    hour, minute = (_number(given.get(f"{_EXTRA}{name}", 0)) for name in ("HOUR", "MINUTES"))
    if f"{_EXTRA}HOUR" not in given or not (0 <= hour < 24 and 0 <= minute < 60):
        return Change(replace(state, tab="alarms"), (Finish(), _page(MAIN)))
    alarm = ClockAlarm(state.next_id, hour, minute, label=label)
    told = ShowToast(_say(state, "set_for", time=alarm.time))
    changed = replace(state, alarms=_ordered(*state.alarms, alarm), tab="alarms")
    return Change(changed, (Finish(), *shows, _ring_at(alarm), told))


def _timer_from_intent(
    state: ClockState, seconds: int, label: str, shows: tuple[Effect, ...]
) -> UpdateResult:
    if not 0 < seconds <= _LONGEST:
        return Change(replace(state, tab="timers"), (Finish(), _page(MAIN)))
    timer = ClockTimer(state.next_id, seconds, seconds, label=label)
    changed = replace(state, timers=(*state.timers, timer), tab="timers")
    return _ticking(changed, Finish(), *shows)


def _number(value: object) -> int:
    text = str(value)
    return int(text) if text.lstrip("-").isdecimal() else -1


@_on("tab")
def _tab(state: ClockState, event: Event) -> UpdateResult:
    return replace(state, tab=str(event.key), adding=False)


# ---- alarms ---------------------------------------------------------------------------------------


@_on("switch")
def _switch(state: ClockState, event: Event) -> UpdateResult:
    changed = state.with_alarm(event.key, enabled=bool(event.value))
    alarm = changed.alarm(event.key)
    if alarm is None or not alarm.enabled:
        return changed
    return Change(changed, (_ring_at(alarm), ShowSnackbar(_say(state, "set_for", time=alarm.time))))


@_on("new_alarm")
def _new_alarm(state: ClockState, event: Event) -> UpdateResult:
    hour, minute = map(int, str(event.key).split(":"))
    return Change(replace(state, draft=ClockAlarm(0, hour, minute)), (_page(EDIT),))


@_on("edit_alarm")
def _edit_alarm(state: ClockState, event: Event) -> UpdateResult:
    return Change(replace(state, draft=state.alarm(event.key)), (_page(EDIT),))


@_on("turn")
def _turn(state: ClockState, event: Event) -> UpdateResult:
    """Move the hour or the minute of the draft: ``key`` is (field, step)."""
    if state.draft is None:
        return state
    field, step = cast("tuple[str, int]", event.key)
    value = (state.draft.hour + step) % 24 if field == "hour" else (state.draft.minute + step) % 60
    changed: dict[str, Any] = {field: value}
    return replace(state, draft=replace(state.draft, **changed))


@_on("day")
def _day(state: ClockState, event: Event) -> UpdateResult:
    if state.draft is None:
        return state
    days = {*state.draft.days} ^ {cast("int", event.key)}
    return replace(state, draft=replace(state.draft, days=tuple(sorted(days))))


@_on("label")
def _label(state: ClockState, event: Event) -> UpdateResult:
    if state.draft is None:
        return state
    return replace(state, draft=replace(state.draft, label=str(event.value or "")))


@_on("save_alarm")
def _save_alarm(state: ClockState, event: Event) -> UpdateResult:
    if state.draft is None:
        return state
    saved = replace(state.draft, id=state.draft.id or state.next_id, enabled=True)
    others = tuple(alarm for alarm in state.alarms if alarm.id != saved.id)
    ordered = _ordered(*others, saved)
    told = ShowSnackbar(_say(state, "set_for", time=saved.time))
    return Change(replace(state, alarms=ordered, draft=None), (Focus(), Finish(), _ring_at(saved), told))


@_on("delete_alarm")
def _delete_alarm(state: ClockState, event: Event) -> UpdateResult:
    number = state.draft.id if state.draft is not None else 0
    left = tuple(alarm for alarm in state.alarms if alarm.id != number)
    note = ShowSnackbar(_say(state, "deleted"))
    return Change(replace(state, alarms=left, draft=None), (Focus(), Finish(), note))


@_on("ring")
def _ring(state: ClockState, event: Event) -> UpdateResult:
    """An alarm rings, if it still stands as it did when this was asked for."""
    number, time = cast("tuple[int, str]", event.key)
    alarm = state.alarm(number)
    if alarm is None or not alarm.enabled or alarm.time != time:
        return state
    changed = replace(state, ringing=number)
    if not alarm.days:
        changed = changed.with_alarm(number, enabled=False)
    again = (_ring_at(alarm),) if alarm.days else ()
    title = alarm.label or _say(state, "alarm")
    return Change(changed, (Notify(title, alarm.time), _page(RING), *again))


@_on("stop")
def _stop(state: ClockState, event: Event) -> UpdateResult:
    return Change(replace(state, ringing=0), (Finish(),))


@_on("snooze")
def _snooze(state: ClockState, event: Event) -> UpdateResult:
    alarm = state.alarm(state.ringing)
    told = ShowToast(_say(state, "snoozed", minutes=_SNOOZE_MINUTES))
    again = Later(60.0 * _SNOOZE_MINUTES, Event("ring_again", state.ringing))
    effects = (Finish(), told, again) if alarm is not None else (Finish(),)
    return Change(replace(state, ringing=0), effects)


@_on("ring_again")
def _ring_again(state: ClockState, event: Event) -> UpdateResult:
    if state.alarm(event.key) is None:
        return state
    return Change(replace(state, ringing=cast("int", event.key)), (_page(RING),))


# ---- timers and stopwatch -------------------------------------------------------------------------


def _ticking(state: ClockState, *effects: Effect) -> UpdateResult:
    """Ask for the next second when something counts and nobody asked yet."""
    if state.needs_ticks and not state.ticking:
        return Change(replace(state, ticking=True), (*effects, Later(1.0, Event("tick"))))
    return Change(state, effects)


@_on("tick")
def _tick(state: ClockState, event: Event) -> UpdateResult:
    over = [timer for timer in state.timers if timer.running and timer.left == 1]
    timers = tuple(replace(timer, left=timer.left - 1) if timer.running else timer for timer in state.timers)
    elapsed = state.elapsed + state.measuring
    changed = replace(state, timers=timers, elapsed=elapsed, ticking=False)
    told = [Notify(_say(state, "time_up"), timer.label or clock_time(timer.seconds)) for timer in over]
    return _ticking(changed, *told)


@_on("digit")
def _digit(state: ClockState, event: Event) -> UpdateResult:
    typed = (state.typed + str(event.key)).lstrip("0")
    return replace(state, typed=typed) if len(typed) <= 6 else state


@_on("erase")
def _erase(state: ClockState, event: Event) -> UpdateResult:
    return replace(state, typed=state.typed[:-1])


@_on("start_timer")
def _start_timer(state: ClockState, event: Event) -> UpdateResult:
    seconds = seconds_of(state.typed)
    if not seconds:
        return state
    timer = ClockTimer(state.next_id, seconds, seconds)
    return _ticking(replace(state, timers=(*state.timers, timer), typed="", adding=False))


@_on("add_timer")
def _add_timer(state: ClockState, event: Event) -> UpdateResult:
    return replace(state, adding=True, typed="")


@_on("pause_timer")
def _pause_timer(state: ClockState, event: Event) -> UpdateResult:
    return _ticking(state.with_timer(event.key, running=bool(event.value)))


@_on("reset_timer")
def _reset_timer(state: ClockState, event: Event) -> UpdateResult:
    timer = next((timer for timer in state.timers if timer.id == event.key), None)
    return state.with_timer(event.key, left=timer.seconds, running=False) if timer is not None else state


@_on("delete_timer")
def _delete_timer(state: ClockState, event: Event) -> UpdateResult:
    return replace(state, timers=tuple(timer for timer in state.timers if timer.id != event.key))


@_on("measure")
def _measure(state: ClockState, event: Event) -> UpdateResult:
    return _ticking(replace(state, measuring=bool(event.key)))


@_on("lap")
def _lap(state: ClockState, event: Event) -> UpdateResult:
    return replace(state, laps=(*state.laps, state.elapsed))


@_on("reset_stopwatch")
def _reset_stopwatch(state: ClockState, event: Event) -> UpdateResult:
    return replace(state, measuring=False, elapsed=0, laps=())
