"""Widgets the system draws around apps: window decor, toast, dialogs, sheets, recents."""

from __future__ import annotations

from dataclasses import replace

from collector.virtual.system.windows.phrases import say
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import AppIcon
from collector.virtual.ui.drawing.app_marks import app_mark
from collector.virtual.ui.events import Event
from collector.virtual.ui.layout import BARS
from collector.virtual.ui.scene import PART

STATUS_BAR = 28.0
GESTURE_BAR = 24.0
"""Height in dp of the bottom strip where a swipe up goes home."""
FRAME_LAYOUT = "android.widget.FrameLayout"
SYSTEM_UI = "com.android.systemui"


def decor(content: w.Widget, top: float, bottom: float, background: str, bar: str | None = None) -> w.Widget:
    """Wrap content as every Android window does; ``top`` and ``bottom`` dp stay free.

    ``bar`` colours the strip behind the status bar.
    """
    inner = w.Stack((content,), id="android:id/content", height=w.FILL, width=w.FILL)
    root = w.Column(
        (replace(inner, grow=1.0, height=None),),
        id=BARS,
        grow=1,
        class_name="android.widget.LinearLayout",
        padding=(0, top, 0, bottom),
    )
    frame = w.Column((root,), grow=1, class_name=FRAME_LAYOUT)
    column = w.Column((frame,), grow=1)
    if bar is None or not top:
        return w.Column((column,), class_name=FRAME_LAYOUT, background=background)
    strip = w.Column(
        id="android:id/statusBarBackground",
        class_name="android.view.View",
        width=w.FILL,
        height=top,
        background=bar,
    )
    column = replace(column, grow=0.0, width=w.FILL, height=w.FILL)
    return w.Stack((column, strip), background=background)


def offline_banner(language: str) -> w.Widget:
    """The strip that shows that an app is offline."""
    words = w.Text(
        text=say("No internet connection", language), size=13, color="text_2", id="offline_message"
    )
    mark = w.Icon(name="offline", size=16, color="text_2", class_name="-")
    return w.Row(
        (mark, words),
        gap=10,
        padding=(18, 8),
        background="surface_container",
        id="offline_banner",
        key="offline",
    )


def screen_body(screen: w.Screen, snackbar: w.Widget | None, banner: w.Widget | None = None) -> w.Widget:
    """An activity's content with its bars, a banner above it and floating widgets over it."""
    lines: list[w.Widget] = []
    if screen.app_bar is not None:
        lines.append(screen.app_bar)
    if banner is not None:
        lines.append(banner)
    content = screen.content
    lines.append(content if content.grow else replace(content, grow=1.0))
    if screen.bottom_bar is not None:
        lines.append(screen.bottom_bar)
    column = w.Column(
        tuple(lines), width=w.FILL, height=w.FILL, key="screen", class_name="android.view.ViewGroup"
    )
    floating: list[w.Widget] = []
    lift = 104.0 if screen.bottom_bar is not None else 24.0
    if screen.floating is not None:
        floating.append(
            replace(screen.floating, margin=(0, 0, 20, lift), key=screen.floating.key or "floating")
        )
    if snackbar is not None:
        above = 72.0 if screen.floating is not None else 0.0
        floating.append(replace(snackbar, margin=(16, 0, 16, lift + above), width=w.FILL, key="snackbar"))
    # A stack also of the content alone: what is pressed and how far lists are scrolled is known by the path,
    # which must not change when the bar of a message comes or goes.
    part = "" if floating else PART
    return w.Stack((column, *floating), at=("end", "end"), width=w.FILL, height=w.FILL, class_name=part)


def snackbar(text: str, action: str, on_action: Event | None) -> w.Widget:
    """A snackbar: a dark bar with a short message."""
    parts: list[w.Widget] = [w.Text(text=text, size=14, color="#F2F4F5", grow=1, id="snackbar_text")]
    if action:
        parts.append(
            w.Row(
                (w.Text(text=action, size=14, color="#8FD3E2", class_name="-"),),
                id="snackbar_action",
                class_name="android.widget.Button",
                on_tap=on_action,
                padding=(12, 0),
                height=44,
            )
        )
    return w.Row(tuple(parts), height=48, padding=(16, 0, 4, 0), radius=5, background="#2F3335", elevation=2)


def toast(text: str) -> w.Widget:
    """The rounded box of a toast."""
    words = w.Text(text=text, size=13.5, color="#F2F4F5", id="android:id/message")
    return w.Row((words,), padding=(18, 10), radius=20, background="#E6303438", class_name=FRAME_LAYOUT)


