"""Actions that an environment is given: of the action space, as values or as mappings, or of a dialect."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from collector.agents.process.action_reader import read_action
from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.dialect import Dialect
from collector.agents.translators.errors import Hallucinated, Malformed
from collector.agents.translators.registry import DIALECTS
from collector.environment.observation import StepObservation
from collector.environment.plain_values import plain_action
from collector.model.action import HALLUCINATED, MALFORMED, Action, Invalid
from collector.model.episode import FOCUS, AgentTurn
from collector.model.errors import UserError
from collector.model.i18n import _

GivenAction = Action | Mapping[str, Any] | str
"""An action; the mapping of one, as ``{"kind": "tap", "x": 5, "y": 6}``; or an answer in the dialect of the
environment, without one the mapping as JSON. Numbers may be those of numpy."""


def dialect_named(name: str) -> Dialect | None:
    """The dialect with an id; None for an empty one. Raises UserError for an unknown one."""
    if not name:
        return None
    if name not in DIALECTS:
        raise UserError(
            _("There is no dialect {name}", name=name), "",
            _("Use one of: {known}", known=", ".join(sorted(DIALECTS))),
        )  # fmt: skip
    return DIALECTS[name]


def read_turn(given: GivenAction, dialect: Dialect | None, seen: StepObservation) -> AgentTurn:
    """What was asked for on a screen: an Invalid says why it is no action. Never raises."""
    given = plain_action(given)
    if isinstance(given, Action):
        return AgentTurn(predicted=given)
    if isinstance(given, str) and dialect is not None:
        elements = tuple(element.bounds for element in seen.elements)
        return dialect.read(given, AgentScreen(seen.size, elements=elements))
    raw = given if isinstance(given, str) else repr(given)
    try:
        ready = read_action(_mapping_of(given), seen.size)
    except Hallucinated as error:
        return AgentTurn(raw=raw, predicted=Invalid(raw, HALLUCINATED, str(error)))
    except Malformed as error:
        return AgentTurn(raw=raw, predicted=Invalid(raw, MALFORMED, str(error)))
    extra = {FOCUS: [ready.focus.x, ready.focus.y]} if ready.focus is not None else {}
    return AgentTurn(raw=raw, predicted=ready.action, extra=extra)


def _mapping_of(given: object) -> object:
    """What a text says as JSON; anything else as it is. Raises Malformed."""
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        raise Malformed(_("The answer is no action as JSON, and no dialect is named")) from None
