"""A trajectory as a sample of Inspect: what its agent said, with pictures, and its verdicts as scores."""

from __future__ import annotations

import base64
import datetime as dt
import json
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from collector.exchange.exports.copied_screens import CopiedScreens
from collector.exchange.exports.exported_trajectories import OUTCOME, ExportedTrajectory, is_success
from collector.exchange.format_sample import FormatSample, SampleMessage
from collector.hierarchy.captions import caption
from collector.model.action import Action, Answer, action_from_dict, action_to_dict
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.model.usage import Usage
from collector.model.verdicts.judgement import TASK
from collector.store.trajectory import codec
from collector.store.trajectory.judgement_codec import judgement_to_line

CORRECT, INCORRECT = "C", "I"
UNKNOWN_MOMENT = "1970-01-01T00:00:00+00:00"
_MEDIA = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
FORMATS = tuple(_MEDIA)
"""Formats of pictures that viewers in a browser show."""


def sample_of(exported: ExportedTrajectory, screens: CopiedScreens, epoch: int, model: str) -> dict[str, Any]:
    """The sample of a trajectory, the ``epoch``-th of its task."""
    header, outcome = exported.header, exported.header.outcome
    messages = list(_messages(exported, screens, model))
    usage = usage_of(outcome.usage) if outcome is not None else {}
    started, completed = moment(header.started), moment(header.finished)
    fault = outcome.infrastructure if outcome is not None and not outcome.stopped else ""
    error = {"error": {"message": fault, "traceback": "", "traceback_ansi": ""}} if fault else {}
    return {
        "id": exported.place.partition("/")[0],
        "epoch": epoch,
        "input": exported.instruction,
        "target": _target(exported),
        "messages": messages,
        "output": _output(messages, model),
        "scores": scores_of(exported),
        "metadata": _metadata(exported),
        "model_usage": {model: usage} if usage else {},
        **({"started_at": started} if started else {}),
        **({"completed_at": completed} if completed else {}),
        "total_time": header.duration_ms / 1000,
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"waymark:{exported.place}")),
        **error,
    }


def shown_sample(sample: Mapping[str, Any]) -> FormatSample:
    """A sample for a preview: its messages up to the first action, which is drawn on the screen before it."""
    messages, picture, action = [SampleMessage(_("Task {id}", id=sample["id"]), sample["input"])], None, None
    for message in sample["messages"]:
        parts = message["content"]
        for part in parts:
            if part["type"] == "image":
                picture = base64.b64decode(part["image"].partition(",")[2])
        if calls := message.get("tool_calls"):
            said = "\n".join(part[part["type"]] for part in parts if part["type"] != "image")
            call = {"function": calls[0]["function"], "arguments": calls[0]["arguments"]}
            messages.append(SampleMessage(message["role"], f"{said}\n{json.dumps(call, ensure_ascii=False)}"))
            action = action_from_dict({"kind": calls[0]["function"], **calls[0]["arguments"]})
            break
    scores = [f"{judge}: {score['value']}" for judge, score in sample["scores"].items()]
    if scores:
        messages.append(SampleMessage("scores", "\n".join(scores)))
    return FormatSample(tuple(messages), picture, action)


def scores_of(exported: ExportedTrajectory) -> dict[str, dict[str, Any]]:
    """A score for each judge of the task who could say; the outcome of a run comes first."""
    scores: dict[str, dict[str, Any]] = {}
    outcome = exported.header.outcome
    reasons = {one.judge: one for one in exported.judged.newest().values() if one.subject.kind == TASK}
    for judge, verdict in exported.task_verdicts.items():
        good = is_success(verdict)
        if good is None:
            continue
        judgement = reasons.get(judge)
        reason = judgement.reason if judgement is not None else ""
        if judge == OUTCOME and outcome is not None:
            reason = outcome.reason
        scores[judge] = {
            "value": CORRECT if good else INCORRECT,
            "answer": _answer(exported),
            "explanation": reason or None,
            "metadata": judgement_to_line(judgement) if judgement is not None else {"verdict": verdict},
        }
    return scores


