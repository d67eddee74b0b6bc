"""A progress bar that fills, stays, hangs or ends."""

from __future__ import annotations

from collector.virtual.apps.companion.views.frame import Frame
from collector.virtual.ui import widgets as w
from collector.virtual.ui.extras import integer


def progress(frame: Frame) -> w.Screen:
    """It fills in ``param_duration_seconds`` or stays at ``param_progress``."""
    state, say = frame.state, frame.say
    percent, label, message = integer(frame.extras, "param_progress"), None, None
    if state.seconds:
        percent = state.percent
        message = say("worked") if state.done else say("working", percent=percent)
    if state.done:
        label = say("finish")
    bar = w.Progress(
        value=min(max(percent, 0), 100) / 100, id="dialog_progress_bar", height=6, margin=(0, 20, 0, 0)
    )
    button = frame.button("accept", label=label)
    return frame.card(frame.titled(), frame.messaged(message), bar, frame.side_by_side(button))
