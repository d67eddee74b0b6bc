"""Event handlers of the to-do app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

from collector.virtual.apps.handlers import Handlers, page_of, words_of
from collector.virtual.apps.todo.state import TodoState, TodoTask
from collector.virtual.ui.app import STARTED
from collector.virtual.ui.effects import (
    EXTRA_TEXT,
    Change,
    Finish,
    Focus,
    RequestPermission,
    ShowSnackbar,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.extras import string

PACKAGE = "com.waymark.todo"
PERMISSIONS = ("android.permission.POST_NOTIFICATIONS", "android.permission.READ_CALENDAR")
"""Requested at start."""
_EXTRA_SUBJECT = "android.intent.extra.SUBJECT"
UpdateResult = TodoState | Change[TodoState]
_handlers: Handlers[TodoState] = Handlers()
_on, update = _handlers.on, _handlers.update
_page = partial(page_of, PACKAGE)
_say = partial(words_of, "todo")


def _with(state: TodoState, task_id: object, **changes: Any) -> TodoState:
    tasks = tuple(replace(task, **changes) if task.id == task_id else task for task in state.tasks)
    return replace(state, tasks=tasks)


@_on(STARTED)
def _started(state: TodoState, event: Event) -> UpdateResult:
    """A text that another app sends becomes a task: its first line the title, the rest the note."""
    extras = event.value if isinstance(event.value, Mapping) else {}
    text = string(extras, EXTRA_TEXT, string(extras, _EXTRA_SUBJECT, ""))
    if event.key == ".EditActivity" and text:
        title, _break, note = text.strip().partition("\n")
        return replace(state, draft=TodoTask(0, title, state.list, note=note.strip()), sheet="")
    requests = tuple(map(RequestPermission, PERMISSIONS)) if event.key == ".MainActivity" else ()
    return Change(state, requests)


@_on("check")
def _check(state: TodoState, event: Event) -> UpdateResult:
    return _with(state, event.key, done=bool(event.value))


@_on("span")
def _span(state: TodoState, event: Event) -> UpdateResult:
    return replace(state, span=str(event.key))


@_on("list")
def _list(state: TodoState, event: Event) -> UpdateResult:
    return replace(state, list=str(event.key), sheet="")


@_on("sheet")
def _sheet(state: TodoState, event: Event) -> UpdateResult:
    return replace(state, sheet=str(event.key or ""))


@_on("search")
def _search(state: TodoState, event: Event) -> UpdateResult:
    return Change(replace(state, query=""), (_page(".SearchActivity"),))


@_on("query")
def _query(state: TodoState, event: Event) -> UpdateResult:
    return replace(state, query=str(event.value or ""))


@_on("new")
def _new(state: TodoState, event: Event) -> UpdateResult:
    draft = TodoTask(0, "", state.list, due=str(event.key or ""))
    return Change(replace(state, draft=draft, sheet=""), (_page(".EditActivity"),))


@_on("edit")
def _edit(state: TodoState, event: Event) -> UpdateResult:
    draft = next(task for task in state.tasks if task.id == event.key)
    return Change(replace(state, draft=draft, sheet=""), (_page(".EditActivity"),))


@_on("draft")
def _draft(state: TodoState, event: Event) -> UpdateResult:
    """Change a field of the draft: ``key`` is the field's name, ``value`` the new text or switch state."""
    if state.draft is None:
        return state
    changed: dict[str, Any] = {str(event.key): event.value}
    return replace(state, draft=replace(state.draft, **changed))


@_on("pick")
def _pick(state: TodoState, event: Event) -> UpdateResult:
    """Choose a value: ``key`` is (field, value)."""
    field, value = cast("tuple[str, str]", event.key)
    return _draft(state, Event("draft", field, value))


@_on("save")
def _save(state: TodoState, event: Event) -> UpdateResult:
    draft = state.draft
    if draft is None or not draft.title.strip():
        return state
    if draft.id:
        saved = replace(
            state, tasks=tuple(draft if task.id == draft.id else task for task in state.tasks), draft=None
        )
    else:
        saved = replace(state, tasks=(*state.tasks, replace(draft, id=state.next_id)), draft=None)
    return Change(saved, (Focus(), Finish(), ShowSnackbar(_say(state, "saved"))))


@_on("delete")
def _delete(state: TodoState, event: Event) -> UpdateResult:
    if state.draft is None:
        return replace(state, sheet="")
    deleted = state.draft
    remaining = tuple(task for task in state.tasks if task.id != deleted.id)
    note = ShowSnackbar(_say(state, "deleted"), _say(state, "undo"), Event("undelete"))
    return Change(
        replace(state, tasks=remaining, draft=None, sheet="", deleted=deleted), (Focus(), Finish(), note)
    )


@_on("undelete")
def _undelete(state: TodoState, event: Event) -> UpdateResult:
    if state.deleted is None:
        return state
    tasks = tuple(sorted((*state.tasks, state.deleted), key=lambda task: task.id))
    return replace(state, tasks=tasks, deleted=None)


@_on("clear_done")
def _clear_done(state: TodoState, event: Event) -> UpdateResult:
    left = tuple(task for task in state.tasks if not (task.done and task.list == state.list))
    count = len(state.tasks) - len(left)
    note = ShowSnackbar(_say(state, "cleared", count=count))
    return Change(replace(state, tasks=left, sheet=""), (note,))


@_on("share")
def _share(state: TodoState, event: Event) -> UpdateResult:
    name = str(event.key)
    shared = tuple(dict.fromkeys((*state.shared, f"{state.list}:{name}")))
    note = ShowSnackbar(_say(state, "shared", name=name))
    return Change(replace(state, shared=shared, sheet=""), (note,))
