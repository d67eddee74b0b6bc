"""Tasks with a target as OpenApps' own: ``config/tasks`` of a checkout, with an entry for each.

A target that is compared as OpenApps does becomes the class of task that it came from, or would come from.
Each entry is read again before it is written: what differs then is reported.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.openapps.tasks import APP_NAMES, CLASS, FOLDER, LeftOutError, TaskReader
from collector.model.app_data.target import OPENAPPS
from collector.model.i18n import _
from collector.model.task import Task

CONFIG, TASKS_FILE, ALL_TASKS = "config", "waymark_tasks", "all_tasks"
_MODULE = "open_apps.tasks.tasks"
_REMOVED = {
    "calendar.events": ("RemoveEventTask", {"title": "title", "date": "date"}),
    "todo.tasks": ("DeleteToDoTask", {"todo_name": "title"}),
    "maps.saved": ("RemoveLandmarkTask", {"name": "name"}),
}
"""By collection the class of task that removes from it, and its keys with the fields of the record."""
_Entry = dict[str, Any]


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write the tasks, whose keys are their ids."""
    folder = path / CONFIG / FOLDER
    folder.mkdir(parents=True)
    entries: dict[str, _Entry] = {}
    for task in part.tasks:
        log.where = task.id
        try:
            entries[task.id] = _entry(task)
        except (LeftOutError, KeyError, TypeError, ValueError, AttributeError) as error:
            log.add("task-left-out", _("A task was left out: {why}", why=error or type(error).__name__))
            continue
        _report_changes(task, entries[task.id], log)
        log.written.tasks.append(task.id)
    for task in part.tasks:
        _report_rewordings(task, entries, log)
    log.where = ""
    _dump(folder / f"{ALL_TASKS}.yaml", {"defaults": [TASKS_FILE, "_self_"]})
    _dump(folder / f"{TASKS_FILE}.yaml", entries)
    text = _("Contents and variations of apps are not written, nor what a contact is expected to reply")
    log.add("tasks-alone", text, severity=NOTE)


def _dump(path: Path, values: Mapping[str, Any]) -> None:
    text = yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, width=100)
    path.write_bytes(text.encode("utf-8", "replace"))


def _entry(task: Task) -> _Entry:
    """The entry of a task. Raises LeftOutError, or another error for a target that nobody wrote so."""
    target = task.target
    if target is None:
        raise LeftOutError(_("it has no target"))
    if target.semantics != OPENAPPS:
        raise LeftOutError(_("its target is compared in another way than OpenApps does"))
    part = target.source
    if "subtasks" in part:
        subtasks = [{**_part(each, task), "goal": task.instruction} for each in part["subtasks"]]
        values: _Entry = {CLASS: f"{_MODULE}.CompositeTask", "_convert_": "all", "subtasks": subtasks}
    else:
        values = _part(part, task)
    style = task.extra.get("goal_style")
    styled = {"goal_style": style} if isinstance(style, str) and style else {}
    return {CLASS: values.pop(CLASS), "goal": task.instruction, **styled, **values}


def _part(part: Mapping[str, Any], task: Task) -> _Entry:
    kind, values = next(_parts(part, task), ("", {}))
    if not kind:
        raise LeftOutError(_("OpenApps has no such task"))
    return {CLASS: f"{_MODULE}.{kind}", **values}


def _parts(part: Mapping[str, Any], task: Task) -> Iterator[tuple[str, _Entry]]:
    """Class and keys of a part."""
    added, removed = part.get("add") or {}, part.get("removed") or {}
    if "calendar.events" in added:
        yield "AddEventTask", _event(added["calendar.events"])
    if "todo.tasks" in added:
        values = added["todo.tasks"]
        yield "AddToDoTask", {"todo_name": values["title"], "is_done": values["done"]}
    for collection, values in removed.items():
        kind, keys = _REMOVED[collection]
        yield kind, {key: _plain(values[field]) for key, field in keys.items()}
    if "done" in part:
        yield "MarkToDoDoneTask", {"todo_name": part["done"]}
    if "sent" in part:
        yield "SendMessageTask", {"to": part["sent"]["to"], "message": part["sent"]["text"]}
    if "saved" in part:
        place = part["saved"]
        within = {"tolerance_km": place["within_km"]} if "within_km" in place else {}
        yield "SavePlaceTask", {
            "name": place["name"], "latitude": place["lat"], "longitude": place["lng"], **within,
        }  # fmt: skip
    if "open_app" in part:
        yield "NavigateToAppTask", {
            "source_app": _name_of(1, task.app), "target_app": _name_of(0, part["open_app"]),
        }  # fmt: skip


def _event(values: Mapping[str, Any]) -> _Entry:
    return {
        "title": values["title"], "date": _plain(values["date"]), "description": values.get("notes") or None,
        "location": values.get("place") or None, "url": values.get("link") or None,
        "invitees": list(values.get("guests") or []),
    }  # fmt: skip


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, dt.date) else value


def _name_of(place: int, name: str) -> str:
    """OpenApps' name of the app whose short name (0), or name for people (1), is this."""
    found = [known for known, names in APP_NAMES.items() if names[place] == name]
    if not found:
        raise LeftOutError(_("OpenApps has no app {name}", name=name))
    return found[0]


def _report_changes(task: Task, entry: _Entry, log: ExchangeLog) -> None:
    """Report which values of a task OpenApps does not hold: those that reading its entry does not give."""
    again = TaskReader({task.id: entry}, ExchangeLog()).task(task.id, entry, "")
    skipped = ("rewordings", "proof")
    lost = [
        field.name
        for field in fields(Task)
        if field.name not in skipped and getattr(again, field.name, None) != getattr(task, field.name)
    ]
    if task.proof is not None:
        lost.append("proof")
    if lost:
        text = _("OpenApps has no place for values of a task: {names}", names=", ".join(lost))
        log.add("values-lost", text)


def _report_rewordings(task: Task, entries: Mapping[str, _Entry], log: ExchangeLog) -> None:
    """Other words for a task are entries of their own in OpenApps; report those without an entry."""
    for style, texts in task.rewordings.items():
        said = {
            entry["goal"]
            for key, entry in entries.items()
            if key.startswith(f"{task.id}__{style}_") and entry.get("goal_style", style) == style
        }
        if not said.issuperset(texts):
            log.where = task.id
            text = _(
                "Other words for a task that are no task of their own were left out: {style}", style=style
            )
            log.add("rewordings-lost", text)
