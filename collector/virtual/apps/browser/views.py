"""The browser's screen: its address bar over a page, a new tab, or what is being typed."""

from __future__ import annotations

from collector.virtual.apps.browser.address import (
    at_site,
    parameters,
    search_url,
    searched,
    shown,
    site,
    to_url,
)
from collector.virtual.apps.browser.state import BrowserState
from collector.virtual.apps.rows import option_row
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.events import Event

_SITES = ("encyclopedia.example", "news.example", "forum.example")
_PATHS = (("start", "/"), ("about", "/about"), ("contact", "/contact"))
_WEB_VIEW, _WEB_NODE = "android.webkit.WebView", "android.view.View"


def screen(state: BrowserState, context: Context, say: AppTexts) -> w.Screen:
    """The only screen; every activity shows it."""
    if state.editing:
        return w.Screen(_suggestions(state, say), app_bar=_typing_bar(state, say), on_back=Event("back"))
    if not state.url:
        content = _new_tab(say)
    elif not context.online:
        content = _offline(state.url, say)
    elif searched(state.url):
        content = _results(searched(state.url), say)
    else:
        content = _page(state.url, say)
    return w.Screen(
        content,
        app_bar=_bar(state, say),
        sheet=_menu(state, say) if state.sheet == "menu" else None,
        on_back=Event("back"),
    )


# ---- bars --------------------------------------------------------------------------------------


def _bar(state: BrowserState, say: AppTexts) -> w.AppBar:
    """Home, the address, and the menu; a tap on the address types another one."""
    url = state.url
    secure = url.startswith("https:")
    lock: tuple[w.Widget, ...] = ()
    if url:
        lock = (
            w.Icon(
                name="lock" if secure else "warning",
                size=18,
                color="text_2",
                id="location_bar_status",
                description=say("secure" if secure else "insecure"),
            ),
        )
    text = w.Text(
        text=shown(url) if url else say("address"),
        size=15,
        color="text" if url else "text_2",
        max_lines=1,
        grow=1,
        id="url_bar",
        class_name="android.widget.EditText",
        on_tap=Event("edit"),
    )
    address = w.Row(
        (*lock, text), gap=10, height=44, radius=22, padding=(16, 0), grow=1, background="surface_container",
        id="location_bar", on_tap=Event("edit"),
    )  # fmt: skip
    return w.AppBar(
        leading=w.IconButton(icon="home", id="home_button", description=say("home"), on_tap=Event("home")),
        middle=address,
        actions=(
            w.IconButton(
                icon="more",
                id="menu_button",
                description=say("more"),
                width=40,
                on_tap=Event("sheet", "menu"),
            ),
        ),
    )


def _typing_bar(state: BrowserState, say: AppTexts) -> w.AppBar:
    field = w.TextField(
        text=state.typed,
        hint=say("address"),
        style="filled",
        action="go",
        on_change=Event("typed"),
        on_submit=Event("go"),
        id="url_bar",
        focused=True,
        margin=(0, 0, 8, 0),
    )
    clear = w.IconButton(icon="close", id="delete_button", description=say("clear"), on_tap=Event("edit"))
    return w.AppBar(
        navigation="back",
        on_navigation=Event("back"),
        middle=field,
        actions=(clear,) if state.typed else (),
    )


def _menu(state: BrowserState, say: AppTexts) -> w.Sheet:
    rows: list[w.Widget] = []
    if state.place < len(state.pages) - 1:
        rows.append(option_row(Event("forward"), "chevron_right", say("forward")))
    if state.url:
        rows.append(option_row(Event("reload"), "refresh", say("reload")))
        rows.append(option_row(Event("copy", state.url), "copy", say("copy")))
    rows.append(option_row(Event("home"), "plus", say("new_tab")))
    rows.append(option_row(Event("forget"), "delete", say("forget")))
    body = w.Column(tuple(rows), padding=(0, 4, 0, 16))
    return w.Sheet(body, on_dismiss=Event("sheet"), id="menu_sheet")


# ---- what is below -----------------------------------------------------------------------------


def _suggestions(state: BrowserState, say: AppTexts) -> w.Widget:
    """The shown page, where the typed text leads, and visited pages that contain it."""
    typed = state.typed.strip()
    rows: list[w.Widget] = []
    if typed:
        url = to_url(typed)
        rows.append(_suggestion("search" if searched(url) else "globe", typed, "", Event("go"), "typed"))
    elif state.url:
        rows.append(_suggestion("edit", say("edit"), shown(state.url), Event("edit", state.url), "edit"))
        rows.append(_suggestion("copy", say("copy"), shown(state.url), Event("copy", state.url), "copy"))
    matches = [url for url in state.visited if typed.casefold() in shown(url).casefold()]
    rows += [
        _suggestion("clock", searched(url) or site(url), shown(url), Event("visit", url), url)
        for url in matches
    ]
    return w.ScrollList(tuple(rows), padding=(0, 8), grow=1, id="omnibox_results")


