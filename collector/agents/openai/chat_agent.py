"""The agent ``openai``: shows a model the screen, and reads its answer in the model's own dialect."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from collector.agents.agent import AgentEpisode, AgentUnavailable, Observation
from collector.agents.openai.chat_conversation import ChatConversation
from collector.agents.openai.chat_options import ChatOptions
from collector.agents.openai.kept_request import REQUEST, kept_request
from collector.agents.openai.repeated_request import RepeatedRequest
from collector.agents.translators.coordinates import AgentScreen
from collector.endpoint.chat_endpoint import ChatEndpoint, EndpointUnavailable, ModelAnswer
from collector.endpoint.chat_reply import ChatReply
from collector.model.action import MALFORMED, Invalid
from collector.model.episode import AgentTurn
from collector.model.geometry import Size
from collector.model.i18n import _

_log = logging.getLogger(__name__)


class ChatAgent:
    """Asks a model at each step. One episode at a time, all calls on one thread."""

    def __init__(self, options: ChatOptions) -> None:
        """Raises UserError when the key cannot be sent. Nothing is sent before the first step."""
        self.options = options
        self._endpoint = ChatEndpoint(options.endpoint)
        self._episode: AgentEpisode | None = None
        self._conversation: ChatConversation | None = None
        self._other_model = ""

    def begin(self, episode: AgentEpisode) -> None:
        """Begin an episode. Raises UserError when the options need what the modality hides."""
        self._conversation = ChatConversation(self.options, episode)
        self._episode = episode

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        """Ask the model. Raises AgentUnavailable and CallCancelled."""
        if self._conversation is None:
            raise RuntimeError("act before begin")
        turns, screen = self._conversation.ask(observation)
        try:
            answer = self._endpoint.ask([turn.message for turn in turns], cancel, self._fields())
        except EndpointUnavailable as error:
            raise AgentUnavailable(error.what, error.why, error.to_do) from error
        self._note_model(answer.reply.model)
        turn = _turn(answer, self.options, screen)
        asked = kept_request(turns, self.options, self._fields(), self.options.endpoint.model)
        return replace(turn, extra={**turn.extra, REQUEST: asked})

    def ask_again(self, request: RepeatedRequest, cancel: threading.Event | None = None) -> AgentTurn:
        """Send a request of a run once more. Raises AgentUnavailable and CallCancelled."""
        try:
            answer = self._endpoint.ask([turn.message for turn in request.turns], cancel, request.fields)
        except EndpointUnavailable as error:
            raise AgentUnavailable(error.what, error.why, error.to_do) from error
        return _turn(answer, self.options, request.screen)

    def close(self) -> None:
        """End the connection."""
        self._endpoint.close()

    def _fields(self) -> Mapping[str, Any]:
        if self.options.send_seed and self._episode is not None:
            return {**self.options.fields, "seed": self._episode.seed}
        return self.options.fields

    def _note_model(self, name: str) -> None:
        """Say once in the log that another model answers than the one that was asked for."""
        asked = self.options.endpoint.model
        if name and name != self._other_model and not name.startswith(asked):
            self._other_model = name
            _log.info("the endpoint answers for %s as the model %s", asked, name)


def _turn(answer: ModelAnswer, options: ChatOptions, screen: AgentScreen) -> AgentTurn:
    """The turn that an answer is, an Invalid for one that was cut, filtered, refused or is empty."""
    reply = answer.reply
    problem = _problem(reply)
    if problem:
        raw = reply.text or reply.refusal
        read = AgentTurn(options.dialect.thought(raw), raw, Invalid(raw, MALFORMED, problem))
    else:
        read = options.dialect.read(reply.text, screen)
    milliseconds = answer.usage.time_ms or 0
    extra = {
        **read.extra, "model": reply.model, "finish_reason": reply.finish_reason,
        "attempts": answer.attempts if answer.attempts > 1 else None,
        "image": _shown(screen.image), "elements": len(screen.elements) or None,
    }  # fmt: skip
    return replace(
        read,
        thought=read.thought or reply.reasoning.strip(),
        usage=answer.usage,
        timings_ms={"think": milliseconds},
        extra={name: value for name, value in extra.items() if value},
    )


def _problem(reply: ChatReply) -> str:
    """Why an answer is no action, before anybody reads it; empty when it may be one."""
    if reply.is_cut:
        return _("The answer was cut at the limit of tokens")
    if reply.is_filtered:
        return _("A filter of the endpoint removed the answer")
    if reply.refusal and not reply.text.strip():
        return _("The model refused: {text}", text=reply.refusal)
    return "" if reply.text.strip() else _("The answer is empty")


def _shown(size: Size) -> str:
    return "" if size.is_empty else str(size)
