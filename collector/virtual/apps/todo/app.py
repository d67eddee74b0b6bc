"""The to-do app: its activities and which screen each shows."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.virtual.apps.todo import views
from collector.virtual.apps.todo.data import data_of
from collector.virtual.apps.todo.state import TodoState, fresh
from collector.virtual.apps.todo.update import PACKAGE, PERMISSIONS, UpdateResult, update
from collector.virtual.ui.app import Activity, App, AppIcon, Context, InnerPage
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import ACTION_SEND
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import TODO
from collector.virtual.ui.widgets import Screen


class TodoApp(App[TodoState]):
    """Task lists with due dates."""

    name = "todo"
    package = PACKAGE
    icon = AppIcon("check", "#6A4FA3")
    theme = TODO
    activities = (
        Activity(".MainActivity", launcher=True),
        Activity(".SearchActivity"),
        Activity(".EditActivity", actions=(ACTION_SEND,), types=("text/plain",)),
    )
    pages = {  # noqa: RUF012 - never changed
        "all": InnerPage(".MainActivity", {"span": "all"}),
        "found": InnerPage(".SearchActivity", {"query": "shop"}),
    }
    state_type = TodoState
    version = "2.8.0"
    version_code = 280
    permissions = PERMISSIONS

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> TodoState:
        return fresh(locale)

    def view(self, state: TodoState, context: Context) -> Screen:
        say = texts_of(self.name, context.locale)
        match context.activity:
            case ".SearchActivity":
                return views.search_screen(state, context, say)
            case ".EditActivity":
                return views.edit_screen(state, context, say)
        return views.list_screen(state, context, say)

    def data(self, state: TodoState) -> AppData:
        return data_of(state)

    def update(self, state: TodoState, event: Event) -> UpdateResult:
        return update(state, event)
