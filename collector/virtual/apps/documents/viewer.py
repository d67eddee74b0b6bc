"""The viewer of texts: it shows a file that another app opens."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.apps.empty import empty
from collector.virtual.apps.system_app import SystemApp
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Activity, AppIcon, Context
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import ACTION_VIEW
from collector.virtual.ui.events import Event
from collector.virtual.ui.shared_files import file_at
from collector.virtual.ui.theme import BROWSER

_MOST = 20_000
"""Letters that are shown."""
_TYPES = ("text/plain", "text/html", "text/csv", "application/json", "application/xml", "text/xml")


@dataclass(frozen=True, slots=True)
class ViewerState:
    """The intent says which file is shown: there is nothing to keep."""


class ViewerApp(SystemApp[ViewerState]):
    """Shows texts."""

    name = "viewer"
    package = "com.android.htmlviewer"
    icon = AppIcon("note", "#5B6770")
    theme = BROWSER
    activities = (Activity(".HTMLViewerActivity", actions=(ACTION_VIEW,), types=_TYPES),)
    state_type = ViewerState

    def label(self, locale: str) -> str:
        return texts_of("files", locale)("viewer")

    def initial(self, seed: int, locale: str) -> ViewerState:
        return ViewerState()

    def view(self, state: ViewerState, context: Context) -> w.Screen:
        say = texts_of("files", context.locale)
        file = file_at(context.files, context.data)
        if file is None:
            return w.Screen(
                empty("file", say("gone"), ""), app_bar=w.AppBar(title=say("viewer"), navigation="back")
            )
        try:
            text = context.storage.read(file.path)[: 4 * _MOST].decode("utf-8", "replace")[:_MOST]
        except OSError:
            text = ""
        words = w.Text(text=text, size=14, mono=True, padding=(16, 12), id="webview")
        return w.Screen(
            w.ScrollList((words,), grow=1, id="content"), app_bar=w.AppBar(title=file.name, navigation="back")
        )

    def update(self, state: ViewerState, event: Event) -> ViewerState:
        return state
