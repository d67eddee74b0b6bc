"""``trace.json``, its runner's records, and ``trajectory.pkl.gz`` (never run) beside ``screenshots/``."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, cast

from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.ui_venus import DIALECT
from collector.exchange.agent_logs.answered_steps import add_answer
from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import OF_AGENTS, TASKS, TRAJECTORIES, Format
from collector.exchange.pickles.reader import read_pickle
from collector.exchange.pickles.values import plain
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import answer, make_run, unknown_action
from collector.exchange.source.checks import picture_size
from collector.exchange.source.extracted import extraction_folder
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import (
    mapping,
    mappings,
    named_file,
    pick,
    read_record,
    text,
)
from collector.model.action import (
    Action,
    Answer,
    Complete,
    Impossible,
    Invalid,
    Key,
    LongPress,
    OpenApp,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.episode import AgentTurn, Episode
from collector.model.i18n import N_, _
from collector.model.task import Task

AGENT = "ui-venus"
_LISTS = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*\[\s*\[")
_PICKLE = "trajectory.pkl.gz"
_PICKLE_MARKS = (b"episode_data", b"goal")
_WITHIN = 256 * 1024
_TASK = re.compile(r"### ?User Task\s*\n(.*?)(?:\n###|\Z)", re.DOTALL)
_KEYS = {"BACK": "back", "PressHome": "home", "PressEnter": "enter", "PressMenu": "recents"}
_KEPT = ("episode_id", "device_id", "mini_app_name", "run_time", "termination_reason")
_REPEATED = "repeat_loop"


def _either(root: Path) -> Iterator[Path]:
    """Files with lists of screenshots as UI-Venus reads or saves them, and its own trajectories."""
    return chain(_traces(root), _pickles(root))


def _traces(root: Path) -> Iterator[Path]:
    for path in marked_files(root, "*.json", b'"image_path"'):
        start = source_files.read_start(path, _WITHIN)
        if _LISTS.match(start) and (b'"task"' in start or b'"generated_text"' in start):
            yield path


def _pickles(root: Path) -> Iterator[Path]:
    return marked_files(root, _PICKLE, *_PICKLE_MARKS, within=_WITHIN, packed=True)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One run for each trace."""
    for trace in _traces(path):
        log.where = trace.stem
        lists = read_record(trace, log)
        for number, entries in enumerate(lists if isinstance(lists, list) else []):
            name = trace.stem if len(lists) == 1 else f"{trace.stem}-{number + 1}"
            log.where = name
            yield _of_trace(name, mappings(entries), (trace.parent, path), log)
    for pickled in _pickles(path):
        log.where = pickled.parent.name
        log.use(pickled)
        with extraction_folder() as folder:
            if episode := _episode(pickled, folder, log):
                yield _of_framework(pickled.parent, episode, log)


def _of_trace(
    name: str, entries: Sequence[Mapping[str, Any]], folders: Sequence[Path], log: ExchangeLog
) -> SourceTrajectory:
    steps = []
    for number, entry in enumerate(entries):
        step = SourceStep(str(number), named_file(entry.get("image_path"), folders))
        step.extra = pick(entry, "_conclusion", "status", "action_output_json")
        if raw := text(entry.get("generated_text")):
            add_answer(step, DIALECT, raw, log)
            _place_again(step, mapping(entry.get("action_output_json")))
        steps.append(step)
    if not any(step.agent for step in steps):
        log.add("no-actions", _("The trace has screenshots and no answers: the steps have states alone"))
    said = [text(entry.get("task")) or _task_in(text(entry.get("query"))) for entry in entries]
    trajectory = SourceTrajectory(name, Task(name, next(filter(None, said), name)), steps)
    make_run(trajectory, Episode(agent=AGENT, modality="screenshot"))
    return trajectory


