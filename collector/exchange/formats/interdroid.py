"""``record.json``, ``screenshots/``, ``ui_trees/``. Whether actions stand with the state before or after is
measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_DATA_SETS, TRAJECTORIES, Format
from collector.exchange.source import action_offset
from collector.exchange.source import files as source_files
from collector.exchange.source.checks import read_tree
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.model.action import Action, Key, LongPress, Swipe, Tap, Type
from collector.model.geometry import Point
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.trajectory import GOLDEN

RECORD = "record.json"


def detect(path: Path) -> float:
    """Sure when a ``record.json`` lies beside ``screenshots`` and ``ui_trees``."""
    for folder in source_files.folders(path):
        if (folder / RECORD).is_file() and (folder / "ui_trees").is_dir():
            return 0.96
    return 0.0


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each ``record.json``."""
    for folder in source_files.folders(path):
        if (folder / RECORD).is_file() and (folder / "ui_trees").is_dir():
            log.where = folder.name
            log.use(folder / RECORD)
            try:
                record = source_files.read_json(folder / RECORD)
            except ExchangeError as error:
                log.add("record-unreadable", str(error))
                continue
            yield _trajectory(folder, record if isinstance(record, dict) else {}, log)


def _trajectory(folder: Path, record: Mapping[str, Any], log: ExchangeLog) -> SourceTrajectory:
    goal = str(record.get("target") or folder.name)
    shots = source_files.numbered(folder / "screenshots", r"step_(\d+)" + source_files.PICTURE)
    trees = source_files.numbered(folder / "ui_trees", r"step_(\d+)_ui\.xml")
    given = record.get("steps")
    entries = {
        step["step_id"]: step
        for step in (given if isinstance(given, list) else ())
        if isinstance(step, dict) and type(step.get("step_id")) is int
    }
    actions = {number: _action(number, entry, log) for number, entry in entries.items()}
    shift = _shift(actions, trees, log)
    steps = []
    for number in sorted(shots.keys() | trees.keys() | {key - shift for key in entries}):
        entry = entries.get(number + shift, {})
        # Package and activity were noted with the screenshot, so they stay with the state.
        package, _slash, activity = str(entries.get(number, {}).get("activity_info") or "").partition("/")
        step = SourceStep(str(number), shots.get(number), trees.get(number), actions.get(number + shift))
        step.package, step.activity = package, activity
        if entry:
            step.extra["source_action"] = entry
        steps.append(step)
    processed = folder / "processed_screenshots"
    if processed.is_dir():
        log.use(*source_files.files(processed))
        log.add(
            "derived", _("Processed screenshots are copies of the others and were left out"), severity=NOTE
        )
    return SourceTrajectory(folder.name, Task(folder.name, goal), steps, kind=GOLDEN)


def _shift(actions: Mapping[int, Action | None], trees: Mapping[int, Path], log: ExchangeLog) -> int:
    """1 when each action belongs to the state before the one it is stored with, otherwise 0."""
    numbers = sorted(trees)
    silent = ExchangeLog()  # the same trees are read again, and reported, when they are written
    parsed = [read_tree(trees[number], silent, "")[1] for number in numbers]
    points: list[Point | None] = []
    for number in numbers:
        action = actions.get(number)
        points.append(action.point if action else None)
    measured = action_offset.measure(points, parsed)
    if not measured.is_late:
        return 0
    log.add(
        "actions-realigned",
        _(
            "The source files each action with the state after it ({before} of {taps} taps hit something "
            "touchable in the state before, {here} in their own): every action was moved to the state before",
            before=measured.before,
            here=measured.here,
            taps=measured.taps,
        ),
        severity=NOTE,
    )
    return 1


def _action(number: int, entry: Mapping[str, Any], log: ExchangeLog) -> Action | None:
    kind = str(entry.get("action_type") or "")
    detail = entry.get("action_detail") if isinstance(entry.get("action_detail"), dict) else {}
    try:
        return _action_of(kind, detail or {})
    except (KeyError, TypeError, ValueError, OverflowError):
        log.add("action-unknown", _("An action is not understood: {why}", why=kind), step=number)
        return None


def _action_of(kind: str, detail: Mapping[str, Any]) -> Action:
    if kind == "click":
        return Tap(round(detail["x"]), round(detail["y"]))
    if kind in ("press", "long_press"):
        return LongPress(round(detail["x"]), round(detail["y"]))
    if kind == "swipe":
        names = ("x1", "y1", "x2", "y2") if "x1" in detail else ("start_x", "start_y", "end_x", "end_y")
        return Swipe(*(round(detail[name]) for name in names))
    if kind == "input":
        text = str(detail["text"])
        return Type(text, len(text))
    if kind in ("back", "home", "enter"):
        return Key(kind)
    raise ValueError(kind)


FORMAT = Format(
    id="interdroid",
    title=N_("InterDroid recordings"),
    use=OF_DATA_SETS,
    holds=(TRAJECTORIES,),
    files=N_("record.json beside screenshots/ and ui_trees/"),
    detect=detect,
    read=read,
    licence=N_("InterDroid names no licence"),
)
