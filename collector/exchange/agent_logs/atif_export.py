"""ATIF 1.7, Harbor's interchange format of agents' trajectories: a document for each, beside its screens.

As Harbor's RFC 0001 and its models say: steps are numbered from 1. The first is the user's, with the
instruction and the first screen; each action is a step of the agent with one tool call, whose observation is
the screen after it. What ATIF has no key for is in ``extra``, under ``waymark``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from collector.exchange.agent_logs.atif_own import EVENTS, JUDGEMENTS, OWN, STATES, TASK
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.copied_screens import CopiedScreens
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_trajectories import (
    ExportedTrajectory,
    exported_trajectories,
    report_people,
)
from collector.exchange.source.model import in_sentences
from collector.hierarchy.captions import caption
from collector.model.action import Action, action_to_dict
from collector.model.essential_state import EssentialState
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import Step
from collector.model.usage import Usage
from collector.store.tasks.task_file import task_values
from collector.store.trajectory import codec
from collector.store.trajectory.judgement_codec import judgement_to_line

FORMAT_ID, VERSION = "atif", "ATIF-v1.7"
DOCUMENT, SCREENS, EXPORTED = "trajectory.json", "states", "trajectories"
_MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write a document for each trajectory, in a folder with its screens."""
    (path / EXPORTED).mkdir(parents=True, exist_ok=True)
    for exported in exported_trajectories(part, log):
        folder = path / EXPORTED / exported.place
        log.makes(folder)
        folder.mkdir(parents=True)
        screens = CopiedScreens(exported.stored, folder / SCREENS, log, _FORMATS)
        document = _Document(exported, screens, part.project.states, log)
        report_people(exported, log)
        (folder / DOCUMENT).write_bytes(codec.dump_document(document.values()))


