"""What an agent said in a step of an AITK run: its thought, its answer, and the action it asked for.

AITK keeps the answer as it came (``agent_message``) and the action that its translator made of it. An answer
that a translator cannot read, and an action that cannot be executed, are both written as ``end``, which is
what an agent's word of completion looks like. They are told apart here.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collector.exchange.aitk_actions import action_from
from collector.model.action import HALLUCINATED, MALFORMED, Action, Complete, Impossible, Invalid, Wait
from collector.model.episode import AgentTurn
from collector.model.i18n import _

_NOT_EXECUTED = "task execution failed: "
_UNKNOWN_APP = "app_package"
"""In the error of AITK's executor for an app that its task file does not name."""
_UNREADABLE = frozenset((
    "No format output", "No action generated", "Click not parsed", "Long Press not parsed",
    "Swipe not parsed", "Drag not parsed", "Scroll not parsed", "Type text not parsed",
    "Open app not parsed", "Tap missing coordinates", "Long Press missing coordinates",
    "Double Tap missing coordinates", "Swipe missing coordinates",
))  # fmt: skip
"""What AITK's translators write for answers they cannot read."""
_UNKNOWN = frozenset(("unknown action", "System button not parsed"))
"""What they write for answers that are well-formed and ask for what AITK does not have."""
_PARSE_ERROR, _UNSUPPORTED = "Parse Error: ", "Unsupported action: "
_TERMINATED = {"success": Complete(), "failure": Impossible()}
"""``terminate`` of Qwen's agents: its status becomes the answer."""
_TOOL_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_THOUGHTS = (
    re.compile(
        r"<(think|thinking|thought)>(.*?)(?:</\1>|(?=<(?:action|answer|tool_call)>)|\Z)",
        re.DOTALL | re.IGNORECASE,
    ),
    re.compile(
        r"(?:^|\n)\s*(Thought|Thinking|Reason)\s*:\s*(.*?)(?=\n\s*Action\s*:|<tool_call>|\Z)", re.DOTALL
    ),
    re.compile(r"\A(\s*)([^<\s].*?)(?=<tool_call>|<action>|<answer>)", re.DOTALL),
    re.compile(r"\A(\s*)([^<{(\[]+)\Z"),
)
"""Tagged, announced, before the tagged action, or prose alone; the thought is the second group."""
_FIELDS = ("thought", "thinking", "reason")


@dataclass(frozen=True, slots=True)
class AitkStep:
    """A step of a run: what was executed, and what the agent said before it."""

    action: Action | None
    turn: AgentTurn


def read_step(values: Mapping[str, Any]) -> AitkStep:
    """Read a step of a run."""
    message = values.get("agent_message")
    raw = message if isinstance(message, str) else "" if message is None else json.dumps(message)
    turn = AgentTurn(thought=thought_of(raw), raw=raw)
    action = values.get("action")
    if not isinstance(action, Mapping):
        return AitkStep(None, turn)
    try:
        executed = _executed(action, raw)
    except ValueError as error:
        problem = HALLUCINATED if str(error).startswith("unknown") else MALFORMED
        text = raw or json.dumps(action, ensure_ascii=False)
        executed = Invalid(text, problem, _("AITK cannot execute it: {why}", why=error))
    was_lost = isinstance(executed, Wait) and _failed(action)
    return AitkStep(executed, dataclasses.replace(turn, predicted=None if was_lost else executed))


def thought_of(raw: str) -> str:
    """The part of an answer in which the agent thinks aloud; empty when the answer is an action alone."""
    for pattern in _THOUGHTS:
        match = pattern.search(raw)
        if match and match[2].strip():
            return match[2].strip()
    try:
        values = json.loads(raw)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(values, dict):
        return ""
    return next((str(values[name]) for name in _FIELDS if values.get(name)), "")


def _executed(action: Mapping[str, Any], raw: str) -> Action:
    if action.get("action") != "end":
        return action_from(action)
    answer = str(action.get("answer") or "")
    if _failed(action):
        return _not_executed(answer.removeprefix(_NOT_EXECUTED), raw)
    if answer in _TERMINATED:
        return _TERMINATED[answer]
    if answer in _UNREADABLE or answer.startswith(_PARSE_ERROR) or _is_json_error(answer, raw):
        return Invalid(raw, MALFORMED, _("AITK could not read the answer: {why}", why=answer))
    if answer in _UNKNOWN or answer.startswith(_UNSUPPORTED):
        return Invalid(raw, HALLUCINATED, _("AITK has no such action: {why}", why=answer))
    return action_from(action)


def _failed(action: Mapping[str, Any]) -> bool:
    return action.get("action") == "end" and str(action.get("answer") or "").startswith(_NOT_EXECUTED)


def _not_executed(why: str, raw: str) -> Action:
    """AITK's executor failed, and the run went on. Only the name of an unknown app is the agent's fault."""
    if _UNKNOWN_APP in why:
        return Invalid(raw, HALLUCINATED, _("AITK knows no app of the name in the answer"))
    return Wait(0)


def _is_json_error(answer: str, raw: str) -> bool:
    """Whether the answer is the error of Python that AITK writes for JSON it cannot read."""
    call = _TOOL_CALL.search(raw)
    if not answer or call is None:
        return False
    try:
        values = json.loads(call[1].strip())
        values["arguments"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        return str(error) == answer
    return False
