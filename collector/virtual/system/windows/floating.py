"""The room of dialogs and sheets on a screen, also of a low one."""

from __future__ import annotations

from dataclasses import replace

from collector.model.geometry import Rect
from collector.virtual.system.windows.prompt_views import PromptView
from collector.virtual.ui import widgets as w
from collector.virtual.ui.look import Look

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


def scrolling(shown: PromptView) -> w.Widget:
    """A prompt's card that scrolls when the screen is too low for it."""
    return w.Scroll(child=replace(shown.widget, border="outline@0.6"))