class _Document:
    """One trajectory as ATIF."""

    def __init__(
        self,
        exported: ExportedTrajectory,
        screens: CopiedScreens,
        states: Mapping[str, EssentialState],
        log: ExchangeLog,
    ) -> None:
        self._exported, self._screens, self._states, self._log = exported, screens, states, log

    def values(self) -> dict[str, Any]:
        header = self._exported.header
        own: dict[str, Any] = codec.header_to_document(header)
        own[JUDGEMENTS] = [judgement_to_line(judgement) for judgement in self._exported.judgements]
        own[EVENTS] = list(self._exported.stored.events())
        own |= self._of_task()
        steps = list(self._steps())
        return {
            "schema_version": VERSION,
            "session_id": header.id,
            "trajectory_id": self._name(),
            "agent": self._agent(),
            "steps": [{"step_id": number, **step} for number, step in enumerate(steps, start=1)],
            **({"notes": header.note} if header.note else {}),
            "final_metrics": self._final_metrics(len(steps)),
            "extra": {OWN: own},
        }

    def _name(self) -> str:
        """Its place in the project, or the name that it was imported by."""
        extra = self._exported.header.extra
        given = extra.get("source_name") if extra.get("imported_from") == FORMAT_ID else None
        return given if isinstance(given, str) else self._exported.place

    def _of_task(self) -> dict[str, Any]:
        """The task as in ``tasks.yaml`` with the sentences of its states, and the sentences by id."""
        header = self._exported.header
        task = self._exported.task or Task(header.task_id, header.instruction)
        sentences = {name: state.sentence for name, state in self._states.items() if state.sentence}
        named = {name: sentences[name] for name in task.essential_states if name in sentences}
        return {TASK: task_values(in_sentences(task, self._states)), STATES: named}

    def _agent(self) -> dict[str, Any]:
        header, episode = self._exported.header, self._exported.header.episode
        name = (episode.agent if episode is not None else "") or ("agent" if header.is_run else "person")
        software = next(iter(header.software.items()), ("", ""))
        version = " ".join(filter(None, software)) or "unknown"
        model = {"model_name": episode.model} if episode is not None and episode.model else {}
        return {"name": name, "version": version, **model}

    def _steps(self) -> Iterator[dict[str, Any]]:
        steps = self._exported.steps
        instruction = self._exported.instruction
        first = self._screen(0) if steps else {}
        message = [{"type": "text", "text": instruction}, *first.pop("content", [])]
        yield {"source": "user", "message": message if len(message) > 1 else instruction, **_own(first)}
        for index, step in enumerate(steps):
            if step.action is not None:
                yield self._act(index, step, step.action)
            elif index + 1 < len(steps):
                text = _("A state without an action is a step of the system")
                self._log.add("no-action", text, step=index, severity=NOTE)
                observed = self._screen(index + 1)
                yield {"source": "system", "message": "", **self._observation([observed])}

    def _act(self, index: int, step: Step, action: Action) -> dict[str, Any]:
        call = f"call_{index + 1}"
        arguments = action_to_dict(action)
        name = arguments.pop("kind")
        turn = step.agent
        result: dict[str, Any] = {"source_call_id": call}
        if index + 1 < len(self._exported.steps):
            result |= self._screen(index + 1)
        values: dict[str, Any] = {
            **({"timestamp": step.wall_time} if _is_moment(step.wall_time) else {}),
            "source": "agent",
            "message": (turn.raw if turn is not None else "") or step.description or caption(action),
            **({"reasoning_content": turn.thought} if turn is not None and turn.thought else {}),
            "tool_calls": [{"tool_call_id": call, "function_name": name, "arguments": arguments}],
            **self._observation([result] if len(result) > 1 else []),
        }
        if turn is None:
            values["llm_call_count"] = 0
        elif metrics := _metrics(turn.usage, ""):
            values["metrics"] = metrics
        return {**values, **_own(_rest(step))}

    def _observation(self, results: list[dict[str, Any]]) -> dict[str, Any]:
        for result in results:
            own = {key: result.pop(key) for key in tuple(result) if key not in ("source_call_id", "content")}
            result |= _own(own)
        return {"observation": {"results": results}} if results else {}

    def _screen(self, index: int) -> dict[str, Any]:
        """The content that shows a state, and beside it what is known of the state."""
        values: dict[str, Any] = {}
        if picture := self._screens.picture(index):
            media = _MEDIA[PurePosixPath(picture).suffix]
            source = {"media_type": media, "path": f"{SCREENS}/{picture}"}
            values["content"] = [{"type": "image", "source": source}]
        state = codec.state_to_dict(self._exported.steps[index].state)
        tree = self._screens.tree(index)
        state |= {
            "screenshot": f"{SCREENS}/{picture}" if picture else "",
            "tree": f"{SCREENS}/{tree}" if tree else "",
        }
        step = self._exported.steps[index]
        return {**values, "state": state, **({} if step.action is not None else {"step": _rest(step)})}

    def _final_metrics(self, steps: int) -> dict[str, Any]:
        outcome = self._exported.header.outcome
        totals = _metrics(outcome.usage, "total_") if outcome is not None else {}
        verdicts = self._exported.task_verdicts
        extra = totals.pop("extra", {}) | ({"verdicts": verdicts} if verdicts else {})
        return {**totals, "total_steps": steps, **({"extra": extra} if extra else {})}


def _rest(step: Step) -> dict[str, Any]:
    """The line of a step without what the document has elsewhere."""
    line = codec.step_to_line(step)
    for key in ("state", "action"):
        del line[key]
    return line


def _own(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"extra": {OWN: dict(values)}} if values else {}


def _metrics(usage: Usage, prefix: str) -> dict[str, Any]:
    """Tokens and cost; a cost in another currency than dollars, and the time, are extra."""
    is_dollars = usage.currency == "USD"
    extra: dict[str, Any] = {"time_ms": usage.time_ms}
    if not is_dollars:
        extra |= {"cost": usage.cost, "currency": usage.currency}
    known = {
        f"{prefix}prompt_tokens": usage.input_tokens,
        f"{prefix}completion_tokens": usage.output_tokens,
        f"{prefix}cost_usd": usage.cost if is_dollars else None,
        "extra": {key: value for key, value in extra.items() if value is not None} or None,
    }
    return {key: value for key, value in known.items() if value is not None}


def _is_moment(text: str) -> bool:
    try:
        dt.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
