"""Golden trajectories as LlamaTouch's ground-truth traces, ``CATEGORY/trace_<n>/``, and their table.

The files of a trace are those of its ``dataset/README.md`` without what is drawn of them, and without
``i.vh``, which its Evaluator does not read. An event belongs to the screenshot with its number.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_picture import write_picture
from collector.exchange.exports.exported_trajectories import (
    ExportedTrajectory,
    exported_trajectories,
    report_people,
)
from collector.exchange.formats.llamatouch_annotations import ScreenAnnotations
from collector.exchange.scripts.gestures import scroll_ends
from collector.exchange.touched_apps import touched_where_shown
from collector.judge.evaluation.task_rules import TaskRules, rules_by_task
from collector.model.action import (
    COMPLETION_SIGNALS,
    Action,
    Drag,
    Key,
    Scroll,
    Swipe,
    Tap,
    Type,
)
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.pictures.errors import PictureError
from collector.pictures.formats import read_picture_file
from collector.project_rules.project_rules import ProjectRules
from collector.store.files.errors import StoreError
from collector.store.files.names import folder_name

FORMAT_ID = "llamatouch"
EVENTS, INSTRUCTION, METADATA = "eventStructs.txt", "instruction.txt", "llamatouch_task_metadata.tsv"
CATEGORIES = ("general", "generated", "googleapps", "install", "webshopping")
_OWN = "generated"
"""The category of LlamaTouch's own tasks, and of all that have none of its categories."""
KEYS = {"home": "[Home]", "back": "[Back]", "enter": "[Enter]"}
UNKNOWN = "[Unknown]"
"""Begins the event of an action that LlamaTouch has no word for."""
_COLUMNS = ("episode", "category", "path", "description", "nsteps", "app")


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write a trace for each golden trajectory, and the table of the episodes."""
    path.mkdir(parents=True, exist_ok=True)
    rules_of = rules_by_task(part.project, ProjectRules(part.project).rules())
    waiting = log.beside(path, "rows.jsonl")
    rows = _waiting_rows(waiting)
    numbers = {category: count() for category in CATEGORIES}
    for exported in exported_trajectories(part, log):
        if not any(step.state.screenshot for step in exported.steps):
            log.leave_out("no-screenshot", _("A trajectory was left out: it has no picture"))
            continue
        folder = _free_folder(exported, path, numbers)
        log.makes(folder)
        row = _Trace(exported, rules_of(exported.header.task_id), folder, log).write()
        if rows.setdefault(row[0], row) is not row:
            text = _("The table of episodes names the first trace of a task alone")
            log.add("episode-twice", text, severity=NOTE)
        else:
            log.append(waiting, f"{json.dumps(row)}\n".encode())
        report_people(exported, log)
    table = io.StringIO()
    writer = csv.writer(table, delimiter="\t", lineterminator="\n")
    writer.writerows([_COLUMNS, *rows.values()])
    (path / METADATA).write_bytes(table.getvalue().encode("utf-8", "replace"))


def _waiting_rows(file: Path) -> dict[str, tuple[str, ...]]:
    """The rows of an interrupted export, by the name of the episode."""
    if not file.exists():
        return {}
    with file.open(encoding="ascii") as lines:
        return {row[0]: tuple(row) for row in map(json.loads, lines)}


def _free_folder(exported: ExportedTrajectory, path: Path, numbers: Mapping[str, Iterator[int]]) -> Path:
    """Where a trace goes: by the name that it was imported under, or with the next number of its category."""
    category = exported.task.category.casefold() if exported.task is not None else ""
    category = category if category in CATEGORIES else _OWN
    extra = exported.header.extra
    given = extra.get("source_name") if extra.get("imported_from") == FORMAT_ID else None
    folder = (
        path / category / folder_name(given if isinstance(given, str) else f"trace_{next(numbers[category])}")
    )
    while folder.exists():
        folder = path / category / f"trace_{next(numbers[category])}"
    return folder


class _Trace:
    """A trajectory as a trace."""

    def __init__(
        self, exported: ExportedTrajectory, rules: TaskRules, folder: Path, log: ExchangeLog
    ) -> None:
        self._exported, self._rules, self._folder, self._log = exported, rules, folder, log

    def write(self) -> tuple[str, ...]:
        """Write the files; returns the row of the episode."""
        self._folder.mkdir(parents=True)
        exported, task = self._exported, self._exported.task
        annotations = ScreenAnnotations(exported.stored, self._rules, self._log)
        events = [self._write_state(index, step, annotations) for index, step in enumerate(exported.steps)]
        while events and not events[-1]:
            events.pop()
        self._put(EVENTS, "".join(f"{event or UNKNOWN}\n" for event in events))
        episode, said = _line(exported.header.task_id), _line(exported.instruction)
        self._put(INSTRUCTION, f"{episode}\n{said}\n")
        text = _("LlamaTouch has no place for times, verdicts, agents and other values of a task")
        self._log.add("values-lost", text)
        category, app = self._folder.parent.name, task.app if task is not None else ""
        place = f"{category}/{self._folder.name}"
        return episode, category, place, said, str(len(exported.steps)), _line(app)

    def _put(self, name: str, text: str) -> None:
        (self._folder / name).write_bytes(text.encode("utf-8", "replace"))

    def _write_state(self, index: int, step: Step, annotations: ScreenAnnotations) -> str:
        """Write the files of a state, and return the event on it."""
        picture = self._folder / f"{index}.png"
        if not write_picture(self._exported.stored, step, picture, self._log, index, as_png=True):
            text = _("A state has no screenshot, which LlamaTouch's scripts need")
            self._log.add("no-picture", text, step=index)
        try:
            tree = self._exported.stored.tree(step)
        except StoreError as error:
            tree = None
            self._log.add("file-missing", _("A file was left out: {why}", why=error), step=index)
        if tree is not None:
            (self._folder / f"{index}.xml").write_bytes(tree)
        state = step.state
        front = f"{state.package}/{state.activity}" if state.package and state.activity else "null"
        self._put(f"{index}.activity", _line(front))
        if essential := annotations.essential(index):
            self._put(f"{index}.ess", essential)
        if nodes := annotations.nodes(index):
            self._put(f"{index}.json", json.dumps(nodes, ensure_ascii=False, indent=4))
        return self._event(index, step, _size(step, picture))

    def _event(self, index: int, step: Step, screen: Size) -> str:
        if step.action is None:
            given = self._exported.given_action(step, FORMAT_ID)
            return _line(given) if isinstance(given, str) else ""
        action = touched_where_shown(self._exported, step, step.action, self._log, index)
        later = self._exported.steps[index + 1 :]
        if isinstance(action, COMPLETION_SIGNALS) and not any(each.action for each in later):
            text = _("LlamaTouch has no event for the end of a task, nor for an answer")
            self._log.add("end-lost", text, step=index)
            return ""
        if isinstance(action, Scroll) and not screen.is_empty:
            action = scroll_ends(action, screen)
        if event := _written(action, screen):
            if isinstance(action, Drag):
                self._log.add("drag-as-swipe", _("A drag became a swipe"), step=index)
            return event
        text = _("LlamaTouch has no event for an action, at which its scripts stop: {kind}", kind=action.kind)
        self._log.add("action-unknown-there", text, step=index)
        return f"{UNKNOWN} {action.kind}"


def _line(text: str) -> str:
    """A text on one line: each file has a value a line."""
    return " ".join(text.splitlines())


def _size(step: Step, picture: Path) -> Size:
    """The size that places are in: that of the screen, else of its picture."""
    if not step.state.size.is_empty or not picture.is_file():
        return step.state.size
    try:
        return read_picture_file(picture.read_bytes()).size
    except PictureError:
        return step.state.size


def _written(action: Action, screen: Size) -> str:
    """The event of an action; empty when LlamaTouch has none."""
    resolution = f"Screen Resolution ({screen.width}, {screen.height})"
    match action:
        case Key(key=key) if key in KEYS:
            return KEYS[key]
        case Type(text=typed, redacted=False) if len(typed.splitlines()) <= 1 and typed == typed.strip():
            return f"[Input] {typed}"
        case Tap(x=x, y=y) if not screen.is_empty:
            return f"[Click] {resolution}, Click Position ({x}, {y})"
        case Swipe() | Drag() if not screen.is_empty:
            first, last = action.point, action.end
            places = f"Start Position ({first.x}, {first.y}), End Position ({last.x}, {last.y})"
            return f"[Swipe] {resolution}, {places}"
    return ""
