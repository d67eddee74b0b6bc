"""What a model was asked at a step, as a run keeps it: whole, with its pictures by the steps they are of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from collector.model.i18n import _
from collector.model.trajectory import Step

if TYPE_CHECKING:  # these load what draws pictures
    from collector.agents.openai.chat_conversation import ChatTurn
    from collector.agents.openai.chat_options import ConversationOptions

REQUEST = "request"
"""Key of a turn's ``extra``."""


def kept_request(
    turns: Sequence[ChatTurn], options: ConversationOptions, fields: Mapping[str, Any], model: str
) -> dict[str, Any]:
    """A request as JSON: messages, how pictures were drawn, the model and the other fields of the body."""
    return {
        "model": model,
        "fields": dict(fields),
        "drawn": {**asdict(options.picture), "tree": options.tree, "tree_limit": options.tree_limit},
        "messages": list(map(_message, turns)),
    }


def _message(turn: ChatTurn) -> dict[str, Any]:
    message: dict[str, Any] = {"role": turn.role, "text": turn.text}
    if turn.picture is not None:
        size = turn.picture.size
        message["picture"] = {"step": turn.step, "size": [size.width, size.height]}
    if turn.rest:
        message["rest"] = turn.rest
    return message


def request_of(step: Step) -> Mapping[str, Any] | None:
    """The request that was kept with a step; None where none was, as by other agents."""
    kept = step.agent.extra.get(REQUEST) if step.agent is not None else None
    return kept if isinstance(kept, Mapping) and isinstance(kept.get("messages"), list) else None


def model_of(step: Step) -> str:
    """The model that was asked at a step; empty where that is not known."""
    kept = request_of(step)
    return str(kept.get("model") or "") if kept is not None else ""


def request_text(kept: Mapping[str, Any]) -> str:
    """A request for people: its messages one after the other, pictures by their step."""
    lines = [f"[{kept.get('model', '')}]"] if kept.get("model") else []
    for message in messages_of(kept):
        lines.append(f"{message.get('role', '')}:")
        picture = message.get("picture")
        if text := str(message.get("text") or ""):
            lines.append(text)
        if isinstance(picture, Mapping):
            lines.append(_("(the screen of step {step})", step=picture.get("step", "?")))
        if rest := str(message.get("rest") or ""):
            lines.append(rest)
    return "\n".join(lines)


def messages_of(kept: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The messages of a request, in their order."""
    return (message for message in kept.get("messages") or () if isinstance(message, Mapping))