def _place_again(step: SourceStep, converted: Mapping[str, Any]) -> None:
    """Take the place of an action from where the runner has converted it to pixels of the screenshot.

    The answer has it in pixels of an image whose size only the runner knew.
    """
    params, size = mapping(converted.get("params")), picture_size(step.screenshot)
    places = {name: value for name, value in params.items() if name in ("box", "start", "end")}
    if size is None or step.agent is None or not any(places.values()):
        return
    written = ", ".join(f"{name}={tuple(value)}" for name, value in places.items() if isinstance(value, list))
    call = f"<action>{text(converted.get('action'))}({written})</action>"
    action = DIALECT.read(call, AgentScreen(size)).predicted
    if not isinstance(action, Invalid):
        answer(step, replace(step.agent, predicted=action))


def _task_in(query: str) -> str:
    match = _TASK.search(query)
    return match[1].strip() if match else ""


def _episode(pickled: Path, folder: Path, log: ExchangeLog) -> dict[str, Any]:
    try:
        with gzip.open(pickled) as file:
            value, refused = read_pickle(cast("Any", file), (), folder, pickled.name)
    except (ExchangeError, zlib.error) as error:
        log.add("record-unreadable", str(error))
        return {}
    for name in refused:
        log.add("class-refused", _("Objects of {name} were left out: a pickle is never run", name=name))
    return mapping(plain(value))


def _of_framework(folder: Path, episode: Mapping[str, Any], log: ExchangeLog) -> SourceTrajectory:
    steps = []
    for number, entry in enumerate(mappings(episode.get("episode_data"))):
        step = SourceStep(text(entry.get("step")) or str(number))
        step.screenshot = named_file(entry.get("screenshot_path"), (folder / "screenshots", folder))
        action = mapping(entry.get("action"))
        step.extra = {**pick(entry, "conclusion", "success"), "source_action": action}
        try:
            step.action = _action(action)
        except (TypeError, ValueError, IndexError) as error:
            unknown_action(step, error, log)
        thought, raw = text(entry.get("think")), text(entry.get("pred_action"))
        step.agent = AgentTurn(thought=thought, raw=raw, predicted=step.action)
        steps.append(step)
    goal = text(episode.get("goal"))
    trajectory = SourceTrajectory(folder.name, Task(folder.name, goal or folder.name), steps)
    trajectory.extra = pick(episode, *_KEPT)
    reason = text(episode.get("termination_reason"))
    make_run(trajectory, Episode(agent=AGENT, modality="screenshot"), reason=reason)
    if trajectory.outcome is not None and reason == _REPEATED:
        trajectory.outcome = replace(trajectory.outcome, early_stop=True)
    return trajectory


def _action(values: Mapping[str, Any]) -> Action:
    """What was executed, in pixels of the phone."""
    kind = text(values.get("action_type"))
    places = values.get("action_pos")
    points = [(round(x), round(y)) for x, y in places] if isinstance(places, list) else []
    if kind == "CLK":
        return Tap(*points[0])
    if kind == "LongPress":
        return LongPress(*points[0])
    if kind == "SWIPE":
        duration = values.get("duration")
        (x1, y1), (x2, y2) = points[:2]
        return Swipe(x1, y1, x2, y2, duration if type(duration) is int and duration > 0 else 1000)
    if kind == "INPUT":
        typed = text(values.get("input"))
        return Type(typed, len(typed))
    return _without_place(kind, values)


def _without_place(kind: str, values: Mapping[str, Any]) -> Action:
    if kind in _KEYS:
        return Key(_KEYS[kind])
    if kind == "WAIT":
        return Wait(1000)
    if kind == "REOPEN":
        return OpenApp(name=text(values.get("app_name")))
    if kind == "SUCCESS":
        return Complete()
    said = text(values.get("input"))
    if kind == "CallUser":
        return Answer(said) if said else Complete()
    if kind == "FAIL":
        return Impossible(said)
    raise ValueError(kind)


FORMAT = Format(
    id="ui-venus",
    title=N_("UI-Venus traces and trajectories"),
    use=OF_AGENTS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("trace.json or what the runner saves of it, or trajectory.pkl.gz beside screenshots/"),
    detect=recognised_by(_either, 0.9),
    read=read,
)
