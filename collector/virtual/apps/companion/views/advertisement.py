"""An advertisement: a card with a picture, or a whole screen, and a close mark that may come late."""

from __future__ import annotations

import math
from dataclasses import replace

from collector.virtual.apps.companion.extras import flag, whole
from collector.virtual.apps.companion.views.frame import Frame
from collector.virtual.ui import widgets as w
from collector.virtual.ui.extras import string


def advertisement(frame: Frame) -> w.Screen:
    """A picture with a close mark in its corner; without parameters of ours it is D-GARA's."""
    if flag(frame.extras, "param_full_screen", False):
        return _full(replace(frame, full=True))
    below = _at_bottom(frame)
    edge = w.Row(_corner(frame), arrange="start" if _is_left(frame) else "end")
    # No taller than the free height in landscape.
    height = min(320.0, frame.context.height - (160 if not frame.has_title else 260))
    parts = [_picture(frame, height), *_words(frame)]
    parts = [*parts, edge] if below else [edge, *parts]
    card = w.Column(
        tuple(parts), id="adCard", class_name="androidx.cardview.widget.CardView", padding=(8, 8, 8, 16)
    )
    return frame.screen(card)


def _full(frame: Frame) -> w.Screen:
    column = w.Column(
        (replace(_picture(frame, None), grow=1.0), *_words(frame), w.Spacer(height=24)),
        id="adCard",
        class_name="androidx.cardview.widget.CardView",
        width=w.FILL,
        height=w.FILL,
    )
    edge = w.Row(_corner(frame), padding=12, key="corner")
    across: w.Align = "start" if _is_left(frame) else "end"
    down: w.Align = "end" if _at_bottom(frame) else "start"
    return frame.screen(w.Stack((column, edge), at=(across, down), width=w.FILL, height=w.FILL, grow=1))


def _picture(frame: Frame, height: float | None) -> w.Widget:
    return w.Image(picture="alps", id="adImage", description=frame.say("app"), height=height)


def _words(frame: Frame) -> tuple[w.Widget, ...]:
    """Title, message and button, as far as it has them."""
    parts: list[w.Widget] = []
    title, message = frame.contract.views[:2]
    if frame.full or "param_title" in frame.extras:
        parts.append(
            w.Text(text=frame.title, size=22, bold=True, align="center", id=title, margin=(16, 16, 16, 0))
        )
    if frame.full or "param_message" in frame.extras:
        words = w.Text(text=frame.message, size=14, color="text_2", align="center", id=message)
        parts.append(replace(words, margin=(16, 8, 16, 0)))
    if frame.full or frame.button_of("accept").text in frame.extras:
        parts.append(replace(frame.button("accept", "filled"), margin=(16, 16, 16, 8)))
    return tuple(parts)


def _corner(frame: Frame) -> tuple[w.Widget, ...]:
    """The close mark, or how long it is until it comes."""
    if frame.opened.seconds_to_close > 0:
        left = frame.say("ad_wait", seconds=math.ceil(frame.opened.seconds_to_close))
        words = w.Text(text=left, size=13, color="text_2", id="ad_countdown")
        return (w.Row((words,), padding=(12, 6), radius=16, background="surface_container", key="wait"),)
    side = float(whole(frame.extras, "param_close_size", 40, 12, 96))
    mark = w.IconButton(
        icon="close",
        description=string(frame.extras, frame.button_of("deny").text, frame.say("close")),
        id="btnClose",
        on_tap=frame.answer("deny"),
        width=side,
        height=side,
        radius=side / 2,
        background="surface_container" if frame.full else None,
    )
    return (mark,)


def _is_left(frame: Frame) -> bool:
    return "left" in string(frame.extras, "param_close_position", "")


def _at_bottom(frame: Frame) -> bool:
    return "bottom" in string(frame.extras, "param_close_position", "")
