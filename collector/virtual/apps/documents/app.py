"""The files app: folders of the shared storage, and the file that another app asks for."""

from __future__ import annotations

from typing import Any

from collector.virtual.apps.documents.state import FilesState
from collector.virtual.apps.documents.update import FILES, PACKAGE, PICK, UpdateResult, update
from collector.virtual.apps.documents.views import files_screen, pick_screen
from collector.virtual.apps.system_app import SystemApp
from collector.virtual.ui.app import Activity, AppIcon, Context, InnerPage
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import ACTION_GET_CONTENT, ACTION_VIEW
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import BROWSER
from collector.virtual.ui.widgets import Screen

DIRECTORY = "vnd.android.document/directory"


class FilesApp(SystemApp[FilesState]):
    """Shows and manages the files of the shared storage."""

    name = "files"
    package = PACKAGE
    icon = AppIcon("folder", "#2F5DA8")
    theme = BROWSER
    activities = (
        Activity(FILES, launcher=True, actions=(ACTION_VIEW,), types=(DIRECTORY,)),
        Activity(PICK, actions=(ACTION_GET_CONTENT, "android.intent.action.OPEN_DOCUMENT"), types=("*/*",)),
    )
    pages = {"new_folder": InnerPage(FILES, {"dialog": "folder"})}  # noqa: RUF012 - never changed
    state_type = FilesState
    permissions = ("android.permission.MANAGE_DOCUMENTS", "android.permission.WAKE_LOCK")

    def initial(self, seed: int, locale: str) -> FilesState:
        return FilesState(locale)

    def view(self, state: FilesState, context: Context) -> Screen:
        say = texts_of(self.name, context.locale)
        show: Any = pick_screen if context.activity == PICK else files_screen
        screen: Screen = show(state, context, say)
        return screen

    def update(self, state: FilesState, event: Event) -> UpdateResult:
        return update(state, event)