def _suggestion(icon: str, title: str, subtitle: str, event: Event, key: str) -> w.Widget:
    return w.ListItem(
        title=title,
        subtitle=subtitle,
        leading=w.Icon(name=icon, size=22, color="text_2", class_name="-"),
        key=key,
        id="suggestion",
        title_id="line_1",
        subtitle_id="line_2",
        on_tap=event,
    )


def _new_tab(say: AppTexts) -> w.Widget:
    tiles = tuple(
        _bookmark(localized(bookmark["title"], say.locale), bookmark["url"])
        for bookmark in load("browser")["bookmarks"]
    )
    return w.Scroll(
        child=w.Column(
            (
                w.Text(text=say("bookmarks"), size=18, id="bookmarks_title"),
                w.Grid(tiles, columns=4, gap=8, line_gap=16, id="bookmarks"),
            ),
            gap=20,
            padding=(20, 28),
        ),
        grow=1,
        id="new_tab_page",
    )


def _bookmark(title: str, url: str) -> w.Widget:
    mark = w.Row(
        (w.Text(text=title[:1], size=20, color="on_container", class_name="-"),),
        width=52,
        height=52,
        radius=26,
        background="container",
        arrange="center",
        class_name="-",
    )
    return w.Column(
        (mark, w.Text(text=title, size=12.5, align="center", max_lines=1, id="tile_title")),
        gap=8,
        align="center",
        key=url,
        id="tile",
        description=title,
        on_tap=Event("visit", url),
    )


def _web(url: str, *parts: w.Widget) -> w.Widget:
    """A page, whose nodes have the classes of a web view."""
    body = w.Column(parts, gap=16, padding=(24, 24, 24, 48), class_name=_WEB_NODE)
    return w.Scroll(child=body, grow=1, id="page", key=url, class_name=_WEB_VIEW, description=site(url))


def _page(url: str, say: AppTexts) -> w.Widget:
    parts: list[w.Widget] = [
        w.Text(text=site(url), size=26, key="title"),
        w.Text(text=say("page", address=shown(url)), size=16, key="text"),
        w.Text(text=say("page_2"), size=16, color="text_2", key="text_2"),
    ]
    if given := parameters(url):
        parts.append(w.Text(text=say("parameters"), size=18, key="parameters"))
        parts += [
            w.Text(text=f"{name}: {value}", size=15, key=f"parameter {number}")
            for number, (name, value) in enumerate(given)
        ]
    parts.append(w.Text(text=say("links"), size=18, key="links"))
    parts += [_link(say(word), at_site(url, path)) for word, path in _PATHS]
    return _web(url, *parts)


def _results(text: str, say: AppTexts) -> w.Widget:
    """Three results, one from each site that the phone knows."""
    results = tuple(
        w.Column(
            (
                _link(
                    say("result", text=text, site=host),
                    f"https://{host}/?q={search_url(text).partition('=')[2]}",
                ),
                w.Text(text=host, size=13, color="text_2", key="host"),
                w.Text(text=say("result_2", text=text, site=host), size=14, key="summary"),
            ),
            gap=2,
            key=host,
        )
        for host in _SITES
    )
    head = w.Text(text=say("results", text=text), size=20, key="title")
    return _web(search_url(text), head, *results)


def _link(text: str, url: str) -> w.Widget:
    return w.Text(
        text=text,
        size=16,
        color="primary",
        underline=True,
        padding=(0, 6),
        key=url,
        class_name=_WEB_NODE,
        on_tap=Event("visit", url),
    )


def _offline(url: str, say: AppTexts) -> w.Widget:
    return _web(
        url,
        w.Icon(name="offline", size=48, color="text_2", margin=(0, 48, 0, 0), align_self="start"),
        w.Text(text=say("offline"), size=24, key="title"),
        w.Text(text=say("offline_2"), size=15, color="text_2", key="text"),
        w.Text(text="ERR_INTERNET_DISCONNECTED", size=13, color="text_2", key="code"),
        w.Button(label=say("reload"), key="reload", on_tap=Event("reload"), align_self="start"),
    )
