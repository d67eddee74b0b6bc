"""The definition session of a task: what two operators decide about each pair of their proposed states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.states.documents.proposal import ProposedState
from collector.states.documents.workflow_act import FINISHED, WorkflowAct, standing_time, started_at

CHOOSE_A, CHOOSE_B, EDITED, DROPPED = "a", "b", "edited", "dropped"
CHOICES = (CHOOSE_A, CHOOSE_B, EDITED, DROPPED)
"""A state that one operator alone proposes is kept by choosing that operator's."""


@dataclass(frozen=True, slots=True)
class StateDecision:
    """The decision on a pair: a state of the first operator (``a``), of the second (``b``), or of both."""

    a: str = ""
    """Id in the first proposal; empty when only the second proposes it."""
    b: str = ""
    choice: str = ""
    """One of ``CHOICES``; empty while it is open, as after a new alignment."""
    state: ProposedState | None = None
    """The state as edited together. Its ``after`` and ``alternatives`` name pairs by their keys."""
    who: str = ""
    time: str = ""
    """ISO 8601, UTC."""
    agreed_id: str = ""
    """Its id in ``rules/states.yaml``, once the session was finished; a dropped state may have had one."""
    digest: str = ""
    """Of the proposed states that were decided on; when they change, the pair is to be decided again."""

    @property
    def key(self) -> str:
        """Names the pair within its session."""
        return pair_key(self.a, self.b)


@dataclass(frozen=True, slots=True)
class Definition:
    """The session of a task. Its proposals are the first and the second, A and B."""

    task: str
    operators: tuple[str, str] = ("", "")
    proposals: tuple[str, str] = ("", "")
    """Digests of the two proposals at their last alignment; another digest asks for a new alignment."""
    decisions: tuple[StateDecision, ...] = ()
    pairing: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    """States of A and B, by their ids, that the operators call the same (True) or two (False)."""
    acts: tuple[WorkflowAct, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def started(self) -> str:
        """ISO 8601 time."""
        return started_at(self.acts)

    @property
    def finished(self) -> str:
        """ISO 8601 time at which its result was written; empty while it is open."""
        return standing_time(self.acts, FINISHED)

    def decision(self, key: str) -> StateDecision | None:
        """The decision on a pair; None while there is none."""
        return next((decision for decision in self.decisions if decision.key == key), None)


def pair_key(a: str, b: str) -> str:
    """The name of a pair: ``A3`` by the first operator's state, else ``B5``."""
    return f"A{a}" if a else f"B{b}"
