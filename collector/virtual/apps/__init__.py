"""The apps of the virtual phone. Each app is a pure function of its state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from collector.virtual.apps import pictures as _pictures  # noqa: F401 - registers the illustrations
from collector.virtual.apps.app_store import AppStoreApp
from collector.virtual.apps.browser.app import BrowserApp
from collector.virtual.apps.calculator.app import CalculatorApp
from collector.virtual.apps.calendar.app import CalendarApp
from collector.virtual.apps.camera.app import CameraApp
from collector.virtual.apps.clipboards import AdbClipboardApp, ClipperApp, DeviceKitApp
from collector.virtual.apps.clock.app import ClockApp
from collector.virtual.apps.code.app import CodeApp
from collector.virtual.apps.companion.adb_smart_test import AdbSmartTestApp, is_adb_smart_test
from collector.virtual.apps.companion.app import CompanionApp
from collector.virtual.apps.contacts.app import ContactsApp
from collector.virtual.apps.dialer import DialerApp
from collector.virtual.apps.documents.app import FilesApp
from collector.virtual.apps.documents.viewer import ViewerApp
from collector.virtual.apps.gallery.app import GalleryApp
from collector.virtual.apps.keyboards import AdbKeyboardApp, UiautomatorApp
from collector.virtual.apps.launcher import LauncherApp
from collector.virtual.apps.maps.app import MapsApp
from collector.virtual.apps.messenger.app import MessengerApp
from collector.virtual.apps.resolver import FrameworkResolverApp, ResolverApp
from collector.virtual.apps.settings.app import SettingsApp
from collector.virtual.apps.shop.app import ShopApp
from collector.virtual.apps.start_page import StartPageApp
from collector.virtual.apps.todo.app import TodoApp
from collector.virtual.ui.app import App

SYSTEM: tuple[type[App[Any]], ...] = (LauncherApp, SettingsApp, AppStoreApp)
"""Installed on every phone, before the others."""
OPTIONAL: tuple[type[App[Any]], ...] = (
    MessengerApp,
    ShopApp,
    TodoApp,
    CompanionApp,
    AdbKeyboardApp,
    CalendarApp,
    CodeApp,
    MapsApp,
    StartPageApp,
)
LAST: tuple[type[App[Any]], ...] = (
    BrowserApp,
    ClockApp,
    CalculatorApp,
    ContactsApp,
    DialerApp,
    CameraApp,
    FilesApp,
    GalleryApp,
    ViewerApp,
    ResolverApp,
    FrameworkResolverApp,
)
"""Installed on every phone after the others, so that these keep their user ids."""
_OF_REAL_PHONES: tuple[type[App[Any]], ...] = (
    CompanionApp,
    AdbKeyboardApp,
    UiautomatorApp,
    DeviceKitApp,
    ClipperApp,
    AdbClipboardApp,
)
"""Apps that also exist outside this phone, as an APK that can be installed on it."""


def app_names() -> tuple[str, ...]:
    """The short names of the apps that a phone can be started with."""
    return tuple(app.name for app in OPTIONAL)


def make_apps(names: Iterable[str] = (), without: Iterable[str] = ()) -> tuple[App[Any], ...]:
    """Create the system's apps and the named ones (all when no name is given) but for those ``without``.

    Raise ValueError for an unknown name.
    """
    left_out = frozenset(without)
    if strange := left_out - set(app_names()):
        named = min(strange)
        raise ValueError(
            f"no phone can be without {named!r}; these can be left out: {', '.join(app_names())}"
        )
    selected = [name for name in tuple(names) or app_names() if name not in left_out]
    apps = {app.name: app for app in (*SYSTEM, *OPTIONAL, *LAST)}
    unknown = [name for name in selected if name not in apps]
    if unknown:
        raise ValueError(f"there is no app {unknown[0]!r}; there are {', '.join(sorted(apps))}")
    chosen = {app.name: app for app in SYSTEM} | {name: apps[name] for name in selected}
    chosen |= {app.name: app for app in LAST}
    return tuple(app() for app in chosen.values())


def app_for_apk(package: str, version_code: int = 0) -> App[Any] | None:
    """Create the app that behaves as an APK of a package and version does; None for an unknown one."""
    if package == AdbSmartTestApp.package and is_adb_smart_test(version_code):
        return AdbSmartTestApp()
    known = (*_OF_REAL_PHONES, *OPTIONAL, *LAST)
    return next((app() for app in known if app.package == package), None)
