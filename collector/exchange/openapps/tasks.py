"""OpenApps' tasks as tasks with a target. Their ids are OpenApps' keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.openapps.composition import ConfigFolder, Interpolation, overlay
from collector.model.app_data.document import PACKAGES
from collector.model.app_data.target import OPENAPPS
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import STATE_TASK, Task, is_goal_style
from collector.targets.reader import SEMANTIC, TargetError, read_target

FOLDER = "tasks"
CLASS = "_target_"
"""Key of an entry for the class of its task."""
APP_NAMES = {
    "todo": ("todo", "To-do"), "calendar": ("calendar", "Calendar"), "messages": ("messenger", "Messenger"),
    "map": ("maps", "Maps"), "maps": ("maps", "Maps"), "codeeditor": ("code", "Code editor"),
    "onlineshop": ("shop", "Shop"), "start_page": ("start_page", "Start page"),
}  # fmt: skip
"""OpenApps' names for apps -> our short name, and the name that a person reads."""
_REWORDED = re.compile(r"(?P<task>.+)__(?P<style>[A-Za-z][A-Za-z0-9_-]*?)_(?P<number>\d+)")


class LeftOutError(ValueError):
    """Why a task cannot be carried over."""


@dataclass(frozen=True, slots=True)
class OpenAppsTasks:
    """The tasks of a configuration, and what contacts are expected to answer."""

    tasks: list[Task]
    answers: dict[str, list[str]]
    places: list[tuple[str, float, float]]
    """Name, latitude and longitude of each place that a task saves."""


def read_tasks(config: ConfigFolder, log: ExchangeLog) -> OpenAppsTasks:
    """All tasks of the folder ``tasks``. Of a key that two files have the last one counts, as in OpenApps."""
    entries: dict[str, Any] = {}
    for name in config.names(FOLDER):
        log.where = f"{FOLDER}/{name}.yaml"
        try:
            found = config.own_keys(f"{FOLDER}/{name}")
        except UserError as error:
            log.add("file-left-out", _("A file was left out: {why}", why=error))
            continue
        entries.update({key: (log.where, value) for key, value in found.items() if key != "defaults"})
    tree: dict[str, Any] = {}
    overlay(tree, {key: value for key, (_where, value) in entries.items()})
    absent = _absent_apps(config, tree.values())
    reader = TaskReader({**tree, FOLDER: tree}, log, absent)  # OpenApps reads them with and without Hydra
    tasks = [task for key, (where, _value) in entries.items()
             if (task := reader.task(key, tree[key], where)) is not None]  # fmt: skip
    return OpenAppsTasks(_with_rewordings(tasks), reader.answers, reader.places)


