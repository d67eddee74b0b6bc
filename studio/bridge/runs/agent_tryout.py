"""Try an agent that a person describes, before an experiment has it; blocking, for a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collector.agents.kinds import AgentKind
from collector.model.i18n import _
from collector.store.project.project import Project

_MOST_LOGGED = 6


@dataclass(frozen=True, slots=True)
class AgentTryout:
    """What came of it, in sentences."""

    answer: str = ""
    problem: str = ""
    log: tuple[str, ...] = ()
    """The last lines that the agent wrote beside its answer."""


def tried_agent(
    kind: AgentKind, options: Mapping[str, Any], project: Project, cancel: threading.Event
) -> AgentTryout:
    """Show the agent a small screen with one button, and say what it answers."""
    from collector.agents.agent import taken_log
    from collector.agents.agent_check import check_agent, is_on_the_button
    from collector.agents.registry import DeclaredAgent, create_agent
    from collector.hierarchy.captions import caption
    from collector.model.action import Invalid
    from collector.model.errors import UserError

    try:
        # The person typed it just now.
        agent = create_agent(DeclaredAgent(kind.id, options), project, is_typed=True)
    except UserError as error:
        return AgentTryout(problem=str(error))
    try:
        turn = check_agent(agent, kind.modalities[0], cancel)
    except UserError as error:
        return AgentTryout(problem=str(error), log=taken_log(agent)[-_MOST_LOGGED:])
    log, action = taken_log(agent)[-_MOST_LOGGED:], turn.predicted
    if action is None or isinstance(action, Invalid):
        why = action.reason if action is not None else ""
        return AgentTryout(problem=_("Its answer is no action: {why}", why=why), log=log)
    seconds = f"{(turn.usage.time_ms or 0) / 1000:.1f}"
    words = _("It answered in {seconds} s: {action}", seconds=seconds, action=caption(action, None))
    if is_on_the_button(turn):
        words += ". " + _("That is the only button of the screen")
    return AgentTryout(words, log=log)
