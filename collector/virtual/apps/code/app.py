"""The code editor: its activities and which screen each shows."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.virtual.apps.code.data import data_of
from collector.virtual.apps.code.editor import editor_screen
from collector.virtual.apps.code.state import CodeState, fresh
from collector.virtual.apps.code.tree import files_screen
from collector.virtual.apps.code.update import PACKAGE, UpdateResult, update
from collector.virtual.ui.app import Activity, App, AppIcon, Context, InnerPage
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import CODE
from collector.virtual.ui.widgets import Screen


class CodeApp(App[CodeState]):
    """An editor of programs in files and folders."""

    name = "code"
    package = PACKAGE
    icon = AppIcon("code", "#37475A")
    in_dock = False
    theme = CODE
    activities = (Activity(".MainActivity", launcher=True), Activity(".EditorActivity"))
    pages = {  # noqa: RUF012 - never changed
        "readme": InnerPage(".EditorActivity", {"tabs": ["README.md"], "active": "README.md"}),
        "notes": InnerPage(".EditorActivity", {"tabs": ["notes.txt"], "active": "notes.txt"}),
    }
    state_type = CodeState
    version = "0.9.2"
    version_code = 92

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> CodeState:
        return fresh(seed, locale)

    def view(self, state: CodeState, context: Context) -> Screen:
        say = texts_of(self.name, context.locale)
        if context.activity == ".EditorActivity":
            return editor_screen(state, context, say)
        return files_screen(state, context, say)

    def data(self, state: CodeState) -> AppData:
        return data_of(state)

    def update(self, state: CodeState, event: Event) -> UpdateResult:
        return update(state, event)
