"""The notification shade and the heads-up notification."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from collector.virtual.apps.dates import long_date
from collector.virtual.system.windows.chrome import FRAME_LAYOUT
from collector.virtual.system.windows.notice import Notification
from collector.virtual.system.windows.phrases import say
from collector.virtual.ui import widgets as w
from collector.virtual.ui.events import Event

_TILES = (
    ("wifi", "Wi-Fi", ("global", "wifi_on"), "0", "1"),
    ("airplane", "Airplane mode", ("global", "airplane_mode_on"), "0", "1"),
    ("battery", "Battery Saver", ("global", "low_power"), "0", "1"),
    ("moon", "Dark theme", ("secure", "ui_night_mode"), "1", "2"),
    ("do_not_disturb", "Do Not Disturb", ("global", "zen_mode"), "0", "1"),
    ("pin", "Location", ("secure", "location_mode"), "0", "3"),
)


def shade(
    now: dt.datetime,
    settings: Mapping[tuple[str, str], str],
    notifications: tuple[tuple[Notification, str], ...],
    language: str,
) -> w.Widget:
    """Quick settings and notifications, each with the name of its app."""
    tiles = tuple(_tile(*tile, settings, language) for tile in _TILES)
    lines = tuple(_line(posted, name, language) for posted, name in reversed(notifications))
    nothing = w.Text(
        text=say("No notifications", language),
        color="text_2",
        align="center",
        padding=20,
        id="no_notifications",
    )
    return w.Column(
        (
            w.Text(text=f"{now:%H:%M}", size=34, id="clock"),
            w.Text(text=long_date(now, language), size=13, color="text_2", id="date"),
            w.Grid(tiles, gap=10, line_gap=10, margin=(0, 16), id="quick_settings_panel"),
            w.ScrollList(lines or (nothing,), gap=8, grow=1, id="notification_stack_scroller"),
        ),
        padding=(18, 40, 18, 30),
        background="surface_container",
        class_name=FRAME_LAYOUT,
        id="notification_panel",
    )


def _tile(
    icon: str,
    name: str,
    key: tuple[str, str],
    off: str,
    on: str,
    settings: Mapping[tuple[str, str], str],
    language: str,
) -> w.Widget:
    label = say(name, language)
    value = settings.get(key, off)
    # Wi-Fi has a third value, off because of airplane mode; these two have several values for on.
    lit = value != "0" if key[1] in ("zen_mode", "location_mode") else value == on
    ink = "on_primary" if lit else "text"
    return w.Row(
        (
            w.Icon(name=icon, size=20, color=ink, class_name="-"),
            w.Text(text=label, size=13, color=ink, max_lines=1, class_name="-"),
        ),
        gap=8,
        height=56,
        padding=(14, 0, 8, 0),
        radius=28,
        background="primary" if lit else "outline@0.5",
        class_name="android.widget.Switch",
        selected=lit,
        description=f"{label}, {say('On' if lit else 'Off', language)}",
        on_tap=Event("shade.toggle", key, off if lit else on),
        key=name,
    )


def _line(posted: Notification, name: str, language: str) -> w.Widget:
    lines: list[w.Widget] = [
        w.Text(text=name, size=11.5, color="text_2", id="app_name_text"),
        w.Text(text=posted.title, size=14.5, bold=True, id="android:id/title", max_lines=1),
        w.Text(text=posted.text, size=13, color="text_2", id="android:id/text", max_lines=3),
    ]
    if posted.notice.actions:
        buttons = tuple(
            w.Button(
                label=say(label, language),
                style="text",
                id=f"android:id/action{number}",
                on_tap=Event("shade.act", posted.number, event),
            )
            for number, (label, event) in enumerate(posted.notice.actions)
        )
        lines.append(w.Row(buttons, gap=4, margin=(-8, 4, 0, -6), id="android:id/actions"))
    return w.Column(
        tuple(lines),
        padding=(18, 12),
        gap=2,
        radius=20,
        background="surface",
        on_tap=Event("shade.open", posted.number),
        key=f"notification{posted.number}",
        class_name=FRAME_LAYOUT,
    )


def heads_up(posted: Notification, name: str, language: str) -> w.Widget:
    """The heads-up notification over the screen."""
    card = _line(posted, name, language)
    return w.Column((card,), class_name=FRAME_LAYOUT, radius=20, border="outline", padding=1)
