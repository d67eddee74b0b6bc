"""Expand composite widgets into primitives, as the design draws them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from collector.virtual.ui import widgets as w
from collector.virtual.ui.events import Event

BACK = Event("system.back")
"""Sent by a back arrow without its own event; the system handles it like the BACK key."""

_LARGEST_LABEL = 1.3
"""Maximum growth factor of the bottom bar's labels with the font scale."""
_SHARED = tuple(field.name for field in fields(w.Widget))
_PLAIN = {field.name: field.default for field in fields(w.Widget)}


def expand(
    widget: w.Widget, language: str = "en", font_scale: float = 1.0, *, icon_labels: bool = True
) -> w.Widget:
    """Expand a composite to its primitive; a primitive is returned unchanged.

    Without ``icon_labels`` an icon has no words beside it; they remain as the description.
    """
    if not icon_labels and isinstance(widget, w.Button | w.Chip | w.FloatingButton) and widget.icon:
        widget = replace(widget, label="", description=widget.description or widget.label)
    if isinstance(widget, w.AppBar):
        return _app_bar(widget, language)
    if isinstance(widget, w.Avatar):
        return _avatar(widget, font_scale)
    if isinstance(widget, w.BottomBar):
        return _bottom_bar(widget, min(font_scale, _LARGEST_LABEL) / font_scale if icon_labels else 0)
    while (make := _EXPANSIONS.get(type(widget))) is not None:
        widget = make(widget)
    return widget


def _shared_properties(widget: w.Widget, **defaults: Any) -> dict[str, Any]:
    """The properties a composite passes to its box: its own values override ``defaults``."""
    own = {name: value for name in _SHARED if (value := getattr(widget, name)) != _PLAIN[name]}
    return defaults | own


def _button(button: w.Button) -> w.Widget:
    small = button.style == "text"
    ink = {"filled": "on_primary", "tonal": "on_container"}.get(button.style, "primary")
    back = {"filled": "primary", "tonal": "container"}.get(button.style)
    if not button.enabled:
        ink, back = "text@0.38", "text@0.12" if back else None
    parts: list[w.Widget] = []
    if button.icon:
        parts.append(w.Icon(name=button.icon, size=18, color=ink, class_name="-"))
    if button.label or not button.icon:
        parts.append(
            w.Text(text=button.label, size=14, color=ink, max_lines=1, align="center", class_name="-")
        )
    return w.Row(
        tuple(parts),
        gap=8,
        arrange="center",
        **_shared_properties(
            button,
            class_name="android.widget.Button",
            height=44,
            padding=(12, 0) if small else (22, 0),
            radius=22,
            background=back,
            border="outline" if button.style == "outlined" else None,
        ),
    )


def _icon_button(button: w.IconButton) -> w.Widget:
    ink = button.color if button.enabled else "text@0.38"
    return w.Row(
        (w.Icon(name=button.icon, color=ink, filled=button.filled, class_name="-"),),
        arrange="center",
        **_shared_properties(button, class_name="android.widget.ImageButton", width=48, height=48, radius=24),
    )


def _chip(chip: w.Chip) -> w.Widget:
    ink = "on_container" if chip.selected else "text"
    back = "container" if chip.selected else None if chip.outlined else "surface_container"
    parts: list[w.Widget] = []
    if chip.icon:
        parts.append(w.Icon(name=chip.icon, size=16, color=ink, class_name="-"))
    if chip.label or not chip.icon:
        parts.append(w.Text(text=chip.label, size=13, color=ink, max_lines=1, class_name="-"))
    return w.Row(
        tuple(parts),
        gap=6,
        arrange="center",
        **_shared_properties(
            chip,
            class_name="android.widget.CompoundButton" if chip.on_tap else "android.widget.TextView",
            height=34,
            padding=(14, 0),
            radius=9,
            background=back,
            border="outline" if chip.outlined and not chip.selected else None,
        ),
    )


def _card(card: w.Card) -> w.Widget:
    return w.Column(
        (card.child,),
        **_shared_properties(
            card, class_name="androidx.cardview.widget.CardView", radius=16, background="surface_container"
        ),
    )


def _list_item(item: w.ListItem) -> w.Widget:
    ink = "text" if item.enabled else "text@0.38"
    words: list[w.Widget] = [
        w.Text(text=item.title, size=15.5, color=ink, strike=item.strike, id=item.title_id, max_lines=2)
    ]
    if item.subtitle:
        color = "text_2" if item.enabled else "text@0.38"
        words.append(w.Text(text=item.subtitle, size=12.5, color=color, id=item.subtitle_id, max_lines=3))
    parts: list[w.Widget] = []
    if item.leading is not None:
        parts.append(item.leading)
    parts.append(w.Column(tuple(words), grow=1, gap=1, class_name="android.widget.RelativeLayout"))
    if item.trailing is not None:
        parts.append(item.trailing)
    pad = 14.0 if item.subtitle else 15.0
    return w.Row(tuple(parts), gap=20, **_shared_properties(item, padding=(24, pad, 20, pad)))


def _avatar(avatar: w.Avatar, font_scale: float) -> w.Widget:
    """A circle with a letter; its size does not depend on the font scale."""
    ink = "on_primary" if avatar.color == "primary" else "#FFFFFF"
    size = avatar.size * 0.42 / font_scale
    letter = w.Text(text=avatar.initial, size=size, color=ink, align="center", class_name="-")
    return w.Row(
        (letter,),
        arrange="center",
        **_shared_properties(
            avatar,
            class_name="android.widget.ImageView",
            width=avatar.size,
            height=avatar.size,
            radius=avatar.size / 2,
            background=avatar.color,
        ),
    )


