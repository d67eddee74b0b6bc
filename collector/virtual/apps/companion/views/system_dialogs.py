"""Dialogs that look like those of the system: permission, crash, not responding, battery, storage."""

from __future__ import annotations

from dataclasses import replace

from collector.virtual.apps.companion.views.frame import Frame
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
    buttons = tuple(
        replace(frame.button(answer, "filled"), style="tonal") for answer in ("accept", "manage", "deny")
    )
    return frame.card(sign, title, *_said(frame), frame.stacked(*buttons))


def error(frame: Frame) -> w.Screen:
    """An app that crashed or does not respond: its name, and what to do as a list."""
    icons = {"accept": "close", "deny": "clock"}
    if frame.activity == "CrashActivity":
        icons = {"accept": "enter", "deny": "close"}
    rows = tuple(
        replace(frame.button(answer, "text"), icon=icons[answer], width=w.FILL)
        for answer in ("accept", "deny")
    )
    return frame.card(frame.titled(18), *_said(frame), frame.stacked(*rows))


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
