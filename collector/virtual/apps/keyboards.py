"""The apps whose keyboards automation tools type by: AdbKeyboard, and uiautomator2's app ATX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from collector.virtual.system.windows.input_methods import ADB_KEYBOARD, UIAUTOMATOR_KEYBOARD, Method
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Activity, App, AppIcon, Context
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS


@dataclass(frozen=True, slots=True)
class KeyboardAppState:
    """Empty: what such an app shows is a setting of the phone."""


class KeyboardApp(App[KeyboardAppState]):
    """An app around a keyboard. A screen of it says whether the keyboard is in use."""

    title: ClassVar[str]
    method: ClassVar[Method]
    theme = SETTINGS
    state_type = KeyboardAppState

    def label(self, locale: str) -> str:
        del locale
        return self.title

    def initial(self, seed: int, locale: str) -> KeyboardAppState:
        del seed, locale
        return KeyboardAppState()

    def view(self, state: KeyboardAppState, context: Context) -> w.Screen:
        say = texts_of("keyboards", context.locale)
        used = context.setting("secure", "default_input_method") == self.method.id
        lines = [say("in_use")] if used else [say("not_in_use"), say("how", id=self.method.id)]
        rows = tuple(
            w.Text(text=line, size=15, padding=(20, 10), id=f"line_{number}")
            for number, line in enumerate(lines)
        )
        return w.Screen(w.Column(rows), app_bar=w.AppBar(title=self.title))

    def update(self, state: KeyboardAppState, event: Event) -> KeyboardAppState:
        return state


class AdbKeyboardApp(KeyboardApp):
    """AdbKeyboard: a keyboard without an icon and without a screen."""

    name = "adbkeyboard"
    package = ADB_KEYBOARD.package
    title = "ADBKeyBoard"
    method = ADB_KEYBOARD
    icon = AppIcon("edit", "#444444")
    activities = ()
    version = "2.0"
    version_code = 2


class UiautomatorApp(KeyboardApp):
    """ATX, which uiautomator2 installs when it needs its keyboard.

    It has no icon: one more would move the others, which recorded touches aim at.
    """

    name = "uiautomator"
    package = UIAUTOMATOR_KEYBOARD.package
    title = "ATX"
    method = UIAUTOMATOR_KEYBOARD
    icon = AppIcon("code", "#33691E")
    activities = (Activity(".MainActivity"),)
    version = "2.4.0"
    version_code = 2004001
    permissions = ("android.permission.INTERNET", "android.permission.ACCESS_NETWORK_STATE")
