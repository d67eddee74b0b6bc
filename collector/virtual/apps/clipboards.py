"""The apps by which automation tools read and write the clipboard: DeviceKit, Clipper and ADB Clipboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from collector.virtual.system.input.clipboard_broadcasts import ADB_CLIPBOARD, CLIPPER, DEVICE_KIT
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Activity, App, AppIcon, Context
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS


@dataclass(frozen=True, slots=True)
class ClipboardAppState:
    """Empty: the clipboard is the phone's."""


class ClipboardApp(App[ClipboardAppState]):
    """An app around a receiver of broadcasts; its screen says what it is for."""

    title: ClassVar[str]
    theme = SETTINGS
    state_type = ClipboardAppState
    icon = AppIcon("copy", "#5B6770")
    on_home = False

    def label(self, locale: str) -> str:
        del locale
        return self.title

    def initial(self, seed: int, locale: str) -> ClipboardAppState:
        del seed, locale
        return ClipboardAppState()

    def view(self, state: ClipboardAppState, context: Context) -> w.Screen:
        say = texts_of("clipboards", context.locale)
        text = w.Text(text=say("about"), size=15, padding=(20, 10), id="about")
        return w.Screen(w.Column((text,)), app_bar=w.AppBar(title=self.title))

    def update(self, state: ClipboardAppState, event: Event) -> ClipboardAppState:
        return state


class DeviceKitApp(ClipboardApp):
    """DeviceKit of mobile-mcp, which has no screen."""

    name = "devicekit"
    package = DEVICE_KIT
    title = "DeviceKit"
    activities = ()
    version = "1.0.10"
    version_code = 10


class ClipperApp(ClipboardApp):
    """Clipper, known for ``clipper.get`` and ``clipper.set``."""

    name = "clipper"
    package = CLIPPER
    title = "Clipper"
    activities = (Activity(".Main", launcher=True),)
    version = "1.2.1"
    version_code = 3


class AdbClipboardApp(ClipboardApp):
    """ADB Clipboard, with one receiver to read and one to write."""

    name = "adbclipboard"
    package = ADB_CLIPBOARD
    title = "ADB Clipboard"
    activities = (Activity(".MainActivity", launcher=True),)
    version = "1.1.0"
    version_code = 4
