"""ATIF 1.0 to 1.7 (Harbor's RFC 0001): one JSON file per run. Each tool call is a step in the last picture
shown.

Calls of Waymark, AndroidWorld and ``mobile_use`` become actions; others are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from collector.agents.translators import android_world, qwen
from collector.agents.translators.coordinates import AgentScreen
from collector.exchange.agent_logs.atif_export import EXPORTED, FORMAT_ID, write
from collector.exchange.agent_logs.atif_own import own_trajectory
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import FOR_VIEWING, TASKS, TRAJECTORIES, VERDICTS, Format
from collector.exchange.source.answers import make_run, usage_of
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import (
    mapping,
    mappings,
    named_file,
    pick,
    read_mapping,
    text,
    whole,
)
from collector.model.action import ACTIONS, Action, Answer, Invalid, Type, action_from_dict
from collector.model.episode import AgentTurn, Episode
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task

VERSION = b"ATIF-v1."
_KEPT = (
    "schema_version",
    "session_id",
    "trajectory_id",
    "notes",
    "final_metrics",
    "continued_trajectory_ref",
    "extra",
)
_MOST_DEEP = 5
_USED = "prompt_tokens", "completion_tokens", "cost_usd"
_WHOLE = ("x", "y", "x1", "y1", "x2", "y2", "duration_ms", "length")
_NO_SIZE = Size(0, 0)


def _files(root: Path) -> Iterator[Path]:
    """JSON files that name a version of ATIF."""
    return marked_files(root, "*.json", b'"schema_version"', VERSION)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One run for each file, and for each agent that it handed a part to."""
    for file in _files(path):
        log.where = file.stem
        yield from _runs(file.stem, read_mapping(file, log), (file.parent, path), log)


def _runs(
    name: str, values: Mapping[str, Any], folders: Sequence[Path], log: ExchangeLog, depth: int = 0
) -> Iterator[SourceTrajectory]:
    log.where = name
    if (own := own_trajectory(values, folders[0])) is not None:
        yield own
        return
    yield _AtifRun(folders, log).trajectory(name, values)
    parts = mappings(values.get("subagent_trajectories")) if depth < _MOST_DEEP else []
    for number, part in enumerate(parts, start=1):
        yield from _runs(f"{name}-{number}", part, folders, log, depth + 1)


