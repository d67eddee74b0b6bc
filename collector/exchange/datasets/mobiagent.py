"""One folder per task: ``actions.json``, ``1.jpg``, ``2.jpg`` ...; ``react.json`` has the reasoning. Drawn
pictures are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_DATA_SETS, TASKS, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import unknown_action
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mapping, mappings, read_mapping, read_record, text
from collector.model.action import (
    Action,
    Complete,
    DoubleTap,
    Key,
    LongPress,
    OpenApp,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.i18n import N_, _
from collector.model.task import Task

ACTIONS, REASONS = "actions.json", "react.json"
_DRAWN = ("_highlighted", "_bounds")
_TOUCHES: dict[str, Callable[[int, int], Action]] = {
    "click": Tap,
    "long_press": LongPress,
    "double_click": DoubleTap,
}
_KEYS = {"back": "back", "home": "home", "enter": "enter"}


def _records(root: Path) -> Iterator[Path]:
    """Each ``actions.json`` with the actions of a task."""
    return marked_files(root, ACTIONS, b'"task_description"', b'"actions"')


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each folder of a task."""
    for record in _records(path):
        folder = record.parent
        above = folder.relative_to(path).parts[-3:-1] if folder.is_relative_to(path) else ()
        name = "-".join((*above, folder.name))
        log.where = name
        yield _trajectory(name, folder, read_mapping(record, log), log)


def _trajectory(name: str, folder: Path, record: Mapping[str, Any], log: ExchangeLog) -> SourceTrajectory:
    given = record.get("task_description")
    said = [text(each) for each in (given if isinstance(given, list) else [given]) if text(each)]
    task = Task(
        name,
        said[0] if said else name,
        app=text(record.get("app_name")),
        category=text(record.get("task_type")),
        rewordings={"rewritten": tuple(said[1:])} if said[1:] else {},
    )
    reasons = _reasons(folder, log)
    pictures = source_files.numbered(folder, r"(\d+)" + source_files.PICTURE)
    trees = source_files.numbered(folder, r"(\d+)\.xml")
    actions = dict(enumerate(mappings(record.get("actions")), start=1))
    steps = []
    for number in sorted(actions.keys() | pictures.keys() | trees.keys()):
        step = SourceStep(str(number), pictures.get(number), trees.get(number))
        step.intention = reasons.get(number, "")
        if number in actions:
            step.extra["source_action"] = actions[number]
            try:
                step.action = _action(actions[number])
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                unknown_action(step, error, log)
        steps.append(step)
    _leave_out_drawn(folder, log)
    return SourceTrajectory(name, task, steps)


def _reasons(folder: Path, log: ExchangeLog) -> dict[int, str]:
    """Number of an action -> its reasoning, as far as the task was annotated."""
    if not (folder / REASONS).is_file():
        return {}
    entries = mappings(read_record(folder / REASONS, log))
    return {number: text(entry.get("reasoning")) for number, entry in enumerate(entries, start=1)}


def _leave_out_drawn(folder: Path, log: ExchangeLog) -> None:
    drawn = [path for path in folder.glob("*.jpg") if path.stem.endswith(_DRAWN)]
    if drawn:
        log.use(*drawn)
        said = _("Screenshots with the action drawn on them are copies of the others and were left out")
        log.add("derived", said, severity=NOTE)


def _action(values: Mapping[str, Any]) -> Action:
    kind = text(values.get("type"))
    if kind in _TOUCHES:
        return _TOUCHES[kind](*_place(values, "position"))
    if kind == "swipe":
        return Swipe(*_place(values, "press_position"), *_place(values, "release_position"))
    if kind == "input":
        typed = text(values["text"])
        return Type(typed, len(typed))
    if kind == "open_app":
        return OpenApp(package=text(values.get("package_name")), name=text(values.get("app_name")))
    if kind == "wait":
        return Wait()
    if kind == "done":
        return Complete()
    if kind in _KEYS:
        return Key(_KEYS[kind])
    raise ValueError(kind)


def _place(values: Mapping[str, Any], name: str) -> tuple[int, int]:
    """A place in pixels, flat as ``position_x`` or nested as ``position``."""
    nested = mapping(values.get(name))
    x, y = (values.get(f"{name}_{axis}", nested.get(axis)) for axis in ("x", "y"))
    return round(float(x)), round(float(y))


FORMAT = Format(
    id="mobiagent",
    title=N_("MobiAgent collected data"),
    use=OF_DATA_SETS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("A folder for each task: actions.json, numbered screenshots, and react.json"),
    detect=recognised_by(_records),
    read=read,
)
