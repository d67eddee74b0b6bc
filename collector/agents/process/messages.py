"""The messages between the studio and a program; ``docs/guide/agent-protocol.md`` explains them."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.agents.agent import AgentEpisode, Observation, PastStep
from collector.agents.process.option_table import NODES, XML
from collector.agents.screen_elements import ScreenElement
from collector.model.action import action_to_dict
from collector.model.usage import Usage
from collector.model.user_reply import UserReply

VERSION = 1
HELLO, EPISODE, OBSERVATION, CANCEL, END = "hello", "episode", "observation", "cancel", "end"
"""What the studio sends."""
READY, ANSWER, LOG, ERROR = "ready", "answer", "log", "error"
"""What a program sends."""
_MAX_HISTORY = 100
_MAX_TOKENS = 1_000_000_000


def log_text(message: Mapping[str, Any]) -> str:
    """What a message of the type ``log`` says; the message itself when its words are not in ``message``."""
    text = message.get("message")
    return text if isinstance(text, str) else json.dumps(dict(message), ensure_ascii=False)


def hello(config: Mapping[str, Any]) -> dict[str, Any]:
    """The first message."""
    return {"type": HELLO, "protocol": VERSION, "config": dict(config)}


def episode_message(episode: AgentEpisode) -> dict[str, Any]:
    """An episode begins. What would tell how it is judged stays out."""
    task = episode.task
    return {
        "type": EPISODE,
        "task": {
            "id": task.id, "instruction": task.instruction, "app": task.app, "package": task.package,
            "language": task.language,
        },
        "modality": episode.modality, "seed": episode.seed, "budget": episode.budget,
        "language": episode.language,
        "apps": [{"package": package, "name": name} for package, name in episode.apps],
    }  # fmt: skip


def observation_message(
    number: int, observation: Observation, task: str, picture: bytes | Path | None, tree: str,
    elements: Sequence[ScreenElement],
) -> dict[str, Any]:  # fmt: skip
    """A screen to answer; ``number`` is what the answer names."""
    screen = observation.screen
    shown: dict[str, Any] | None = None
    if isinstance(picture, Path):
        shown = {"media_type": "image/png", "path": str(picture)}
    elif picture is not None:
        shown = {"media_type": "image/png", "base64": base64.b64encode(picture).decode()}
    has_tree = observation.tree is not None
    return {
        "type": OBSERVATION, "id": number, "step": observation.step, "task": task,
        "width": observation.size.width, "height": observation.size.height,
        "package": screen.package, "activity": screen.activity, "screenshot": shown,
        "xml": screen.xml.decode("utf-8", "replace") if tree == XML and has_tree else None,
        "nodes": [_node(element) for element in elements] if tree == NODES and has_tree else None,
        "history": [
            _past(step, number)
            for number, step in list(enumerate(observation.history, start=1))[-_MAX_HISTORY:]
        ],
    }  # fmt: skip


def _past(step: PastStep, number: int) -> dict[str, Any]:
    turn = step.turn
    return {
        "step": number, "by": "agent" if turn is not None else "person",
        "action": action_to_dict(step.action), "thought": turn.thought if turn is not None else "",
        **({"reply": _reply(step.reply)} if step.reply is not None else {}),
    }  # fmt: skip


def _reply(reply: UserReply) -> dict[str, Any]:
    """What the user answered; who did, and how it fits the task, is not for the agent."""
    return {"text": reply.told, "answered": bool(reply.text)}


def _node(element: ScreenElement) -> dict[str, Any]:
    node, bounds = element.node, element.bounds
    flags = ("clickable", "long-clickable", "checkable", "checked", "scrollable", "focused", "selected")
    return {
        "index": element.index, "label": element.label,
        "text": "" if node.password else node.text, "content_desc": node.content_desc,
        "resource_id": node.resource_id, "class": node.class_name, "package": node.package,
        "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom],
        "enabled": node.get("enabled", "true") != "false", "password": node.password,
        **{flag.replace("-", "_"): node.flag(flag) for flag in flags},
    }  # fmt: skip


def read_usage(values: object, time_ms: int) -> Usage:
    """What a program says of tokens and cost; numbers that cannot be true are left out."""
    given: Mapping[str, Any] = values if isinstance(values, dict) else {}
    cost = given.get("cost")
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not 0 <= cost < 1e6:
        cost = None
    currency = given.get("currency")
    is_code = isinstance(currency, str) and len(currency) == 3 and currency.isascii() and currency.isupper()
    named = str(currency) if is_code else "USD"
    return Usage(
        _tokens(given.get("input_tokens")), _tokens(given.get("output_tokens")),
        cost, named if cost is not None else "", time_ms,
    )  # fmt: skip


def _tokens(value: object) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MAX_TOKENS
    return value if is_count else None  # type: ignore[return-value]
