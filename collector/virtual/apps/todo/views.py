"""Screens of the to-do app: the list, the search and the editor of one task."""

from __future__ import annotations

import datetime as dt

from collector.virtual.apps.dates import next_monday, short_date
from collector.virtual.apps.empty import empty
from collector.virtual.apps.rows import option_row
from collector.virtual.apps.todo.state import SPANS, TodoState, TodoTask
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.events import Event

TIMES = ("", "09:00", "12:00", "18:00", "21:00")


def list_name(state: TodoState, context: Context, say: AppTexts) -> str:
    """The name of the chosen list; the app's where the list is gone."""
    lists = {todo_list["id"]: todo_list["name"] for todo_list in load("todo")["lists"]}
    return localized(lists[state.list], context.locale) if state.list in lists else say("app")


def list_screen(state: TodoState, context: Context, say: AppTexts) -> w.Screen:
    """The tasks of the chosen list, today's or all."""
    today = context.now.date()
    chips = w.Row(
        tuple(
            w.Chip(
                label=say(span), selected=state.span == span, id=f"span_{span}", on_tap=Event("span", span)
            )
            for span in SPANS
        ),
        gap=10,
        padding=(16, 10, 16, 12),
    )
    tasks = state.shown(today)
    body: w.Widget = w.ScrollList(
        tuple(_task(task, today, say) for task in tasks), gap=8, padding=(14, 0, 14, 96), grow=1, id="tasks"
    )
    if not tasks:
        body = _empty(say)
    due = {"today": today.isoformat(), "week": today.isoformat()}.get(state.span, "")
    return w.Screen(
        w.Column((chips, body), grow=1),
        app_bar=w.AppBar(
            title=list_name(state, context, say),
            navigation="menu",
            on_navigation=Event("sheet", "lists"),
            actions=(
                w.IconButton(icon="search", id="search", description=say("search"), on_tap=Event("search")),
                w.IconButton(
                    icon="more", id="more", description=say("more"), on_tap=Event("sheet", "menu"), width=40
                ),
            ),
        ),
        floating=w.FloatingButton(id="add", description=say("add"), on_tap=Event("new", due)),
        sheet=_sheet(state, context, say),
    )


def _empty(say: AppTexts) -> w.Widget:
    return w.Column(
        (
            w.Icon(name="check", size=44, color="text_2", align_self="center"),
            w.Text(text=say("empty"), size=18, align="center", id="empty_title"),
            w.Text(text=say("empty_2"), size=14, color="text_2", align="center"),
        ),
        gap=12,
        padding=(32, 120, 32, 0),
        grow=1,
        id="empty",
    )


def _task(task: TodoTask, today: dt.date, say: AppTexts) -> w.Widget:
    parts: list[w.Widget] = [
        w.Text(
            text=task.title,
            size=15,
            strike=task.done,
            color="text_2" if task.done else "text",
            id="task_title",
        )
    ]
    line = due_line(task, today, say)
    if line and not task.done:
        overdue = task.overdue(today)
        parts.append(w.Text(text=line, size=12.5, color="error" if overdue else "text_2", id="task_due"))
    if task.note and not task.done:
        parts.append(w.Text(text=task.note, size=12.5, color="text_2", max_lines=3, id="task_note"))
    row: list[w.Widget] = [
        w.Checkbox(
            checked=task.done, on_change=Event("check", task.id), id="task_check", description=task.title
        ),
        w.Column(tuple(parts), grow=1, class_name="-"),
    ]
    if task.important:
        row.append(w.Icon(name="star", size=18, color="primary", filled=True, description=say("priority")))
    return w.Row(
        tuple(row),
        gap=14,
        padding=(6, 10, 16, 10),
        radius=12,
        background="surface_container",
        key=str(task.id),
        id="task",
        on_tap=Event("edit", task.id),
    )


def due_line(task: TodoTask, today: dt.date, say: AppTexts) -> str:
    """``Tomorrow, 09:00``, with a note when overdue; empty for today without a time."""
    if not task.due:
        return ""
    day = dt.date.fromisoformat(task.due)
    if day == today:
        return say("at", day=say("today"), time=task.time) if task.time else ""
    words = say("tomorrow") if day == today + dt.timedelta(days=1) else short_date(day, say.locale)
    if task.overdue(today):
        words = f"{say('overdue')}, {words}"
    return say("at", day=words, time=task.time) if task.time else words


