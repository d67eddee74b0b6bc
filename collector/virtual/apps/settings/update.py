"""Event handlers of the settings app: most write a key of the phone's settings store."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import cast

from collector.virtual.apps.handlers import Handlers, page_of
from collector.virtual.apps.settings.pages import PAGES
from collector.virtual.apps.settings.state import SettingsState
from collector.virtual.ui.content import load
from collector.virtual.ui.effects import Change, Component, Focus, Intent, PutSetting, StartActivity
from collector.virtual.ui.events import Event

PACKAGE = "com.android.settings"
UpdateResult = SettingsState | Change[SettingsState]
_handlers: Handlers[SettingsState] = Handlers()
_on, update = _handlers.on, _handlers.update
_open = partial(page_of, PACKAGE)


@_on("page")
def _page(state: SettingsState, event: Event) -> UpdateResult:
    return Change(replace(state, query="", dialog=""), (_open(PAGES[str(event.key)].activity),))


@_on("app_details")
def _app_details(state: SettingsState, event: Event) -> UpdateResult:
    return Change(state, (_open(PAGES["app"].activity, package=event.key),))


@_on("open_app")
def _open_app(state: SettingsState, event: Event) -> UpdateResult:
    return Change(state, (StartActivity(Intent(component=Component.parse(str(event.key)))),))


@_on("search")
def _search(state: SettingsState, event: Event) -> UpdateResult:
    return Change(replace(state, query=""), (_open(".SearchActivity"),))


@_on("query")
def _query(state: SettingsState, event: Event) -> UpdateResult:
    return replace(state, query=str(event.value or ""))


@_on("put")
def _put(state: SettingsState, event: Event) -> UpdateResult:
    """Write a setting: ``key`` is (namespace, key, off, on), ``value`` the switch's new state."""
    namespace, key, off, on = cast("tuple[str, str, str, str]", event.key)
    return Change(state, (PutSetting(namespace, key, on if event.value else off),))


@_on("put_number")
def _put_number(state: SettingsState, event: Event) -> UpdateResult:
    namespace, key = cast("tuple[str, str]", event.key)
    return Change(state, (PutSetting(namespace, key, str(round(float(str(event.value))))),))


@_on("choose")
def _choose(state: SettingsState, event: Event) -> UpdateResult:
    namespace, key, value = cast("tuple[str, str, str]", event.key)
    return Change(replace(state, dialog=""), (PutSetting(namespace, key, value),))


@_on("language")
def _language(state: SettingsState, event: Event) -> UpdateResult:
    locale = str(event.key)
    return Change(replace(state, locale=locale), (PutSetting("system", "system_locales", locale),))


@_on("dialog")
def _dialog(state: SettingsState, event: Event) -> UpdateResult:
    return replace(state, dialog=str(event.key or ""), joining="", password="")


@_on("network")
def _network(state: SettingsState, event: Event) -> UpdateResult:
    network_id = str(event.key)
    secured = next(
        network["secured"] for network in load("settings")["networks"] if network["id"] == network_id
    )
    if secured and network_id not in state.saved:
        return Change(
            replace(state, dialog="join", joining=network_id, password=""), (Focus("network_password"),)
        )
    return replace(state, network=network_id, saved=tuple(dict.fromkeys((*state.saved, network_id))))


@_on("network_password")
def _network_password(state: SettingsState, event: Event) -> UpdateResult:
    return replace(state, password=str(event.value))


@_on("join")
def _join(state: SettingsState, event: Event) -> UpdateResult:
    if len(state.password) < 8:
        return state
    joined = tuple(dict.fromkeys((*state.saved, state.joining)))
    fresh = replace(state, network=state.joining, saved=joined, joining="", password="", dialog="")
    return Change(fresh, (Focus(),))
