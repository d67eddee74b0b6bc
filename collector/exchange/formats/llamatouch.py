"""``trace_<n>/`` with ``i.png``, ``i.xml`` and ``eventStructs.txt``; runs of AgentEnv (``captured_data``)
with their apps.
"""

from __future__ import annotations

import bisect
import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import FOR_BENCHMARKS, STATES, TASKS, TRAJECTORIES, Format
from collector.exchange.formats.llamatouch_export import (
    CATEGORIES,
    EVENTS,
    FORMAT_ID,
    INSTRUCTION,
    KEYS,
    METADATA,
    write,
)
from collector.exchange.formats.llamatouch_runs import in_front, is_run, read_run
from collector.exchange.formats.llamatouch_states import ESS, read_states
from collector.exchange.source import files as source_files
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.model.action import Action, Key, Swipe, Tap, Type
from collector.model.geometry import Point, Position, Size
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.trajectory import GOLDEN

_PLACE = r"\((-?[\d.]+), (-?[\d.]+)\)"
_CLICK = re.compile(rf"\[Click\] Screen Resolution {_PLACE}, Click Position {_PLACE}")
_SWIPE = re.compile(rf"\[Swipe\] Screen Resolution {_PLACE}, Start Position {_PLACE}, End Position {_PLACE}")
_FORMER = (
    (re.compile("【Home键】"), "[Home]"),
    (re.compile("【Back键】"), "[Back]"),
    (re.compile("【键盘输入】(.*)"), r"[Input] \1"),
    (
        re.compile("【点击事件】屏幕大小：（w(.+)，h(.+)），触摸位置：（x(.+)，y(.+)）"),
        r"[Click] Screen Resolution (\1, \2), Click Position (\3, \4)",
    ),
    (
        re.compile(
            "【滑动事件】屏幕大小：（w(.+)，h(.+)），起始位置：（x(.+)，y(.+)），结束位置：（x(.+)，y(.+)）"
        ),
        r"[Swipe] Screen Resolution (\1, \2), Start Position (\3, \4), End Position (\5, \6)",
    ),
)
"""How LlamaTouch wrote events before it wrote them in English."""
_KEYS = {event: key for key, event in KEYS.items()}
_SHOT, _TREE = r"(\d+)" + source_files.PICTURE, r"(\d+)\.xml"
_STATE = rf"(\d+)(?:{source_files.PICTURE}|\.xml)"


def detect(path: Path) -> float:
    """Sure when a folder holds ``eventStructs.txt`` and numbered screenshots, or the data of a run."""
    found = (_is_trace(folder) or is_run(folder) for folder in source_files.folders(path))
    return 0.95 if any(found) else 0.0


