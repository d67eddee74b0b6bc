"""A model that plays the user: it answers from the task and what the task's replies say, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.consent.transfer import QUESTIONS, Transfer
from collector.endpoint.chat_endpoint import ChatEndpoint, Message
from collector.endpoint.endpoint_options import ENDPOINT_OPTIONS, EndpointSettings, read_endpoint
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.user_reply import LONGEST_REPLY, UserReply
from collector.plugins.options import PluginOption, complete_options

_SYSTEM = """\
You play the user of a phone. You asked an assistant to do this on your phone:
{task}
{known}
The assistant may ask you something. Answer as the user, in one or two short sentences, in the language of
the question. Say only what you know from above. If you do not know it, say that you do not know and that
the assistant shall decide. Never say how to operate the phone.
"""
_KNOWN = "What you know, as the question it answers and your answer:"


@dataclass(frozen=True, slots=True)
class ModelUserKind:
    """What a model that plays the user declares, as agents and judges do."""

    id: str = "user"
    options: tuple[PluginOption, ...] = ENDPOINT_OPTIONS


MODEL_USER = ModelUserKind()


@dataclass(frozen=True, slots=True)
class UserQuestion:
    """A question of the episode, and the answer that was given."""

    question: str
    reply: UserReply


class ModelUser:
    """Answers the questions of one episode after the other. All calls on one thread."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Raises UserError for options that name no endpoint, and when its key cannot be sent."""
        self._endpoint = ChatEndpoint(model_settings(options))

    def answer(
        self, task: Task, question: str, before: Sequence[UserQuestion], cancel: threading.Event
    ) -> str:
        """What the model says as the user; empty when it says nothing.

        Raises EndpointUnavailable, and CallCancelled once ``cancel`` is set.
        """
        answer = self._endpoint.ask(messages_for(task, question, before), cancel)
        return answer.reply.text.strip()[:LONGEST_REPLY]

    def close(self) -> None:
        """End the connection."""
        self._endpoint.close()


def messages_for(task: Task, question: str, before: Sequence[UserQuestion]) -> list[Message]:
    """The messages to the model: what the user knows, the questions before, and this one."""
    known = [f"- {reply.question}: {reply.answer}" for reply in task.replies]
    told = "\n".join((_KNOWN, *known)) if known else ""
    turns: list[Message] = [{"role": "system", "content": _SYSTEM.format(task=task.instruction, known=told)}]
    for asked in before:
        turns += [
            {"role": "user", "content": asked.question},
            {"role": "assistant", "content": asked.reply.told},
        ]
    return [*turns, {"role": "user", "content": question or "(The assistant asks for help.)"}]


def model_settings(options: Mapping[str, Any]) -> EndpointSettings:
    """The endpoint of a model that plays the user. Raises UserError for wrong options."""
    what = _("The model that plays the user cannot be asked")
    return read_endpoint(complete_options(MODEL_USER, options, what))


def model_transfer(options: Mapping[str, Any]) -> Transfer:
    """What a person allows before the model is asked. Raises UserError for wrong options."""
    return replace(model_settings(options).transfer, sends=QUESTIONS)
