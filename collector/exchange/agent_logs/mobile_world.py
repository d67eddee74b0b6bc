"""``<task>/traj.json``, ``screenshots/<task>-0-<step>.png`` and ``result.txt``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.agents.translators.android_world import DIALECT
from collector.agents.translators.coordinates import AgentScreen
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_AGENTS, TASKS, TRAJECTORIES, VERDICTS, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import make_run, unknown_action, usage_of
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mapping, mappings, number_in, pick, read_mapping, text, whole
from collector.model.action import Action, Answer, AskUser, Complete, Drag, Invalid
from collector.model.episode import AgentTurn, Episode
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.user_reply import BY_MODEL, REPLY, UserReply

TRAJECTORY, RESULT = "traj.json", "result.txt"
_SCORE = re.compile(r"score:\s*(-?\d+(?:\.\d+)?)(?:\s*\nreason:\s*(.*))?", re.DOTALL)
_ENDS = ("start_x", "start_y", "end_x", "end_y")
_PASSED = 0.99
"""MobileWorld counts a task as done above this score."""
_NO_ACTION = ("mcp", "unknown")
_NO_SIZE = Size(0, 0)


def _records(root: Path) -> Iterator[Path]:
    """Each ``traj.json`` with the steps of a task of MobileWorld."""
    return marked_files(root, TRAJECTORY, b'"traj"', b'"task_goal"', within=1024 * 1024)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One run for each task."""
    for record in _records(path):
        folder = record.parent
        for key, run in read_mapping(record, log).items():
            if "traj" in mapping(run):
                log.where = folder.name if key == "0" else f"{folder.name}-{key}"
                yield _trajectory(log.where, folder, mapping(run), log)


def _trajectory(name: str, folder: Path, run: Mapping[str, Any], log: ExchangeLog) -> SourceTrajectory:
    entries = mappings(run.get("traj"))
    shots = source_files.numbered(folder / "screenshots", r".*-(\d+)" + source_files.PICTURE)
    steps = [_step(number, entry, shots, log) for number, entry in enumerate(entries)]
    numbers = {int(step.name) for step in steps if step.name.isdecimal()}
    steps += [SourceStep(str(number), shot) for number, shot in shots.items() if number not in numbers]
    goal = next(filter(None, (text(entry.get("task_goal")) for entry in entries)), folder.name)
    trajectory = SourceTrajectory(name, Task(folder.name, goal), steps)
    trajectory.extra = pick(run, "token_usage")
    score, reason = _result(folder / RESULT, log)
    success = None if score is None else score > _PASSED
    used = usage_of(mapping(run.get("token_usage")), "prompt_tokens", "completion_tokens")
    make_run(trajectory, Episode(experiment=folder.parent.name), success, reason=reason, usage=used)
    if (marked := folder / "marked_screenshots").is_dir():
        log.use(*source_files.files(marked))
        said = _("Screenshots with the action drawn on them are copies of the others and were left out")
        log.add("derived", said, severity=NOTE)
    return trajectory


def _result(path: Path, log: ExchangeLog) -> tuple[float | None, str]:
    """The score of a run and its reason; None for one that was not judged."""
    if not path.is_file():
        return None, ""
    log.use(path)
    match = _SCORE.search(source_files.read_text(path, 100_000))
    return (float(match[1]), (match[2] or "").strip()) if match else (None, "")


def _step(number: int, entry: Mapping[str, Any], shots: Mapping[int, Path], log: ExchangeLog) -> SourceStep:
    given = whole(entry.get("step"))
    place = number if given is None else given
    step = SourceStep(str(place), shots.get(place))
    values = mapping(entry.get("action"))
    step.extra = pick(entry, "ask_user_response", "tool_call")
    if said := text(entry.get("ask_user_response")):
        step.extra[REPLY] = UserReply(said, BY_MODEL).as_dict()
    kind = text(values.get("action_type"))
    if kind in _NO_ACTION:
        said = _("There is no action for {what}; it is noted with its step as the source has it", what=kind)
        log.add("no-such-action", said, step=step.name)
        step.extra["action"] = values
    elif values:
        step.extra["source_action"] = values
        step.action = _action(step, kind, values, log)
    raw = text(entry.get("prediction"))
    step.agent = AgentTurn(thought=DIALECT.thought(raw), raw=raw, predicted=step.action)
    return step


def _action(step: SourceStep, kind: str, values: Mapping[str, Any], log: ExchangeLog) -> Action | None:
    if kind == "drag":
        try:
            x1, y1, x2, y2 = (round(number_in(values[name])) for name in _ENDS)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            unknown_action(step, error, log)
            return None
        return Drag(x1, y1, x2, y2)
    if kind == "ask_user":
        return AskUser(text(values.get("text")))
    if kind == "finished":
        said = text(values.get("text"))
        return Answer(said) if said else Complete()
    screen = AgentScreen(picture_size(step.screenshot) or _NO_SIZE)
    action = DIALECT.read(json.dumps(values, ensure_ascii=False, default=str), screen).predicted
    if isinstance(action, Invalid):
        unknown_action(step, action.reason, log)
        return None
    return action


FORMAT = Format(
    id="mobile-world",
    title=N_("MobileWorld runs"),
    use=OF_AGENTS,
    holds=(TRAJECTORIES, TASKS, VERDICTS),
    files=N_("A folder for each task: traj.json, result.txt and screenshots/"),
    detect=recognised_by(_records),
    read=read,
)
