"""``states`` (Kea: ``all_states``) and ``events``, aligned by digest. View lists become dumps; originals
are kept.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_PHONES, TRAJECTORIES, Format
from collector.exchange.formats.droidbot_events import (
    DroidbotEvent,
    action_from,
    align,
    event_from,
    is_saved_once,
    walk,
)
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import why_unread
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.records import named_file
from collector.hierarchy.parse import parse_tree
from collector.model.action import MALFORMED, Action, Invalid
from collector.model.episode import Episode
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.model.tree import Tree

_STATES = ("states", "all_states")
_DERIVED = ("views", "filtered_widgets", "index.html", "stylesheets", "utg.js")
GRAPH = "utg.js"
SHOTS = "report_screenshot.json"
_TAG = "%Y-%m-%d_%H%M%S"


def detect(path: Path) -> float:
    """Sure when a folder holds states with view lists beside ``events`` or ``utg.js``."""
    return 0.95 if any(_states(folder) for folder in source_files.folders(path)) else 0.0


def _states(folder: Path) -> list[Path]:
    """The state files of a run, in order; none when the folder is no run."""
    if not (folder / "events").is_dir() and not (folder / GRAPH).is_file():
        return []
    listings = [list(source_files.files(folder / name)) for name in _STATES if (folder / name).is_dir()]
    states = [[file for file in files if file.match("state_*.json")] for files in listings]
    return max(states, key=len, default=[])


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each output folder of a run."""
    for folder in source_files.folders(path):
        if states := _states(folder):
            graph = _graph(folder / GRAPH)
            name = str(graph.get("app_package") or folder.name)
            log.where = name
            yield _trajectory(folder, name, states, graph, log)


def _trajectory(
    folder: Path, name: str, states: list[Path], graph: Mapping[str, Any], log: ExchangeLog
) -> SourceTrajectory:
    is_kea = (folder / SHOTS).is_file()
    steps, digests, times = [], [], []
    for path in states:
        step, values = _state(path, log)
        steps.append(step)
        digests.append(str(values.get("state_str") or ""))
        times.append(_time(str(values.get("tag") or "")))
    events = _events(folder, log)
    if is_saved_once(events, digests):
        steps, times = _replay(steps, digests, times, events, log)
    else:
        _add_events(steps, digests, times, events, log)
    _add_times(steps, times)
    if is_kea:
        _add_unfiled(steps, folder / SHOTS, log)
    _report_left_out(folder, log)
    task = Task(name, name, package=str(graph.get("app_package") or ""))
    trajectory = SourceTrajectory(name, task, steps, kind=RUN)
    trajectory.episode = Episode(agent="Kea" if is_kea else "DroidBot")
    keys = {"model": "device_model_number", "serial": "device_serial", "sdk": "device_sdk_version"}
    trajectory.device = {ours: graph[theirs] for ours, theirs in keys.items() if theirs in graph}
    return trajectory


def _graph(path: Path) -> Mapping[str, Any]:
    """What ``utg.js`` says of app and phone: a script that only assigns one JSON value."""
    if not path.is_file() or path.stat().st_size > source_files.MAX_JSON_BYTES:
        return {}
    _name, _equals, value = path.read_bytes().decode("utf-8-sig", errors="replace").partition("=")
    try:
        graph = json.loads(value.strip().rstrip(";"))
    except (ValueError, RecursionError):
        return {}
    return graph if isinstance(graph, dict) else {}


def _state(path: Path, log: ExchangeLog) -> tuple[SourceStep, Mapping[str, Any]]:
    name = path.stem.removeprefix("state_")
    shot = named_file(f"screen_{name}.png", (path.parent,))
    try:
        values = source_files.read_json(path)
    except ExchangeError as error:
        log.use(path)
        log.add("state-unreadable", str(error), step=name)
        return SourceStep(name, shot), {}
    values = values if isinstance(values, dict) else {}
    step = SourceStep(name, shot, path, convert=functools.partial(_tree, path, _is_turned(values, shot)))
    step.package, _slash, step.activity = str(values.get("foreground_activity") or "").partition("/")
    return step, values


def _is_turned(values: Mapping[str, Any], shot: Path | None) -> bool:
    """Whether the screen lies across the size noted when the run began: states do not say their rotation."""
    noted, shown = (values.get("width"), values.get("height")), picture_size(shot)
    return shown is not None and noted == (shown.height, shown.width) != (shown.width, shown.height)


def _tree(path: Path, is_turned: bool) -> Tree:
    tree = parse_tree(path.read_bytes())
    return dataclasses.replace(tree, rotation=1 if is_turned else 0)


def _events(folder: Path, log: ExchangeLog) -> list[DroidbotEvent]:
    events = []
    for path in source_files.files(folder / "events"):
        if not path.match("event_*.json"):
            continue
        log.use(path)
        try:
            values = source_files.read_json(path)
        except ExchangeError as error:
            text = _("Event files that cannot be read were left out ({why})", why=error.why)
            log.add("event-unreadable", text, step=path.stem)
            continue
        events.append(event_from(values if isinstance(values, dict) else {}))
    return events


