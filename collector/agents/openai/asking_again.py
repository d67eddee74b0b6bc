"""Send the request of a step of a run to a model again, and compare what it answers."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from collector.agents.agent import Agent
from collector.agents.openai.chat_agent import ChatAgent
from collector.agents.openai.repeated_request import repeat_request
from collector.hierarchy.captions import caption
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.trajectory.reader import StoredTrajectory


@dataclass(frozen=True, slots=True)
class AnswersAgain:
    """What was answered then and now."""

    messages: int
    """How many messages the request has."""
    before: AgentTurn | None
    now: tuple[AgentTurn, ...]


def ask_again(
    agent: Agent, stored: StoredTrajectory, index: int, times: int = 1, cancel: threading.Event | None = None
) -> AnswersAgain:
    """Send the request of a step, whole and with its pictures, ``times`` times, and close the agent.

    Blocks. Raises UserError for a step without a request and for an agent that asks no model,
    AgentUnavailable, and CallCancelled.
    """
    try:
        if not isinstance(agent, ChatAgent):
            raise UserError(_("Only agents of the kind openai send requests"), "", _("Name one with --agent"))
        request = repeat_request(stored, index, agent.options.dialect)
        answers = tuple(agent.ask_again(request, cancel) for _number in range(times))
    finally:
        agent.close()
    return AnswersAgain(len(request.turns), stored.steps[index].agent, answers)


def answer_text(turn: AgentTurn) -> str:
    """The action and the thought of an answer, as one text."""
    words = caption(turn.predicted) if turn.predicted is not None else ""
    return " · ".join(filter(None, (words, turn.thought or turn.raw)))