def _sheet(state: TodoState, context: Context, say: AppTexts) -> w.Sheet | None:
    rows: tuple[w.Widget, ...]
    if state.sheet == "lists":
        title = say("menu")
        rows = tuple(
            _choice(
                Event("list", todo_list["id"]),
                localized(todo_list["name"], context.locale),
                todo_list["id"] == state.list,
            )
            for todo_list in load("todo")["lists"]
        )
    elif state.sheet == "menu":
        title = say("more")
        rows = (
            option_row(Event("sheet", "share"), "share", say("share")),
            option_row(Event("clear_done"), "delete", say("clear_done")),
        )
    elif state.sheet == "share":
        title = say("share_with")
        people = [person["name"] for person in load("messenger")["people"] if person["phone"]]
        rows = tuple(
            _choice(Event("share", name), name, f"{state.list}:{name}" in state.shared) for name in people
        )
    else:
        return None
    body = w.Column(rows, padding=(0, 0, 0, 16))
    return w.Sheet(body, title=title, on_dismiss=Event("sheet"), id=f"{state.sheet}_sheet")


def _choice(event: Event, label: str, chosen: bool) -> w.Widget:
    return option_row(event, "check" if chosen else "list", label, chosen=chosen)


def search_screen(state: TodoState, context: Context, say: AppTexts) -> w.Screen:
    """Search over all lists."""
    field = w.TextField(
        text=state.query,
        hint=say("search_tasks"),
        style="filled",
        action="search",
        on_change=Event("query"),
        id="query",
        focused=True,
    )
    today = context.now.date()
    rows = tuple(_task(task, today, say) for task in state.matches())
    clear = w.IconButton(icon="close", id="clear", description=say("clear"), on_tap=Event("query"))
    found: w.Widget = w.ScrollList(rows, gap=8, padding=(14, 12, 14, 24), grow=1, id="found")
    if state.query and not rows:
        found = empty("search", say("nothing_found"), say("nothing_found_2"), top=60)
    return w.Screen(
        found,
        app_bar=w.AppBar(navigation="back", middle=field, actions=(clear,)),
    )


def edit_screen(state: TodoState, context: Context, say: AppTexts) -> w.Screen:
    """The editor of one task: title, note, due day, reminder, list."""
    task = state.draft or TodoTask(0, "")
    fields = (
        w.TextField(
            text=task.title,
            label=say("title"),
            on_change=Event("draft", "title"),
            id="title",
            focused=not task.id,
            action="next",
        ),
        w.TextField(
            text=task.note, label=say("note"), kind="multiline", on_change=Event("draft", "note"), id="note"
        ),
        _choices(say("due"), "due", task.due, _days(context, say)),
        _choices(say("time"), "time", task.time, tuple((time, time or say("no_time")) for time in TIMES)),
        _choices(
            say("list"),
            "list",
            task.list,
            tuple(
                (todo_list["id"], localized(todo_list["name"], context.locale))
                for todo_list in load("todo")["lists"]
            ),
        ),
        w.Row(
            (
                w.Text(text=say("priority"), size=15, grow=1),
                w.Switch(
                    checked=task.important,
                    on_change=Event("draft", "important"),
                    id="important",
                    description=say("priority"),
                ),
            ),
            height=48,
        ),
        w.Button(
            label=say("save"), height=48, id="save", enabled=bool(task.title.strip()), on_tap=Event("save")
        ),
    )
    actions: tuple[w.Widget, ...] = ()
    if task.id:
        actions = (
            w.IconButton(
                icon="delete", id="delete", description=say("delete"), on_tap=Event("sheet", "delete")
            ),
        )
    return w.Screen(
        w.Scroll(child=w.Column(fields, gap=16, padding=(20, 16, 20, 24)), grow=1, id="form"),
        app_bar=w.AppBar(
            title=say("edit_task" if task.id else "new_task"), navigation="back", actions=actions
        ),
        dialog=_delete_dialog(task, say) if state.sheet == "delete" else None,
    )


def _days(context: Context, say: AppTexts) -> tuple[tuple[str, str], ...]:
    today = context.now.date()
    monday = next_monday(today)
    week = today + dt.timedelta(days=7)
    return (
        ("", say("no_date")),
        (today.isoformat(), say("today")),
        ((today + dt.timedelta(days=1)).isoformat(), say("tomorrow")),
        (monday.isoformat(), say("next_monday")),
        (week.isoformat(), say("next_week")),
    )


def _choices(label: str, field: str, value: str, choices: tuple[tuple[str, str], ...]) -> w.Widget:
    unique = dict(choices)
    if value not in unique:
        unique[value] = value
    chips = tuple(
        w.Chip(
            label=text, selected=value == key, id=f"{field}_chip", key=key, on_tap=Event("pick", (field, key))
        )
        for key, text in unique.items()
    )
    head = w.Text(text=label, size=13, color="text_2")
    return w.Column((head, w.Flow(chips, gap=8, line_gap=8)), gap=8)


def _delete_dialog(task: TodoTask, say: AppTexts) -> w.Dialog:
    return w.Dialog(
        title=say("delete_sure"),
        message=say("delete_why", title=task.title),
        buttons=(
            w.Button(label=say("cancel"), style="text", id="cancel", on_tap=Event("sheet")),
            w.Button(label=say("delete"), id="confirm_delete", on_tap=Event("delete")),
        ),
        on_dismiss=Event("sheet"),
        id="delete_dialog",
    )