def _add_events(
    steps: list[SourceStep],
    digests: list[str],
    times: list[datetime | None],
    events: list[DroidbotEvent],
    log: ExchangeLog,
) -> None:
    placed = align(events, digests)
    for row, event in enumerate(events):
        if row not in placed:
            _report_without_state(row, event, digests, log)
            continue
        times[placed[row]] = times[placed[row]] or _time(event.tag)
        _set_action(steps[placed[row]], event, log)


def _replay(
    states: list[SourceStep],
    digests: list[str],
    times: list[datetime | None],
    events: list[DroidbotEvent],
    log: ExchangeLog,
) -> tuple[list[SourceStep], list[datetime | None]]:
    """A step for each event, in the state it began in; a state no event began in is a step of its own.

    DroidBot saves a state the first time it sees it, so the screen of a later step is the one of that time.
    """
    steps: list[SourceStep] = []
    step_times: list[datetime | None] = []
    placed, without_state = walk(events, digests)
    for row in without_state:
        _report_without_state(row, events[row], digests, log)
    shown: set[int] = set()
    for place, event_row in placed:
        event = events[event_row] if event_row is not None else None
        step = dataclasses.replace(states[place], extra={**states[place].extra})
        time = None if place in shown else times[place]
        if place in shown:
            step.name = f"{step.name}#{len(steps) + 1}"
        shown.add(place)
        if event is not None:
            _set_action(step, event, log)
            time = _time(event.tag) or time
        steps.append(step)
        step_times.append(time)
    if len(steps) > len(states):
        log.add(
            "states-shared",
            _("The source saved each state once; steps in the same state share its screen and tree"),
            severity=NOTE,
        )
    return steps, step_times


def _set_action(step: SourceStep, event: DroidbotEvent, log: ExchangeLog) -> None:
    step.extra["source_action"] = {**event.values, "event_str": event.text}
    step.action = _action(event, step, log)


def _report_without_state(row: int, event: DroidbotEvent, digests: list[str], log: ExchangeLog) -> None:
    if event.start in digests:
        log.add(
            "event-unplaced",
            _("Events were left out because their place among the states is not known"),
            step=row + 1,
        )
        return
    log.add(
        "event-without-state",
        _("Events were left out because the state they began in was not saved"),
        step=row + 1,
    )


def _action(event: DroidbotEvent, step: SourceStep, log: ExchangeLog) -> Action | None:
    try:
        action = action_from(event, picture_size(step.screenshot) or Size(0, 0))
    except ValueError as error:
        log.add(
            "action-unknown", _("An action is not understood: {why}", why=why_unread(error)), step=step.name
        )
        return Invalid(json.dumps(dict(event.values), ensure_ascii=False), MALFORMED, str(error))
    if action is None:
        what = event.text.partition("(")[0] or str(event.values.get("event_type"))
        log.add(
            "no-such-action",
            _("There is no action for {what}; it is noted with its step as the source has it", what=what),
            step=step.name,
        )
    return action


def _time(tag: str) -> datetime | None:
    try:
        return datetime.strptime(tag, _TAG)
    except ValueError:
        return None


def _add_times(steps: list[SourceStep], times: list[datetime | None]) -> None:
    """Milliseconds since the first known time; a state without one has that of the state before."""
    first = next((time for time in times if time), None)
    if first is None:
        return
    last = 0
    for step, time in zip(steps, times, strict=True):
        if time:
            last = max(last, round((time - first).total_seconds() * 1000))
        step.t_ms = last


def _add_unfiled(steps: list[SourceStep], path: Path, log: ExchangeLog) -> None:
    """What Kea's properties did themselves: its report names it, but there is no event file."""
    log.use(path)
    log.add(
        "drawn-on",
        _("Kea draws what it does into its screenshots; they were kept as they are"),
        severity=NOTE,
    )
    try:
        entries = source_files.read_json(path)
    except ExchangeError as error:
        log.add("record-unreadable", str(error))
        return
    rows = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    named = {str(row.get("screen_shoot")): row for row in rows}
    for step in steps:
        entry = named.get(step.screenshot.name) if step.screenshot else None
        if entry and "source_action" not in step.extra:
            step.extra["source_action"] = entry
            log.add(
                "no-event-file",
                _("The report names an action ({what}) that has no event file", what=entry.get("event")),
                step=step.name,
            )


def _report_left_out(folder: Path, log: ExchangeLog) -> None:
    paths = [folder / name for name in _DERIVED if (folder / name).exists()]
    for path in paths:
        log.use(*source_files.files(path))
        log.add(
            "derived",
            _("{name} is generated from the other files and was left out", name=path.name),
            severity=NOTE,
        )


FORMAT = Format(
    id="droidbot",
    title=N_("DroidBot and Kea runs"),
    use=OF_PHONES,
    holds=(TRAJECTORIES,),
    files=N_("states or all_states with screens and view lists, and events"),
    detect=detect,
    read=read,
)