class TaskReader:
    """Reads entries one by one."""

    def __init__(self, tree: Mapping[str, Any], log: ExchangeLog, absent_apps: Iterable[str] = ()) -> None:
        """``absent_apps`` are OpenApps' names of apps that the phone has not: no task may be about them."""
        self._references, self._log = Interpolation(tree), log
        self._absent = {name: _as_word(name) for name in absent_apps}
        self.answers: dict[str, list[str]] = {}
        self.places: list[tuple[str, float, float]] = []

    def task(self, key: str, value: Any, where: str) -> Task | None:
        """The task of an entry; None, and a line in the report, for one that cannot be carried over."""
        self._log.where = where
        try:
            entry = self._references.resolved(value)
            self._references.report_unknown(self._log, key)
            if not isinstance(entry, Mapping) or not str(entry.get("goal") or "").strip():
                raise LeftOutError(_("it has no goal"))
            self._require_apps(str(entry["goal"]))
            part = self._part(entry, key)
            target = read_target({SEMANTIC: OPENAPPS, **part})
        except (UserError, LeftOutError, TargetError) as error:
            self._log.add("task-left-out", _("A task was left out: {why}", why=error), step=key)
            return None
        app, title = self._app(entry)
        style = str(entry.get("goal_style") or "")
        extra = {"goal_style": style} if style else {}
        return Task(
            key, str(entry["goal"]).strip(), title, PACKAGES.get(app, f"com.waymark.{app}"), type=STATE_TASK,
            language="en", target=target, extra=extra,
        )  # fmt: skip

    def _require_apps(self, goal: str) -> None:
        """Refuse a goal that names an absent app: what is to be read there is nowhere."""
        for name, word in self._absent.items():
            if word.search(goal):
                raise _no_app(name)

    def _app(self, entry: Mapping[str, Any]) -> tuple[str, str]:
        """The app that a task starts in: our short name, and the name that a person reads."""
        kind = _kind(entry)
        if kind == "CompositeTask":
            return self._app(entry["subtasks"][0])
        if kind == "NavigateToAppTask":
            return APP_NAMES.get(str(entry.get("source_app")), APP_NAMES["start_page"])
        return APP_NAMES[_APP_OF[kind]]

    def _part(self, entry: Mapping[str, Any], key: str) -> dict[str, Any]:
        """The keys of a target for a task, or a part of one."""
        kind = _kind(entry)
        match kind:
            case "CompositeTask":
                return {"subtasks": list(self._subtasks(entry.get("subtasks"), key))}
            case "AddEventTask":
                return {"add": {"calendar.events": _event(entry)}}
            case "RemoveEventTask":
                return {"removed": {"calendar.events": _needed(entry, "title", "date")}}
            case "AddToDoTask":
                values = _needed(entry, "todo_name", "is_done")
                return {"add": {"todo.tasks": {"title": values["todo_name"], "done": values["is_done"]}}}
            case "MarkToDoDoneTask":
                return {"done": _needed(entry, "todo_name")["todo_name"]}
            case "DeleteToDoTask":
                return {"removed": {"todo.tasks": {"title": _needed(entry, "todo_name")["todo_name"]}}}
            case "SendMessageTask":
                return {"sent": self._message(entry)}
            case "SavePlaceTask":
                return {"saved": self._place(entry)}
            case "RemoveLandmarkTask":
                return {"removed": {"maps.saved": _needed(entry, "name")}}
            case "NavigateToAppTask":
                return {"open_app": _front(entry)}
        raise LeftOutError(_("there is no target for {kind}", kind=kind or CLASS))

    def _subtasks(self, value: object, key: str) -> Iterator[dict[str, Any]]:
        if not isinstance(value, list) or not value:
            raise LeftOutError(_("{key} has to be a list", key="subtasks"))
        for entry in value:
            if not isinstance(entry, Mapping) or _kind(entry) in ("CompositeTask", "NavigateToAppTask"):
                raise LeftOutError(_("OpenApps cannot check such a subtask"))
            part = self._part(entry, key)
            if part.get("saved", {}).pop("within_km", None) is not None:
                what = _("The distance of a subtask was left out, as OpenApps does")
                self._log.add("distance-left-out", what, step=key, severity=NOTE)
            yield part

    def _message(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        values = _needed(entry, "to", "message")
        reply = entry.get("expected_reply")
        if isinstance(values["to"], str) and isinstance(reply, str) and reply:
            known = self.answers.setdefault(values["to"], [])
            if reply not in known:
                known.append(reply)
        return {"to": values["to"], "text": values["message"]}

    def _place(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        values = _needed(entry, "name", "latitude", "longitude")
        lat, lng = values["latitude"], values["longitude"]
        place = {"name": values["name"], "lat": lat, "lng": lng}
        if entry.get("tolerance_km") is not None:
            place["within_km"] = entry["tolerance_km"]
        if all(isinstance(number, int | float) for number in (lat, lng)):
            self.places.append((str(values["name"]), lat, lng))
        return place


_APP_OF = {
    "AddEventTask": "calendar", "RemoveEventTask": "calendar", "AddToDoTask": "todo",
    "MarkToDoDoneTask": "todo", "DeleteToDoTask": "todo", "SendMessageTask": "messages",
    "SavePlaceTask": "map", "RemoveLandmarkTask": "map",
}  # fmt: skip
"""The app that a task of each class is about."""


def _kind(entry: Mapping[str, Any]) -> str:
    """The class of a task, without its module."""
    return str(entry.get(CLASS) or "").rpartition(".")[2]


def _needed(entry: Mapping[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        if entry.get(name) is None:
            raise LeftOutError(_("its {key} is missing", key=name))
    return {name: entry[name] for name in names}


def _event(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A new event. Empty fields are named, too: OpenApps compares them with those of the last event."""
    guests = entry.get("invitees") or []
    return {
        **_needed(entry, "title", "date"),
        "notes": entry.get("description") or "",
        "place": entry.get("location") or "",
        "link": entry.get("url") or "",
        "guests": guests if isinstance(guests, list) else [guests],
    }


def _front(entry: Mapping[str, Any]) -> str:
    app = str(entry.get("target_app"))
    if app not in APP_NAMES or app == "start_page":
        raise _no_app(app)
    return APP_NAMES[app][0]


def _no_app(name: str) -> LeftOutError:
    return LeftOutError(_("the phone has no app {word}", word=name))


def _absent_apps(config: ConfigFolder, entries: Iterable[Any]) -> list[str]:
    """OpenApps' names of apps that have contents, or that a task leads to, and that the phone has not."""
    known = {_plain(name) for names in APP_NAMES.items() for name in (names[0], names[1][0])}
    named = (entry.get("target_app") for entry in entries if isinstance(entry, Mapping))
    names = {*config.folders("apps", "content"), *(name for name in named if isinstance(name, str))}
    return sorted(name for name in names if _plain(name) and _plain(name) not in known)


def _plain(app: str) -> str:
    return app.replace("_", "").casefold()


def _as_word(app: str) -> re.Pattern[str]:
    """Finds the name of an app in a sentence, whatever its capitals, with or without spaces."""
    return re.compile(rf"\b{'[ _-]?'.join(map(re.escape, app.split('_')))}\b", re.IGNORECASE)


def _with_rewordings(tasks: list[Task]) -> list[Task]:
    """The tasks, where those that others say in other words have these as their rewordings."""
    known = {task.id: task for task in tasks}
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for task in tasks:
        match = _REWORDED.fullmatch(task.id)
        original = known.get(match["task"]) if match else None
        if match is None or original is None or original.target != task.target:
            continue
        style = str(task.extra.get("goal_style") or match["style"])
        if is_goal_style(style):
            styles = found.setdefault(original.id, {})
            styles[style] = (*styles.get(style, ()), task.instruction)
    return [replace(task, rewordings=found.get(task.id, {})) for task in tasks]