def _is_trace(folder: Path) -> bool:
    return (folder / EVENTS).is_file() and bool(source_files.numbered(folder, _STATE))


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each folder of a trace or a run."""
    rows = _metadata(path, log)
    for folder in source_files.folders(path):
        if _is_trace(folder) or is_run(folder):
            log.where = folder.name
            trajectory = _trajectory(folder, log) if _is_trace(folder) else read_run(folder, log)
            row = rows.get(trajectory.task.id, {})
            app, category = (row.get(key) or "" for key in ("app", "category"))
            trajectory.task = replace(trajectory.task, app=app.strip(), category=category.strip())
            yield trajectory


def _metadata(path: Path, log: ExchangeLog) -> dict[str, dict[str, str]]:
    """Episode -> its row of the table that comes with the whole dataset; empty without the table."""
    rows: dict[str, dict[str, str]] = {}
    for table in (path / METADATA, *sorted(path.glob(f"*/{METADATA}"))) if path.is_dir() else ():
        if source_files.exists(table):
            log.use(table)
            for row in csv.DictReader(source_files.read_text(table).splitlines(), delimiter="\t"):
                rows[(row.get("episode") or "").strip()] = row
    return rows


def _trajectory(folder: Path, log: ExchangeLog) -> SourceTrajectory:
    shots, trees = source_files.numbered(folder, _SHOT), source_files.numbered(folder, _TREE)
    activities = source_files.numbered(folder, r"(\d+)\.activity")
    essential = source_files.numbered(folder, ESS)
    events = _events(folder / EVENTS, log)
    steps = []
    numbers = sorted(shots.keys() | trees.keys())
    gaps = source_files.missing(numbers, min(numbers, default=0))
    for gap in gaps:
        log.add("gap", _("A number is missing in the source"), step=gap)
    for found, number in enumerate(numbers):
        place = found + bisect.bisect(gaps, number)
        step = SourceStep(str(number), shots.get(number), trees.get(number))
        if number in activities:
            log.use(activities[number])
            step.package, step.activity = in_front(activities[number])
        if number in essential:
            log.use(essential[number])
            step.extra["llamatouch_essential_states"] = source_files.read_text(essential[number]).strip()
        if place < len(events):
            step.extra["source_action"] = events[place]
            step.action = _action(events[place], shots.get(number), number, log)
        steps.append(step)
    states = read_states(folder, log)
    if essential:
        log.add("states-as-text", _("Essential states were kept with their steps as text too"), severity=NOTE)
    _check_counts(len(events), len(steps) + len(gaps), log)
    _add_left_out(folder, log)
    return SourceTrajectory(folder.name, _task(folder, log), steps, states=states)


def _events(path: Path, log: ExchangeLog) -> list[str]:
    log.use(path)
    return [_in_english(line.strip()) for line in source_files.read_text(path).splitlines() if line.strip()]


def _in_english(line: str) -> str:
    """An event as LlamaTouch writes it today."""
    found = ((former.fullmatch(line), now) for former, now in _FORMER)
    return next((match.expand(now) for match, now in found if match), line)


def _check_counts(events: int, states: int, log: ExchangeLog) -> None:
    if events > states:
        log.add(
            "more-actions",
            _(
                "There are {events} actions for {states} states; the last ones were left out",
                events=events,
                states=states,
            ),
        )
    elif events < states - 1:
        log.add(
            "fewer-actions",
            _(
                "There are {events} actions for {states} states; the last states have none",
                events=events,
                states=states,
            ),
        )


def _task(folder: Path, log: ExchangeLog) -> Task:
    path = folder / INSTRUCTION
    if not path.is_file():
        log.add("file-missing", _("{name} is missing", name=INSTRUCTION))
        return Task(folder.name, folder.name)
    log.use(path)
    episode, _newline, goal = source_files.read_text(path).strip().partition("\n")
    return Task(episode.strip() or folder.name, goal.strip() or folder.name)


def _action(line: str, screenshot: Path | None, number: int, log: ExchangeLog) -> Action | None:
    if line in _KEYS:
        return Key(_KEYS[line])
    if line.startswith("[Input]"):
        text = line.removeprefix("[Input]").strip()
        return Type(text, len(text))
    match = _CLICK.fullmatch(line) or _SWIPE.fullmatch(line)
    if match is None:
        log.add(
            "action-unknown", _("An action is not understood: {why}", why=line.partition(" ")[0]), step=number
        )
        return None
    try:
        width, height, *places = (round(float(part)) for part in match.groups())
    except (ValueError, OverflowError):
        width = height = 0
    if width <= 0 or height <= 0:
        log.add(
            "action-unknown", _("An action is not understood: {why}", why=line.partition(" ")[0]), step=number
        )
        return None
    space = Size(width, height)
    shown = picture_size(screenshot) or space
    if shown != space:
        log.add(
            "scaled",
            _(
                "Places were given for a {space} screen and scaled to the screenshot's {shown}",
                space=space,
                shown=shown,
            ),
            step=number,
            severity=NOTE,
        )
    points = [Position(Point(x, y), space).on(shown) for x, y in zip(places[::2], places[1::2], strict=True)]
    if len(points) == 1:
        return Tap(points[0].x, points[0].y)
    return Swipe(points[0].x, points[0].y, points[1].x, points[1].y)


def _add_left_out(folder: Path, log: ExchangeLog) -> None:
    derived = [*folder.glob("*_drawed.png"), *folder.glob("agg_plot.png")]
    others = [
        *source_files.numbered(folder, r"(\d+)\.vh").values(),
        *source_files.numbered(folder, r"(\d+)\.json").values(),
    ]
    log.use(*derived, *others)
    if derived:
        log.add(
            "derived",
            _("Screenshots with drawings are copies of the others and were left out"),
            severity=NOTE,
        )
    if others:
        log.add(
            "second-trees",
            _("The accessibility trees (.vh) and node lists (.json) beside the XML were left out"),
        )


FORMAT = Format(
    id=FORMAT_ID,
    title=N_("LlamaTouch traces"),
    use=FOR_BENCHMARKS,
    holds=(TRAJECTORIES, TASKS, STATES),
    files=N_("A folder for each trace, with numbered screenshots, dumps, states and eventStructs.txt"),
    detect=detect,
    read=read,
    write=write,
    entries=(*CATEGORIES, METADATA),
    kind=GOLDEN,
    licence=N_("LlamaTouch names no licence"),
)
