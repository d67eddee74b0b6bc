"""The tabs that count: timers and the stopwatch."""

from __future__ import annotations

from collector.virtual.apps.clock.state import ClockState, ClockTimer, clock_time, seconds_of
from collector.virtual.ui import widgets as w
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event

_KEYS = (("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9"), ("00", "0", ""))


def timers_tab(state: ClockState, say: AppTexts) -> w.Widget:
    """The timers, or the digits of a new one."""
    if not state.timers or state.adding:
        return _new_timer(state, say)
    rows = tuple(_timer(timer, say) for timer in state.timers)
    add = w.Button(
        label=say("add_timer"), icon="plus", style="tonal", id="timer_add", align_self="center",
        on_tap=Event("add_timer"),
    )  # fmt: skip
    return w.ScrollList((*rows, w.Column((add,), align="center")), gap=12, padding=16, grow=1, id="timers")


def _timer(timer: ClockTimer, say: AppTexts) -> w.Widget:
    over = timer.left <= 0
    label = timer.label or clock_time(timer.seconds)
    left = w.Text(
        text=clock_time(timer.left), size=44, color="error" if over else "text", align="center",
        id="timer_time_text",
    )  # fmt: skip
    switch = w.Button(
        label=say("pause" if timer.running else "start"), id="play_pause", grow=1,
        on_tap=Event("pause_timer", timer.id, not timer.running),
    )  # fmt: skip
    reset = w.Button(
        label=say("reset"), style="tonal", id="reset", grow=1, on_tap=Event("reset_timer", timer.id)
    )
    close = w.IconButton(
        icon="close", id="close", description=say("delete"), on_tap=Event("delete_timer", timer.id)
    )
    return w.Column(
        (
            w.Row((w.Text(text=label, size=14, color="text_2", grow=1, id="timer_label"), close)),
            left,
            w.Row((reset, switch), gap=12),
        ),
        gap=8,
        padding=16,
        radius=20,
        background="surface_container",
        key=str(timer.id),
        id="timer",
    )


def _new_timer(state: ClockState, say: AppTexts) -> w.Widget:
    digits = state.typed.zfill(6)
    shown = w.Text(
        text=f"{digits[:2]}h {digits[2:4]}m {digits[4:]}s", size=40, align="center",
        color="text" if state.typed else "text_2", id="timer_setup_time",
    )  # fmt: skip
    rows = tuple(w.Row(tuple(_key(key, say) for key in line), gap=14, arrange="center") for line in _KEYS)
    start = w.Button(
        label=say("start"), icon="play", id="fab", align_self="center", enabled=seconds_of(state.typed) > 0,
        on_tap=Event("start_timer"),
    )  # fmt: skip
    body = w.Column((shown, *rows, start), gap=14, padding=(16, 20, 16, 20), id="timer_setup")
    return w.Scroll(child=body, grow=1)


def _key(key: str, say: AppTexts) -> w.Widget:
    if not key:
        return w.Row(
            (w.Icon(name="backspace", size=24, class_name="-"),),
            width=76, height=60, radius=30, arrange="center", id="timer_setup_delete",
            description=say("delete"), class_name="android.widget.ImageButton", on_tap=Event("erase"),
        )  # fmt: skip
    return w.Button(
        label=key,
        style="tonal",
        width=76,
        height=60,
        id=f"timer_setup_digit_{key}",
        on_tap=Event("digit", key),
    )


def stopwatch_tab(state: ClockState, say: AppTexts) -> w.Widget:
    """The time that passed, its laps, and the buttons."""
    time = w.Text(text=clock_time(state.elapsed), size=64, align="center", id="stopwatch_time_text")
    switch = w.Button(
        label=say("pause" if state.measuring else "start"), id="fab", grow=1,
        on_tap=Event("measure", not state.measuring),
    )  # fmt: skip
    second = w.Button(
        label=say("lap" if state.measuring else "reset"), style="tonal", id="left_button", grow=1,
        enabled=state.measuring or state.elapsed > 0,
        on_tap=Event("lap" if state.measuring else "reset_stopwatch"),
    )  # fmt: skip
    before = (0, *state.laps)
    laps = tuple(
        w.Row(
            (
                w.Text(text=f"# {number + 1}", size=15, color="text_2", grow=1, id="lap_number"),
                w.Text(text=clock_time(lap - before[number]), size=15, id="lap_time"),
                w.Text(text=clock_time(lap), size=15, color="text_2", id="lap_total"),
            ),
            gap=24,
            padding=(24, 10),
            key=str(number),
        )
        for number, lap in reversed(list(enumerate(state.laps)))
    )
    return w.Column(
        (
            time,
            w.ScrollList(laps, grow=1, id="laps_list"),
            w.Row((second, switch), gap=16, padding=(24, 0)),
        ),
        gap=16,
        padding=(0, 48, 0, 24),
        grow=1,
    )
