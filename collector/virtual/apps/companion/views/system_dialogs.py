"""Dialogs that look like those of the system: permission, crash, not responding, battery, storage."""

from __future__ import annotations

from dataclasses import replace

from collector.virtual.apps.companion.extras import colour
from collector.virtual.apps.companion.views.frame import ButtonStyle, Frame
from collector.virtual.ui import widgets as w

_SIGNS = {
    "PermissionActivity": "pin",
    "BatteryWarningActivity": "battery",
    "StorageWarningActivity": "folder",
}


def permission(frame: Frame) -> w.Screen:
    """A question for a permission: a sign, the question, and three buttons below each other."""
    sign = w.Row((_sign(frame),), arrange="center", margin=(0, 0, 0, 12))
    title = w.Text(text=frame.title, size=18, align="center", id=frame.contract.views[0])
    first: ButtonStyle = "filled" if colour(frame.extras, "param_button_color") else "tonal"
    buttons = frame.button("accept", first), frame.button("manage", "tonal"), frame.button("deny", "tonal")
    return frame.card(sign, title, *_said(frame), frame.stacked(*buttons))


def error(frame: Frame) -> w.Screen:
    """An app that crashed or does not respond: its name, and what to do as a list."""
    icons = {"accept": "close", "deny": "clock"}
    if frame.activity == "CrashActivity":
        icons = {"accept": "enter", "deny": "close"}
    rows = tuple(_choice(frame, answer, icons[answer]) for answer in ("accept", "deny"))
    return frame.card(frame.titled(18), *_said(frame), w.Column(rows, margin=(0, 12, 0, 0)))


def _choice(frame: Frame, answer: str, icon: str) -> w.Widget:
    """A row of the list: a sign, and what it does."""
    words = w.Text(text=frame.label(answer), size=15, color="primary", grow=1, class_name="-")
    return w.Row(
        (w.Icon(name=icon, size=20, color="primary", class_name="-"), words),
        gap=16,
        padding=(0, 13),
        id=frame.button_of(answer).view,
        class_name="android.widget.Button",
        on_tap=frame.answer(answer),
    )


def warning(frame: Frame) -> w.Screen:
    """A warning of the battery or the storage."""
    head = w.Row((_sign(frame), replace(frame.titled(18), grow=1.0)), gap=14)
    buttons = frame.button("deny", "text"), frame.button("accept", "filled")
    return frame.card(head, frame.messaged(), frame.side_by_side(*buttons))


def _sign(frame: Frame) -> w.Widget:
    return w.Icon(name=_SIGNS[frame.activity], size=26, color="primary", class_name="-")


def _said(frame: Frame) -> tuple[w.Widget, ...]:
    """The message, when there is one."""
    return (frame.messaged(),) if frame.message else ()
