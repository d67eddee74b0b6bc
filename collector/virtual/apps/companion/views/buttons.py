"""Dialogs of a title, a message and up to three buttons side by side."""

from __future__ import annotations

from collector.virtual.apps.companion.extras import flag
from collector.virtual.apps.companion.views.frame import Frame
from collector.virtual.ui import widgets as w


def one_button(frame: Frame) -> w.Screen:
    """A dialog with a single button."""
    return frame.card(frame.titled(), frame.messaged(), frame.side_by_side(frame.button("accept", "filled")))


def two_buttons(frame: Frame) -> w.Screen:
    """A dialog with two buttons."""
    buttons = frame.button("deny"), frame.button("accept", "filled")
    return frame.card(frame.titled(), frame.messaged(), frame.side_by_side(*buttons))


def three_buttons(frame: Frame) -> w.Screen:
    """A cookie dialog with three buttons: manage, reject all, accept all."""
    buttons = frame.button("manage"), frame.button("deny"), frame.button("accept", "filled")
    return frame.card(frame.titled(), frame.messaged(), frame.side_by_side(*buttons))


def update(frame: Frame) -> w.Screen:
    """An update of an app; a forced one cannot be put off."""
    return one_button(frame) if flag(frame.extras, "param_forced", False) else two_buttons(frame)
