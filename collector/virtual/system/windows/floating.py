"""The room of dialogs and sheets on a screen, also of a low one."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from collector.model.geometry import Rect
from collector.virtual.system.windows.prompt_views import PromptView
from collector.virtual.ui import widgets as w
from collector.virtual.ui.look import Look
from collector.virtual.ui.window_style import WindowStyle

LOW = 160
"""Height in dp below which a dialog needs all of it, beside a keyboard of a phone on its side."""


def dialog_room(room: Rect, look: Look) -> Rect:
    """The largest centred area for a dialog."""
    margin = max(look.px(28), (room.width - look.px(400)) // 2)
    above = min(look.px(20), room.height // 4) if room.height >= look.px(LOW) else look.px(4)
    return Rect(room.left + margin, room.top + above, room.right - margin, room.bottom - above)


def sheet_room(room: Rect, look: Look) -> Rect:
    """The largest area for a sheet that rises from the bottom."""
    margin = max(0, (room.width - look.px(640)) // 2)
    return Rect(room.left + margin, room.top, room.right - margin, room.bottom)


def styled_look(look: Look, style: WindowStyle) -> Look:
    """The look of a window with a style of its own."""
    theme = look.theme
    if style.dark is not None and style.dark != theme.dark:
        theme = theme.to_dark() if style.dark else theme.to_light()
    theme = theme.with_colours(style.colours)
    mirrored = look.mirrored if style.mirrored is None else style.mirrored
    return replace(
        look, theme=theme, font_scale=style.font_scale or look.font_scale,
        language=style.language or look.language, appearance=replace(look.appearance, mirrored=mirrored),
    )  # fmt: skip


At = Literal["top", "center", "bottom"]
_AT: dict[str, At] = {"start": "top", "center": "center", "end": "bottom"}


def styled_room(room: Rect, look: Look, style: WindowStyle) -> tuple[Rect, At]:
    """The area of a floating window, and where in it the window stands, which is as tall as needed.

    Offsets move the area, and never out of ``room``: a window stays on the screen.
    """
    inner = dialog_room(room, look)
    if style.across != "center" or style.down != "center":
        inner = Rect(room.left + look.px(12), room.top, room.right - look.px(12), room.bottom - look.px(12))
    wide = inner.width
    if style.width is not None:
        wide = min(max(look.px(style.width), look.px(120)), room.width)
    elif style.across != "center":
        wide = min(wide, look.px(240))
    else:
        wide = min(wide, look.px(400))
    slack = inner.width - wide
    left = inner.left + {"start": 0, "center": slack // 2, "end": slack}[style.across]
    left = min(max(left + look.px(style.offset[0]), room.left), room.right - wide)
    down = look.px(style.offset[1])
    if style.down == "start":
        top, bottom = min(max(inner.top + down, room.top), room.bottom - look.px(160)), inner.bottom
    elif style.down == "end":
        top, bottom = inner.top, max(min(inner.bottom + down, room.bottom), room.top + look.px(160))
    else:
        top, bottom = _centred(inner, room, down, look)
    return Rect(left, top, left + wide, bottom), _AT[style.down]


def _centred(inner: Rect, room: Rect, down: int, look: Look) -> tuple[int, int]:
    """Top and bottom of an area whose middle is moved by ``down`` px."""
    half = inner.height // 2
    middle = min(max(inner.top + half + down, room.top + look.px(80)), room.bottom - look.px(80))
    half = min(half, middle - room.top, room.bottom - middle)
    return middle - half, middle + half


def scrolling(shown: PromptView) -> w.Widget:
    """A prompt's card that scrolls when the screen is too low for it."""
    return w.Scroll(child=replace(shown.widget, border="outline@0.6"))
