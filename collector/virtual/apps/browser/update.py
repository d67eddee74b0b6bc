"""Event handlers of the browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from collector.virtual.apps.browser.address import search_url, to_url
from collector.virtual.apps.browser.state import BrowserState
from collector.virtual.apps.handlers import Handlers
from collector.virtual.ui.app import INTENT_DATA, STARTED
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import Change, CopyText, Finish, Focus, ScrollTo, ShowToast
from collector.virtual.ui.events import Event

UpdateResult = BrowserState | Change[BrowserState]
_handlers: Handlers[BrowserState] = Handlers()
_on, update = _handlers.on, _handlers.update

_MOST_VISITED = 20
_MOST_PAGES = 200
"""Pages that BACK can return to."""


def _visit(state: BrowserState, url: str) -> BrowserState:
    """Open a page after the shown one; pages that FORWARD would show are dropped."""
    pages = (*state.pages[: state.place + 1], url)[-_MOST_PAGES:]
    visited = (url, *(other for other in state.visited if other != url))[:_MOST_VISITED]
    return replace(
        state, pages=pages, place=len(pages) - 1, visited=visited, editing=False, typed="", sheet=""
    )


@_on(STARTED)
def _started(state: BrowserState, event: Event) -> UpdateResult:
    """Open the address or search of the intent; the icon shows the tab as it was."""
    extras = event.value if isinstance(event.value, Mapping) else {}
    url, query = str(extras.get(INTENT_DATA, "")), extras.get("query")
    if not url and isinstance(query, str):
        url = search_url(query)
    if not url:
        return replace(state, opened=0, editing=False, sheet="")
    shown = _visit(state, url)
    return replace(shown, opened=shown.place)


@_on("visit")
def _open(state: BrowserState, event: Event) -> UpdateResult:
    return Change(_visit(state, str(event.key)), (Focus(), ScrollTo("page", end=False)))


@_on("edit")
def _edit(state: BrowserState, event: Event) -> UpdateResult:
    """Type an address; ``key`` is the text to start with."""
    return Change(replace(state, editing=True, typed=str(event.key or ""), sheet=""), (Focus("url_bar"),))


@_on("typed")
def _typed(state: BrowserState, event: Event) -> UpdateResult:
    return replace(state, typed=str(event.value or ""))


@_on("go")
def _go(state: BrowserState, event: Event) -> UpdateResult:
    del event
    if not state.typed.strip():
        return Change(replace(state, editing=False), (Focus(),))
    return Change(_visit(state, to_url(state.typed)), (Focus(), ScrollTo("page", end=False)))


@_on("back")
def _back(state: BrowserState, event: Event) -> UpdateResult:
    """Leave the typed address, then the page; at the first page leave the browser."""
    del event
    if state.editing:
        return Change(replace(state, editing=False, typed=""), (Focus(),))
    if state.place > state.opened:
        return replace(state, place=state.place - 1)
    return Change(state, (Finish(),))


@_on("forward")
def _forward(state: BrowserState, event: Event) -> UpdateResult:
    del event
    return replace(state, place=min(state.place + 1, len(state.pages) - 1), sheet="")


@_on("home")
def _home(state: BrowserState, event: Event) -> UpdateResult:
    """Show a new tab; the pages of the old one are closed."""
    del event
    return Change(replace(state, pages=(), place=-1, opened=0, editing=False, sheet=""), (Focus(),))


@_on("sheet")
def _sheet(state: BrowserState, event: Event) -> UpdateResult:
    return replace(state, sheet=str(event.key or ""))


@_on("reload")
def _reload(state: BrowserState, event: Event) -> UpdateResult:
    del event
    return Change(replace(state, sheet=""), (ScrollTo("page", end=False),))


@_on("copy")
def _copy(state: BrowserState, event: Event) -> UpdateResult:
    note = ShowToast(texts_of("browser", state.locale)("copied"))
    return Change(replace(state, sheet=""), (CopyText(str(event.key)), note))


@_on("forget")
def _forget(state: BrowserState, event: Event) -> UpdateResult:
    """Delete the visited addresses; the shown page stays."""
    del event
    return replace(state, visited=(), sheet="")
