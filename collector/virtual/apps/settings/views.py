"""Screens of the settings app: the main list, the search and one page of the table."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.apps.settings import page_items as parts
from collector.virtual.apps.settings.pages import (
    PAGES,
    TOP,
    Item,
    Page,
    PageChoice,
    PageLink,
    PagePart,
    Range,
    Toggle,
    findable,
)
from collector.virtual.apps.settings.state import SettingsState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event


def top_screen(state: SettingsState, context: Context, say: AppTexts) -> w.Screen:
    """The top page: a large title, the search and links to the pages."""
    title = w.Text(text=say("app"), size=28, padding=(24, 24, 24, 16), id="homepage_title")
    search = w.Row(
        (
            w.Icon(name="search", color="text_2", size=20, class_name="-"),
            w.Text(text=say("search"), size=15, color="text_2", class_name="-"),
        ),
        gap=14,
        height=48,
        radius=24,
        padding=(20, 0),
        margin=(16, 0, 16, 12),
        background="surface_container",
        id="search_action_bar",
        description=say("search"),
        on_tap=Event("search"),
    )
    rows = tuple(_top_row(link, context, say) for link in TOP)
    return w.Screen(w.ScrollList((title, search, *rows), grow=1, padding=(0, 0, 0, 24), id="recycler_view"))


def _top_row(link: PageLink, context: Context, say: AppTexts) -> w.Widget:
    line = ""
    if link.line == "battery_2":
        level = context.battery.level
        line = say("battery_2", level=level, hours=parts.hours_left(level))
    elif link.line:
        line = say(link.line)
    return w.ListItem(
        title=say(link.word),
        subtitle=line,
        leading=w.Icon(name=link.icon, size=22, color="text_2", class_name="-"),
        key=link.page,
        id="dashboard_tile",
        on_tap=Event("page", link.page),
    )


def search_screen(state: SettingsState, context: Context, say: AppTexts) -> w.Screen:
    """Settings whose names contain the search text."""
    field = w.TextField(
        text=state.query,
        hint=say("search"),
        style="filled",
        action="search",
        on_change=Event("query"),
        id="query",
        focused=True,
    )
    clear = w.IconButton(icon="close", id="clear", description=say("clear"), on_tap=Event("query"))
    query = state.query.strip().casefold()
    rows: tuple[w.Widget, ...] = tuple(
        w.ListItem(
            title=say(word),
            subtitle=say(PAGES[page].title),
            key=f"{word}-{page}",
            id="result",
            on_tap=Event("page", page),
        )
        for word, page in findable()
        if query and query in say(word).casefold()
    )
    if query and not rows:
        rows = (w.Text(text=say("nothing"), color="text_2", padding=(24, 32), id="nothing"),)
    return w.Screen(
        w.ScrollList(rows, grow=1, id="results"),
        app_bar=w.AppBar(navigation="back", middle=field, actions=(clear,)),
    )


def page_screen(page: Page, state: SettingsState, context: Context, say: AppTexts) -> w.Screen:
    """Build one page from its table."""
    rows = tuple(row for item in page.items for row in _item(item, state, context, say))
    return w.Screen(
        w.ScrollList(rows, grow=1, padding=(0, 8, 0, 24), id="recycler_view"),
        app_bar=w.AppBar(title=say(page.title), navigation="back"),
        dialog=parts.dialog(state, context, say),
    )


def _item(item: Item, state: SettingsState, context: Context, say: AppTexts) -> tuple[w.Widget, ...]:
    match item:
        case Toggle():
            return (_toggle(item, context, say),)
        case PageLink():
            return (_link(item, state, context, say),)
        case Range():
            return (_range(item, context, say),)
        case PageChoice():
            return _choices(item, context, say)
        case PagePart():
            draw: Callable[[SettingsState, Context, AppTexts], tuple[w.Widget, ...]] = parts.PARTS[item.name]
            return draw(state, context, say)


def _toggle(item: Toggle, context: Context, say: AppTexts) -> w.Widget:
    on = context.setting(item.namespace, item.key, item.default) == item.values[1]
    event = Event("put", (item.namespace, item.key, *item.values))
    switch = w.Switch(checked=on, id="android:id/switch_widget", description=say(item.word), class_name="-")
    if item.main:
        return w.Row(
            (w.Text(text=say(item.word), size=17, color="on_container", grow=1, id="switch_text"), switch),
            height=72,
            padding=(24, 0, 20, 0),
            margin=(16, 4, 16, 16),
            radius=24,
            background="container",
            key=item.key,
            id="main_switch_bar",
            description=say(item.word),
            selected=on,
            on_tap=event.with_value(not on),
            class_name="android.widget.Switch",
        )
    return w.ListItem(
        title=say(item.word),
        subtitle=say(item.line) if item.line else "",
        trailing=w.Switch(
            checked=on, on_change=event, id="android:id/switch_widget", description=say(item.word)
        ),
        key=item.key,
        id="preference",
        on_tap=event.with_value(not on),
    )


def _link(item: PageLink, state: SettingsState, context: Context, say: AppTexts) -> w.Widget:
    leading = w.Icon(name=item.icon, size=22, color="text_2", class_name="-") if item.icon else None
    return w.ListItem(
        title=say(item.word),
        subtitle=parts.link_line(item.line, state, context, say),
        leading=leading,
        key=item.page,
        id="preference",
        on_tap=Event("page", item.page),
    )


def _range(item: Range, context: Context, say: AppTexts) -> w.Widget:
    value = float(context.setting(item.namespace, item.key, str(item.high // 2)) or 0)
    head: list[w.Widget] = [w.Text(text=say(item.word), size=15.5, grow=1, id="android:id/title")]
    if item.icon:
        head.insert(0, w.Icon(name=item.icon, size=20, color="text_2", class_name="-"))
    slider = w.Slider(
        value=value,
        low=0,
        high=item.high,
        step=1,
        on_change=Event("put_number", (item.namespace, item.key)),
        id="android:id/seekbar",
        description=say(item.word),
    )
    return w.Column(
        (w.Row(tuple(head), gap=14), slider), gap=2, padding=(24, 12), key=item.key, id="preference"
    )


def _choices(item: PageChoice, context: Context, say: AppTexts) -> tuple[w.Widget, ...]:
    now = context.setting(item.namespace, item.key, item.default)
    offered = context.setting(item.namespace, item.offered).split(":") if item.offered else None
    return tuple(
        parts.radio_row(
            say(word), value in (now, f"{now}.0"), Event("choose", (item.namespace, item.key, value)), value
        )
        for word, value in item.choices
        if offered is None or value in offered
    )
