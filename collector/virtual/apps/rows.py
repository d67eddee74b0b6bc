"""Rows that the bottom sheets of several apps share."""

from __future__ import annotations

from collector.virtual.ui import widgets as w
from collector.virtual.ui.events import Event


def option_row(event: Event, icon: str, label: str, *, chosen: bool = False) -> w.Widget:
    """A 52 dp row of a sheet: an icon and the label of an action or choice."""
    return w.Row(
        (w.Icon(name=icon, size=22, class_name="-"), w.Text(text=label, size=15, grow=1, id="option_title")),
        gap=18,
        height=52,
        padding=(24, 0),
        key=f"{event.name}-{event.key}",
        id="option",
        selected=chosen,
        on_tap=event,
    )


def choice_row(event: Event, label: str, *, chosen: bool) -> w.Widget:
    """A 52 dp row of a sheet in which one of several values is chosen."""
    return w.Row(
        (w.Radio(checked=chosen, class_name="-"), w.Text(text=label, size=15, grow=1, id="option_title")),
        gap=18,
        height=52,
        padding=(24, 0),
        key=f"{event.name}-{event.key}",
        id="option",
        selected=chosen,
        on_tap=event,
    )
