"""Actions of a source in a dialect that Waymark speaks: a person's, or an agent's answers as they came."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.dialect import Dialect
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source.model import SourceStep, SourceTrajectory
from collector.model.action import MALFORMED, Action, Answer, Complete, Impossible, Invalid
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.i18n import _
from collector.model.trajectory import RUN
from collector.model.usage import Usage
from collector.model.verdicts.judgement import FAILURE, SUCCESS

_OF_PYTHON = re.compile(r"(?:too many|not enough) values|could not convert|invalid literal|cannot convert")
"""How the errors of a wrong count or number begin."""
_MOST_DOLLARS = 10**9
SOURCE_ACTION = "source_action"
"""Key of a step's ``extra`` for its action as the source has it."""


def said_by_person(
    step: SourceStep, dialect: Dialect, values: Mapping[str, Any], screen: AgentScreen, log: ExchangeLog
) -> Action | None:
    """The action that ``values`` ask for in ``dialect``; None, with a finding, when they ask for none."""
    action = dialect.read(json.dumps(values, ensure_ascii=False, default=str), screen).predicted
    if isinstance(action, Invalid):
        unknown_action(step, action.reason, log)
        return None
    return action


def unknown_action(step: SourceStep, why: object, log: ExchangeLog) -> None:
    """Report that the action of a step is not understood; ``why`` is a text, or the error of reading it."""
    log.add("action-unknown", _("An action is not understood: {why}", why=why_unread(why)), step=step.name)


def why_unread(why: object) -> str:
    """Why an action could not be read, in words that are not those of Python."""
    if isinstance(why, KeyError):
        return _("it has no {name}", name=why.args[0])
    if isinstance(why, TypeError | OverflowError) or _OF_PYTHON.match(str(why)):
        return _("a value of it is not of the kind that the format has there")
    return str(why)


def answer(step: SourceStep, turn: AgentTurn) -> None:
    """Give a step what its agent said, and the action that it asked for."""
    step.agent, step.action = turn, turn.predicted


def usage_of(values: Mapping[str, Any], given: str, taken: str, cost: str = "") -> Usage:
    """What was used, by the keys of the tokens in and out and of the cost in dollars."""
    counts = [values.get(key) for key in (given, taken)]
    tokens = [count if type(count) is int and count >= 0 else None for count in counts]
    price = values.get(cost)
    known = float(price) if isinstance(price, (int, float)) and 0 <= price < _MOST_DOLLARS else None
    return Usage(tokens[0], tokens[1], known, "USD" if known is not None else "")


def make_run(
    trajectory: SourceTrajectory, episode: Episode, success: object = None, *, reason: str = "",
    usage: Usage | None = None,
) -> None:  # fmt: skip
    """Make ``trajectory`` an agent's run; ``success`` counts when it is true or false, or 1 or 0.

    What its agent asked for and nobody understands is an invalid action. ``usage`` is that of the whole run.
    """
    trajectory.kind, trajectory.episode = RUN, episode
    for step in trajectory.steps:
        asked = step.extra.get(SOURCE_ACTION)
        if step.action is None and asked:
            raw = asked if isinstance(asked, str) else json.dumps(asked, ensure_ascii=False, default=str)
            step.action = Invalid(raw, MALFORMED, _("The action cannot be read"))
    acted = [step.action for step in trajectory.steps if step.action is not None]
    last = acted[-1] if acted else None
    claimed = last.kind if isinstance(last, Answer | Complete | Impossible) else ""
    is_known = isinstance(success, (bool, int, float)) and success in (0, 1)
    status = (SUCCESS if success else FAILURE) if is_known else ""
    trajectory.outcome = Outcome(status=status, reason=reason, claimed=claimed, usage=usage or Usage())