def dialog(box: w.Dialog, *, is_low: bool = False) -> w.Widget:
    """The card of a dialog; one with little height, as beside a keyboard on its side, scrolls as a whole."""
    scrolls = is_low and not isinstance(box.body, w.Scroll)
    parts: list[w.Widget] = []
    centered = bool(box.icon)
    if box.icon:
        mark = w.Icon(name=box.icon, size=24, color="primary", id="android:id/icon")
        parts.append(w.Row((mark,), arrange="center", padding=(0, 0, 0, 12)))
    if box.title:
        align: w.TextAlign = "center" if centered else "start"
        parts.append(w.Text(text=box.title, size=20, align=align, id="alertTitle"))
    if box.message:
        message = w.Text(text=box.message, size=13.5, color="text_2", id="android:id/message")
        above = (0.0, 12.0, 0.0, 0.0)
        parts.append(
            replace(message, margin=above)
            if scrolls
            else w.Scroll(child=message, margin=above, id="scrollView")
        )
    if isinstance(box.body, w.Scroll):
        # Directly in the card, so that it shrinks and the buttons below stay on the screen.
        parts.append(replace(box.body, margin=(0, 14, 0, 0), id=box.body.id or "custom"))
    elif box.body is not None:
        parts.append(w.Column((box.body,), margin=(0, 14, 0, 0), id="custom", class_name=FRAME_LAYOUT))
    if box.buttons:
        parts.append(_buttons(box))
    panel = w.Column(tuple(parts), padding=12 if scrolls else 24, id=box.id or "parentPanel")
    return dialog_decor(w.Scroll(child=panel) if scrolls else panel)


def dialog_decor(panel: w.Widget) -> w.Widget:
    """The wrappers and the rounded card of a floating window of an activity or a dialog."""
    content = w.Column((panel,), id="android:id/content", class_name=FRAME_LAYOUT)
    return w.Column((content,), class_name=FRAME_LAYOUT, background="surface", radius=28)


def _buttons(box: w.Dialog) -> w.Widget:
    ids = ("android:id/button1", "android:id/button2", "android:id/button3")
    last = len(box.buttons) - 1
    buttons = []
    for i, button in enumerate(box.buttons):
        # Android numbers the buttons from the right: button1 is the positive one.
        shown = replace(button, id=button.id or ids[min(last - i, 2)])
        if box.stacked:
            shown = replace(shown, width=w.FILL)
        buttons.append(shown)
    margin = (0.0, 20.0, 0.0, 0.0)
    if box.stacked:
        return w.Column(tuple(buttons), gap=6, margin=margin, id="buttonPanel")
    return w.Row(tuple(buttons), gap=6, arrange="end", margin=margin, id="buttonPanel")


def sheet(box: w.Sheet) -> w.Widget:
    """A bottom sheet: grip, title, body."""
    grip = w.Row((w.Spacer(width=32, height=4, radius=2, background="outline"),), arrange="center", height=20)
    parts: list[w.Widget] = [grip]
    if box.title:
        parts.append(w.Text(text=box.title, size=18, margin=(24, 8, 24, 8), id="title"))
    parts.append(w.Scroll(child=box.body))
    parts.append(w.Spacer(height=28))
    panel = w.Column(tuple(parts), id=box.id or "design_bottom_sheet", class_name=FRAME_LAYOUT)
    content = w.Column((panel,), id="android:id/content", class_name=FRAME_LAYOUT)
    return w.Column((content,), class_name=FRAME_LAYOUT, background="surface", radius=(24, 24, 0, 0))


def recents(tasks: tuple[tuple[int, str, AppIcon], ...], language: str) -> w.Widget:
    """The overview: one card per task, the newest first."""
    cards = tuple(_card(*task) for task in tasks)
    clear = w.Button(
        label=say("Clear all", language), style="text", on_tap=Event("recents.clear"), id="clear_all"
    )
    nothing = w.Text(text=say("No recent items", language), color="#FFFFFF", align="center", id="empty")
    return w.Column(
        (
            w.ScrollList(cards or (nothing,), gap=14, grow=1, id="overview_panel"),
            w.Row((clear,), arrange="center"),
        ),
        padding=(28, 56, 28, 40),
        background="#D0182530",
        class_name=FRAME_LAYOUT,
    )


def _card(number: int, label: str, icon: AppIcon) -> w.Widget:
    mark = app_mark(icon, 34, 18, 10, class_name="")
    return w.Row(
        (
            mark,
            w.Text(text=label, size=15, grow=1, id="title", max_lines=1),
            w.IconButton(icon="close", description=f"Close {label}", on_tap=Event("recents.close", number)),
        ),
        gap=14,
        padding=(16, 12, 4, 12),
        radius=20,
        background="surface",
        description=label,
        on_tap=Event("recents.open", number),
        key=f"task{number}",
        class_name=FRAME_LAYOUT,
    )
