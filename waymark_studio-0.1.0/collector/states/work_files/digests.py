"""Digests of what people propose, agree on and audit: another digest says that it was changed since."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from collector.model.essential_state import EssentialState
from collector.rules.grammar.plain import plain_condition
from collector.states.documents.proposal import Proposal, ProposedState
from collector.states.documents.proposal_codec import state_values
from collector.states.documents.proposed_rules import conditions_of

_LENGTH = 12


def proposal_digest(proposal: Proposal) -> str:
    """Of the states and the golden trajectory of a proposal; signatures do not count."""
    return _digest([proposal.golden, [state_values(state) for state in proposal.states]])


def states_digest(states: Iterable[ProposedState]) -> str:
    """Of proposed states."""
    return _digest([state_values(state) for state in states])


def agreed_digest(state: EssentialState) -> str:
    """Of what an audit is about: neither the status nor the layout of the conditions count."""
    conditions = plain_condition(conditions_of(state.extra.get("conditions")))
    return _digest(
        [state.sentence, sorted(state.after), state.optional, sorted(state.alternatives), conditions]
    )


def _digest(values: Any) -> str:
    text = json.dumps(values, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]
