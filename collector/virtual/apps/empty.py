"""What several apps show where there is nothing to list."""

from __future__ import annotations

from collector.virtual.ui import widgets as w


def empty(icon: str, title: str, text: str, *, top: float = 110.0) -> w.Widget:
    """An icon, what is missing and what to do about it, ``top`` dp below the edge."""
    return w.Column(
        (
            w.Icon(name=icon, size=44, color="text_2", align_self="center"),
            w.Text(text=title, size=18, align="center", id="empty_title"),
            w.Text(text=text, size=14, color="text_2", align="center", id="empty_text"),
        ),
        gap=12,
        padding=(32, top, 32, 0),
        grow=1,
        id="empty",
    )