def usage_of(usage: Usage) -> dict[str, Any]:
    """A usage as Inspect has it; empty when no tokens were reported. Its costs are in dollars alone."""
    if usage.input_tokens is None and usage.output_tokens is None:
        return {}
    given, made = usage.input_tokens or 0, usage.output_tokens or 0
    cost = {"total_cost": usage.cost} if usage.cost is not None and usage.currency == "USD" else {}
    return {"input_tokens": given, "output_tokens": made, "total_tokens": given + made, **cost}


def moment(text: str) -> str:
    """A moment as ISO 8601 in UTC; empty for what is none."""
    try:
        when = dt.datetime.fromisoformat(text)
    except ValueError:
        return ""
    return (when if when.tzinfo else when.replace(tzinfo=dt.UTC)).astimezone(dt.UTC).isoformat()


def _messages(exported: ExportedTrajectory, screens: CopiedScreens, model: str) -> Iterator[dict[str, Any]]:
    number = f"waymark:{exported.place}"
    steps = exported.steps
    first = _shown(screens, 0) if steps else []
    text = {"type": "text", "text": exported.instruction}
    yield {"id": f"{number}:0", "role": "user", "source": "input", "content": [text, *first]}
    for index, step in enumerate(steps):
        name = f"{number}:{index + 1}"
        if step.action is not None:
            yield {"id": name, **_act(index, step, step.action, model)}
        if index + 1 < len(steps):
            content = _shown(screens, index + 1)
            answer: dict[str, Any] = {"role": "user"}
            if step.action is not None:
                answer = {"role": "tool", "tool_call_id": _call(index), "function": step.action.kind}
            state = {"state": codec.state_to_dict(steps[index + 1].state)}
            yield {"id": f"{name}:screen", **answer, "content": content, "metadata": state}


def _act(index: int, step: Step, action: Action, model: str) -> dict[str, Any]:
    arguments = action_to_dict(action)
    turn = step.agent
    said = (turn.raw if turn is not None else "") or step.description or caption(action)
    thought = turn.thought if turn is not None else ""
    reasoning = [{"type": "reasoning", "reasoning": thought}] if thought else []
    line = codec.step_to_line(step)
    for key in ("state", "action"):
        del line[key]
    return {
        "role": "assistant",
        "content": [*reasoning, {"type": "text", "text": said}],
        "source": "generate",
        "tool_calls": [{"id": _call(index), "function": arguments.pop("kind"), "arguments": arguments}],
        "model": model,
        "metadata": line,
    }


def _call(index: int) -> str:
    return f"call_{index + 1}"


def _shown(screens: CopiedScreens, index: int) -> list[dict[str, Any]]:
    picture = screens.shown(index)
    if picture is None:
        return []
    text = base64.b64encode(picture.data).decode()
    return [{"type": "image", "image": f"data:{_MEDIA[picture.format]};base64,{text}"}]


def _output(messages: list[dict[str, Any]], model: str) -> dict[str, Any]:
    """What the agent said last."""
    said = next((message for message in reversed(messages) if message["role"] == "assistant"), None)
    if said is None:
        return {"model": model}
    return {"model": model, "choices": [{"message": said, "stop_reason": "stop"}]}


def _answer(exported: ExportedTrajectory) -> str | None:
    answers = [step.action.text for step in exported.steps if isinstance(step.action, Answer)]
    return answers[-1] if answers else None


def _target(exported: ExportedTrajectory) -> list[str] | str:
    task = exported.task
    expected = task.expected_answer if task is not None else None
    return list(expected.texts) if expected is not None else ""


def _metadata(exported: ExportedTrajectory) -> dict[str, Any]:
    return {
        "trajectory": exported.place,
        **codec.header_to_document(exported.header),
        "verdicts": exported.task_verdicts,
        "judgements": [judgement_to_line(one) for one in exported.judgements if one.subject.kind != TASK],
        "events": list(exported.stored.events()),
    }
