"""JSON lines: one episode per line, whose steps name screenshots in or below the folder. No trees."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import FOR_BENCHMARKS, TASKS, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import line_records
from collector.model.action import (
    MALFORMED,
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
from collector.model.episode import Episode, Outcome
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.model.verdicts.judgement import FAILURE, SUCCESS

_MARKS = (b'"goal"', b'"action_content"')
_KEYS = {"back": "back", "home": "home", "menu": "menu", "enter": "enter", "recent": "recents"}


def _line_files(root: Path) -> Iterator[Path]:
    """Files of JSON lines that start with an episode."""
    return marked_files(root, "*.jsonl", *_MARKS)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each line."""
    for lines in _line_files(path):
        episodes = line_records(lines, log, _("A line is no episode and was passed over"))
        shots = _screenshots(lines.parent)
        for number, episode in enumerate(episodes):
            yield _trajectory(f"{lines.stem}-{number}", episode, shots, log)


def _screenshots(folder: Path) -> dict[str, Path]:
    """Pictures by name; of two with one name neither can be meant."""
    shots: dict[str, Path] = {}
    twice = set()
    for path in source_files.files(folder):
        if path.suffix.lower() not in source_files.PICTURES:
            continue
        if shots.setdefault(path.name, path) is not path:
            twice.add(path.name)
    return {name: path for name, path in shots.items() if name not in twice}


def _trajectory(
    name: str, episode: Mapping[str, Any], shots: Mapping[str, Path], log: ExchangeLog
) -> SourceTrajectory:
    log.where = name
    given = episode.get("steps")
    entries = [entry for entry in given if isinstance(entry, dict)] if isinstance(given, list) else []
    steps = [_step(str(number), entry, shots, log) for number, entry in enumerate(entries)]
    trajectory = SourceTrajectory(name, Task(name, str(episode.get("goal") or name)), steps)
    agent, model = (str(episode.get(key) or "") for key in ("agent", "model"))
    if episode.get("is_successful") is False or agent or model:
        _make_run(trajectory, Episode(agent=agent, model=model), episode.get("is_successful"))
    return trajectory


def _make_run(trajectory: SourceTrajectory, episode: Episode, is_successful: object) -> None:
    """Lines that name an agent, or that failed, are an agent's: what it said unreadably is no action."""
    trajectory.kind, trajectory.episode = RUN, episode
    for step in trajectory.steps:
        content = step.extra["source_action"]
        if step.action is None and content is not None:
            raw = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            step.action = Invalid(raw, MALFORMED, _("The action cannot be read"))
    last = trajectory.steps[-1].action if trajectory.steps else None
    claimed = last.kind if isinstance(last, Answer | Complete | Impossible) else ""
    status = {True: SUCCESS, False: FAILURE}.get(is_successful, "") if type(is_successful) is bool else ""
    trajectory.outcome = Outcome(status=status, claimed=claimed)


def _step(name: str, entry: Mapping[str, Any], shots: Mapping[str, Path], log: ExchangeLog) -> SourceStep:
    shot = PurePosixPath(str(entry.get("screenshot") or "").replace("\\", "/")).name
    step = SourceStep(name, shots.get(shot))
    content = entry.get("action_content")
    step.extra = {"source_action": content, "source_screenshot": shot}
    try:
        step.action = action_from(content if isinstance(content, dict) else {})
    except (KeyError, TypeError, ValueError, OverflowError):
        kind = content.get("action") if isinstance(content, dict) else content
        log.add("action-unknown", _("An action is not understood: {why}", why=str(kind)[:40]), step=name)
    return step


def action_from(values: Mapping[str, Any]) -> Action:
    """The action of a step's ``action_content``; raises KeyError, TypeError or ValueError when it is none."""
    kind = values.get("action")
    if kind == "click":
        return Tap(*_place(values["coordinate"]))
    if kind == "long_press":
        return LongPress(*_place(values["coordinate"]))
    if kind == "swipe":
        return Swipe(*_place(values["coordinate"]), *_place(values["coordinate2"]))
    if kind == "type":
        return Type(str(values["text"]), len(str(values["text"])))
    if kind == "wait":
        return Wait(round(1000 * float(values["time"])))
    return _without_place(str(kind), values)


def _without_place(kind: str, values: Mapping[str, Any]) -> Action:
    if kind == "open":
        return OpenApp(name=str(values["text"]))
    if kind == "answer":
        return Answer(str(values["text"]))
    if kind == "system_button":
        return Key(_KEYS[str(values["button"]).casefold()])
    if kind == "terminate":
        return Complete() if values["status"] == "success" else Impossible()
    raise ValueError(kind)


def _place(coordinate: Any) -> tuple[int, int]:
    x, y = coordinate
    return round(float(x)), round(float(y))


FORMAT = Format(
    id="androidcontrol",
    title=N_("AndroidControl lines"),
    use=FOR_BENCHMARKS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("A line of JSON for each episode, and the screenshots it names"),
    detect=recognised_by(_line_files),
    read=read,
)