def _tabs(tabs: w.Tabs) -> w.Widget:
    def tab(i: int, tab: w.Tab) -> w.Widget:
        chosen = i == tabs.chosen
        ink = "primary" if chosen else "text_2"
        line = w.Spacer(height=3, background="primary" if chosen else None, radius=2)
        label = w.Text(text=tab.label, size=14, color=ink, align="center", max_lines=1)
        return w.Column(
            (w.Column((label,), grow=1, arrange="center"), line),
            grow=1,
            id=tab.id,
            key=f"tab{i}",
            on_tap=tab.on_tap,
            selected=chosen,
            description=tab.label,
            padding=(8, 0),
        )

    parts = tuple(tab(i, item) for i, item in enumerate(tabs.tabs))
    row = w.Row(parts, align="stretch", height=48)
    return w.Column(
        (row, w.Divider()), **_shared_properties(tabs, class_name="android.widget.HorizontalScrollView")
    )


def _destination(i: int, tab: w.Tab, chosen: bool, shrink: float) -> w.Widget:
    ink = "on_container" if chosen else "text_2"
    pill = w.Row(
        (w.Icon(name=tab.icon, size=22, color=ink, id="navigation_bar_item_icon_view"),),
        arrange="center",
        width=56,
        height=30,
        radius=15,
        background="container" if chosen else None,
        class_name="android.widget.FrameLayout",
        id="navigation_bar_item_icon_container",
    )
    mark: w.Widget = pill
    if tab.badge:
        badge = w.Text(
            text=tab.badge, size=10, color="#FFFFFF", background="#BA1A1A", radius=8, padding=(5, 1)
        )
        mark = w.Stack((pill, badge), at=("end", "start"))
    label = w.Text(
        text=tab.label,
        size=11.5 * shrink,
        color="text" if chosen else "text_2",
        bold=chosen,
        align="center",
        max_lines=1,
        id="navigation_bar_item_large_label_view" if chosen else "navigation_bar_item_small_label_view",
    )
    return w.Column(
        (mark, label) if shrink else (mark,),
        grow=1,
        gap=3,
        align="center",
        arrange="start" if shrink else "center",
        padding=(0, 9, 0, 0) if shrink else 0,
        id=tab.id,
        key=f"item{i}",
        on_tap=tab.on_tap,
        selected=chosen,
        description=tab.label,
        class_name="android.widget.FrameLayout",
    )


def _bottom_bar(bar: w.BottomBar, shrink: float) -> w.Widget:
    """The bottom bar; ``shrink`` keeps its labels above the screen edge at the largest font scale.

    At 0 it has none.
    """
    parts = tuple(_destination(i, tab, i == bar.chosen, shrink) for i, tab in enumerate(bar.tabs))
    return w.Row(
        parts,
        align="stretch",
        **_shared_properties(bar, height=80, background="surface_container", id="bottom_navigation"),
    )


_NAVIGATION = {
    "back": {"en": "Navigate up", "zh": "转到上一层级", "de": "Nach oben"},
    "menu": {"en": "Open menu", "zh": "打开菜单", "de": "Menü öffnen"},
    "close": {"en": "Close", "zh": "关闭", "de": "Schließen"},
}
"""Descriptions of corner buttons by icon, as in Android's own apps."""


def _app_bar(bar: w.AppBar, language: str) -> w.Widget:
    parts: list[w.Widget] = []
    if bar.navigation != "none":
        words = _NAVIGATION[bar.navigation]
        description = words.get(language, words["en"])
        event = bar.on_navigation or BACK
        parts.append(
            w.IconButton(icon=bar.navigation, description=description, on_tap=event, key="navigation")
        )
    else:
        parts.append(w.Spacer(width=16))
    if bar.leading is not None:
        parts.append(bar.leading)
    if bar.middle is not None:
        parts.append(bar.middle if bar.middle.grow else replace(bar.middle, grow=1.0))
    else:
        titles: list[w.Widget] = [w.Text(text=bar.title, size=20, max_lines=1)]
        if bar.subtitle:
            titles.append(w.Text(text=bar.subtitle, size=12, color="text_2", max_lines=1))
        inset = 12.0 if bar.leading is not None else 6.0
        parts.append(w.Column(tuple(titles), grow=1, padding=(inset, 0, 0, 0), class_name="-"))
    parts.extend(bar.actions)
    return w.Row(
        tuple(parts),
        **_shared_properties(
            bar, id="toolbar", class_name="android.view.ViewGroup", height=56, padding=(4, 0)
        ),
    )


def _floating(button: w.FloatingButton) -> w.Widget:
    parts: list[w.Widget] = [w.Icon(name=button.icon, color="on_container", class_name="-")]
    if button.label:
        parts.append(w.Text(text=button.label, size=14, color="on_container", class_name="-"))
    return w.Row(
        tuple(parts),
        gap=10,
        arrange="center",
        **_shared_properties(
            button,
            class_name="android.widget.Button" if button.label else "android.widget.ImageButton",
            width=None if button.label else 56,
            height=56,
            padding=(18, 0) if button.label else 0,
            radius=16,
            background="container",
            elevation=3,
        ),
    )


_EXPANSIONS: dict[type, Callable[[Any], w.Widget]] = {
    w.Button: _button,
    w.IconButton: _icon_button,
    w.Chip: _chip,
    w.Card: _card,
    w.ListItem: _list_item,
    w.Tabs: _tabs,
    w.FloatingButton: _floating,
}
