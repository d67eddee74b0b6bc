"""The apps of the virtual phone. Each app is a pure function of its state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from collector.virtual.apps import pictures as _pictures  # noqa: F401 - registers the illustrations
from collector.virtual.apps.app_store import AppStoreApp
from collector.virtual.apps.companion.app import CompanionApp
from collector.virtual.apps.launcher import LauncherApp
from collector.virtual.apps.messenger.app import MessengerApp
from collector.virtual.apps.settings.app import SettingsApp
from collector.virtual.apps.shop.app import ShopApp
from collector.virtual.apps.todo.app import TodoApp
from collector.virtual.ui.app import App

SYSTEM: tuple[type[App[Any]], ...] = (LauncherApp, SettingsApp, AppStoreApp)
"""Installed on every phone."""
OPTIONAL: tuple[type[App[Any]], ...] = (MessengerApp, ShopApp, TodoApp, CompanionApp)


def app_names() -> tuple[str, ...]:
    """The short names of the apps that a phone can be started with."""
    return tuple(app.name for app in OPTIONAL)


def make_apps(names: Iterable[str] = ()) -> tuple[App[Any], ...]:
    """Create the system's apps and the named ones (all when no name is given). Raise ValueError for an
    unknown name."""
    selected = tuple(names) or app_names()
    apps = {app.name: app for app in (*SYSTEM, *OPTIONAL)}
    unknown = [name for name in selected if name not in apps]
    if unknown:
        raise ValueError(f"there is no app {unknown[0]!r}; there are {', '.join(sorted(apps))}")
    chosen = {app.name: app for app in SYSTEM} | {name: apps[name] for name in selected}
    return tuple(app() for app in chosen.values())