class _AtifRun:
    """A run, step by step: what was shown last, and when it began."""

    def __init__(self, folders: Sequence[Path], log: ExchangeLog) -> None:
        self._folders, self._log = folders, log
        self._shown: Path | None = None
        self._began: datetime | None = None
        self._steps: list[SourceStep] = []

    def trajectory(self, name: str, values: Mapping[str, Any]) -> SourceTrajectory:
        entries = mappings(values.get("steps"))
        asked = ""
        for entry in entries:
            is_agents = entry.get("source") == "agent"
            if not is_agents:
                self._look_at(entry.get("message"))
                asked = asked or (_words(entry.get("message")) if entry.get("source") == "user" else "")
            else:
                self._act(entry, is_last=entry is entries[-1])
            for result in mappings(mapping(entry.get("observation")).get("results")):
                self._look_at(result.get("content"))
        if self._shown is not None:
            self._steps.append(SourceStep(str(len(self._steps)), self._shown))
        agent = mapping(values.get("agent"))
        trajectory = SourceTrajectory(name, Task(name, asked or name), self._steps)
        trajectory.extra = pick(values, *_KEPT)
        trajectory.software = (
            {text(agent.get("name")): text(agent.get("version"))} if agent.get("version") else {}
        )
        if self._began is not None:
            trajectory.started = self._began.isoformat()
        episode = Episode(agent=text(agent.get("name")), model=text(agent.get("model_name")))
        used = usage_of(mapping(values.get("final_metrics")), *(f"total_{key}" for key in _USED))
        make_run(trajectory, episode, usage=used)
        return trajectory

    def _look_at(self, content: object) -> None:
        """Remember the last picture of a message or an observation."""
        for part in mappings(content):
            path = named_file(mapping(part.get("source")).get("path"), self._folders)
            self._shown = path if part.get("type") == "image" and path is not None else self._shown

    def _act(self, entry: Mapping[str, Any], *, is_last: bool) -> None:
        calls = mappings(entry.get("tool_calls"))
        words = _words(entry.get("message"))
        for number, call in enumerate(calls or [{}]):
            step = SourceStep(text(entry.get("step_id")) or str(len(self._steps)), self._shown)
            self._set_time(step, text(entry.get("timestamp")))
            raw = json.dumps(call, ensure_ascii=False) if call else words
            action = self._action(step, call) if call else Answer(words) if is_last and words else None
            thought = text(entry.get("reasoning_content")) or (words if call else "")
            usage = usage_of(mapping(entry.get("metrics")), *_USED)
            step.action = action
            turn = AgentTurn(raw=raw, predicted=action)
            step.agent = AgentTurn(thought, raw, action, usage) if number == 0 else turn
            self._steps.append(step)
        self._shown = None

    def _set_time(self, step: SourceStep, stamp: str) -> None:
        try:
            moment = datetime.fromisoformat(stamp)
            self._began = self._began or moment
            step.t_ms, step.wall_time = (
                round(1000 * (moment - self._began).total_seconds()),
                moment.isoformat(),
            )
        except (TypeError, ValueError, OverflowError):  # no time, or one with and one without a zone
            return

    def _action(self, step: SourceStep, call: Mapping[str, Any]) -> Action | None:
        name, arguments = text(call.get("function_name")), mapping(call.get("arguments"))
        screen = AgentScreen(picture_size(step.screenshot) or _NO_SIZE)
        action: Action | None = None
        if name in ACTIONS:
            action = _own(name, arguments)
        elif "action_type" in arguments:
            action = android_world.DIALECT.read(json.dumps(arguments), screen).predicted
        elif "action" in arguments:
            written = json.dumps({"name": "mobile_use", "arguments": arguments})
            action = qwen.QWEN25.read(f"<tool_call>{written}</tool_call>", screen).predicted
        if action is None or isinstance(action, Invalid):
            said = _(
                "There is no action for {what}; it is noted with its step as the source has it", what=name
            )
            self._log.add("no-such-action", said, step=step.name)
            step.extra["tool_call"] = call
            return None
        return action


def _own(name: str, arguments: Mapping[str, Any]) -> Action | None:
    """An action by its own name, when it has the values of one."""
    try:
        counts = {key: count for key in _WHOLE if (count := whole(arguments.get(key))) is not None}
        action = action_from_dict({**arguments, **counts, "kind": name})
        if isinstance(action, Type) and "length" not in arguments:
            action = replace(action, length=len(action.text))
    except (TypeError, ValueError):
        return None
    numbers = [getattr(action, side, 0) for side in _WHOLE]
    texts = [getattr(action, word, "") for word in ("text", "key", "package", "name", "direction", "reason")]
    is_whole = all(type(number) is int for number in numbers) and all(isinstance(word, str) for word in texts)
    return action if is_whole else None


def _words(content: object) -> str:
    """The text of a message, alone or in parts."""
    if isinstance(content, str):
        return content
    return "\n".join(text(part.get("text")) for part in mappings(content) if part.get("type") == "text")


FORMAT = Format(
    id=FORMAT_ID,
    title=N_("ATIF trajectories (Harbor and others)"),
    use=FOR_VIEWING,
    holds=(TRAJECTORIES, TASKS, VERDICTS),
    files=N_("A JSON file with schema_version ATIF-v1.x for each trajectory, and the files that it names"),
    detect=recognised_by(_files),
    read=read,
    write=write,
    entries=(EXPORTED,),
)
