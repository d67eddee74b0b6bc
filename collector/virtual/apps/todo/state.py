"""The to-do app's whole state, as YAML shows it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from collector.virtual.ui.content import load, localized

FIRST_DAY = dt.date(2026, 11, 20)
"""The initial date of a new phone; due dates in the content file are relative to it."""
SPANS = ("today", "week", "all")


@dataclass(frozen=True, slots=True)
class TodoTask:
    """One task. ``due`` is an ISO date or empty, ``time`` is ``HH:MM`` or empty."""

    id: int
    title: str
    list: str = "my"
    due: str = ""
    time: str = ""
    note: str = ""
    done: bool = False
    important: bool = False
    content_id: str = ""
    """Id of the entry of the content file that it was at first; empty for what the person added."""

    def overdue(self, today: dt.date) -> bool:
        return bool(self.due) and not self.done and dt.date.fromisoformat(self.due) < today


@dataclass(frozen=True, slots=True)
class TodoState:
    """Tasks, how they are displayed, and the task being edited."""

    locale: str = "en-US"
    tasks: tuple[TodoTask, ...] = ()
    list: str = "my"
    span: str = "today"
    query: str = ""
    sheet: str = ""
    """lists, menu, share, delete or none."""
    draft: TodoTask | None = None
    shared: tuple[str, ...] = ()
    """``list:contact`` for every shared list."""
    deleted: TodoTask | None = None
    """The task deleted last, for undo."""

    @property
    def next_id(self) -> int:
        return max((task.id for task in self.tasks), default=0) + 1

    def shown(self, today: dt.date) -> tuple[TodoTask, ...]:
        """The tasks of the chosen list and period, important ones first, then in list order."""
        last = {"today": today, "week": today + dt.timedelta(days=7)}.get(self.span)
        tasks = [
            task
            for task in self.tasks
            if task.list == self.list
            and (last is None or (bool(task.due) and dt.date.fromisoformat(task.due) <= last))
        ]
        return tuple(sorted(tasks, key=lambda task: not task.important))

    def matches(self) -> tuple[TodoTask, ...]:
        """The tasks of all lists that contain the search text."""
        words = self.query.casefold().split()
        return tuple(
            task
            for task in self.tasks
            if words and all(word in f"{task.title} {task.note}".casefold() for word in words)
        )


def fresh(locale: str) -> TodoState:
    """The state of a newly installed app."""
    tasks = []
    for number, row in enumerate(load("todo")["tasks"], start=1):
        due = row["due"]
        day = "" if due is None else (FIRST_DAY + dt.timedelta(days=due)).isoformat()
        note = localized(row["note"], locale) if "note" in row else ""
        title = localized(row["title"], locale)
        tasks.append(
            TodoTask(
                number, title, row["list"], day, note=note, done=row["done"], content_id=row.get("id", "")
            )
        )
    span = load("todo").get("span", "today")
    return TodoState(locale=locale, tasks=tuple(tasks), span=span if span in SPANS else "today")
