"""A dialog that asks for stars."""

from __future__ import annotations

from collector.virtual.apps.companion.views.frame import Frame
from collector.virtual.ui import widgets as w
from collector.virtual.ui.events import Event

_STARS = 5


def rating(frame: Frame) -> w.Screen:
    """Five stars in a row, and two buttons."""
    stars = w.Row(tuple(_star(frame, number) for number in range(1, _STARS + 1)), arrange="center",
                  margin=(-8, 12, -8, 0))  # fmt: skip
    buttons = frame.button("deny", "text"), frame.button("accept", "filled")
    return frame.card(frame.titled(), frame.messaged(), stars, frame.side_by_side(*buttons))


def _star(frame: Frame, number: int) -> w.Widget:
    is_lit = number <= frame.opened.stars
    return w.IconButton(
        icon="star",
        filled=is_lit,
        color="primary" if is_lit else "text_2",
        description=frame.say("star", number=number),
        id=f"rating_star_{number}",
        on_tap=Event("stars", (frame.opened.dialog, number)),
        width=44,
        height=44,
    )
