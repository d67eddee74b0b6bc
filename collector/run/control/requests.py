"""What a person who watches a run asks of it, as a line of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collector.model.action import action_from_dict, action_to_dict
from collector.run.cycle.steering.control import (
    AnswerAgent,
    ControlCommand,
    Pause,
    PersonAction,
    Resume,
    ShowScreens,
    SingleStep,
    StopEpisode,
    TakeOver,
)


@dataclass(frozen=True, slots=True)
class SteerWorker:
    """A command for the episode that a worker runs."""

    worker: str
    command: ControlCommand


@dataclass(frozen=True, slots=True)
class PauseRun:
    """Pause all episodes before their next action, and begin none."""


@dataclass(frozen=True, slots=True)
class ResumeRun:
    """Go on with all episodes."""


@dataclass(frozen=True, slots=True)
class StopRun:
    """End the run; the episodes that are running end without an outcome."""


RunRequest = SteerWorker | PauseRun | ResumeRun | StopRun

_REQUESTS: Mapping[str, PauseRun | ResumeRun | StopRun] = {
    "pause_run": PauseRun(),
    "resume_run": ResumeRun(),
    "stop_run": StopRun(),
}
_COMMANDS: Mapping[str, ControlCommand] = {
    "pause": Pause(),
    "resume": Resume(),
    "step": SingleStep(),
    "stop": StopEpisode(),
}
"""Those without values."""


def request_to_line(request: RunRequest) -> dict[str, Any]:
    """The request as JSON holds it."""
    if isinstance(request, SteerWorker):
        return {"do": "steer", "worker": request.worker, "command": command_to_dict(request.command)}
    return {"do": next(word for word, known in _REQUESTS.items() if known == request)}


def request_from_line(line: Mapping[str, Any]) -> RunRequest:
    """The request of a line. Raises ValueError for anything else."""
    if line.get("do") == "steer":
        command = line.get("command")
        if not isinstance(command, Mapping):
            raise ValueError("a request to steer has no command")
        return SteerWorker(str(line.get("worker")), command_from_dict(command))
    request = _REQUESTS.get(str(line.get("do")))
    if request is None:
        raise ValueError(f"unknown request {line.get('do')!r}")
    return request


def command_to_dict(command: ControlCommand) -> dict[str, Any]:
    """The command as JSON holds it."""
    match command:
        case TakeOver(person):
            return {"kind": "take_over", "person": person}
        case AnswerAgent(text, person):
            return {"kind": "answer", "text": text, "person": person}
        case PersonAction(action):
            return {"kind": "act", "action": action_to_dict(action)}
        case ShowScreens(wanted):
            return {"kind": "show_screens", "wanted": wanted}
        case _:
            return {"kind": next(word for word, known in _COMMANDS.items() if known == command)}


def command_from_dict(values: Mapping[str, Any]) -> ControlCommand:
    """The command of a mapping. Raises ValueError for anything else."""
    kind = values.get("kind")
    if kind == "take_over":
        return TakeOver(str(values.get("person") or ""))
    if kind == "answer":
        return AnswerAgent(str(values.get("text") or ""), str(values.get("person") or ""))
    if kind == "show_screens":
        return ShowScreens(wanted=bool(values.get("wanted")))
    if kind == "act":
        action = values.get("action")
        if not isinstance(action, dict):
            raise ValueError("an action of a person has no action")
        return PersonAction(action_from_dict(action))
    command = _COMMANDS.get(str(kind))
    if command is None:
        raise ValueError(f"unknown command {kind!r}")
    return command
