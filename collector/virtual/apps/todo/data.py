"""What the to-do app keeps for the person, as records."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.virtual.apps.todo.state import TodoState


def data_of(state: TodoState) -> AppData:
    """The tasks of all lists, and with whom lists are shared."""
    tasks = [
        {
            "title": task.title, "list": task.list, "due": task.due, "time": task.time, "note": task.note,
            "done": task.done, "important": task.important, "content_id": task.content_id,
        }
        for task in state.tasks
    ]  # fmt: skip
    shared = [dict(zip(("list", "contact"), share.split(":", 1), strict=True)) for share in state.shared]
    return {"todo.tasks": tasks, "todo.shared": shared}
