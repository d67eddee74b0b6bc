"""The status bar: time and notifications at the left, phone state at the right."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.phrases import say
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Battery

_MAX_ICONS = 4
"""Most icons of notifications; a dot stands for the rest."""
_HOT = 3
"""Thermal status from which a warning icon is shown: SEVERE."""
_LOW = 15


@dataclass(frozen=True, slots=True)
class StatusBarState:
    """The content of the status bar."""

    now: dt.datetime
    battery: Battery
    posted: tuple[str, ...]
    """Icons of the notifications, the oldest first."""
    state: tuple[tuple[str, str], ...]
    """Icons at the right with their descriptions, from left to right."""
    language: str


def signs(state: SystemState) -> StatusBarState:
    """The status bar's content for the current state."""
    now = state.clock.now.replace(second=0, microsecond=0)
    posted = tuple(dict.fromkeys(notification.sign for notification in state.notifications))
    return StatusBarState(now, state.battery, posted, tuple(_phone(state) + _network(state)), state.language)


def _phone(state: SystemState) -> list[tuple[str, str]]:
    icons = []
    if (state.thermal or 0) >= _HOT:
        icons.append(("thermal", "Phone is hot"))
    if "active" in state.calls.values():
        icons.append(("call", "Call in progress"))
    if state.settings.get("global", "zen_mode") not in (None, "0"):
        icons.append(("do_not_disturb", "Do Not Disturb"))
    if state.settings.get("secure", "location_mode") in (None, "0"):
        icons.append(("location_off", "Location off"))
    return icons


def _network(state: SystemState) -> list[tuple[str, str]]:
    icons = []
    wifi, data = state.settings.is_on("global", "wifi_on"), state.settings.is_on("global", "mobile_data")
    if state.airplane:
        icons.append(("airplane", "Airplane mode"))
    if wifi:
        icons.append(("status_wifi", "Wi-Fi"))
    if not state.airplane:
        icons.append(("status_signal", "Mobile network") if data else ("status_no_data", "Mobile data off"))
    return icons


_SIZES = {"status_wifi": 14.0, "status_signal": 13.0, "status_no_data": 14.0}
_FILLED = frozenset({"airplane", "status_wifi", "status_signal"})


def status_bar(shown: StatusBarState, ink: str) -> w.Widget:
    """The bar's content, drawn in one colour."""
    clock = w.Text(text=f"{shown.now:%H:%M}", size=13, color=ink, id="clock")
    posted = [
        w.Icon(name=name, size=14, color=ink, key=f"posted {name}", class_name="-")
        for name in shown.posted[:_MAX_ICONS]
    ]
    rest: list[w.Widget] = []
    if len(shown.posted) > _MAX_ICONS:
        rest.append(w.Spacer(width=4, height=4, radius=2, background=ink))
    state = [
        w.Icon(
            name=name,
            size=_SIZES.get(name, 15.0),
            color=ink,
            filled=name in _FILLED,
            description=say(label, shown.language),
        )
        for name, label in shown.state
    ]
    parts = (clock, *posted, *rest, w.Spacer(grow=1), *state, _battery(shown, ink))
    return w.Row(parts, gap=7, padding=(18, 0, 14, 0))


def _battery(shown: StatusBarState, ink: str) -> w.Widget:
    battery = shown.battery
    color = "#E8A200" if battery.saver else "#D93025" if battery.level <= _LOW else ink
    if battery.charging:
        color = "#2E9E4F"
    room = 15.0
    level = w.Spacer(width=max(1.0, room * battery.level / 100), height=6.0, background=color, radius=1)
    description = "Battery {level} percent, charging" if battery.charging else "Battery {level} percent"
    parts: list[w.Widget] = [
        w.Row((level,), width=19, height=10, padding=(2, 2), border=ink, border_width=1.2, radius=3),
        w.Spacer(width=1.6, height=4, background=ink),
    ]
    if battery.charging:
        parts.append(w.Icon(name="bolt", size=11, color=color, filled=True, class_name="-"))
    elif battery.saver:
        parts.append(w.Icon(name="plus", size=10, color=color, class_name="-"))
    return w.Row(
        tuple(parts), gap=0.8, id="battery", description=say(description, shown.language, level=battery.level)
    )
